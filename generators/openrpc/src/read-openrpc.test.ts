import { deepStrictEqual } from "node:assert";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommonReadOptions } from "@nodewright/model";
import { createDiagnosticSink, createDocumentSet } from "@nodewright/source";
import { afterAll, describe, expect, it } from "vitest";
import { readOpenRpc } from "./read-openrpc.ts";

const directory = mkdtempSync(join(tmpdir(), "nodewright-openrpc-"));

afterAll(() => rmSync(directory, { recursive: true }));

/** OpenRPC allows custom members in an error object only if the document defines them as extensions. */
const extension = `x-extensions:
  - { openrpcExtension: 0.0.0-development, name: x-provoked-by, version: 1.0.0, restricted: [errorObject], schema: { type: array } }
`;

function read(methods: string, version = "1.3.2") {
  writeFileSync(
    join(directory, "api.yaml"),
    `openrpc: ${version}\ninfo: { title: Test, version: 1.2.3 }\nx-envelope: { members: both }\n${extension}methods:\n${methods}`,
  );
  const sink = createDiagnosticSink();
  const model = readOpenRpc({ file: "api.yaml", name: "test", documents: createDocumentSet(directory, sink), sink });
  return { model, codes: sink.diagnostics.map(({ code }) => code) };
}

/** Reads a document with one method; diagnostics as `code pointer`. */
function readDocument(parts: object, readOptions: CommonReadOptions = {}) {
  const document = {
    openrpc: "1.3.2",
    info: { title: "Test", version: "1.2.3" },
    methods: [{ name: "ask", params: [], result: { name: "r", schema: true } }],
    ...parts,
  };
  writeFileSync(join(directory, "document.json"), JSON.stringify(document));
  const sink = createDiagnosticSink();
  const documents = createDocumentSet(directory, sink);
  const model = readOpenRpc({ file: "document.json", name: "test", documents, sink, readOptions });
  // Optional members must be absent, not undefined: `in` would find them.
  if (model !== undefined) deepStrictEqual(model, JSON.parse(JSON.stringify(model)));
  return { model, diagnostics: sink.diagnostics.map(({ code, source }) => `${code} ${source.pointer}`) };
}

const getblock = `
  - name: getblock
    summary: A block.
    params:
      - { name: blockhash, required: true, schema: { type: string } }
      - { name: verbosity, schema: { type: integer, minimum: 0, maximum: 2, default: 1 } }
    result: { name: block, schema: { oneOf: [{ type: string }, { type: object }] } }
    errors:
      - { code: -5, message: Block not found, x-provoked-by: [{ name: unknown hash, params: ["00"] }, { name: too many, params: ["00", 1, 2] }, { name: by name, parameters: { verbosity: 9 } }] }
    examples:
      - name: genesis
        params: [{ name: blockhash, value: aa }, { name: verbosity, value: 0 }]
        result: { name: block, value: "0100" }
`;

