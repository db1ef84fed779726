import { SourceValue } from "@nodewright/source";
import { annotatingKeywords, validationKeywords } from "./keywords.ts";

/**
 * JSON Schema dialect that a document embeds. The reader works with 2020-12; differences of older dialects are translated while reading.
 */
export type SchemaDialect = "2020-12" | "2019-09" | "draft-07" | "draft-06" | "draft-04" | "openapi-3.0";

/** Differences of a dialect from 2020-12. */
export interface DialectFacts {
  readonly name: SchemaDialect;
  /** Whether the keywords next to a `$ref` are ignored. */
  readonly refStandsAlone: boolean;
  /** Keyword for the URI of a schema; undefined if the dialect has none. */
  readonly idKeyword: "$id" | "id" | undefined;
  /** Whether `nullable: true` adds null. */
  readonly hasNullable: boolean;
  /** Whether `exclusiveMinimum: true` makes `minimum` an exclusive bound. */
  readonly hasExclusiveFlags: boolean;
  /** Whether the dialect has `prefixItems`; if not, an array of `items` has that meaning. */
  readonly hasPrefixItems: boolean;
  /** Whether the validation vocabulary applies; false for a metaschema without it. */
  readonly validates: boolean;
  /** Whether `format` is asserted; true for a metaschema with the format-assertion vocabulary. */
  readonly assertsFormat: boolean;
}

const modern: Omit<DialectFacts, "name"> = {
  refStandsAlone: false,
  idKeyword: "$id",
  hasNullable: false,
  hasExclusiveFlags: false,
  hasPrefixItems: true,
  validates: true,
  assertsFormat: false,
};

const older: Omit<DialectFacts, "name"> = { ...modern, refStandsAlone: true, hasPrefixItems: false };

const dialects: Readonly<Record<SchemaDialect, DialectFacts>> = {
  "2020-12": { ...modern, name: "2020-12" },
  "2019-09": { ...modern, name: "2019-09", hasPrefixItems: false },
  "draft-07": { ...older, name: "draft-07" },
  "draft-06": { ...older, name: "draft-06" },
  "draft-04": { ...older, name: "draft-04", idKeyword: "id", hasExclusiveFlags: true },
  "openapi-3.0": {
    ...modern,
    name: "openapi-3.0",
    refStandsAlone: true,
    idKeyword: undefined,
    hasNullable: true,
    hasExclusiveFlags: true,
  },
};

/** Values of `$schema` that identify a dialect, without scheme and trailing `#`. */
const dialectsByUri: ReadonlyMap<string, SchemaDialect> = new Map([
  ["json-schema.org/draft/2020-12/schema", "2020-12"],
  ["json-schema.org/draft/2019-09/schema", "2019-09"],
  ["json-schema.org/draft-07/schema", "draft-07"],
  ["json-schema.org/draft-06/schema", "draft-06"],
  ["json-schema.org/draft-04/schema", "draft-04"],
  ["json-schema.org/draft-03/schema", "draft-04"],
  ["json-schema.org/schema", "2020-12"],
  ["spec.openapis.org/oas/3.1/dialect/base", "2020-12"],
  ["spec.openapis.org/oas/3.1/dialect/2024-11-10", "2020-12"],
  ["spec.openapis.org/oas/3.2/dialect/2025-09-17", "2020-12"],
]);

export function dialectFacts(dialect: SchemaDialect): DialectFacts {
  return dialects[dialect];
}

/** Returns the dialect for a value of `$schema`; undefined for a custom metaschema. */
export function dialectOfUri(uri: string): DialectFacts | undefined {
  const name = dialectsByUri.get(uri.replace(/^https?:\/\//, "").replace(/#$/, ""));
  return name && dialects[name];
}

/** Vocabularies that the reader supports, by the end of their URIs. */
const vocabularies: ReadonlySet<string> = new Set(
  "core applicator unevaluated validation meta-data format format-annotation format-assertion content".split(" "),
);

/** Returns the dialect of a metaschema (2020-12, section 8.1.2). Calls `refuse` with each vocabulary that is required and not supported. */
export function dialectOfMetaschema(metaschema: SourceValue, refuse: (vocabulary: string) => void): DialectFacts {
  const declared = metaschema.member("$vocabulary")?.members ?? [];
  if (declared.length === 0) return dialects["2020-12"];
  const names = new Set<string>();
  for (const [uri, required] of declared) {
    const [, name = ""] =
      /^https?:\/\/json-schema\.org\/draft\/20[12][0-9]-[01][0-9]\/vocab\/([a-z-]+)$/.exec(uri) ?? [];
    if (vocabularies.has(name)) names.add(name);
    else if (required.boolean === true) refuse(uri);
  }
  return {
    ...dialects["2020-12"],
    validates: names.has("validation"),
    assertsFormat: names.has("format-assertion"),
  };
}

/** Keywords that have an effect next to a `$ref` even in dialects that ignore the others: reference targets and annotations. */
const besideReference: ReadonlySet<string> = new Set([
  "$ref",
  "$schema",
  "$defs",
  "definitions",
  "nullable",
  ...annotatingKeywords.keys(),
]);

/** Returns a schema without the keywords that have no effect in its dialect. */
export function effectiveSchema(schema: SourceValue, dialect: DialectFacts): SourceValue {
  if (dialect.refStandsAlone && schema.has("$ref")) return restricted(schema, (name) => besideReference.has(name));
  return dialect.validates ? schema : restricted(schema, (name) => !validationKeywords.has(name));
}

function restricted(schema: SourceValue, keeps: (keyword: string) => boolean): SourceValue {
  if (schema.node.kind !== "object") return schema;
  const members = [...schema.node.members].filter(([name]) => keeps(name));
  if (members.length === schema.node.members.size) return schema;
  return new SourceValue(schema.document, { ...schema.node, members: new Map(members) }, schema.pointer);
}
