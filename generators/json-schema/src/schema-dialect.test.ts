import { createDiagnosticSink, createDocumentSet, type SourceValue } from "@nodewright/source";
import { describe, expect, it } from "vitest";
import { annotatingKeywords, validationKeywords } from "./keywords.ts";
import {
  dialectFacts,
  dialectOfMetaschema,
  dialectOfUri,
  effectiveSchema,
  type SchemaDialect,
} from "./schema-dialect.ts";

function located(value: object): SourceValue {
  const sink = createDiagnosticSink();
  const documents = createDocumentSet("/", sink);
  documents.register("a.json", JSON.stringify(value));
  return documents.read("a.json")?.root as SourceValue;
}

describe("dialectOfUri", () => {
  it.each<[string, SchemaDialect]>([
    ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
    ["http://json-schema.org/draft/2020-12/schema", "2020-12"],
    ["https://json-schema.org/draft/2020-12/schema#", "2020-12"],
    ["https://json-schema.org/draft/2019-09/schema", "2019-09"],
    ["http://json-schema.org/draft-07/schema#", "draft-07"],
    ["http://json-schema.org/draft-06/schema#", "draft-06"],
    ["http://json-schema.org/draft-04/schema#", "draft-04"],
    ["http://json-schema.org/draft-03/schema#", "draft-04"],
    ["http://json-schema.org/schema#", "2020-12"],
    ["https://spec.openapis.org/oas/3.1/dialect/base", "2020-12"],
    ["https://spec.openapis.org/oas/3.1/dialect/2024-11-10", "2020-12"],
    ["https://spec.openapis.org/oas/3.2/dialect/2025-09-17", "2020-12"],
  ])("%s is %s", (uri, name) => {
    expect(dialectOfUri(uri)).toBe(dialectFacts(name));
    expect(dialectOfUri(uri)?.name).toBe(name);
  });

  it.each([
    "https://own.example/schema",
    "https://own.example/http://json-schema.org/draft-07/schema",
    "http://json-schema.org/draft-07/schema#a",
    "ftp://json-schema.org/draft-07/schema",
    "http://json-schema.org/#draft-07/schema",
    "",
  ])("does not know %j", (uri) => {
    expect(dialectOfUri(uri)).toBeUndefined();
  });
});

describe("dialectFacts", () => {
  const latest = {
    refStandsAlone: false,
    idKeyword: "$id",
    hasNullable: false,
    hasExclusiveFlags: false,
    hasPrefixItems: true,
    validates: true,
    assertsFormat: false,
  };

  it.each<[SchemaDialect, object]>([
    ["2020-12", {}],
    // `prefixItems` came with 2020-12, keywords next to `$ref` with 2019-09, `$id` and numbers as exclusive bounds with draft 6.
    ["2019-09", { hasPrefixItems: false }],
    ["draft-07", { hasPrefixItems: false, refStandsAlone: true }],
    ["draft-06", { hasPrefixItems: false, refStandsAlone: true }],
    ["draft-04", { hasPrefixItems: false, refStandsAlone: true, idKeyword: "id", hasExclusiveFlags: true }],
    ["openapi-3.0", { refStandsAlone: true, idKeyword: undefined, hasNullable: true, hasExclusiveFlags: true }],
  ])("%s differs from 2020-12 in %j", (name, differences) => {
    expect(dialectFacts(name)).toEqual({ ...latest, name, ...differences });
  });
});

