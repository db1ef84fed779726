import type { ApiModel, Operation, TypeNode } from "@nodewright/model";
import type { SuiteHttpOperation, SuiteType } from "@nodewright/conformance/suite";
import { describe, expect, it } from "vitest";
import {
  at,
  count,
  example,
  field,
  hash,
  model,
  operation,
  parameter,
  record,
  thing,
} from "../testing/things-model.ts";
import { pointerPlaces } from "./places.ts";
import { createSuite } from "./create-suite.ts";

const source = at(1, 1);

function httpOperation(changes: Partial<Operation> = {}, more: Partial<ApiModel> = {}): SuiteHttpOperation {
  const suite = createSuite({ ...model, operations: [{ ...operation, ...changes }], ...more });
  const [first] = suite.protocol === "http" ? suite.operations : [];
  if (first === undefined) throw new Error("The suite has no operation");
  return first;
}

function written(type: TypeNode): SuiteType | undefined {
  return httpOperation({ parameters: [parameter("it", type)] }).parameters[0]?.type;
}

describe("a suite of HTTP", () => {
  it("says of itself what it was made from", () => {
    expect(createSuite(model)).toMatchObject({
      format: 2,
      protocol: "http",
      name: "some-things",
      title: "Things",
      version: "1",
      source: "specs/things.yaml",
      security: { key: { kind: "api-key", location: "header", parameter: "X-Key" } },
    });
  });

  it("has a success for each media type that says the same", () => {
    const [success] = operation.successes;
    if (success?.content === undefined) throw new Error("The operation succeeds with a body");
    const equivalents = [{ ...success.content, mediaType: "text/json" }];
    const { successes } = httpOperation({ successes: [{ ...success, equivalents }] });
    expect(successes.map(({ status, content }) => [status, content?.mediaType])).toEqual([
      [200, "application/json"],
      [200, "text/json"],
    ]);
  });

  it("holds an operation with all that it takes and answers, and where the document says so", () => {
    expect(httpOperation()).toEqual({
      name: "getThing",
      origin: "GET /thing/{hash}",
      tags: ["things"],
      method: "GET",
      path: "/thing/{hash}",
      parameters: [
        {
          name: "hash",
          property: "hash",
          location: "path",
          required: true,
          invalidMessage: "Invalid hash",
          type: { kind: "string", pattern: "^[0-9a-f]{4}$", place: "40:7" },
          place: "12:9",
        },
        {
          name: "count",
          property: "count",
          location: "query",
          required: false,
          decoding: "integer",
          default: 2,
          type: { kind: "number", integer: true, minimum: 1, maximum: 5, place: "1:1" },
          place: "1:1",
        },
      ],
      successes: [
        {
          status: 200,
          content: {
            mediaType: "application/json",
            form: "json",
            type: { kind: "reference", target: "Thing", place: "1:1" },
          },
          headers: [
            {
              name: "cache-control",
              required: true,
              type: { kind: "enumeration", values: ["no-store"], place: "1:1" },
              place: "1:1",
            },
          ],
          place: "20:11",
        },
      ],
      failures: [{ name: "NotFound", status: 404, contents: [], headers: [], place: "25:11" }],
      examples: [
        {
          name: "first",
          input: { hash: "00ff" },
          outcome: { kind: "success", status: 200, value: { ok: true } },
          place: "30:9",
        },
      ],
      links: [{ name: "next", operation: "getThing", inputs: { hash: "$response.body#/next" }, place: "33:5" }],
      relations: [],
      extensions: { disabledByDefault: false, nodeControl: false, units: 1 },
      place: "10:5",
    });
  });

  it("says of which failure a link is", () => {
    const link = { name: "other", operation: "getThing", inputs: {}, status: 404, source: at(33, 5) };
    expect(httpOperation({ links: [link] }).links).toMatchObject([{ name: "other", status: 404 }]);
  });

  it("names the file of a place that is not in the document itself", () => {
    expect(written({ ...hash, source: at(3, 4, "/Hash", "specs/types.yaml") })?.place).toBe("specs/types.yaml:3:4");
  });

  it("declares every type of the document, whether or not anything leads to it", () => {
    expect(createSuite({ ...model, operations: [] }).types).toEqual({
      Thing: {
        kind: "record",
        members: [{ name: "ok", type: { kind: "boolean", place: "51:13" }, required: true, place: "50:9" }],
        place: "45:5",
      },
    });
  });

  it("knows what never changes, what does, and what holds next to", () => {
    const relations = [
      { name: "own-hash", holds: "hash = $input.hash", because: "It was asked for.", source: at(8, 3) },
    ];
    expect(httpOperation({ extensions: { ...operation.extensions, immutable: true }, relations })).toMatchObject({
      isImmutable: true,
      relations: [{ name: "own-hash", holds: "hash = $input.hash", because: "It was asked for.", place: "8:3" }],
    });
    expect(httpOperation()).not.toHaveProperty("isImmutable");
    const type = record(
      field("confirmations", count, { isVolatile: true }),
      field("secret", hash, { access: "write-only" }),
    );
    expect(written(type)).toMatchObject({ members: [{ isVolatile: true }, { access: "write-only" }] });
  });

  it("knows whether what is at a bound is within, of members of a filter as well", () => {
    const described = (name: string): ReturnType<typeof field> =>
      field(name, { ...count, documentation: { description: "At least so many" } } as typeof count);
    const { members = [] } = written(record(described("minCount"), described("count"))) as Partial<
      Extract<SuiteType, { kind: "record" }>
    >;
    expect(members.map(({ includesBound }) => includesBound)).toEqual([true, undefined]);
  });

  it("holds by its type alone an example that is live, and lets one fail that may", () => {
    expect(httpOperation({ examples: [{ ...example, isLive: true, mayFail: true }] }).examples).toMatchObject([
      { isLive: true, mayFail: true },
    ]);
  });
});

