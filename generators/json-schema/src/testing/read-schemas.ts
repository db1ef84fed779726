import { isOfType, type JsonValue, type TypeDeclaration, type TypeNode } from "@nodewright/model";
import { createDiagnosticSink, createDocumentSet, type Diagnostic } from "@nodewright/source";
import type { Direction } from "@nodewright/api-model";
import type { SchemaDialect } from "../schema-dialect.ts";
import { createSchemaReader, type SchemaReaderOptions } from "../schema-reader.ts";

export interface SchemasRead {
  readonly type: TypeNode;
  readonly declarations: readonly TypeDeclaration[];
  readonly diagnostics: readonly Diagnostic[];
  /** Codes of `diagnostics`, without their origin. */
  readonly codes: readonly string[];
  /** Returns the declaration with a name. */
  declared(name: string): TypeDeclaration | undefined;
  /** Returns whether a value matches the schema that was read. */
  accepts(value: JsonValue): boolean;
}

export interface ReadingOfSchemas {
  readonly dialect?: SchemaDialect;
  readonly direction?: Direction;
  readonly readOptions?: NonNullable<SchemaReaderOptions["readOptions"]>;
  /** Further documents by URI. */
  readonly others?: Readonly<Record<string, unknown>>;
}

/** Name of the document that `readSchemas` reads, as in diagnostics. */
export const documentName = "https://api.example/document.json";

/**
 * Reads the schema under `schema` of a document, after declaring those under `components`. Documents are given as values or source text:
 * nothing is read from disk.
 */
export function readSchemas(document: unknown, options: ReadingOfSchemas = {}): SchemasRead {
  const { dialect = "2020-12", direction, readOptions = {}, others = {} } = options;
  const sink = createDiagnosticSink();
  const documents = createDocumentSet("/nowhere", sink);
  for (const [uri, other] of Object.entries({ ...others, [documentName]: document }))
    documents.register(uri, typeof other === "string" ? other : JSON.stringify(other));
  const root = documents.read(documentName)?.root;
  const schema = root?.member("schema");
  if (root === undefined || schema === undefined) throw new Error("The document has no schema");
  const reader = createSchemaReader({ documents, sink, dialect, readOptions });
  for (const [name, component] of root.member("components")?.members ?? []) reader.declare(name, component);
  const type = reader.read(schema, direction);
  const declarations = reader.declarations();
  checkMembers([type, declarations]);
  return {
    type,
    declarations,
    diagnostics: sink.diagnostics,
    codes: sink.diagnostics.map(({ code }) => code.replace(/^json-schema\//, "")),
    declared: (wanted) => declarations.find(({ name }) => name === wanted),
    accepts: (value) => isOfType(value, type, { declarations }),
  };
}

/** Throws if a member is present without a value: `in` would find it. */
function checkMembers(value: unknown): void {
  JSON.stringify(value, (name, member: unknown) => {
    if (member === undefined) throw new Error(`"${name}" is there without a value`);
    return typeof member === "bigint" ? String(member) : member;
  });
}

/** Returns an object with the keyword `then`, without triggering the lint rule against objects that look like promises. */
export function consequence(schema: unknown): object {
  return JSON.parse(`{"then": ${JSON.stringify(schema)}}`) as object;
}
