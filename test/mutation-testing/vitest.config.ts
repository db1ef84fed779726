import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import shared from "../../vitest.config.ts";
import { testFilesVariable } from "./stryker-run.ts";

/** Runs short test files first: Stryker ends with the first test that fails, and most mutants fail one next to them. */
class ShortestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizes = new Map(files.map(({ moduleId }) => [moduleId, statSync(moduleId).size]));
    return Promise.resolve(
      files.toSorted((one, other) => (sizes.get(one.moduleId) ?? 0) - (sizes.get(other.moduleId) ?? 0)),
    );
  }
}

/** The configuration of the repository's tests, for the test files of one package below Stryker. */
const config = mergeConfig(
  shared,
  defineConfig({
    test: {
      setupFiles: [fileURLToPath(new URL("activate-in-processes.ts", import.meta.url))],
      // An endless loop that allocates ends with its worker and not with the machine.
      execArgv: ["--max-old-space-size=1536"],
      sequence: { sequencer: ShortestFirst },
    },
  }),
);
// Merging would append to the patterns of the repository.
config["test"].include = (process.env[testFilesVariable] ?? "").split(",");

export default config;
