import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApiModel, CommonReadOptions } from "@nodewright/model";
import { createDiagnosticSink, createDocumentSet, type Diagnostic } from "@nodewright/source";
import { readGraphql } from "../read-graphql.ts";
import type { ScalarRepresentation } from "../type-reader.ts";

export interface ReadFiles {
  readonly model: ApiModel | undefined;
  /** Diagnostics as `severity code file:line:column`. */
  readonly diagnostics: readonly string[];
  /** Diagnostics as `code file:line:column pointer: message hint`. */
  readonly reports: readonly string[];
}

export interface FilesOptions {
  readonly scalars?: Readonly<Record<string, ScalarRepresentation>>;
  readonly readOptions?: CommonReadOptions;
  /** Files of operations; by default all that end in `.graphql`. */
  readonly operations?: readonly string[];
}

/** Reads a schema, `schema.graphql`, with files next to it: operation documents and their companions. */
export function readFiles(
  sdl: string,
  files: Readonly<Record<string, string>> = {},
  {
    scalars = {},
    readOptions = {},
    operations = Object.keys(files).filter((name) => name.endsWith(".graphql")),
  }: FilesOptions = {},
): ReadFiles {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-graphql-"));
  for (const [name, text] of Object.entries({ "schema.graphql": sdl, ...files }))
    writeFileSync(join(directory, name), text);
  const sink = createDiagnosticSink();
  const model = readGraphql({
    file: "schema.graphql",
    name: "test",
    title: "Test",
    version: "1",
    documents: createDocumentSet(directory, sink),
    sink,
    operations,
    hasFile: (file) => Object.hasOwn(files, file),
    scalars,
    readOptions,
  });
  rmSync(directory, { recursive: true });
  // Optional members must be absent, not undefined: `in` would find them.
  JSON.stringify(model ?? {}, (name, member: unknown) => {
    if (member === undefined) throw new Error(`"${name}" is there without a value`);
    return member;
  });
  const { diagnostics } = sink;
  return {
    model,
    diagnostics: diagnostics.map(({ severity, code, source }) => `${severity} ${code} ${placeOf(source)}`),
    reports: diagnostics.map(
      ({ code, source, message, hint = "" }) =>
        `${code.replace("graphql/", "")} ${placeOf(source)} ${source.pointer}: ${message} ${hint}`,
    ),
  };
}

function placeOf({ file, line, column }: Diagnostic["source"]): string {
  return `${file}:${line}:${column}`;
}

/** Returns a value as JSON, without source ranges. */
export function withoutPlaces(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, member: unknown) => (name === "source" ? undefined : member)));
}

/** Returns the source ranges in a value, as `line:column path`. */
export function placesWithin(value: unknown): ReadonlySet<string> {
  const places = new Set<string>();
  JSON.stringify(value, (name, member: Diagnostic["source"]) => {
    if (name === "source") places.add(`${member.line}:${member.column} ${member.pointer}`);
    return member;
  });
  return places;
}