describe("readOpenRpc", () => {
  it.each(["1.2.6", "1.3.2", "1.4.1"])("reads a method of version %s", (version) => {
    const { model, codes } = read(getblock, version);
    expect(codes).toEqual([]);
    expect(model).toMatchObject({ protocol: "rpc", envelope: { members: "both" } });
    expect(model?.operations[0]).toMatchObject({
      name: "getblock",
      binding: { kind: "rpc", method: "getblock" },
      parameters: [
        { name: "blockhash", required: true, location: "argument" },
        { name: "verbosity", required: false, default: 1 },
      ],
      failures: [{ name: "BlockNotFound", rpcCode: -5 }],
    });
  });

  it("reads the data that an error shows, and neither its schema nor words about it", () => {
    const errors = [
      { code: 7, message: "No ship", data: { shipId: "S-0" } },
      { code: 8, message: "No port", data: { type: "object", properties: { portId: { type: "string" } } } },
      { code: 9, message: "No crew", data: "Who was asked for." },
    ];
    const method = { name: "ask", params: [], result: { name: "r", schema: true }, errors };
    const failures = readDocument({ methods: [method] }).model?.operations[0]?.failures;
    expect(failures?.map(({ data }) => data)).toEqual([{ shipId: "S-0" }, undefined, undefined]);
  });

  it("reads pairings as cases, and what provokes an error too", () => {
    const { model } = read(getblock);
    expect(model?.operations[0]?.examples).toMatchObject([
      { name: "genesis", input: { blockhash: "aa", verbosity: 0 }, outcome: { kind: "success", value: "0100" } },
      { name: "unknown-hash", input: { blockhash: "00" }, outcome: { kind: "failure", rpcCode: -5 } },
      { name: "too-many", params: ["00", 1, 2], outcome: { kind: "failure", rpcCode: -5 } },
      { name: "by-name", input: { verbosity: 9 }, outcome: { kind: "failure", rpcCode: -5 } },
    ]);
  });

  it("reads of a pairing what its response depends on", () => {
    const announced = ["x-live", "x-may-fail"].map((name) => ({
      openrpcExtension: "0.0.0-development",
      name,
      version: "1.0.0",
      restricted: ["examplePairingObject"],
      schema: { type: "boolean" },
    }));
    const pairing = { name: "now", params: [], result: { name: "r", value: 1 } };
    const { model, diagnostics } = readDocument({
      "x-extensions": announced,
      methods: [
        {
          name: "ask",
          params: [],
          result: { name: "r", schema: true },
          examples: [pairing, { ...pairing, name: "perhaps", "x-live": true, "x-may-fail": true }],
        },
      ],
    });
    expect(diagnostics).toEqual([]);
    const [now, perhaps] = model?.operations[0]?.examples ?? [];
    expect(now).toMatchObject({ isLive: false });
    expect(now).not.toHaveProperty("mayFail");
    expect(perhaps).toMatchObject({ isLive: true, mayFail: true });
  });

  it("reports extensions that cannot be added to the meta-schema, and takes ones that are restricted to no object", () => {
    const announced = {
      openrpcExtension: "0.0.0-development",
      name: "x-own",
      version: "1.0.0",
      schema: { maxLength: 9 },
    };
    const diagnosticsOf = (extensions: unknown): readonly string[] =>
      readDocument({ "x-extensions": extensions }).diagnostics;
    expect(diagnosticsOf([announced])).toEqual([]);
    const wrong = [
      [{ ...announced, restricted: ["nothing"] }],
      [{ ...announced, restricted: ["errorObject", "errorObject"] }],
      [{ ...announced, restricted: ["errorObject"], schema: { maxLength: "nine" } }],
      { announced },
    ];
    expect(wrong.map(diagnosticsOf)).toEqual(wrong.map(() => ["openrpc/schema-violation /x-extensions"]));
  });

  it("expects one of result and error where the document says nothing of its envelope", () => {
    writeFileSync(
      join(directory, "plain.json"),
      '{"openrpc": "1.3.2", "info": {"title": "a", "version": "1"}, "methods": []}',
    );
    const sink = createDiagnosticSink();
    const model = readOpenRpc({
      file: "plain.json",
      name: "plain",
      documents: createDocumentSet(directory, sink),
      sink,
    });
    expect(model?.envelope).toEqual({ members: "one" });
  });

  it("takes a method without a result for one that is only notified", () => {
    const { model, codes } = read(`
  - { name: log, params: [] }
  - { name: ask, params: [], result: { name: nothing, schema: { type: "null" } } }
`);
    expect(codes).toEqual([]);
    expect(model?.operations.map(({ successes }) => successes[0].content?.type.kind)).toEqual([undefined, "null"]);
    expect(model?.operations[0]?.successes).toMatchObject([{ status: 200, headers: [], description: "" }]);
  });

  it("names methods and parameters that clash by how they are spelt, wherever they stand", () => {
    const methods = ["user_get", "userGet", "user.get", "constructor", "toString"].map(
      (name) => `  - { name: ${name}, params: [], result: { name: r, schema: true } }`,
    );
    const parameters = `  - { name: m, paramStructure: by-name, params: [{ name: a b, schema: true }, { name: aB, schema: true }, { name: constructor, schema: true }], result: { name: r, schema: true } }`;
    const namesOf = (lines: readonly string[]): unknown => {
      const { model } = read(`${lines.join("\n")}\n`);
      return Object.fromEntries((model?.operations ?? []).map(({ origin, name }) => [origin, name]));
    };
    const names = namesOf(methods);
    expect(names).toEqual({
      userGet: "userGet",
      "user.get": "userGet2",
      user_get: "userGet3",
      constructor: "constructor_",
      toString: "toString_",
    });
    expect(namesOf(methods.toReversed())).toEqual(names);
    const { model } = read(`${parameters}\n`);
    expect(model?.operations[0]?.parameters.map(({ property }) => property)).toEqual(["aB2", "aB", "constructor_"]);
  });

  it("reads components that nothing refers to for their mistakes alone", () => {
    const { model, diagnostics } = readDocument({
      components: {
        contentDescriptors: {
          Wrong: { name: "w", schema: { $ref: "#/components/schemas/Nowhere" } },
          Alone: { name: "a", schema: { $ref: "#/components/schemas/Held/definitions/inner" } },
        },
        errors: { Wrong: { code: "x", message: "m" } },
        links: { Wrong: { name: "l", method: "nowhere" }, Right: { name: "r", method: "ask" } },
        schemas: { Held: { type: "object", definitions: { inner: { type: "integer" } } } },
        examplePairings: { Wrong: { name: "e", params: [{ $ref: "#/components/examples/Nowhere" }] } },
      },
    });
    expect(diagnostics).toEqual([
      "source/unresolved-reference /components/contentDescriptors/Wrong/schema/$ref",
      "openrpc/wrong-error-code /components/errors/Wrong/code",
      "openrpc/unknown-link-target /components/links/Wrong",
      "source/unresolved-reference /components/examplePairings/Wrong/params/0/$ref",
    ]);
    expect(model?.declarations.map(({ name }) => name)).toEqual(["Held"]);
  });

  it.each(["1.2.6", "1.3.2"])("reads the spellings of draft-07 in version %s", (openrpc) => {
    const { model, diagnostics } = readDocument({
      openrpc,
      components: {
        schemas: {
          Old: {
            type: "object",
            definitions: { pair: { type: "array", items: [{ type: "string" }], additionalItems: { type: "integer" } } },
            properties: { pair: { $ref: "#/components/schemas/Old/definitions/pair" } },
            dependencies: { pair: ["other"], other: { required: ["pair"] } },
          },
        },
      },
    });
    expect(diagnostics).toEqual([]);
    const [, pair] = model?.declarations ?? [];
    expect(pair?.type).toMatchObject({ kind: "list", prefix: [{ kind: "string" }], element: { kind: "number" } });
  });

  it("takes names of declarations, and formats to assert, from the configuration", () => {
    const components = { schemas: { block_hash: { type: "string", format: "uuid" } } };
    const { model } = readDocument({ components }, { declarations: { block_hash: "Digest" }, formats: "assert" });
    expect(model?.declarations).toMatchObject([{ name: "Digest", type: { format: "uuid", assertsFormat: true } }]);
  });
});