describe("the types of a suite", () => {
  const anything: TypeNode = { kind: "any", source };

  it.each<[string, TypeNode, object]>([
    ["that a kind is but implied", { ...hash, isKindImplied: true } as TypeNode, { isKindImplied: true }],
    [
      "bounds that a double can't hold",
      {
        kind: "number",
        integer: true,
        representation: "bigint",
        minimum: -(2n ** 63n),
        exclusiveMaximum: 2n ** 64n,
        source,
      },
      { minimum: -9223372036854775808n, exclusiveMaximum: 18446744073709551616n },
    ],
    [
      "bounds of long integers that a double can hold",
      { kind: "number", integer: true, representation: "bigint", maximum: 5n, multipleOf: 5, source },
      { maximum: 5, multipleOf: 5 },
    ],
    [
      "all of a list",
      {
        kind: "list",
        prefix: [hash],
        element: { kind: "never", source },
        minItems: 1,
        maxItems: 2,
        uniqueItems: true,
        contains: { type: count, minimum: 1, maximum: 2 },
        evaluatesAll: true,
        source,
      },
      {
        prefix: [{ kind: "string" }],
        element: { kind: "never" },
        minItems: 1,
        maxItems: 2,
        uniqueItems: true,
        contains: { type: { kind: "number" }, minimum: 1, maximum: 2 },
        evaluatesAll: true,
      },
    ],
    [
      "all of a record",
      {
        ...record(field("a", anything, { required: false, isUndescribed: true })),
        additional: { kind: "never", source },
        patterns: [{ pattern: "^x-", type: hash }],
        minProperties: 1,
        maxProperties: 3,
        names: hash,
        dependencies: [{ property: "a", type: thing, keyword: "dependentSchemas" }],
        evaluatesAll: true,
      },
      {
        members: [{ name: "a", required: false, isUndescribed: true }],
        additional: { kind: "never" },
        patterns: [{ pattern: "^x-", type: { kind: "string" } }],
        minProperties: 1,
        maxProperties: 3,
        names: { kind: "string" },
        dependencies: [{ property: "a", type: { kind: "record" } }],
        evaluatesAll: true,
      },
    ],
    [
      "which member of a union a property selects",
      {
        kind: "union",
        mode: "one-of",
        members: [{ kind: "reference", target: "Thing", source }],
        discriminator: { property: "kind", mapping: { thing: "Thing" } },
        source,
      },
      { mode: "one-of", discriminator: { property: "kind", mapping: { thing: "Thing" } } },
    ],
    [
      "conditions, refusals and what is left over",
      {
        kind: "intersection",
        members: [
          { kind: "not", type: hash, source },
          { kind: "conditional", condition: hash, consequence: count, alternative: anything, source },
          { kind: "unevaluated", base: thing, members: { kind: "never", source }, elements: hash, source },
        ],
        source,
      },
      {
        members: [
          { kind: "not", type: { kind: "string" } },
          {
            kind: "conditional",
            condition: { kind: "string" },
            consequence: { kind: "number" },
            alternative: { kind: "any" },
          },
          { kind: "unevaluated", base: { kind: "record" }, members: { kind: "never" }, elements: { kind: "string" } },
        ],
      },
    ],
  ])("say %s", (_what, type, expected) => {
    expect(written(type)).toMatchObject(expected);
  });

  it("leave an open record open without a word", () => {
    expect(written(record())).toEqual({ kind: "record", members: [], place: "1:1" });
  });

  it("show defaults and examples that are of the type, and no others", () => {
    const shown: TypeNode = { ...count, default: 9, documentation: { examples: [1, "two", 3] } };
    expect(written(shown)).toMatchObject({ examples: [1, 3] });
    expect(written(shown)).not.toHaveProperty("default");
    expect(written({ ...count, default: 5 })).toMatchObject({ default: 5 });
  });
});

