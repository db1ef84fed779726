import { createSchemaReader, type SchemaDialect, type SchemaReader } from "@nodewright/json-schema";
import type { CommonReadOptions, TypeNode } from "@nodewright/model";
import {
  createReport,
  type DiagnosticReceiver,
  type DiagnosticSink,
  type DocumentSet,
  type Located,
  MemberReader,
  type Report,
  withArticle,
} from "@nodewright/source";
import { createHabits, type Habits } from "./habits.ts";
import { openapiDiagnostics } from "./openapi-diagnostics.ts";
import { PlaceMemo } from "./place-memo.ts";

export type OpenApiVersion = "3.0" | "3.1" | "3.2";

/** Which way a value goes: schemas with `readOnly` and `writeOnly` members are two types. */
export type Direction = "request" | "answer";

/** What every part of the reader works with. */
export interface Reading {
  readonly version: OpenApiVersion;
  readonly documents: DocumentSet;
  readonly schemas: SchemaReader;
  readonly members: MemberReader;
  readonly report: Report<typeof openapiDiagnostics>;
  readonly sink: DiagnosticSink;
  readonly choices: CommonReadOptions;
  /** What a document does again and again, told once. */
  readonly habits: Habits;
  /** How often something was met that is not supported; grows while an operation is read that uses such a thing. */
  readonly unsupported: { readonly count: number };
  /** The type of a schema; each schema is read once in each direction. */
  typeOf(schema: Located, direction: Direction): TypeNode;
  /** A memo for what other parts read. */
  createMemo<Value>(): PlaceMemo<Value>;
}

export interface ReadingOptions {
  readonly version: OpenApiVersion;
  readonly documents: DocumentSet;
  readonly sink: DiagnosticSink;
  readonly choices: CommonReadOptions;
  /** Of schemas that do not name theirs. */
  readonly dialect: SchemaDialect;
}

export function createReading({ version, documents, sink, choices, dialect }: ReadingOptions): Reading {
  const unsupported = { count: 0 };
  const counting = countUnsupported(sink, choices, unsupported);
  const schemas = createSchemaReader({
    documents,
    sink: counting,
    dialect,
    choices,
  });
  const types = { request: new PlaceMemo<TypeNode>(unsupported), answer: new PlaceMemo<TypeNode>(unsupported) };
  return {
    version,
    documents,
    schemas,
    members: new MemberReader(sink),
    report: createReport("openapi", openapiDiagnostics, counting),
    sink,
    choices,
    habits: createHabits(),
    unsupported,
    typeOf: (schema, direction) => types[direction].get(schema, () => schemas.read(schema, direction)),
    createMemo: () => new PlaceMemo(unsupported),
  };
}

/** A sink that counts what is not supported, and takes it as a warning where the operation may be left out. */
function countUnsupported(
  sink: DiagnosticReceiver,
  { skipUnsupported = false }: CommonReadOptions,
  unsupported: { count: number },
): DiagnosticReceiver {
  return {
    add(diagnostic) {
      const isUnsupported = /^[a-z-]+\/unsupported-(?!version)/.test(diagnostic.code);
      if (isUnsupported) unsupported.count += 1;
      sink.add(isUnsupported && skipUnsupported ? { ...diagnostic, severity: "warning" } : diagnostic);
    },
  };
}

/** What stands at a place that may be a Reference Object, with what the reference says itself. */
export interface Followed {
  readonly place: Located;
  /** Of the reference where it has one (3.1), else of the thing. */
  readonly description: string | undefined;
}

/** Follows a Reference Object (OpenAPI 3.1, section 4.8.23); anything else is itself. */
export function follow(reading: Reading, item: Located): Followed | undefined {
  const place = reading.documents.resolve(item);
  if (place === undefined) return undefined;
  if (place !== item && !place.isObject) {
    const reference = item.member("$ref") ?? item;
    reading.report("wrong-target", reference.source, {
      reference: reference.string ?? "",
      found: withArticle(place.typeName),
    });
    return undefined;
  }
  const isOverridden = place !== item && reading.version !== "3.0";
  const own = isOverridden ? reading.members.text(item, "description") : undefined;
  return { place, description: own ?? reading.members.text(place, "description") };
}