it("what a method says about conformance runs is read with it", () => {
  const { model, diagnostics } = readDocument({
    methods: [
      {
        name: "getblock",
        params: [],
        result: {
          name: "block",
          schema: { type: "object", properties: { confirmations: { type: "integer", "x-volatile": true } } },
        },
        "x-immutable": false,
        "x-relations": [{ name: "own-hash", holds: "hash = $input.hash" }],
      },
    ],
  });
  expect(diagnostics).toEqual([]);
  expect(model?.operations[0]).toMatchObject({
    extensions: { immutable: false },
    relations: [{ name: "own-hash", holds: "hash = $input.hash" }],
    successes: [{ content: { type: { members: [{ name: "confirmations", isVolatile: true }] } } }],
  });
});

describe("a method", () => {
  const result = { name: "r", schema: true };
  const text = { type: "string" };
  const openly = (names: readonly string[], restricted: string) =>
    names.map((name) => ({
      openrpcExtension: "0.0.0-development",
      name,
      version: "1.0.0",
      restricted: [restricted],
      schema: {},
    }));
  const methodOf = (method: object, rest: object = {}, readOptions: CommonReadOptions = {}) => {
    const { model, diagnostics } = readDocument(
      { methods: [{ name: "ask", params: [], result, ...method }], ...rest },
      readOptions,
    );
    return { operation: model?.operations[0], diagnostics };
  };

  it("has what people read about it, its tags and its structure", () => {
    const components = { tags: { Chain: { name: "chain" } } };
    const { operation, diagnostics } = methodOf(
      {
        summary: "Asks.",
        description: "At length.",
        deprecated: true,
        tags: [{ name: "wallet" }, { $ref: "#/components/tags/Chain" }],
        paramStructure: "by-name",
      },
      { components },
    );
    expect(diagnostics).toEqual([]);
    expect(operation).toMatchObject({
      documentation: { summary: "Asks.", description: "At length.", deprecated: true },
      tags: ["wallet", "chain"],
      binding: { kind: "rpc", method: "ask", parameterStructure: "by-name" },
    });
    const plain = methodOf({ deprecated: false }).operation;
    expect(plain).toMatchObject({ documentation: {}, tags: [], links: [], failures: [], examples: [] });
    expect(plain?.documentation).toEqual({});
    expect(plain).not.toHaveProperty("relations");
  });

  it("has a result that its description or summary says something of", () => {
    const descriptionOf = (facts: object) => methodOf({ result: { ...result, ...facts } }).operation?.successes[0];
    expect(descriptionOf({ summary: "Short.", description: "Long." })).toMatchObject({
      status: 200,
      description: "Long.",
    });
    expect(descriptionOf({ summary: "Short." })).toMatchObject({ description: "Short." });
    expect(descriptionOf({})).toMatchObject({
      description: "",
      headers: [],
      content: { mediaType: "application/json", form: "json", type: { kind: "any" } },
    });
    expect(methodOf({ result: { $ref: "#/nowhere" } }).operation?.successes[0]).toMatchObject({
      description: "",
      content: { mediaType: "application/json", form: "json", type: { kind: "any" } },
    });
  });

  it("has parameters in the order of callers by position", () => {
    const optional = { name: "a", schema: text };
    const required = {
      name: "b",
      required: true,
      summary: "Which.",
      deprecated: true,
      schema: { ...text, default: "x" },
    };
    const warning = "openrpc/required-after-optional /methods/0/params/1";
    expect(methodOf({ params: [optional, required] }).diagnostics).toEqual([warning]);
    expect(methodOf({ params: [optional, required], paramStructure: "by-position" }).diagnostics).toEqual([warning]);
    expect(methodOf({ params: [optional, required], paramStructure: "by-name" }).diagnostics).toEqual([]);
    const { operation, diagnostics } = methodOf({ params: [required, optional] });
    expect(diagnostics).toEqual([]);
    expect(operation?.parameters).toMatchObject([
      {
        name: "b",
        property: "b",
        location: "argument",
        required: true,
        default: "x",
        style: "simple",
        explode: false,
        documentation: { summary: "Which.", deprecated: true },
      },
      { name: "a", required: false, documentation: {} },
    ]);
    expect(operation?.parameters[1]).not.toHaveProperty("default");
  });

  it("may be left out, or called otherwise", () => {
    const methods = [
      { name: "ask", params: [], result, links: [{ name: "l", method: "tell" }] },
      { name: "tell", params: [], result },
    ];
    const named = (readOptions: CommonReadOptions) => {
      const { model, diagnostics } = readDocument({ methods }, readOptions);
      return [model?.operations.map(({ name, links }) => [name, links.map(({ operation }) => operation)]), diagnostics];
    };
    expect(named({})).toEqual([
      [
        ["ask", ["tell"]],
        ["tell", []],
      ],
      [],
    ]);
    expect(named({ operations: { tell: { skip: true } } })).toEqual([[["ask", []]], []]);
    expect(named({ operations: { tell: { skip: false, name: "say" } } })).toEqual([
      [
        ["ask", ["say"]],
        ["say", []],
      ],
      [],
    ]);
  });

  it("has links to methods, with values by the names of their parameters", () => {
    const methods = [
      {
        name: "ask",
        params: [],
        result,
        links: [
          { name: "next", description: "What follows.", method: "tell", params: { "block hash": "$result", more: 1 } },
          { name: "again" },
          { method: "tell" },
          { name: "lost", method: "nowhere" },
        ],
      },
      { name: "tell", params: [{ name: "block hash", schema: text }], result },
    ];
    const { model, diagnostics } = readDocument({ methods });
    expect(diagnostics.filter((each) => each.startsWith("openrpc/unknown"))).toEqual([
      "openrpc/unknown-link-target /methods/0/links/3",
    ]);
    expect(model?.operations[0]?.links.map(({ source: _source, ...link }) => link)).toEqual([
      {
        name: "next",
        description: "What follows.",
        operation: "tell",
        inputs: { blockHash: "$result", more: 1 },
      },
      { name: "again", operation: "ask", inputs: {} },
      { name: "tell", operation: "tell", inputs: {} },
    ]);
  });

  it("fails with errors that have names of their own", () => {
    const errors = [
      { code: -5, message: "Not found" },
      { code: -6, message: "not found", data: 1 },
      { code: 0, message: "x" },
    ];
    const { operation, diagnostics } = methodOf({ errors });
    expect(diagnostics).toEqual([]);
    expect(operation?.failures.map(({ source: _source, ...failure }) => failure)).toEqual([
      { name: "NotFound", rpcCode: -5, message: "Not found", contents: [], headers: [] },
      { name: "NotFound2", rpcCode: -6, message: "not found", contents: [], headers: [] },
      { name: "X", rpcCode: 0, message: "x", contents: [], headers: [] },
    ]);
  });

  it.each([
    { $ref: "#/components/schemas/A" },
    { oneOf: [] },
    { anyOf: [] },
    { allOf: [] },
    { properties: {} },
    { items: {} },
    { enum: [] },
    { format: "a" },
    { description: "a" },
    { title: "a" },
    ...["object", "string", "integer", "number", "boolean", "array"].map((type) => ({ type })),
  ])("shows no data of an error where it is a schema: %j", (data) => {
    expect(methodOf({ errors: [{ code: 1, message: "m", data }] }).operation?.failures[0]).not.toHaveProperty("data");
  });

  it.each([{}, { type: "block" }, { code: 1, type: null }])("shows data of an error: %j", (data) => {
    expect(methodOf({ errors: [{ code: 1, message: "m", data }] }).operation?.failures[0]).toHaveProperty("data", data);
  });

  it("has pairings with values by name or position", () => {
    const params = [
      { name: "first one", schema: text },
      { name: "second", schema: text },
    ];
    const r = { name: "r", value: { a: 1 } };
    const { operation, diagnostics } = methodOf({
      params,
      examples: [
        {
          name: "By Name",
          summary: "Short.",
          params: [
            { name: "second", value: "b" },
            { name: "x", value: "c" },
          ],
          result: r,
        },
        { description: "Long.", params: [{ name: "x", value: "a" }], result: r },
        {
          name: "too many",
          params: [
            { name: "x", value: 1 },
            { name: "y", value: 2 },
            { name: "z", value: 3 },
          ],
          result: r,
        },
        { name: "no result", params: [] },
      ],
    });
    expect(diagnostics.filter((each) => each.startsWith("openrpc/too"))).toEqual([
      "openrpc/too-many-example-parameters /methods/0/examples/2/params/2",
    ]);
    const outcome = { kind: "success", status: 200, value: { a: 1 } };
    expect(operation?.examples.map(({ source: _source, ...example }) => example)).toEqual([
      { name: "by-name", summary: "Short.", input: { second: "c" }, outcome, isLive: false },
      { name: "example-2", summary: "Long.", input: { firstOne: "a" }, outcome, isLive: false },
      { name: "too-many", input: { firstOne: 1, second: 2 }, outcome, isLive: false },
    ]);
  });

  it("has requests that provoke its errors, by name or position", () => {
    const params = [{ name: "first one", schema: text }];
    const provoked = [
      { name: "By Name", message: "none", parameters: { "first one": 1 } },
      { params: [1] },
      { params: [1, 2] },
      { name: "strange", parameters: { other: 1 } },
    ];
    const { operation, diagnostics } = methodOf(
      { params, errors: [{ code: -5, message: "Not found", "x-provoked-by": provoked }] },
      { "x-extensions": openly(["x-provoked-by"], "errorObject") },
    );
    expect(diagnostics).toEqual([
      "openrpc/unknown-example-parameter /methods/0/errors/0/x-provoked-by/3/parameters/other",
    ]);
    const outcome = { kind: "failure", rpcCode: -5 };
    expect(operation?.examples.map(({ source: _source, ...example }) => example)).toEqual([
      { name: "by-name", input: { firstOne: 1 }, outcome: { ...outcome, message: "none" }, isLive: false },
      { name: "not-found-2", input: { firstOne: 1 }, outcome, isLive: false },
      { name: "not-found-3", input: { firstOne: 1 }, params: [1, 2], outcome, isLive: false },
      { name: "strange", input: {}, outcome, isLive: false },
    ]);
  });
});

