import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseParts, hasPassed, isDone, type LongRow, replaceRow } from "./long-rows.ts";
import { root } from "./workspace.ts";

const parts = ["kill", "clients", "mutation"];
const empty = [
  "# Long runs",
  "",
  "| part | date | commit | seed | time | passed | failed | skipped | figures |",
  "|---|---|---|---|---|---|---|---|---|",
  "",
  "After.",
].join("\n");

function rowOf(part: string, changes: Partial<LongRow> = {}): LongRow {
  const counts = { passed: 3, failed: 0, skipped: 0 };
  return { part, date: "2026-11-22", commit: "abc", seed: "7", minutes: 1.25, ...counts, figures: [], ...changes };
}

const rowsOf = (text: string): readonly string[] => text.split("\n").filter((line) => /^\| (?!part )/.test(line));

describe("the table of long runs", () => {
  it("has one row for each part, in the order of the parts, of its last run", () => {
    let text = empty;
    for (const row of [
      rowOf("mutation"),
      rowOf("kill", { failed: 1 }),
      rowOf("clients"),
      rowOf("kill", { seed: "8" }),
    ]) {
      text = replaceRow(text, row, parts);
    }
    expect(rowsOf(text)).toEqual([
      "| kill | 2026-11-22 | abc | 8 | 1.3 min | 3 | 0 | 0 |  |",
      "| clients | 2026-11-22 | abc | 7 | 1.3 min | 3 | 0 | 0 |  |",
      "| mutation | 2026-11-22 | abc | 7 | 1.3 min | 3 | 0 | 0 |  |",
    ]);
    expect(text.split("\n").slice(0, 2)).toEqual(["# Long runs", ""]);
    expect(text.endsWith("\n\nAfter.")).toBe(true);
  });

  it("keeps what tests have counted, whatever is in it", () => {
    const text = replaceRow(empty, rowOf("kill", { figures: ["a | b", "c"] }), parts);
    expect(rowsOf(text)[0]).toContain("| a \\| b<br>c |");
    expect(isDone(text, "kill", "abc")).toBe(true);
  });

  it("leaves out parts that are there no more", () => {
    expect(rowsOf(replaceRow(replaceRow(empty, rowOf("kill"), parts), rowOf("clients"), ["clients"]))).toHaveLength(1);
  });

  it("is missed where there is none", () => {
    expect(() => replaceRow("# Long runs\n", rowOf("kill"), parts)).toThrow("no table");
  });
});

describe("a part of the long tier", () => {
  it.each([
    [{}, true],
    [{ failed: 1 }, false],
    [{ skipped: 1 }, false],
    [{ passed: 0 }, false],
  ])("with %j has passed: %s", (changes, passed) => {
    expect(hasPassed(rowOf("kill", changes))).toBe(passed);
    expect(isDone(replaceRow(empty, rowOf("kill", changes), parts), "kill", "abc")).toBe(passed);
  });

  it("is to be run again at another commit, or when it never was", () => {
    const text = replaceRow(empty, rowOf("kill"), parts);
    expect([isDone(text, "kill", "def"), isDone(text, "clients", "abc")]).toEqual([false, false]);
  });

  it("is to be run again with another seed where one is given", () => {
    const text = replaceRow(empty, rowOf("kill", { seed: "1" }), parts);
    expect(isDone(text, "kill", "abc", "1")).toBe(true);
    expect(isDone(text, "kill", "abc", "7")).toBe(false);
    expect(isDone(text, "kill", "abc")).toBe(true);
  });

  it("is chosen by its name, one of several with commas", () => {
    expect(chooseParts(parts, undefined)).toEqual(parts);
    expect(chooseParts(parts, "mutation,kill")).toEqual(["kill", "mutation"]);
    expect(() => chooseParts(parts, "kill,kil")).toThrow("Unknown part: kil. The parts are kill, clients, mutation.");
  });
});

describe("npm run test:long", () => {
  const run = (...parameters: readonly string[]) =>
    spawnSync(process.execPath, [join(root, "scripts/test-long.ts"), ...parameters], { encoding: "utf8" });

  it.each([["--only", "kil"], ["--only", ""], ["--nope"]])(
    "ends with 2 for %s %s, and runs nothing",
    (...parameters) => {
      const before = readFileSync(join(root, "test/long/RESULTS.md"), "utf8");
      const { status, stderr } = run(...parameters);
      expect([status, readFileSync(join(root, "test/long/RESULTS.md"), "utf8")]).toEqual([2, before]);
      expect(stderr).toContain("The parts are kill, ");
    },
  );
});
