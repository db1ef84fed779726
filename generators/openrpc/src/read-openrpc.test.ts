import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

  it("reads pairings as cases, and what provokes an error too", () => {
    const { model } = read(getblock);
    expect(model?.operations[0]?.examples).toMatchObject([
      { name: "genesis", input: { blockhash: "aa", verbosity: 0 }, outcome: { kind: "success", value: "0100" } },
      { name: "unknown-hash", input: { blockhash: "00" }, outcome: { kind: "failure", rpcCode: -5 } },
      { name: "too-many", positional: ["00", 1, 2], outcome: { kind: "failure", rpcCode: -5 } },
      { name: "by-name", input: { verbosity: 9 }, outcome: { kind: "failure", rpcCode: -5 } },
    ]);
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
});