it("takes relative URLs of servers, of the document and of a method", () => {
  const server = { name: "here", url: "/rpc" };
  const method = {
    name: "getOne",
    params: [],
    result: { name: "one", schema: { type: "integer" } },
    servers: [server],
  };
  const { model, diagnostics } = readDocument({ servers: [server], methods: [method] });
  expect(diagnostics).toEqual([]);
  expect(model?.servers).toEqual([{ name: "here", url: "/rpc", variables: [] }]);
});

it("servers have holes with defaults", () => {
  const { model, diagnostics } = readDocument({
    servers: [
      {
        name: "main",
        url: `https://\${host}/\${path}/x`,
        summary: "Short.",
        variables: {
          host: { default: "a.example", description: "Which.", enum: ["a.example", "b.example"] },
          path: { enum: ["v1", "v2"], default: "v2" },
        },
      },
      { name: "other", url: "http://localhost", summary: "Short.", description: "Long." },
    ],
  });
  expect(diagnostics).toEqual([]);
  expect(model?.servers).toEqual([
    {
      url: "https://{host}/{path}/x",
      name: "main",
      description: "Short.",
      variables: [
        { name: "host", default: "a.example", description: "Which.", values: ["a.example", "b.example"] },
        { name: "path", default: "v2", values: ["v1", "v2"] },
      ],
    },
    { url: "http://localhost", name: "other", description: "Long.", variables: [] },
  ]);
});

