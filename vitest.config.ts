import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Packages of ours are taken from their sources. Vitest hands these conditions to Node as well, so "import" must not be among
  // them: `require` of a package with both builds would then get the wrong one.
  ssr: { resolve: { conditions: ["source", "node"] } },
  // The file that Node takes: Vite would take the `module` build, and graphql-jit, which Node loads, refuses a schema of another copy.
  resolve: {
    alias: [
      { find: /^graphql$/, replacement: fileURLToPath(new URL("node_modules/graphql/index.js", import.meta.url)) },
    ],
  },
  test: {
    include: ["generators/*/src/**/*.test.ts", "packages/*/src/**/*.test.ts", "test/**/*.test.ts"],
    // What takes too long, or needs what `npm test` does without, runs with `npm run test:long` alone.
    exclude: [
      "**/node_modules/**",
      "**/dist/**",
      "test/long/**",
      ...(process.env["NODEWRIGHT_LONG"] === "1" ? [] : ["**/*.long.test.ts"]),
    ],
    maxWorkers: 2,
    // On a busy machine a test that starts processes may have a tenth of a core: these only end what would wait for ever.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 200_000 } },
  },
});
