import { describe, expect, it } from "vitest";
import { type ConformProgram, createCommand } from "./conform-options.ts";
import { expectGolden } from "../testing/golden.ts";
import { readGiven as read } from "../testing/read-given.ts";

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
      timeout: 30_000,
      maxTime: 3_600_000,
      maxCalls: 9,
      failOn: "SHOULD",
      seed: "5eed",
      examples: "types",
      allowWrites: true,
      every: 600_000,
      reports: [{ format: "junit", file: "a.xml" }, { format: "json" }, { format: "prometheus", file: "m.prom" }],
    });
  });

  it("let every level but MAY fail a run with --strict, which leaves no choice of one", () => {
    expect(read([]).failOn).toBe("MUST");
    expect(read(["--strict"]).failOn).toBe("heuristic");
    expect(() => read(["--strict", "--fail-on", "should"])).toThrow("--strict");
  });

  it("leave the report for people beside files and annotations", () => {
    expect(read(["--report", "junit=a.xml", "--report", "github"]).reports[0]).toEqual({ format: "terminal" });
    expect(read(["--report", "ndjson"]).reports).toEqual([{ format: "ndjson" }]);
    expect(read([]).reports).toEqual([{ format: "terminal" }]);
    expect(read(["--report", "json", "--json"]).reports).toEqual([{ format: "json" }]);
  });

  it.each<readonly [string, readonly string[], string]>([
    ["an option that is none", ["--specc", "a"], "unknown option '--specc' (Did you mean --spec?)"],
    ["an option with another case", ["--Max-Time", "1s"], "unknown option '--Max-Time'"],
    ["a value that is missing", ["--spec"], "option '--spec <FILE>' argument missing"],
    ["an empty value", ["--spec="], "option '--spec <FILE>'"],
    ["another option in place of a value", ["--only", "--verbose"], "The option needs a value"],
    ["a flag with a value", ["--plan=yes"], "unknown option '--plan=yes'"],
    ["an option twice", ["--seed", "1", "--seed", "2"], "The option stands twice"],
    [
      "a contradiction",
      ["--spec", "a", "--api", "b"],
      "option '--spec <FILE>' cannot be used with option '--api <PACKAGE>'",
    ],
    ["what needs another option", ["--update-baseline"], "--update-baseline needs --baseline."],
    ["operations without a document", ["--operations", "q"], "--operations needs --spec."],
    ["a choice that is none", ["--examples", "exakt"], "Allowed choices are immutable, exact, types"],
    ["no number", ["--rate", "fast"], "argument 'fast' is invalid. It is a number above 0."],
    ["a count with a fraction", ["--concurrency", "1.5"], "It is an integer of at least 1"],
    ["nothing at all", ["--max-requests", "0"], "It is an integer of at least 1"],
    ["no time", ["--every", "soon"], "It is a time such as 500ms"],
    ["no seed", ["--seed", "xyz"], "It is 1 to 64 hexadecimal digits"],
    ["no report", ["--report", "junti"], 'There is no report "junti" (did you mean "junit"?)'],
    ["a report without a file", ["--report", "html="], 'needs a file after "="'],
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
    expect(() => read(["--spec", "a"], "conformance")).toThrow("It is an option of nodewright conform");
  });
});

describe("the help", () => {
  const helpOf = (program: ConformProgram, columns: number): string =>
    createCommand(program)
      .configureOutput({ getOutHelpWidth: () => columns })
      .helpInformation();

  it("lists the options of a program", () => {
    expectGolden("help.txt", helpOf("nodewright conform", 100));
    expect(helpOf("conformance", 100)).not.toContain("--operations");
  });

  it("keeps to the width", () => {
    const lines = helpOf("conformance", 70).split("\n");
    expect(Math.max(...lines.slice(2).map(({ length }) => length))).toBeLessThanOrEqual(70);
  });
});