describe("a mistake", () => {
  const method = { name: "ask", params: [], result: { name: "r", schema: true } };

  /** Returns all diagnostics of a document: pointer, message and hint. */
  function saidOf(document: object): readonly string[] {
    const sink = createDiagnosticSink();
    const documents = createDocumentSet(directory, sink);
    documents.register("mistakes.json", JSON.stringify(document));
    readOpenRpc({ file: "mistakes.json", name: "test", documents, sink });
    return sink.diagnostics.map(({ message, source, hint = "" }) => `${source.pointer}: ${message} ${hint}`.trimEnd());
  }

  it.each<[string, object, string, readonly string[]]>([
    ["a link to no method", { links: [{ name: "l", method: "nowhere" }] }, "/methods/0/links/0", ['"l"', '"nowhere"']],
    [
      "a parameter twice",
      {
        params: [
          { name: "a", schema: {} },
          { name: "a", schema: {} },
        ],
      },
      "/methods/0/params/1",
      ["a", "ask"],
    ],
    [
      "a parameter without a name",
      { params: [{ schema: {} }] },
      "/methods/0/params/0",
      ["name", "It is what callers by name send."],
    ],
    [
      "a parameter without a schema",
      { params: [{ name: "a" }] },
      "/methods/0/params/0",
      ['The parameter "a"', "schema", "It describes the values of the parameter."],
    ],
    ["a result without a schema", { result: { name: "r" } }, "/methods/0/result", ["The result of ask", "schema"]],
    ["an unknown structure", { paramStructure: "by-chance" }, "/methods/0/paramStructure", ["by-chance"]],
    [
      "an error without a message",
      { errors: [{ code: 1 }] },
      "/methods/0/errors/0",
      ["An error", "message", "It is a short description of the error."],
    ],
    ["an error without a code", { errors: [{ message: "m" }] }, "/methods/0/errors/0", ["code"]],
    ["an error with half a code", { errors: [{ code: 1.5, message: "m" }] }, "/methods/0/errors/0/code", ["code"]],
    [
      "a required parameter after an optional one",
      {
        params: [
          { name: "a", schema: {} },
          { name: "b", required: true, schema: {} },
        ],
      },
      "/methods/0/params/1",
      ['"b"', "ask"],
    ],
    [
      "too many values of an example",
      { examples: [{ name: "e", params: [{ name: "x", value: 1 }], result: { name: "r", value: 1 } }] },
      "/methods/0/examples/0/params/0",
      ['"e"', "ask"],
    ],
  ])("is reported with what it is about: %s", (_what, members, pointer, parts) => {
    const document = { openrpc: "1.3.2", info: { title: "T", version: "1" }, methods: [{ ...method, ...members }] };
    const said = saidOf(document).filter((one) => one.startsWith(`${pointer}: `));
    expect(said.length).toBeGreaterThan(0);
    for (const part of parts) expect(said.join("\n")).toContain(part);
  });

  it.each<[string, object, string, readonly string[]]>([
    ["no information", {}, "", ["The document", "info", "It names the API and its version."]],
    ["no title", { info: { version: "1" } }, "/info", ['"info"', "title", "It names the API."]],
    [
      "no version",
      { info: { title: "T" } },
      "/info",
      ['"info"', "version", "It is the version of the API, such as 1.0.0."],
    ],
    [
      "a server without a URL",
      { info: { title: "T", version: "1" }, servers: [{ name: "s" }] },
      "/servers/0",
      ["A server", "url", "It is where requests are sent."],
    ],
    [
      "a method without a name",
      { info: { title: "T", version: "1" }, methods: [{ params: [] }] },
      "/methods/0",
      ["A method", "name", "It is what callers send as method."],
    ],
    [
      "two methods of one name",
      { info: { title: "T", version: "1" }, methods: [method, method] },
      "/methods/1/name",
      ["ask"],
    ],
    [
      "another envelope",
      { info: { title: "T", version: "1" }, "x-envelope": { members: "none" } },
      "/x-envelope",
      ["x-envelope"],
    ],
  ])("of the document is reported: %s", (_what, members, pointer, parts) => {
    const said = saidOf({ openrpc: "1.3.2", methods: [method], ...members });
    const there = said.filter((one) => one.startsWith(`${pointer}: `));
    expect(there.length).toBeGreaterThan(0);
    for (const part of parts) expect(there.join("\n")).toContain(part);
  });

  it("in a link that nothing refers to names the link and the method", () => {
    const components = { links: { Wrong: { name: "w", method: "nobody" }, Nameless: { method: "nobody" } } };
    const said = saidOf({ openrpc: "1.3.2", info: { title: "T", version: "1" }, methods: [method], components });
    expect(said.filter((one) => one.startsWith("/components/links"))).toEqual([
      '/components/links/Wrong: The link "w" leads to a method "nobody" that does not exist; it is left out.',
      '/components/links/Nameless: The link "nobody" leads to a method "nobody" that does not exist; it is left out.',
    ]);
  });

  it.each<[unknown, string]>([
    [{ openrpc: "1.5.0" }, "/openrpc: "],
    [{ openrpc: "1.3" }, "/openrpc: "],
    [{ openrpc: "11.3.0" }, "/openrpc: "],
    [{ openrpc: 1 }, ': This is not an OpenRPC document: it has no "openrpc".'],
    [{}, ': This is not an OpenRPC document: it has no "openrpc".'],
    [[], ": This is not an OpenRPC document: it is not an object."],
  ])("ends the reading where a document is none: %j", (document, start) => {
    const said = saidOf(document as object);
    expect(said).toHaveLength(1);
    expect(said[0]?.startsWith(start)).toBe(true);
  });

  it("of a document leaves its title and version empty where there are none", () => {
    for (const info of [undefined, "T", {}]) {
      const { model } = readDocument({ info });
      expect([model?.title, model?.version]).toEqual(["", ""]);
      expect(model).not.toHaveProperty("description");
    }
    expect(readDocument({ info: { title: "T", version: "1", description: "D" } }).model).toMatchObject({
      title: "T",
      version: "1",
      description: "D",
    });
  });

  it("in a component that nothing refers to is reported, and what is right is not", () => {
    const { diagnostics } = readDocument({
      components: {
        links: { Nameless: { name: "l" }, Wrong: { name: "w", method: "nobody" } },
        examplePairings: {
          Wrong: { name: "e", params: [], result: { $ref: "#/components/examples/Nowhere" } },
          Right: { name: "f", params: [], result: { name: "r", value: 1 } },
        },
        examples: { Wrong: { $ref: "#/components/examples/Nothing" } },
        tags: { Wrong: { $ref: "#/components/tags/Nothing" } },
      },
    });
    expect(diagnostics.filter((one) => !one.includes("schema-violation"))).toEqual([
      "openrpc/unknown-link-target /components/links/Wrong",
      "source/unresolved-reference /components/examplePairings/Wrong/result/$ref",
      "source/unresolved-reference /components/examples/Wrong/$ref",
      "source/unresolved-reference /components/tags/Wrong/$ref",
    ]);
  });
});

