import type { Direction } from "@nodewright/api-model";
import { createSchemaReader, type SchemaDialect, type SchemaReader } from "@nodewright/json-schema";
import type { CommonReadOptions, TypeNode } from "@nodewright/model";
import {
  createReport,
  type DiagnosticReceiver,
  type DiagnosticSink,
  type DocumentSet,
  type SourceValue,
  MemberReader,
  type Report,
  withArticle,
} from "@nodewright/source";
import { createHabits, type Habits } from "./habits.ts";
import { openapiDiagnostics } from "./openapi-diagnostics.ts";
import { PlaceMemo } from "./place-memo.ts";

export type OpenApiVersion = "3.0" | "3.1" | "3.2";

/** Context that all parts of the reader share. */
export interface Reading {
  readonly version: OpenApiVersion;
  readonly documents: DocumentSet;
  readonly schemas: SchemaReader;
  readonly members: MemberReader;
  readonly report: Report<typeof openapiDiagnostics>;
  readonly sink: DiagnosticSink;
  readonly readOptions: CommonReadOptions;
  /** Collector of repeated problems, each reported once. */
  readonly habits: Habits;
  /** Number of unsupported features found so far. It increases while an operation with such a feature is read. */
  readonly unsupported: { readonly count: number };
  /** Returns the type of a schema. Each schema is read once for each direction. */
  typeOf(schema: SourceValue, direction: Direction): TypeNode;
  /** Creates a cache for another part of the reader. */
  createMemo<Value>(): PlaceMemo<Value>;
}

export interface ReadingOptions {
  readonly version: OpenApiVersion;
  readonly documents: DocumentSet;
  readonly sink: DiagnosticSink;
  readonly readOptions: CommonReadOptions;
  /** Dialect of schemas without `$schema`. */
  readonly dialect: SchemaDialect;
}

export function createReading({ version, documents, sink, readOptions, dialect }: ReadingOptions): Reading {
  const unsupported = { count: 0 };
  const counting = countUnsupported(sink, readOptions, unsupported);
  const schemas = createSchemaReader({
    documents,
    sink: counting,
    dialect,
    readOptions,
  });
  const types = { request: new PlaceMemo<TypeNode>(unsupported), response: new PlaceMemo<TypeNode>(unsupported) };
  return {
    version,
    documents,
    schemas,
    members: new MemberReader(sink),
    report: createReport("openapi", openapiDiagnostics, counting),
    sink,
    readOptions,
    habits: createHabits(),
    unsupported,
    typeOf: (schema, direction) => types[direction].get(schema, () => schemas.read(schema, direction)),
    createMemo: () => new PlaceMemo(unsupported),
  };
}

/** Returns a receiver that counts diagnostics about unsupported features, and turns them into warnings if the operation may be left out. */
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

/** Target of a place that may contain a Reference Object, with the members of the reference itself. */
export interface Followed {
  readonly place: SourceValue;
  /** Description of the reference if it has one (3.1), else of the target. */
  readonly description: string | undefined;
}

/** Follows a Reference Object (OpenAPI 3.1, section 4.8.23). Returns anything else unchanged. */
export function follow(reading: Reading, item: SourceValue): Followed | undefined {
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