describe("examples that contradict their types", () => {
  const invalidResponse = {
    ...example,
    name: "wrong",
    input: { hash: "beef" },
    outcome: { kind: "success", status: 200, value: { ok: 1 } },
  } as const;

  it("make no case, and their sound inputs are still shown", () => {
    const { examples, parameters } = httpOperation({ examples: [invalidResponse, example] });
    expect(examples.map(({ name }) => name)).toEqual(["first"]);
    expect(parameters[0]?.examples).toEqual(["beef"]);
  });

  it("are not shown where the input is wrong", () => {
    const { examples, parameters } = httpOperation({ examples: [{ ...example, input: { hash: "no hash" } }] });
    expect(examples).toEqual([]);
    expect(parameters[0]).not.toHaveProperty("examples");
  });

  it("may hold anything where they show a failure", () => {
    const failing = { ...example, input: { hash: "no hash" }, outcome: { kind: "failure", status: 404 } } as const;
    expect(httpOperation({ examples: [failing] }).examples).toHaveLength(1);
  });

  it("may spell in a URL what the type says, and show null for an argument that is left out", () => {
    const spelled = { ...example, input: { hash: "00ff", count: "3" } };
    expect(httpOperation({ examples: [spelled] }).examples).toHaveLength(1);
    const suite = createSuite({
      ...model,
      protocol: "rpc",
      operations: [
        {
          ...operation,
          binding: { kind: "rpc", method: "getthing", parameterStructure: "by-position" },
          parameters: [parameter("hash", hash, { location: "argument", required: false })],
          examples: [{ ...example, input: { hash: null } }],
        },
      ],
    });
    expect(suite.protocol === "rpc" ? suite.operations[0]?.examples : []).toHaveLength(1);
  });

  it("are shown of a body once, in the case or next to it", () => {
    const content = {
      mediaType: "application/json",
      form: "json",
      type: thing,
      examples: [{ ok: true }, { ok: false }, { ok: 1 }].map((value) => ({ value, source })),
    } as const;
    const { body } = httpOperation({
      body: { required: true, contents: [content], source },
      examples: [{ ...example, input: { hash: "00ff", body: { ok: true } } }],
    });
    expect(body?.contents[0]?.examples).toEqual([{ ok: false }]);
  });
});