describe("a server", () => {
  it("without a URL is none", () => {
    expect(readDocument({ servers: [{ name: "s" }, { name: "t", url: "/" }] }).model?.servers).toEqual([
      { url: "/", name: "t", variables: [] },
    ]);
    expect(readDocument({ servers: [{ name: "s" }] }).model).not.toHaveProperty("servers");
  });

  it("has the first of the values of a variable where no default is given, and none where there is none", () => {
    const { model } = readDocument({
      servers: [{ url: `http://\${a}.\${b}`, variables: { a: { enum: ["x", 1, "y"] }, b: {} } }],
    });
    expect(model?.servers?.[0]?.variables).toEqual([
      { name: "a", default: "x", values: ["x", "y"] },
      { name: "b", default: "" },
    ]);
  });
});

describe("what the meta-schema finds", () => {
  const method = { name: "ask", params: [], result: { name: "r", schema: true } };
  const violations = (diagnostics: readonly string[]): readonly string[] =>
    diagnostics.filter((one) => one.startsWith("openrpc/schema-violation"));

  it("is reported also where a warning stands at the same place", () => {
    const links = [{ name: "l", method: "nowhere", unknown: 1 }];
    const { diagnostics } = readDocument({ methods: [{ ...method, links }] });
    expect(diagnostics).toContain("openrpc/unknown-link-target /methods/0/links/0");
    expect(violations(diagnostics).length).toBeGreaterThan(0);
  });

  it("is not reported where the reader has found an error", () => {
    const { diagnostics } = readDocument({ methods: [{ ...method, paramStructure: "by-chance" }] });
    expect(diagnostics).toEqual(["openrpc/unknown-structure /methods/0/paramStructure"]);
  });

  it("is reported also where an error stands at the same place of another document", () => {
    writeFileSync(join(directory, "other.json"), JSON.stringify({ methods: [{ params: [] }] }));
    const { diagnostics } = readDocument({
      methods: [{ ...method, unknown: 1 }, { $ref: "other.json#/methods/0" }],
    });
    expect(diagnostics).toContain("document/missing-member /methods/0");
    expect(violations(diagnostics).length).toBeGreaterThan(0);
  });

  it.each<[string, object, string]>([
    ["an object that is not there", { restricted: ["nothing"] }, "An extension cannot be added to the meta-schema:"],
    [
      "one object twice",
      { restricted: ["errorObject", "errorObject"] },
      "An extension cannot be added to the meta-schema:",
    ],
    [
      "a schema that is none",
      { restricted: ["errorObject"], schema: { maxLength: "nine" } },
      "These extensions do not meet the specification of OpenRPC extensions, or have a schema that is not valid.",
    ],
  ])("says what is wrong with an extension: %s", (_what, members, start) => {
    const extension = {
      openrpcExtension: "0.0.0-development",
      name: "x-own",
      version: "1.0.0",
      schema: {},
      ...members,
    };
    const sink = createDiagnosticSink();
    const documents = createDocumentSet(directory, sink);
    const info = { title: "T", version: "1" };
    documents.register(
      "x.json",
      JSON.stringify({ openrpc: "1.3.2", info, methods: [method], "x-extensions": [extension] }),
    );
    readOpenRpc({ file: "x.json", name: "test", documents, sink });
    expect(sink.diagnostics).toHaveLength(1);
    expect(sink.diagnostics[0]?.message.startsWith(start)).toBe(true);
    expect(sink.diagnostics[0]?.message).not.toContain("Error:");
  });

  it("is found in extensions that are no objects", () => {
    for (const extensions of [[5], [null], [[]], "text"])
      expect(violations(readDocument({ "x-extensions": extensions }).diagnostics).length).toBeGreaterThan(0);
  });
});

