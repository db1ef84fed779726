import type { ApiModel, Operation, Parameter, TypeNode } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { admitsNull, decodingOf } from "./decoding.ts";
import { emitServer } from "./emit-server.ts";
import { operationFacts } from "./operation-facts.ts";

const source = { file: "api.yaml", line: 1, column: 1, start: 0, end: 0, pointer: "" };
const text: TypeNode = { kind: "string", source };
const integer: TypeNode = { kind: "number", integer: true, representation: "number", source };
const marks = { disabledByDefault: false, nodeControl: false, units: 1 };

function parameter(name: string, type: TypeNode, changes: Partial<Parameter> = {}): Parameter {
  return {
    name,
    property: name,
    location: "path",
    required: true,
    type,
    style: "simple",
    explode: false,
    source,
    ...changes,
  };
}

function operation(name: string, changes: Partial<Operation> = {}): Operation {
  return {
    name,
    origin: `GET /${name}`,
    binding: { kind: "http", method: "GET", path: `/${name}` },
    tags: [],
    parameters: [],
    successes: [
      {
        status: 200,
        content: { mediaType: "application/json", form: "json", type: text },
        headers: [],
        description: "",
        source,
      },
    ],
    failures: [],
    examples: [],
    links: [],
    marks,
    source,
    documentation: {},
    ...changes,
  };
}

function model(changes: Partial<ApiModel> = {}): ApiModel {
  return {
    name: "shop",
    protocol: "http",
    title: "Shop",
    version: "1",
    document: "specs/shop.yaml",
    declarations: [],
    operations: [],
    documents: [],
    security: [],
    ...changes,
  };
}

const target = {
  directory: "packages/shop/src/handlers",
  context: { module: "../context.ts", name: "ShopContext" },
  present: new Set<string>(),
  parents: {},
};

function emitted(api: ApiModel, path: string, handlers = target): string {
  const result = emitServer.emit({ model: api, packageName: "@x/shop-api", handlers });
  const files = [...result.files, ...(result.handlerFiles ?? []), ...(result.stubs ?? [])];
  return files.find((file) => file.path === path)?.text ?? "";
}

describe("the decoding of a parameter", () => {
  const union = (...members: readonly TypeNode[]): TypeNode => ({ kind: "union", mode: "any-of", members, source });
  const nothing: TypeNode = { kind: "null", source };
  const list = (element: TypeNode): TypeNode => ({ kind: "list", prefix: [], element, source });
  const declared = model({
    declarations: [
      { name: "Height", originalName: "Height", role: "value", type: integer, implements: [], source },
      {
        name: "Tree",
        originalName: "Tree",
        role: "value",
        type: union(text, { kind: "reference", target: "Tree", source }),
        implements: [],
        source,
      },
    ],
  });

  it.each([
    ["a text", text, "string"],
    ["an integer behind a reference", { kind: "reference", target: "Height", source }, "integer"],
    ["a type that leads back to itself", { kind: "reference", target: "Tree", source }, "string"],
    ["a number or null", union({ ...integer, integer: false }, nothing), "number"],
    ["an integer or a number", union(integer, { ...integer, integer: false }), "number"],
    ["an integer or a long one", union(integer, { ...integer, representation: "bigint" }), "bigint"],
    ["a number or a text", union(integer, text), "scalar"],
    ["some texts", { kind: "enumeration", values: ["a", "b"], source }, "string"],
    ["some numbers", { kind: "enumeration", values: [1, 2, null], source }, "number"],
    ["a list of numbers", list(integer), { list: "integer" }],
    ["a long integer", { ...integer, representation: "bigint" }, "bigint"],
    [
      "an object",
      {
        kind: "record",
        fields: [{ name: "a", type: integer, required: true, access: "read-write", arguments: [], source }],
        additional: { kind: "any", source },
        patterns: [],
        source,
      },
      { record: { a: "integer" } },
    ],
  ] as const)("of %s", (_name, type, decoding) => {
    expect(decodingOf(type as TypeNode, declared)).toEqual(decoding);
  });

  it("knows where null is a value", () => {
    expect(admitsNull(union(integer, nothing), declared)).toBe(true);
    expect(admitsNull({ kind: "any", source }, declared)).toBe(true);
    expect(admitsNull(integer, declared)).toBe(false);
  });
});

