import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { heapOptions } from "./heap-limits.ts";

const root = join(import.meta.dirname, "../../../..");
const options = heapOptions.join(" ");
const module = JSON.stringify(new URL("heap-limits.ts", import.meta.url).href);

/** Returns the maximum memory in bytes of a process that replaces strings continuously, of which it retains 50 MB. */
function measure(setup: string, parameters: readonly string[]): number {
  const script = `
    import { memoryUsage } from "node:process";
    ${setup}
    const kept = [];
    let most = 0;
    for (let count = 0; count < 30_000; count += 1) {
      kept[count % 1_000] = JSON.parse('"' + "x".repeat(50_000) + count + '"');
      if (count % 100 === 0) most = Math.max(most, memoryUsage.rss());
    }
    console.log(most);`;
  const printed = execFileSync(process.execPath, [...parameters, "--input-type=module", "--eval", script]);
  return Number(printed.toString());
}

describe("the heap of a process that serves", () => {
  it("takes half of the memory at most that it takes by default", () => {
    const limited = measure(`import { limitHeapGrowth } from ${module}; limitHeapGrowth();`, heapOptions);
    expect(limited).toBeLessThan(measure("", []) / 2);
  });

  it("is limited however the service is started", () => {
    expect(readFileSync(join(root, "packages/service/src/bin.ts"), "utf8")).toMatch(
      new RegExp(`^#!/usr/bin/env -S node ${options}\n`),
    );
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    expect(scripts["start"]).toContain(`exec node ${options} packages/service/dist/bin.js start`);
  });
});
