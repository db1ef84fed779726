import { describe, expect, it } from "vitest";
import { type ConformArguments, readArguments } from "./conform-arguments.ts";
import type { ConformProgram } from "./conform-option.ts";
import { conformOptions } from "./conform-options.ts";
import { readWords } from "./read-words.ts";
import { renderHelp } from "./render-help.ts";
import { expectGolden } from "../testing/golden.ts";

function read(words: readonly string[], program: ConformProgram = "nodewright conform"): ConformArguments {
  return readArguments(readWords(words, program), "http://x", program);
}

describe("the words of a command line", () => {
  it("are read into arguments", () => {
    const given = read([
      "http://x",
      "--spec=a.yaml",
      "--operations",
      "q.graphql",
      "--only",
      "get*",
      "--only=GET /x",
      "--rate",
      "0.5",
      "--timeout",
      "30s",
      "--max-time",
      "1h",
      "--max-calls",
      "9",
      "--fail-on",
      "should",
      "--seed",
      "5EED",
      "--examples",
      "types",
      "--allow-writes",
      "--report",
      "junit=a.xml",
      "--json",
      "--prometheus",
      "m.prom",
      "--every",
      "10m",
    ]);
    expect(given).toMatchObject({
      spec: "a.yaml",
      operations: ["q.graphql"],
      only: ["get*", "GET /x"],
      rate: 0.5,
      timeoutMilliseconds: 30_000,
      maxMilliseconds: 3_600_000,
      maxCalls: 9,
      failOn: "SHOULD",
      seed: "5eed",
      examples: "types",
      allowWrites: true,
      everyMilliseconds: 600_000,
      reports: [{ format: "junit", file: "a.xml" }, { format: "json" }, { format: "prometheus", file: "m.prom" }],
    });
  });

  it("let every level fail a run with --strict, which leaves no choice of one", () => {
    expect(read([]).failOn).toBe("MUST");
    expect(read(["--strict"]).failOn).toBe("any");
    expect(() => read(["--strict", "--fail-on", "should"])).toThrow("--strict");
  });

  it("leave the report for people beside files and annotations", () => {
    expect(read(["--report", "junit=a.xml", "--report", "github"]).reports[0]).toEqual({ format: "terminal" });
    expect(read(["--report", "ndjson"]).reports).toEqual([{ format: "ndjson" }]);
    expect(read([]).reports).toEqual([{ format: "terminal" }]);
    expect(read(["--report", "json", "--json"]).reports).toEqual([{ format: "json" }]);
  });

  it("may begin a value with a dash behind an equals sign alone", () => {
    expect(read(["--only=--x"]).only).toEqual(["--x"]);
    expect(() => read(["--only", "--verbose"])).toThrow("--only needs a value: --only PATTERN.");
  });

  it.each<readonly [string, readonly string[], string]>([
    ["an option that is none", ["--specc", "a"], 'There is no option --specc (did you mean "--spec"?)'],
    ["an option with another case", ["--Max-Time", "1s"], '(did you mean "--max-time"?)'],
    ["a value that is missing", ["--spec"], "--spec needs a value: --spec FILE."],
    ["an empty value", ["--spec="], "--spec needs a value"],
    ["a flag with a value", ["--plan=yes"], "--plan takes no value"],
    ["an option twice", ["--seed", "1", "--seed", "2"], "--seed stands twice"],
    ["a contradiction", ["--spec", "a", "--api", "b"], "--spec and --api contradict each other"],
    ["what needs another option", ["--update-baseline"], "--update-baseline needs --baseline."],
    ["operations without a document", ["--operations", "q"], "--operations needs --spec."],
    ["a choice that is none", ["--examples", "exakt"], `--examples can't be "exakt" (did you mean "exact"?)`],
    ["no number", ["--rate", "fast"], `--rate can't be "fast": it is a number above 0.`],
    ["a count with a fraction", ["--concurrency", "1.5"], "it is a whole number from 1"],
    ["nothing at all", ["--max-requests", "0"], "it is a whole number from 1"],
    ["no time", ["--every", "soon"], "it is a time such as 500ms"],
    ["no seed", ["--seed", "xyz"], "it is 1 to 64 hexadecimal digits"],
    ["no report", ["--report", "junti"], 'There is no report "junti" (did you mean "junit"?)'],
    ["a report without a file", ["--report", "html="], 'needs a file behind "="'],
    ["two reports on the output", ["--report", "junit", "--json"], "Only one report fits on the standard output"],
    [
      "two reports in a file by two names",
      ["--report", "junit=./a", "--report", "html=a"],
      "Two reports can't be written into a",
    ],
    ["two reports in a file", ["--report", "junit=a", "--report", "html=a"], "Two reports can't be written into a"],
  ])("are refused with %s", (_, words, message) => {
    expect(() => read(words)).toThrow(message);
  });

  it("name the program that has an option which this one has not", () => {
    expect(() => read(["--spec", "a"], "conformance")).toThrow("--spec is an option of nodewright conform");
  });
});

describe("the options", () => {
  it("are told by the help, each of them", () => {
    const help = renderHelp("nodewright conform", 100);
    for (const { name } of conformOptions) expect(help).toContain(`--${name}`);
    expectGolden("help.txt", help);
    expect(renderHelp("conformance", 100)).not.toContain("--spec");
    expect(
      Math.max(
        ...renderHelp("conformance", 70)
          .split("\n")
          .slice(5, 60)
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(72);
  });

  it("speak of options that there are", () => {
    const names = new Set(conformOptions.map(({ name }) => name));
    expect(names.size).toBe(conformOptions.length);
    for (const { conflicts = [], needs = [] } of conformOptions)
      for (const name of [...conflicts, ...needs]) expect(names).toContain(name);
  });
});
