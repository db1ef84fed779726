import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { requireProgram } from "../support/requirement.ts";
import { describeProblems } from "./differential-report.ts";
import { runDifferential } from "./run-differential.ts";

const { path } = requireProgram("geth");

const everything = process.env["NODEWRIGHT_LONG"] === "1";
const seed = Number(process.env["NODEWRIGHT_SEED"] ?? 20_261_122);

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "nodewright-differential-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

it.skipIf(path === undefined)(
  "answers every field of every type as geth's own GraphQL does, or differs as it is listed",
  { timeout: everything ? 3_600_000 : 600_000 },
  async () => {
    const report = await runDifferential({ geth: path ?? "", directory, everything, seed });

    console.log(`held against geth's GraphQL: ${report.queries} queries, seed ${seed}`);
    expect(describeProblems(report)).toEqual([]);
    expect(report.queries).toBeGreaterThan(4_500);
  },
);
