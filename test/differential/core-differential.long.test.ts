import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { requireBitcoinCore } from "../support/requirement.ts";
import { describeProblems } from "./report-problems.ts";
import { runDifferential } from "./run-differential.ts";

const { path } = requireBitcoinCore();

const seed = Number(process.env["NODEWRIGHT_SEED"] ?? 20_261_121);

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "nodewright-core-differential-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

it.skipIf(path === undefined)(
  "responds to every method as Bitcoin Core does, or differs as it is listed",
  { timeout: 3_600_000 },
  async () => {
    const report = await runDifferential({ reference: "core", path: path ?? "", directory, everything: false, seed });

    const cases = report.methods.reduce((sum, row) => sum + row.cases, 0);
    console.log(`compared with Bitcoin Core: ${report.methods.length} methods, ${cases} calls, seed ${seed}`);
    expect(describeProblems(report)).toEqual([]);
    expect(cases).toBeGreaterThan(10_000);
  },
);
