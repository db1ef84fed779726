import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import shared from "../../vitest.config.ts";
import { testFilesVariable } from "./stryker-run.ts";

/** The configuration of the repository's tests, for the test files of one package below Stryker. */
const config = mergeConfig(
  shared,
  defineConfig({
    test: {
      setupFiles: [fileURLToPath(new URL("activate-in-processes.ts", import.meta.url))],
      // An endless loop that allocates ends with its worker and not with the machine.
      execArgv: ["--max-old-space-size=1536"],
    },
  }),
);
// Merging would append to the patterns of the repository.
config["test"].include = (process.env[testFilesVariable] ?? "").split(",");

export default config;
