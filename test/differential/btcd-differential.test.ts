import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { requireProgram } from "../support/requirement.ts";
import { describeProblems } from "./report-problems.ts";
import { runDifferential } from "./run-differential.ts";

const { path } = requireProgram("btcd");

const everything = process.env["NODEWRIGHT_LONG"] === "1";
const seed = Number(process.env["NODEWRIGHT_SEED"] ?? 20_261_121);

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "nodewright-differential-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

it.skipIf(path === undefined)(
  "answers every read method as btcd does, or differs as it is listed",
  { timeout: everything ? 3_600_000 : 600_000 },
  async () => {
    const report = await runDifferential({ reference: "btcd", path: path ?? "", directory, everything, seed });

    const cases = report.methods.reduce((sum, row) => sum + row.cases, 0);
    console.log(`held against btcd: ${report.methods.length} methods, ${cases} calls, seed ${seed}`);
    expect(describeProblems(report)).toEqual([]);
    expect(cases).toBeGreaterThan(15_000);
  },
);
