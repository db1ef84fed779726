import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiagnosticSink, createDocumentSet } from "@nodewright/source";
import { afterAll, describe, expect, it } from "vitest";
import { readOpenApi } from "./read-openapi.ts";

const directory = mkdtempSync(join(tmpdir(), "nodewright-openapi-"));

afterAll(() => rmSync(directory, { recursive: true }));

async function read(text: string, version = "3.1.0") {
  writeFileSync(join(directory, "api.yaml"), `openapi: ${version}\ninfo: { title: Test, version: 1.2.3 }\n${text}`);
  const sink = createDiagnosticSink();
  const model = await readOpenApi({
    file: "api.yaml",
    name: "test",
    documents: createDocumentSet(directory, sink),
    sink,
  });
  return { model, codes: sink.diagnostics.map(({ code }) => code) };
}

const transactionPath = `
paths:
  /tx/{txid}:
    parameters:
      - { name: txid, in: path, required: true, x-invalid-message: Invalid hex string, schema: { type: string, pattern: "^[0-9a-f]{64}$" }, examples: { first: { value: "aa" }, unknown: { value: "00" } } }
    get:
      operationId: getTransaction
      x-units: 2
      x-served-by: index
      parameters:
        - { name: page_size, in: query, schema: { type: integer, default: 25 } }
      responses:
        "200":
          description: The transaction.
          headers: { Cache-Control: { required: true, schema: { type: string } } }
          content: { application/json: { schema: { $ref: "#/components/schemas/Transaction" }, examples: { first: { value: { txid: "aa" }, x-live: true } } } }
        "404": { description: There is none., content: { text/plain: { schema: { type: string }, examples: { unknown: { value: Transaction not found } } } } }
        default: { description: Any other failure. }
components:
  schemas: { Transaction: { type: object, properties: { txid: { type: string } } } }
`;

describe("readOpenApi", () => {
  it.each(["3.0.3", "3.1.0", "3.2.0"])("reads an operation of version %s", async (version) => {
    const { model, codes } = await read(transactionPath, version);
    expect(codes).toEqual([]);
    expect(model).toMatchObject({ name: "test", protocol: "http", title: "Test", version: "1.2.3" });
    expect(model?.declarations.map(({ name }) => name)).toEqual(["Transaction"]);
    expect(model?.operations[0]).toMatchObject({
      name: "getTransaction",
      origin: "GET /tx/{txid}",
      binding: { kind: "http", method: "GET", path: "/tx/{txid}" },
      parameters: [
        { name: "txid", property: "txid", location: "path", required: true, invalidMessage: "Invalid hex string" },
        {
          name: "page_size",
          property: "pageSize",
          location: "query",
          required: false,
          default: 25,
          style: "form",
          explode: true,
        },
      ],
      successes: [
        {
          status: 200,
          content: { mediaType: "application/json", form: "json" },
          headers: [{ name: "Cache-Control", property: "cacheControl" }],
        },
      ],
      failures: [
        { name: "NotFound", status: 404 },
        { name: "Unexpected", status: "default" },
      ],
      extensions: { units: 2, servedBy: "index", disabledByDefault: false, nodeControl: false },
    });
  });

  it("pairs examples of inputs and answers by name", async () => {
    const { model } = await read(transactionPath);
    expect(model?.operations[0]?.examples).toMatchObject([
      {
        name: "first",
        input: { txid: "aa" },
        isLive: true,
        outcome: { kind: "success", status: 200, value: { txid: "aa" } },
      },
      {
        name: "unknown",
        input: { txid: "00" },
        isLive: false,
        outcome: { kind: "failure", status: 404, message: "Transaction not found" },
      },
    ]);
  });

  it("lets an operation's parameter replace its path item's", async () => {
    const { model } = await read(`
paths:
  /a:
    parameters: [{ name: n, in: query, schema: { type: integer } }]
    get:
      operationId: getA
      parameters: [{ name: n, in: query, schema: { type: boolean } }]
      responses: { "204": { description: Done. } }
`);
    expect(model?.operations[0]?.parameters.map(({ type }) => type.kind)).toEqual(["boolean"]);
  });

  it("refuses Swagger 2.0 by name", async () => {
    writeFileSync(join(directory, "old.json"), '{"swagger": "2.0"}');
    const sink = createDiagnosticSink();
    expect(
      await readOpenApi({ file: "old.json", name: "old", documents: createDocumentSet(directory, sink), sink }),
    ).toBeUndefined();
    expect(sink.diagnostics).toMatchObject([
      { code: "openapi/not-openapi", message: "This is not an OpenAPI document: it is Swagger 2.0." },
    ]);
  });
});