describe("the facts of an operation", () => {
  it("say no more than is not usual", () => {
    const height = parameter("height", integer, { default: 5, invalidMessage: "Invalid number" });
    const facts = operationFacts(operation("a", { parameters: [height] }), model());
    expect(facts["parameters"]).toEqual([
      {
        name: "height",
        property: "height",
        location: "path",
        required: true,
        decoding: "integer",
        default: 5,
        invalidMessage: "Invalid number",
      },
    ]);
    const tags = parameter("tags", text, { location: "query", style: "form", explode: false });
    expect(operationFacts(operation("a", { parameters: [tags] }), model())["parameters"]).toMatchObject([
      { explode: false },
    ]);
  });

  it.each([
    [{ kind: "http", method: "POST", path: "/" }, false],
    [{ kind: "http", method: "DELETE", path: "/" }, true],
    [{ kind: "rpc", method: "getblock", parameterStructure: "either" }, true],
    [{ kind: "rpc", method: "eth_getBalance", parameterStructure: "either" }, true],
    [{ kind: "rpc", method: "eth_chainId", parameterStructure: "either" }, true],
    [{ kind: "rpc", method: "sendrawtransaction", parameterStructure: "either" }, false],
    [{ kind: "rpc", method: "eth_sendRawTransaction", parameterStructure: "either" }, false],
    [{ kind: "rpc", method: "stop", parameterStructure: "either" }, false],
  ] as const)("know whether %j may be repeated", (binding, idempotent) => {
    expect(operationFacts(operation("a", { binding }), model())["idempotent"]).toBe(idempotent);
  });

  it("believe the mark of a method before its name", () => {
    const binding = { kind: "rpc", method: "getandforget", parameterStructure: "either" } as const;
    expect(operationFacts(operation("a", { binding, marks: { ...marks, safe: false } }), model())["idempotent"]).toBe(
      false,
    );
  });

  it("lead from page to page, from the second as from the first", () => {
    const inputs = { after: "$response.body#/24/id" };
    const first = operation("first", { links: [{ name: "next", operation: "after", inputs, source }] });
    const after = operation("after");
    const api = model({ operations: [first, after] });
    for (const one of [first, after]) expect(operationFacts(one, api)["next"]).toEqual({ operation: "after", inputs });
  });
});

