import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReadingChoices } from "@nodewright/model";
import { createDiagnosticSink, createDocumentSet } from "@nodewright/source";
import { afterAll, describe, expect, it } from "vitest";
import { readOpenRpc } from "./read-openrpc.ts";

const directory = mkdtempSync(join(tmpdir(), "nodewright-openrpc-"));

afterAll(() => rmSync(directory, { recursive: true }));

/** OpenRPC takes members of one's own in an error object only when the document announces them. */
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
function readDocument(parts: object, choices: ReadingChoices = {}) {
  const document = {
    openrpc: "1.3.2",
    info: { title: "Test", version: "1.2.3" },
    methods: [{ name: "ask", params: [], result: { name: "r", schema: true } }],
    ...parts,
  };
  writeFileSync(join(directory, "document.json"), JSON.stringify(document));
  const sink = createDiagnosticSink();
  const documents = createDocumentSet(directory, sink);
  const model = readOpenRpc({ file: "document.json", name: "test", documents, sink, choices });
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
      binding: { kind: "rpc", method: "getblock", parameterStructure: "either" },
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
      { name: "too-many", positional: ["00", 1, 2], outcome: { kind: "failure", rpcCode: -5 } },
      { name: "by-name", input: { verbosity: 9 }, outcome: { kind: "failure", rpcCode: -5 } },
    ]);
  });

  it("reads of a pairing what its answer depends on", () => {
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
    expect(now).toMatchObject({ live: false });
    expect(now).not.toHaveProperty("mayFail");
    expect(perhaps).toMatchObject({ live: true, mayFail: true });
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
    marks: { immutable: false },
    relations: [{ name: "own-hash", holds: "hash = $input.hash" }],
    successes: [{ content: { type: { fields: [{ name: "confirmations", isVolatile: true }] } } }],
  });
});
