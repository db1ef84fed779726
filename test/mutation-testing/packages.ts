import { globSync } from "node:fs";

/** What is mutated under one name, and the tests that have to notice. */
export interface MutatedPackage {
  /** As in `--package` and in the results. */
  readonly name: string;
  /** Directories below the repository's root whose sources are mutated. */
  readonly sources: readonly string[];
  /** Patterns of the test files that run: those next to the sources, and those that prove the same package from outside. */
  readonly tests: readonly string[];
}

/**
 * Tests that kill processes of their own again and again, and one that reads 14,132 blocks with every mutant of the parser: minutes for a
 * mutant that smaller tests notice as well. And one that bounds milliseconds and bytes, of which Stryker's instrumented code takes more.
 */
const leftOutTests: string[] = [
  "**/killed-*.test.ts",
  "**/*.long.test.ts",
  "**/mainnet-blocks.test.ts",
  "**/graphql-explosions.test.ts",
];

export const mutatedPackages: readonly MutatedPackage[] = [
  nextTo("bitcoin-primitives", "packages/bitcoin-primitives"),
  // Its other tests fill indexes by many ways and follow nodes: minutes for each mutant that they reach.
  {
    name: "bitcoin-indexer",
    sources: ["chain", "store", "query", "engine"].map((directory) => `packages/bitcoin-indexer/src/${directory}`),
    tests: ["chain", "store", "query", "engine"].map(
      (directory) => `packages/bitcoin-indexer/src/${directory}/*.test.ts`,
    ),
  },
  nextTo("bitcoin-node", "packages/bitcoin-node"),
  nextTo("api-model", "packages/api-model"),
  nextTo("runtime", "packages/runtime"),
  nextTo("upstream", "packages/upstream"),
  nextTo("model", "generators/model"),
  withCorpora("json-schema"),
  withCorpora("openapi"),
  withCorpora("graphql"),
  withCorpora("openrpc"),
  withCorpora("emit-contract"),
  partOfService("gate"),
  partOfService("registry"),
];

function nextTo(name: string, directory: string): MutatedPackage {
  return { name, sources: [`${directory}/src`], tests: [`${directory}/src/**/*.test.ts`] };
}

/** One directory of the service: its other tests start whole services, which takes minutes for a mutant that smaller tests notice as well. */
function partOfService(part: string): MutatedPackage {
  const directory = `packages/service/src/${part}`;
  return { name: `service-${part}`, sources: [directory], tests: [`${directory}/*.test.ts`] };
}

/** A reader, a part of several, or what emits: documents with mistakes and golden documents are its tests as well. */
function withCorpora(name: string): MutatedPackage {
  const { sources, tests } = nextTo(name, `generators/${name}`);
  return { name, sources, tests: [...tests, "test/diagnostics/*.test.ts", "test/golden/*.test.ts"] };
}

/** Source files of a package, from the workspace's root; neither tests, nor what supports tests, nor generated code. */
export function sourcesOf({ sources }: MutatedPackage, workspace: string): readonly string[] {
  return sources
    .flatMap((directory) => globSync(`${directory}/**/*.ts`, { cwd: workspace }))
    .filter((path) => !/\.test(-d)?\.ts$|\/testing\/|\/gen\//.test(path))
    .toSorted();
}

/** Test files of a package, from the workspace's root. */
export function testsOf({ tests }: MutatedPackage, workspace: string): readonly string[] {
  return tests.flatMap((pattern) => globSync(pattern, { cwd: workspace, exclude: leftOutTests })).toSorted();
}
