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
 * mutant that smaller tests notice as well.
 */
const slowTests: string[] = ["**/killed-*.test.ts", "**/*.long.test.ts", "**/mainnet-blocks.test.ts"];

export const mutatedPackages: readonly MutatedPackage[] = [
  nextTo("bitcoin-primitives", "packages/bitcoin-primitives"),
  {
    name: "bitcoin-indexer",
    sources: ["chain", "store", "query"].map((directory) => `packages/bitcoin-indexer/src/${directory}`),
    tests: ["packages/bitcoin-indexer/src/**/*.test.ts"],
  },
  nextTo("bitcoin-node", "packages/bitcoin-node"),
  nextTo("runtime", "packages/runtime"),
  nextTo("upstream", "packages/upstream"),
  nextTo("model", "generators/model"),
  nextTo("json-schema", "generators/json-schema"),
  withCorpora("openapi"),
  withCorpora("graphql"),
  withCorpora("openrpc"),
  nextTo("emit-contract", "generators/emit-contract"),
  {
    name: "service-gate",
    sources: ["packages/service/src/gate"],
    tests: ["packages/service/src/**/*.test.ts"],
  },
  {
    name: "service-registry",
    sources: ["packages/service/src/registry"],
    tests: ["packages/service/src/**/*.test.ts"],
  },
];

function nextTo(name: string, directory: string): MutatedPackage {
  return { name, sources: [`${directory}/src`], tests: [`${directory}/src/**/*.test.ts`] };
}

/** A reader: documents with mistakes and golden documents are its tests as well. */
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
  return tests.flatMap((pattern) => globSync(pattern, { cwd: workspace, exclude: slowTests })).toSorted();
}
