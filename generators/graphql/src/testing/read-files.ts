import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApiModel, CommonReadOptions } from "@nodewright/model";
import { createDiagnosticSink, createDocumentSet, type Diagnostic } from "@nodewright/source";
import { readGraphql } from "../read-graphql.ts";
import type { ScalarRepresentation } from "../type-reader.ts";

export interface ReadFiles {
  readonly model: ApiModel | undefined;
  /** As `severity code file:line:column`. */
  readonly diagnostics: readonly string[];
  /** As `code file:line:column pointer: message hint`. */
  readonly reports: readonly string[];
}

export interface FilesOptions {
  readonly scalars?: Readonly<Record<string, ScalarRepresentation>>;
  readonly choices?: CommonReadOptions;
  /** Files of operations; those that end in `.graphql` when not given. */
  readonly operations?: readonly string[];
}

/** Reads a schema, `schema.graphql`, with files next to it: operation documents and what belongs to them. */
export function readFiles(
  sdl: string,
  files: Readonly<Record<string, string>> = {},
  {
    scalars = {},
    choices = {},
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
    choices,
  });
  rmSync(directory, { recursive: true });
  // Whoever asks whether a member is there finds it: none is there without a value.
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

/** A value as JSON, without the places in documents. */
export function withoutPlaces(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, member: unknown) => (name === "source" ? undefined : member)));
}

/** The places in documents that a value names, as `line:column path`. */
export function placesWithin(value: unknown): ReadonlySet<string> {
  const places = new Set<string>();
  JSON.stringify(value, (name, member: Diagnostic["source"]) => {
    if (name === "source") places.add(`${member.line}:${member.column} ${member.pointer}`);
    return member;
  });
  return places;
}