describe("the server's files", () => {
  it("ask handlers for the reply where there are headers, else for the body", () => {
    const header = { name: "X-Total", property: "xTotal", required: true, type: integer };
    const [success] = operation("a").successes;
    const api = model({
      operations: [operation("plain"), operation("withHeader", { successes: [{ ...success, headers: [header] }] })],
    });
    const server = emitted(api, "server.ts");
    expect(server).toContain("readonly answer: PlainOutput | PreparedJson<PlainOutput>;");
    expect(server).toContain("readonly answer: PreparedReply<WithHeaderReply>;");
    const calls = emitted(api, "calls.ts");
    expect(calls).toContain('name: "x-total"');
    expect(calls).toMatch(/name: "plain",[\s\S]*answers: "body"[\s\S]*name: "withHeader",[\s\S]*answers: "reply"/);
  });

  it("know how the body of a failure is decoded where memory differs", () => {
    const big: TypeNode = { kind: "number", integer: true, representation: "bigint", source };
    const type: TypeNode = { kind: "reference", target: "Size", source };
    const contents = [{ mediaType: "application/json", form: "json", type }] as const;
    const failure = { message: "", headers: [], source };
    const failures = [
      { ...failure, name: "Large", status: 413, contents },
      { ...failure, name: "Gone", status: 410, contents: [] },
    ];
    const api = model({
      declarations: [{ name: "Size", originalName: "Size", role: "value", type: big, implements: [], source }],
      operations: [operation("put", { failures })],
    });
    const calls = emitted(api, "calls.ts");
    expect(calls).toContain('import { decodeSize } from "./codecs.ts";');
    expect(calls).toMatch(
      /name: "Large",\s+status: 413,\s+decode: decodeSize,\s+},\s+{\s+name: "Gone",\s+status: 410,\s+}/,
    );
  });

  it("begin with the header and name where each declaration comes from", () => {
    const api = model({ operations: [operation("getItem")] });
    for (const path of ["calls.ts", "operations.ts", "server.ts", "index.ts"]) {
      const lines = emitted(api, path).split("\n");
      expect(lines[0]).toBe("// @generated by nodewright from specs/shop.yaml. Do not edit.");
    }
    expect(emitted(api, "server.ts")).toContain("@generated from GET /getItem");
  });

  it("keep texts of the document from ending a comment or a literal", () => {
    const hostile = ["*/ process.exit() /*", "`$", '{process.exit()}` "\n'].join("");
    const documentation = { summary: hostile, description: hostile };
    const api = model({ operations: [operation("getItem", { origin: hostile, documentation })] });
    for (const path of ["server.ts", "operations.ts", "get-item.ts"]) {
      const code = emitted(api, path).replaceAll(/\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'/g, "");
      expect(code).not.toContain("process.exit");
    }
  });

  it("pass the envelope of a JSON-RPC document to the plugin, and let handlers answer prepared JSON", () => {
    const binding = { kind: "rpc", method: "ping", parameterStructure: "either" } as const;
    const api = model({ protocol: "rpc", operations: [operation("ping", { binding })], envelope: { members: "both" } });
    expect(emitted(api, "server.ts")).toContain(
      'return createRpcPlugin({ ...operations }, options.handlers, options, "both");',
    );
    expect(emitted(api, "server.ts")).toContain("readonly answer: PingOutput | PreparedJson<PingOutput>;");
  });
});

describe("handlers", () => {
  it("get a typed stub each, which says that it is not implemented", () => {
    const api = model({ operations: [operation("getItem", { documentation: { summary: "One item." } })] });
    expect(emitted(api, "get-item.ts")).toBe(`import { ServiceError } from "@nodewright/runtime";
import type { ShopHandler } from "@x/shop-api/server";
import type { ShopContext } from "../context.ts";

/** One item. */
export const getItem: ShopHandler<"getItem", ShopContext> = () => {
  throw new ServiceError("not_implemented", "GET /getItem is not implemented");
};
`);
  });

  it("stand in the index when they are there, and only then", () => {
    const api = model({ operations: [operation("getItem"), operation("delete"), operation("gone")] });
    const index = emitted(api, "index.ts", { ...target, present: new Set(["getItem", "delete"]) });
    expect(index).toContain('import { getItem } from "./get-item.ts";');
    expect(index).toContain("  getItem,\n  delete: delete_,\n};");
    expect(index).not.toContain("gone");
  });
});

