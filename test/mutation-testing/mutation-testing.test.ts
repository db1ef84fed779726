import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../support/workspace.ts";
import { type ListedMutant, listMutants, sampleMutants } from "./mutants.ts";
import { mutatedPackages, sourcesOf, testsOf } from "./packages.ts";
import { addSurvivors, countVerdicts, findShortfall, renderRow, replaceRow, type Survivor } from "./results.ts";
import { VerdictStore } from "./verdict-store.ts";

const lines = Array.from({ length: 40 }, (_, index) => `export const is${index} = (n: number) => n < ${index};`);
const source = { path: "packages/a/src/limits.ts", text: `${lines.join("\n")}\n` };
const other = { path: "packages/a/src/sum.ts", text: "export const sum = (a: number, b: number) => a + b;\n" };

describe("the mutants of a package", () => {
  it("have the text that they replace", async () => {
    const mutants = await listMutants([other]);
    expect(mutants.map(({ mutator, original, replacement }) => [mutator, original, replacement])).toEqual([
      ["ArrowFunction", "(a: number, b: number) => a + b", "() => undefined"],
      ["ArithmeticOperator", "a + b", "a - b"],
    ]);
  });

  it("keep their ids when lines move, also where the same text occurs twice", async () => {
    const twice = { ...source, text: `${source.text}export const again = (n: number) => n < 0;\n` };
    const before = await listMutants([twice]);
    const after = await listMutants([{ ...twice, text: `// A line more.\n\n${twice.text}` }]);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(new Set(before.map(({ id }) => id)).size).toBe(before.length);
  });

  it("give the same sample for the same seed, and another for another", async () => {
    const mutants = await listMutants([source, other]);
    const chosen = (seed: string) => sampleMutants(mutants, seed, 30).map(({ id }) => id);
    expect(chosen("1")).toHaveLength(30);
    expect(chosen("1")).toEqual(chosen("1"));
    expect(chosen("2")).not.toEqual(chosen("1"));
    expect(sampleMutants(mutants.toReversed(), "1", 30).map(({ id }) => id)).toEqual(chosen("1"));
  });

  it("leave the rest of a sample as it is when one file changes", async () => {
    const all = sampleMutants(await listMutants([source, other]), "1", 400);
    const changed = sampleMutants(await listMutants([source, { ...other, text: "" }]), "1", 400);
    expect(changed).toEqual(all.filter(({ file }) => file === source.path));
  });
});

