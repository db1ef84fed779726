import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { digestOfAll } from "@nodewright/output/write";

/** Directories of the command line that affect the output: copied texts, and the identity of operations. */
const ownDirectories = ["update", "renames"];

/** Packages whose code determines the output: the complete toolkit except for the command line. */
const packages = [
  "api-model",
  "terminal-text",
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
 * Returns one digest of the generator's sources and templates: output is stale when any of them has changed, whatever its version.
 *
 * Published packages contain their sources next to the build, so the digest is the same whichever of the two runs.
 */
export function generatorDigest(): string {
  const files: (readonly [string, string])[] = [];
  for (const name of packages)
    files.push(...textsBelow(join(packageDirectory(`@nodewright/${name}`), "src"), name, isSource));
  // Patterns are analysed with the parser of the runtime, which detects those that need its linear matcher.
  files.push(...textsBelow(join(runtimeDirectory(), "src/patterns"), "runtime/patterns", isSource));
  for (const name of ownDirectories) files.push(...textsBelow(join(ownDirectory(), "src", name), name, isSource));
  files.push(...textsBelow(templateDirectory(), "templates", isTemplate));
  return digestOfAll(files);
}

function packageDirectory(name: string): string {
  return packageAround(fileURLToPath(import.meta.resolve(name)));
}

function runtimeDirectory(): string {
  return packageAround(fileURLToPath(import.meta.resolve("@nodewright/runtime")));
}

/** Returns the source directory of the command line itself. */
function ownDirectory(): string {
  return packageAround(fileURLToPath(import.meta.url));
}

function packageAround(path: string): string {
  let directory = dirname(path);
  while (statSync(join(directory, "package.json"), { throwIfNoEntry: false }) === undefined)
    directory = dirname(directory);
  return directory;
}

/** Returns the directory from which `renderTemplate` of `output` reads the templates: packed with it, or next to the generators. */
function templateDirectory(): string {
  const output = packageDirectory("@nodewright/output");
  const packed = join(output, "templates");
  return existsSync(packed) ? packed : join(output, "../../templates");
}

function isSource(path: string): boolean {
  return path.endsWith(".ts") && !/\.test(-d)?\.ts$/.test(path);
}

function isTemplate(path: string): boolean {
  return path.endsWith(".hbs");
}

function textsBelow(
  directory: string,
  name: string,
  isWanted: (path: string) => boolean,
): readonly (readonly [string, string])[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter(isWanted)
    .map((path) => [`${name}/${path}`, readFileSync(join(directory, path), "utf8")] as const);
}