describe("dialectOfMetaschema", () => {
  const vocabulary = (name: string): string => `https://json-schema.org/draft/2020-12/vocab/${name}`;

  function read($vocabulary?: Readonly<Record<string, unknown>>) {
    const refused: string[] = [];
    const { validates, assertsFormat } = dialectOfMetaschema(
      located($vocabulary === undefined ? {} : { $vocabulary }),
      (one) => refused.push(one),
    );
    return { validates, assertsFormat, refused };
  }

  it.each([
    ["no vocabularies", undefined, { validates: true, assertsFormat: false }],
    ["an empty list of them", {}, { validates: true, assertsFormat: false }],
    ["the core", { [vocabulary("core")]: true }, { validates: false, assertsFormat: false }],
    ["validation", { [vocabulary("validation")]: true }, { validates: true, assertsFormat: false }],
    ["optional validation", { [vocabulary("validation")]: false }, { validates: true, assertsFormat: false }],
    ["formats", { [vocabulary("format-assertion")]: true }, { validates: false, assertsFormat: true }],
    [
      "validation of 2019-09",
      { "http://json-schema.org/draft/2019-09/vocab/validation": true },
      { validates: true, assertsFormat: false },
    ],
  ])("reads a metaschema with %s", (_what, $vocabulary, expected) => {
    expect(read($vocabulary)).toEqual({ ...expected, refused: [] });
  });

  it.each(
    "core applicator unevaluated validation meta-data format format-annotation format-assertion content".split(" "),
  )("knows the vocabulary %s", (name) => {
    expect(read({ [vocabulary(name)]: true }).refused).toEqual([]);
  });

  it.each([
    vocabulary("other"),
    `${vocabulary("core")}/more`,
    `https://own.example/${vocabulary("core")}`,
    "https://json-schema.org/draft/2020/vocab/core",
    "https://json-schema.org/draft/2030-12/vocab/core",
    "https://json-schema.org/draft/2020-22/vocab/core",
    "https://own.example/vocab/core",
  ])("refuses %s where it is required, and only there", (uri) => {
    expect(read({ [uri]: true }).refused).toEqual([uri]);
    expect(read({ [uri]: false, [vocabulary("core")]: true }).refused).toEqual([]);
    expect(read({ [uri]: "true", [vocabulary("core")]: true }).refused).toEqual([]);
  });
});

describe("effectiveSchema", () => {
  const everything = Object.fromEntries(
    ["$ref", "$schema", "$id", "$defs", "definitions", "nullable", "allOf", "type", "minLength", "x-own"]
      .concat([...annotatingKeywords.keys()])
      .map((name) => [name, "a"]),
  );
  const namesOf = (schema: SourceValue): readonly string[] => schema.members.map(([name]) => name);

  it.each<SchemaDialect>(["draft-04", "draft-06", "draft-07", "openapi-3.0"])(
    "keeps texts and definitions alone next to a $ref in %s",
    (name) => {
      const facts = dialectFacts(name);
      const kept = ["$ref", "$schema", "$defs", "definitions", "nullable", ...annotatingKeywords.keys()];
      expect(namesOf(effectiveSchema(located(everything), facts))).toEqual(kept);
      const { $ref: _, ...others } = everything;
      expect(namesOf(effectiveSchema(located(others), facts))).toEqual(Object.keys(others));
    },
  );

  it.each<SchemaDialect>(["2019-09", "2020-12"])("keeps everything next to a $ref in %s", (name) => {
    expect(namesOf(effectiveSchema(located(everything), dialectFacts(name)))).toEqual(Object.keys(everything));
  });

  it("leaves out the keywords of a vocabulary that the metaschema does not have", () => {
    const facts = { ...dialectFacts("2020-12"), validates: false };
    const schema = {
      ...Object.fromEntries([...validationKeywords].map((name) => [name, 1])),
      properties: {},
      format: "a",
    };
    expect(namesOf(effectiveSchema(located(schema), facts))).toEqual(["properties", "format"]);
    expect(namesOf(effectiveSchema(located(schema), dialectFacts("2020-12")))).toEqual(Object.keys(schema));
  });

  it("gives back the same schema where there is nothing to leave out, and what is no object", () => {
    const facts = { ...dialectFacts("draft-07"), validates: false };
    for (const value of [{ $ref: "#" }, { properties: {} }, []]) {
      const schema = located(value);
      expect(effectiveSchema(schema, facts)).toBe(schema);
    }
  });
});