describe("the packages that are mutated", () => {
  it.each(mutatedPackages.map((mutated) => [mutated.name, mutated] as const))(
    "%s has sources and tests",
    (_, mutated) => {
      expect(sourcesOf(mutated, root).length).toBeGreaterThan(2);
      expect(sourcesOf(mutated, root).filter((path) => /\.test\.ts$|\/testing\//.test(path))).toEqual([]);
      expect(testsOf(mutated, root).length).toBeGreaterThan(2);
    },
  );
});

describe("stored verdicts", () => {
  const mutant: ListedMutant = {
    id: "a1",
    file: source.path,
    location: { start: { line: 3, column: 0 }, end: { line: 3, column: 5 } },
    mutator: "EqualityOperator",
    original: "n < 3",
    replacement: "n <= 3",
  };
  const basis = { sources: new Map([[source.path, "source 1"]]), tests: "tests 1" };
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-verdicts-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  function store(): VerdictStore {
    return new VerdictStore(join(directory, "verdicts/a-1.jsonl"));
  }

  it("are found by the next run, also after one that was cut within a line", () => {
    const verdict = { id: "a1", status: "Survived", isStatic: false, source: "source 1", tests: "tests 1" } as const;
    store().add(verdict);
    appendFileSync(join(directory, "verdicts/a-1.jsonl"), '\n{"id":"b2","sta');
    expect(store().find(mutant, basis)).toEqual(verdict);
    expect(store().find({ ...mutant, id: "b2" }, basis)).toBeUndefined();
    store().add({ ...verdict, id: "c3" });
    store().add({ ...verdict, id: "d4" });
    expect(["a1", "b2", "c3", "d4"].map((id) => store().find({ ...mutant, id }, basis)?.id)).toEqual([
      ...["a1", undefined, "c3", "d4"],
    ]);
  });

  it("hold until the file changes, those of survivors until a test does", () => {
    const change = { sources: new Map([[source.path, "source 2"]]), tests: "tests 1" };
    const newTests = { ...basis, tests: "tests 2" };
    const kept = { id: "a1", isStatic: false, source: "source 1", tests: "tests 1" };
    const survived = store();
    survived.add({ ...kept, status: "Survived" });
    expect(survived.find(mutant, change)).toBeUndefined();
    expect(survived.find(mutant, newTests)).toBeUndefined();
    survived.add({ ...kept, status: "Killed" });
    expect(survived.find(mutant, change)).toBeUndefined();
    expect(survived.find(mutant, newTests)?.status).toBe("Killed");
  });
});

describe("results", () => {
  const mutant = (id: string): ListedMutant => ({
    id,
    file: source.path,
    location: { start: { line: 6, column: 0 }, end: { line: 6, column: 5 } },
    mutator: "EqualityOperator",
    original: "n < 7",
    replacement: "n <= 7",
  });

  it("have Stryker's score: detected mutants of all that are detected or not", () => {
    const statuses = ["Killed", "Killed", "Timeout", "Survived", "NoCoverage", "RuntimeError"] as const;
    const counts = countVerdicts(statuses.map((status, index) => ({ mutant: mutant(`m${index}`), status })));
    const row = { name: "a", seed: "1", sampled: 6, date: "2026-01-02", commit: "abc", ...counts };
    expect(renderRow(row)).toBe("| a | 1 | 6 | 6 | 2 | 1 | 1 | 1 | 1 | 60.0 % | 2026-01-02 | abc |");
    expect(renderRow({ ...row, sampled: 7 })).toBe("| a | 1 | 7 | 6 | 2 | 1 | 1 | 1 | 1 | – | 2026-01-02 | abc |");
  });

  it("fall short when a sample is not tested to its end, has no score, or one below 85 %", () => {
    const row = { name: "a", seed: "1", sampled: 20, date: "2026-01-02", commit: "abc" };
    const counts = { killed: 16, timeout: 1, survived: 2, noCoverage: 1, errors: 0 };
    expect(findShortfall({ ...row, ...counts })).toBeUndefined();
    expect(findShortfall({ ...row, ...counts, killed: 15, survived: 3 })).toBe("a: the score 80.0 % is below 85 %");
    expect(findShortfall({ ...row, ...counts, sampled: 21 })).toBe("a: 20 of 21 mutants of the sample are tested");
    const none = { killed: 0, timeout: 0, survived: 0, noCoverage: 0, errors: 20 };
    expect(findShortfall({ ...row, ...none })).toBe("a: no mutant of the sample has a score");
  });

  it("have one row for a package and seed", () => {
    const table = "| package | seed |\n|---|---|\n| a | 1 | old |\n| a | 2 | other |\n";
    expect(replaceRow(table, "| a | 1 | new |")).toBe(table.replace("old", "new"));
    expect(replaceRow(table, "| b | 1 | new |")).toBe(`${table}| b | 1 | new |\n`);
  });

  it("keep the reason of a survivor, and drop one that a test notices now", () => {
    const known: readonly Survivor[] = [
      ["kept", "1"],
      ["killed", "1"],
      ["elsewhere", "1"],
      ["untested", "2"],
      ["changed", "2"],
    ].map(([id = "", seed = ""]) => ({
      id,
      package: "a",
      file: source.path,
      line: 1,
      mutator: "EqualityOperator",
      original: "n < 7",
      replacement: "n <= 7",
      status: "Survived",
      seeds: [seed],
      reason: `why ${id}`,
    }));
    const tested = [
      { mutant: mutant("kept"), status: "Survived" },
      { mutant: mutant("killed"), status: "Killed" },
      { mutant: mutant("new"), status: "NoCoverage" },
    ] as const;
    const sample = [...tested.map((one) => one.mutant), mutant("untested")];
    const survivors = addSurvivors(known, "a", "2", sample, tested);
    expect(survivors.map(({ id, line, seeds, reason }) => [id, line, seeds, reason])).toEqual([
      ["elsewhere", 1, ["1"], "why elsewhere"],
      ["untested", 1, ["2"], "why untested"],
      ["kept", 7, ["1", "2"], "why kept"],
      ["new", 7, ["2"], ""],
    ]);
    expect(addSurvivors(known, "b", "2", [], [])).toHaveLength(known.length);
  });
});