describe("what is read where something is missing", () => {
  const result = { name: "r", schema: true };
  const operationOf = (method: object) =>
    readDocument({ methods: [{ name: "ask", params: [], result, ...method }] }).model?.operations[0];

  it.each<[string, object, object]>([
    ["a tag without a name", { tags: [{ summary: "A." }, { name: "b" }] }, { tags: ["b"] }],
    ["a tag that leads nowhere", { tags: [{ $ref: "#/components/tags/none" }] }, { tags: [] }],
    ["an error without a message", { errors: [{ code: 1 }] }, { failures: [{ rpcCode: 1, message: "" }] }],
    ["an error without a code", { errors: [{ message: "m" }] }, { failures: [] }],
    ["an error that leads nowhere", { errors: [{ $ref: "#/components/errors/none" }] }, { failures: [] }],
    [
      "a parameter without a name",
      { params: [{ schema: true }, { name: "b", schema: true }] },
      { parameters: [{ name: "b" }] },
    ],
    ["a parameter that leads nowhere", { params: [{ $ref: "#/none" }] }, { parameters: [] }],
    [
      "a parameter without a schema",
      { params: [{ name: "b" }] },
      { parameters: [{ name: "b", type: { kind: "any" } }] },
    ],
    ["a link that leads nowhere", { links: [{ $ref: "#/none" }] }, { links: [] }],
    ["an unknown structure", { paramStructure: "by-chance" }, { binding: { kind: "rpc", method: "ask" } }],
    ["no structure", {}, { binding: { kind: "rpc", method: "ask" } }],
    ["either structure", { paramStructure: "either" }, { binding: { parameterStructure: "either" } }],
    ["an example that leads nowhere", { examples: [{ $ref: "#/none" }] }, { examples: [] }],
    [
      "a value of an example that leads nowhere",
      { params: [{ name: "b", schema: true }], examples: [{ name: "e", params: [{ $ref: "#/none" }], result }] },
      { examples: [{ name: "e", input: {} }] },
    ],
    [
      "a value of an example without a name",
      { params: [{ name: "b", schema: true }], examples: [{ name: "e", params: [{ value: 1 }], result }] },
      { examples: [{ name: "e", input: { b: 1 } }] },
    ],
  ])("is %s", (_what, method, expected) => {
    expect(operationOf(method)).toMatchObject(expected);
  });

  it("is reported at the place of what is there", () => {
    const { diagnostics } = readDocument({
      methods: [{ name: "ask", params: [], result, errors: [{ message: "m" }] }],
      components: { links: { A: { name: "a", method: "nowhere" } } },
    });
    expect(diagnostics).toContain("openrpc/wrong-error-code /methods/0/errors/0");
    expect(diagnostics).toContain("openrpc/unknown-link-target /components/links/A");
  });
});