describe("a suite of JSON-RPC", () => {
  const method: Operation = {
    ...operation,
    binding: { kind: "rpc", method: "getthing" },
    parameters: [parameter("hash", hash, { location: "argument" })],
    failures: [
      { name: "Wrong", rpcCode: -3, message: "Wrong hash", data: { hash: "0" }, contents: [], headers: [], source },
    ],
    examples: [{ ...example, params: ["00ff", 1] }],
  };

  it("says what stands around results, what methods are called, and what their errors are", () => {
    const suite = createSuite({ ...model, protocol: "rpc", operations: [method], envelope: { members: "both" } });
    expect(suite).toMatchObject({ protocol: "rpc", envelope: "both" });
    const [first] = suite.protocol === "rpc" ? suite.operations : [];
    expect(first).toMatchObject({
      method: "getthing",
      parameters: [{ location: "argument", type: { kind: "string" } }],
      failures: [{ name: "Wrong", rpcCode: -3, message: "Wrong hash", data: { hash: "0" } }],
      examples: [{ params: ["00ff", 1] }],
    });
    expect(first).not.toHaveProperty("parameterStructure");
    expect(createSuite({ ...model, protocol: "rpc", operations: [] })).toMatchObject({ envelope: "one" });
  });

  it("knows a method without a result for a notification", () => {
    const silent: Operation = {
      ...method,
      binding: { kind: "rpc", method: "log", parameterStructure: "by-name" },
      successes: [{ status: 200, headers: [], description: "", source }],
      examples: [],
    };
    const suite = createSuite({ ...model, protocol: "rpc", operations: [silent] });
    expect(suite.protocol === "rpc" ? suite.operations[0] : undefined).toMatchObject({
      isNotification: true,
      parameterStructure: "by-name",
    });
  });
});

describe("a suite of GraphQL", () => {
  const scalar = (name: string, type: TypeNode): ApiModel["declarations"][number] => ({
    name,
    originalName: name,
    role: "scalar",
    type,
    implements: [],
    source,
  });
  const text = (name: string): TypeNode => ({ kind: "string", format: name, source });
  const api: ApiModel = {
    ...model,
    protocol: "graphql",
    operations: [],
    schemaText: "type Query {\n  thing: Boolean\n}",
    schemaSource: "# ours\ntype Query { thing: Boolean }\n",
    declarations: [
      scalar("DateTime", text("DateTime")),
      scalar("Long", text("Long")),
      scalar("Hash", hash),
      scalar("JSON", { kind: "any", source }),
    ],
    documents: [
      {
        name: "thing",
        root: "query",
        text: "query Thing { thing }",
        variables: [],
        result: thing,
        rootFields: ["thing"],
        examples: [{ ...example, input: {} }],
        relations: [{ name: "is-there", holds: "thing", source }],
        source: at(1, 1, "Thing", "specs/operations/thing.graphql"),
        documentation: {},
      },
    ],
  };

  it("holds the schema as its file has it, and operations", () => {
    expect(createSuite(api)).toMatchObject({
      protocol: "graphql",
      schema: "# ours\ntype Query { thing: Boolean }\n",
      types: {},
      documents: [
        {
          name: "thing",
          root: "query",
          text: "query Thing { thing }",
          examples: [{ name: "first" }],
          relations: [{ name: "is-there", holds: "thing" }],
          place: "specs/operations/thing.graphql:1:1",
        },
      ],
    });
  });

  it("knows scalars that somebody described, or whose name says how they are written", () => {
    expect(createSuite(api)).toMatchObject({ scalars: { DateTime: { kind: "string" }, Hash: { kind: "string" } } });
    expect(
      Object.keys(createSuite(api).protocol === "graphql" ? (createSuite(api) as { scalars: object }).scalars : {}),
    ).toEqual(["DateTime", "Hash"]);
  });
});

it("a suite that is kept names places that do not move with every line", () => {
  const suite = createSuite(model, pointerPlaces(model.document));
  expect(suite.types["Thing"]).toMatchObject({ place: "#/components/schemas/Thing" });
  const [first] = suite.protocol === "http" ? suite.operations : [];
  expect(first?.place).toBe("#/paths/~1thing~1{hash}/get");
  expect(first?.parameters[0]).toMatchObject({
    type: { kind: "string", pattern: "^[0-9a-f]{4}$" },
    place: "#/paths/~1thing~1{hash}/get/parameters/0",
  });
  expect(JSON.stringify(suite)).not.toMatch(/"\d+:\d+"/);
});
