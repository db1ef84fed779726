import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/**
 * Directories in ajv and ajv-draft-04 that contain the official metaschemas (packages: MIT; schemas: their authors', under BSD or AFL
 * terms).
 */
const directories = {
  ajv: (): string => dirname(require.resolve("ajv/package.json")),
  draft04: (): string => dirname(require.resolve("ajv-draft-04/package.json")),
};

type Place = readonly [directory: keyof typeof directories, file: string];

const files: ReadonlyMap<string, Place> = new Map<string, Place>([
  ["json-schema.org/draft-04/schema", ["draft04", "json-schema-draft-04.json"]],
  ["json-schema.org/draft-06/schema", ["ajv", "json-schema-draft-06.json"]],
  ["json-schema.org/draft-07/schema", ["ajv", "json-schema-draft-07.json"]],
  ["json-schema.org/draft/2019-09/schema", ["ajv", "json-schema-2019-09/schema.json"]],
  ...vocabularyFiles("2019-09", ["core", "applicator", "validation", "meta-data", "format", "content"]),
  ["json-schema.org/draft/2020-12/schema", ["ajv", "json-schema-2020-12/schema.json"]],
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

/** Returns the source text of an official metaschema, read from the installed packages; undefined for any other URI. */
export function officialSchema(uri: string): string | undefined {
  const known = files.get(uri.replace(/^https?:\/\//, ""));
  if (known === undefined) return undefined;
  const [directory, file] = known;
  return readFileSync(join(directories[directory](), "dist/refs", file), "utf8");
}

function vocabularyFiles(draft: string, names: readonly string[]): readonly (readonly [uri: string, place: Place])[] {
  return names.map((name) => [
    `json-schema.org/draft/${draft}/meta/${name}`,
    ["ajv", `json-schema-${draft}/meta/${name}.json`],
  ]);
}
