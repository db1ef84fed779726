import { gzipSync } from "node:zlib";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";
import { root } from "../support/workspace.ts";
import { publicPackages } from "./public-api.ts";

/** Maximum size in bytes of the bundled client of a generated package with its runtime, minified and compressed by gzip. */
const budgets: Readonly<Record<string, number>> = {
  "@nodewright/bitcoin-api": 48_000,
  "@nodewright/ethereum-api": 27_000,
  "@nodewright/ethereum-node-api": 15_000,
  "@nodewright/index-api": 31_000,
};

const clients = publicPackages.filter(({ manifest }) => "./client" in (manifest["exports"] as object));

async function bundledSize(directory: string): Promise<number> {
  await using bundle = await rolldown({
    input: join(root, directory, "src/gen/client.ts"),
    platform: "browser",
    resolve: { conditionNames: ["source"] },
  });
  const { output } = await bundle.generate({ minify: true, codeSplitting: false });
  return gzipSync(output[0].code, { level: 9 }).length;
}

describe("the bundled client", () => {
  it.each(clients)("of $name is within its budget", async ({ name, directory }) => {
    const budget = budgets[name] ?? 0;
    const size = await bundledSize(directory);
    expect(size, `The client of ${name} has ${size} bytes, its budget is ${budget} bytes.`).toBeLessThanOrEqual(budget);
  });
});
