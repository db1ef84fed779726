import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { digestOfAll } from "@nodewright/output/write";

/** Packages whose code decides what is generated: all of the toolkit but the command line itself. */
const packages = [
  "source",
  "model",
  "json-schema",
  "openapi",
  "graphql",
  "openrpc",
  "output",
  "emit-contract",
  "emit-client",
  "emit-server",
  "emit-conformance",
];

/**
 * One digest of the generator's sources and templates: output is stale when any of them has changed, whatever its version.
 *
 * Published packages carry their sources beside what is built from them, so the digest is the same whichever of the two runs.
 */
export function generatorDigest(): string {
  const files: (readonly [string, string])[] = [];
  for (const name of packages) files.push(...sourcesBelow(packageDirectory(`@nodewright/${name}`), name));
  return digestOfAll(files);
}

function packageDirectory(name: string): string {
  let directory = dirname(fileURLToPath(import.meta.resolve(name)));
  while (statSync(join(directory, "package.json"), { throwIfNoEntry: false }) === undefined)
    directory = dirname(directory);
  return directory;
}

function sourcesBelow(directory: string, name: string): (readonly [string, string])[] {
  return readdirSync(join(directory, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(ts|hbs)$/.test(path) && !/\.test(-d)?\.ts$/.test(path))
    .map((path) => [`${name}/${path}`, readFileSync(join(directory, "src", path), "utf8")] as const);
}
