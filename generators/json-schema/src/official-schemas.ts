import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** Where ajv and ajv-draft-04 carry the official metaschemas (all MIT; the schemas are their authors' under BSD or AFL terms). */
const files: ReadonlyMap<string, string> = new Map([
  ["json-schema.org/draft-04/schema", "ajv-draft-04/dist/refs/json-schema-draft-04.json"],
  ["json-schema.org/draft-06/schema", "ajv/dist/refs/json-schema-draft-06.json"],
  ["json-schema.org/draft-07/schema", "ajv/dist/refs/json-schema-draft-07.json"],
  ["json-schema.org/draft/2019-09/schema", "ajv/dist/refs/json-schema-2019-09/schema.json"],
  ...vocabularyFiles("2019-09", ["core", "applicator", "validation", "meta-data", "format", "content"]),
  ["json-schema.org/draft/2020-12/schema", "ajv/dist/refs/json-schema-2020-12/schema.json"],
  ...vocabularyFiles("2020-12", [
    "core",
    "applicator",
    "unevaluated",
    "validation",
    "meta-data",
    "format-annotation",
    "content",
  ]),
]);

/** The text of an official metaschema, read from this machine; undefined when the URI is of none. */
export function officialSchema(uri: string): string | undefined {
  const file = files.get(uri.replace(/^https?:\/\//, ""));
  return file && readFileSync(createRequire(import.meta.url).resolve(file), "utf8");
}

function vocabularyFiles(draft: string, names: readonly string[]): readonly (readonly [string, string])[] {
  return names.map((name) => [
    `json-schema.org/draft/${draft}/meta/${name}`,
    `ajv/dist/refs/json-schema-${draft}/meta/${name}.json`,
  ]);
}
