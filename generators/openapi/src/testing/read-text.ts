import { deepStrictEqual } from "node:assert";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ApiModel, Operation, CommonReadOptions } from "@nodewright/model";
import { createDiagnosticSink, createDocumentSet, type Diagnostic } from "@nodewright/source";
import { readOpenApi } from "../read-openapi.ts";

export interface ReadText {
  readonly model: ApiModel;
  readonly operation: Operation;
  readonly diagnostics: readonly Diagnostic[];
  readonly codes: readonly string[];
}

export interface TextOptions {
  readonly version?: string;
  readonly readOptions?: CommonReadOptions;
  /** Documents next to it, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Reads a document, given only the part after `info`. */
export async function readText(
  text: string,
  { version = "3.1.0", readOptions, files = {} }: TextOptions = {},
): Promise<ReadText> {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-openapi-"));
  const texts = { ...files, "api.yaml": `openapi: ${version}\ninfo: { title: Test, version: 1.2.3 }\n${text}` };
  for (const [name, content] of Object.entries(texts)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
  const sink = createDiagnosticSink();
  const model = await readOpenApi({
    file: "api.yaml",
    name: "test",
    documents: createDocumentSet(directory, sink),
    sink,
    ...(readOptions === undefined ? {} : { readOptions }),
  });
  rmSync(directory, { recursive: true });
  if (model === undefined) throw new Error(`Nothing was read: ${JSON.stringify(sink.diagnostics)}`);
  // Optional members must be absent, not undefined: `in` would find them.
  deepStrictEqual(model, JSON.parse(JSON.stringify(model)));
  const [operation] = model.operations;
  return {
    model,
    // Tests that use it describe at least one operation.
    operation: operation as Operation,
    diagnostics: sink.diagnostics,
    codes: sink.diagnostics.map(({ code }) => code),
  };
}

/** Returns `paths` with one operation, `POST /pets`, with the given members. */
export function onePath(members: string): string {
  const lines = members.trim().split("\n");
  return `paths:\n  /pets:\n    post:\n      operationId: addPet\n${lines.map((line) => `      ${line}`).join("\n")}\n`;
}

export const noResponse = 'responses: { "204": { description: Done. } }';