describe("a GraphQL server", () => {
  const block: TypeNode = { kind: "reference", target: "Block", source };
  const nothing: TypeNode = { kind: "null", source };
  const blocks: TypeNode = { kind: "list", prefix: [], element: block, source };
  const field = (name: string, type: TypeNode) =>
    ({ name, type, required: true, access: "read-write", arguments: [], source }) as const;
  const api = model({
    protocol: "graphql",
    schemaText: ['type Query { block: Block }\n\n"a `tick` $', '{x} \\n"\ntype Block { number: Long! }\n'].join(""),
    declarations: [
      { name: "Long", originalName: "Long", role: "scalar", type: text, implements: [], source },
      {
        name: "Block",
        originalName: "Block",
        role: "object",
        type: {
          kind: "record",
          fields: [
            field("number", { kind: "reference", target: "Long", source }),
            field("parent", { kind: "union", mode: "any-of", members: [block, nothing], source }),
            field("uncles", blocks),
          ],
          additional: { kind: "never", source },
          patterns: [],
          source,
        },
        implements: [],
        source,
      },
    ],
    operations: [
      operation("block", {
        origin: "Query.block",
        binding: { kind: "graphql", root: "query", field: "block" },
        successes: [
          {
            status: 200,
            content: { mediaType: "application/json", form: "json", type: block },
            headers: [],
            description: "",
            source,
          },
        ],
      }),
    ],
  });

  it("has a resolver for each field of an object, in terms of the resolvers' own values", () => {
    const server = emitted(api, "server.ts");
    expect(server).toContain('readonly number: Resolver<Parents["Block"], NoArguments, Long, Context>;');
    expect(server).toContain(
      'readonly parent: Resolver<Parents["Block"], NoArguments, Parents["Block"] | null, Context>;',
    );
    expect(server).toContain(
      'readonly uncles: Resolver<Parents["Block"], NoArguments, readonly Parents["Block"][], Context>;',
    );
    expect(server).toContain('readonly answer: Parents["Block"];');
  });

  it("carries the schema as it is", async () => {
    const operations = emitted(api, "operations.ts");
    const [, literal = ""] = /schemaText: string = (`[\s\S]*`);/.exec(operations) ?? [];
    expect(new Function(`return ${literal}`)()).toBe(api.schemaText?.trim());
  });

  it("names the values that stand for objects where the configuration does", () => {
    const parents = { Block: { module: "../block.ts", name: "BlockValue" } };
    const own = { ...target, present: new Set(["block"]), parents };
    expect(emitted(api, "parents.ts", own)).toContain("readonly Block: BlockValue;");
    expect(emitted(api, "index.ts", own)).toContain("handlers: ShopHandlers<ShopContext, ShopParents>");
    expect(emitted(api, "block.ts", own)).toContain('ShopHandler<"block", ShopContext, ShopParents>');
  });

  it("answers subscriptions with what comes one after the other", () => {
    const [first] = api.operations;
    if (first === undefined) throw new Error("The model has an operation");
    const binding = { kind: "graphql", root: "subscription", field: "block" } as const;
    const server = emitted({ ...api, operations: [{ ...first, binding }] }, "server.ts");
    expect(server).toContain('readonly answer: AsyncIterable<Parents["Block"]>;');
  });

  it("has resolvers of objects alone: root types have handlers, and interfaces their objects'", () => {
    const [scalar, object] = api.declarations;
    if (scalar === undefined || object === undefined) throw new Error("The model has declarations");
    const declarations = [
      scalar,
      object,
      { ...object, name: "Query", originalName: "Query" },
      { ...object, name: "NodeValue", originalName: "Node", role: "interface" as const },
    ];
    const server = emitted({ ...api, declarations }, "server.ts");
    expect(server).toContain("export interface BlockResolvers<");
    expect(server).not.toMatch(/(?:Query|Node\w*)Resolvers/);
    // Values stand for all of them, by the names of the schema.
    expect(server).toMatch(/readonly Query: unknown;\s+readonly Node: unknown;/);
    expect(server).toContain("`__typename`");
  });

  it("holds scalars against the forms that are known of them", () => {
    const [scalar, ...others] = api.declarations;
    if (scalar === undefined) throw new Error("The model has declarations");
    const patterned = { ...scalar, type: { ...text, kind: "string", pattern: "^0x" } as const };
    const server = emitted({ ...api, declarations: [patterned, ...others] }, "server.ts");
    expect(server).toMatch(/scalarChecks: ScalarChecks = \{\s+Long: isLong,/);
    expect(server).toMatch(/options,\s+scalarChecks,?\s+\)/);
    expect(emitted(api, "server.ts")).not.toContain("scalarChecks");
  });
});
