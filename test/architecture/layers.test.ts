import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { root, sourceFiles, workspacePackages } from "../support/workspace.ts";

/** Folders of `src` from the lowest to the highest: each imports only from those before it, types included. */
const layers: Readonly<Record<string, readonly string[]>> = {
  "@nodewright/api-model": ["basics", "model", "description", "checker"],
  "@nodewright/model": ["patterns"],
  // One folder each: a new one has its place here.
  "@nodewright/json-schema": [],
  "@nodewright/openapi": [],
  "@nodewright/graphql": [],
  "@nodewright/openrpc": [],
  "@nodewright/emit-client": [],
  "@nodewright/emit-server": [],
  "@nodewright/emit-conformance": ["suite"],
  "@nodewright/conformance": [
    "basics",
    "suite",
    "compare",
    "live",
    "contract",
    "client",
    "safety",
    "capabilities",
    "session",
    "relations",
    "examples",
    "inference",
    "properties",
    "protocols/http",
    "protocols/jsonrpc",
    "protocols/graphql/contract",
    "protocols/graphql/schema",
    "protocols/graphql/selection",
    "protocols/graphql/response",
    "protocols/graphql/response-rules",
    "protocols/graphql/run",
    "protocols/graphql/operation",
    "protocols/graphql/rules",
    "protocols/graphql",
    "against",
    "run",
    "report",
    "baseline",
    "command",
  ],
  "@nodewright/runtime": [
    "basics",
    "json",
    "errors",
    "operations",
    "patterns",
    "formats",
    "wire",
    "client",
    "node",
    "graphql",
  ],
  "@nodewright/bitcoin-indexer": [
    "basics",
    "process",
    "chain",
    "store",
    "source",
    "query",
    "bulk",
    "engine",
    "sync",
    "mempool",
    "optional",
    "verify",
  ],
  "@nodewright/ethereum-graphql": [
    "basics",
    "results",
    "raw",
    "node-calls",
    "capabilities",
    "head",
    "store",
    "node",
    "cost",
    "request",
    "logs",
    "values",
    "block-fields",
    "resolvers",
    "type-resolvers",
    "demo",
  ],
  "@nodewright/index-rest": ["request", "response", "render", "blocks", "transactions", "scripts", "handlers"],
  "@nodewright/bitcoin-node": [
    "parameters",
    "description",
    "context",
    "chain",
    "miniscript",
    "descriptor",
    "render",
    "raw-transaction",
    "statistics",
    "mempool",
    "search",
    "scan",
    "command",
    "forward",
    "handlers",
  ],
  nodewright: [
    "configuration",
    "jobs",
    "renames",
    "generation",
    "update",
    "report",
    "explanations",
    "conform",
    "commands",
    "command-line",
  ],
  "@nodewright/output": ["code", "typescript", "print", "write", "templates", "rename", "update"],
  "@nodewright/emit-contract": ["names", "facts", "contract", "types", "validators", "codecs", "operations", "update"],
  "@nodewright/service": [
    "response",
    "docs",
    "registry",
    "configuration",
    "data",
    "gate",
    "node",
    "process",
    "operator",
    "command",
  ],
};

/** Files of `src` itself: the exports of the package and its programs, above all layers. */
const entrance = ".";

/** Returns the layer of a file: the nearest of its folders that is in the list, or its topmost folder. */
function layerOf(path: string, layers: readonly string[]): string {
  const folders = path.split("/").slice(0, -1);
  const all = folders.map((_name, index) => folders.slice(0, index + 1).join("/"));
  return all.findLast((folder) => layers.includes(folder)) ?? all[0] ?? entrance;
}

function importsOf(file: string, text: string): readonly string[] {
  const specifiers = text.matchAll(/^(?:import|export)\b[^;]*?\bfrom "(\.{1,2}\/[^"]+)"/gm);
  return [...specifiers].map(([, specifier = ""]) => posix.join(posix.dirname(file), specifier));
}

/** Returns the source files of a package without its tests, relative to its `src`. */
function filesOf(directory: string): readonly string[] {
  const source = posix.join(directory, "src");
  return sourceFiles(directory)
    .filter((path) => path.startsWith(`${source}/`) && !/\.test(?:-d)?\.ts$|\/testing\//.test(path))
    .map((path) => posix.relative(source, path));
}

describe.each(Object.entries(layers))("layers of %s", (name, order) => {
  const directory = workspacePackages().find((one) => one.name === name)?.directory ?? "";
  const source = posix.join(directory, "src");
  const files = filesOf(directory);
  const heights = new Map([...order, entrance].map((layer, height) => [layer, height]));

  it("are all in the list", () => {
    expect([...new Set(files.map((file) => layerOf(file, order)))].toSorted()).toEqual([...heights.keys()].toSorted());
  });

  it("import only lower ones", () => {
    const heightOf = (path: string): number => heights.get(layerOf(path, order)) ?? 0;
    const wrong = files.flatMap((file) =>
      importsOf(file, readFileSync(join(root, source, file), "utf8"))
        .filter((imported) => heightOf(imported) > heightOf(file))
        .map((imported) => `${file} imports ${imported}`),
    );
    expect(wrong).toEqual([]);
  });
});

/** Packages whose files, too, never import one another in a circle. */
const acyclic = workspacePackages().filter(
  ({ name, directory }) =>
    directory.startsWith("generators/") || ["@nodewright/api-model", "@nodewright/api-values"].includes(name),
);

describe.each(acyclic)("files of $name", ({ directory }) => {
  const source = join(root, directory, "src");
  const imports = new Map(
    filesOf(directory).map((file) => [file, importsOf(file, readFileSync(join(source, file), "utf8"))]),
  );

  it("import one another in no circle", () => {
    const circles = [...imports.keys()].filter((file) => reachable(file, imports).has(file));
    expect(circles).toEqual([]);
  });
});

function reachable(start: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>();
  const pending = [...(imports.get(start) ?? [])];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    pending.push(...(imports.get(file) ?? []));
  }
  return found;
}
