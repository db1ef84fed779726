import { describe, expect, it } from "vitest";
import { createPaint, plainPaint } from "@nodewright/terminal-text";
import type { Report } from "../../contract/report.ts";
import { expectGolden } from "../../testing/golden.ts";
import { sampleCase, sampleReport, sampleTexts } from "../../testing/sample-report.ts";
import { renderTerminal } from "./render-terminal.ts";

function render(report: Report, more: { width?: number; isVerbose?: boolean } = {}): string {
  return renderTerminal(report, { width: 100, paint: plainPaint, isVerbose: false, texts: sampleTexts, ...more });
}

describe("the report for people", () => {
  it("tells failures first, with what was sent, what came and what the document says", () => {
    expectGolden("report.txt", render(sampleReport()));
  });

  it("tells everything when it is asked to", () => {
    expectGolden("report-verbose.txt", render(sampleReport(), { isVerbose: true }));
  });

  it("fits a narrow terminal", () => {
    expectGolden("report-narrow.txt", render(sampleReport(), { width: 60 }));
  });

  it("says why nothing can be said", () => {
    const totals = { ...sampleReport().totals };
    for (const verdict of Object.keys(totals)) Object.assign(totals, { [verdict]: 0 });
    const report = sampleReport({
      cases: [],
      totals,
      operations: [],
      notices: [],
      outcome: "inconclusive",
      inconclusiveBecause: "The target refuses connections.",
    });
    expectGolden("report-inconclusive.txt", render(report));
  });

  it("is short when all is well", () => {
    const cases = [sampleCase("getPet/example/cat", "passed"), sampleCase("listPets/example/all", "passed")];
    const totals = { ...sampleReport().totals, failed: 0, stale: 0, warned: 0, flaky: 0, untested: 0, known: 0 };
    const report = sampleReport({
      cases,
      totals: { ...totals, passed: 2, skipped: 0, "not-sent": 0 },
      operations: sampleReport().operations.slice(0, 2),
      notices: [],
      outcome: "conforms",
    });
    expectGolden("report-conforms.txt", render(report));
  });

  it("shows a fault of several operations once, with how many cases and operations it is of", () => {
    const [failing] = sampleReport().cases.filter(({ verdict }) => verdict === "failed");
    const cases = ["a", "b", "c", "d", "e"].map((name) => ({
      ...sampleCase(`${name}/example/x`, "failed"),
      findings: failing?.findings ?? [],
    }));
    const text = render(sampleReport({ cases, operations: [] }));
    expect(text.match(/found {5}/g)).toHaveLength(1);
    expect(text).toContain("It does not conform. 1 fault in 5 of 5 cases.");
    expect(text).toContain("a/example/x and 4 more cases of 5 operations: a, b, c and 2 more");
    const verbose = render(sampleReport({ cases, operations: [] }), { isVerbose: true });
    for (const { id } of cases) expect(verbose).toContain(id);
  });

  it.each([80, 120])("has the outcome and the first fault on the first screen, %s columns wide", (width) => {
    const screen = render(sampleReport(), { width })
      .split("\n")
      .flatMap((line) => line.match(new RegExp(`.{1,${width}}`, "gu")) ?? [""])
      .slice(0, 24)
      .join("\n");
    expect(screen).toContain("It does not conform.");
    expect(screen).toContain("MUST BODY  The required member name is missing");
    expect(screen).toContain("found     The required member name is missing; there are id and nmae");
    expect(screen).toContain("sent      GET http://pets.example/v1/pets");
    expect(screen).toContain("came      200");
    expect(screen).toContain(">     {");
    expect(screen).toContain("document  pets.yaml:16:19");
    expect(screen).toContain("name: { type: string, minLength: 1 }");
    expect(screen).toContain("^");
  });

  it("shows a GraphQL document in one line", () => {
    const query = "query ($id: ID!) {\n  pet(id: $id) {\n    name\n  }\n}";
    const [failing] = sampleReport().cases.filter(({ verdict }) => verdict === "failed");
    const exchanges = (failing?.exchanges ?? []).map((one) => ({
      ...one,
      method: "POST",
      body: JSON.stringify({ query, variables: { id: "1" } }),
    }));
    const text = render(
      sampleReport({ protocol: "graphql", cases: failing === undefined ? [] : [{ ...failing, exchanges }] }),
    );
    expect(text).toContain('query ($id: ID!) { pet(id: $id) { name } } {"id":"1"}');
  });

  it("counts known failures in the sentence about the outcome", () => {
    const cases = [1, 2, 3, 4, 5].map((number) =>
      sampleCase(`getPet/live/${number}`, "known", { reason: "it is old" }),
    );
    const totals = { ...sampleReport().totals, failed: 0, stale: 0, known: 5 };
    const text = render(sampleReport({ cases, totals, outcome: "conforms" }));
    expect(text).toContain("It conforms, but for 5 known failures.");
  });

  it("shows an answer once that is wrong in several ways", () => {
    const [failing] = sampleReport().cases.filter(({ verdict }) => verdict === "failed");
    const [finding] = failing?.findings ?? [];
    if (failing === undefined || finding === undefined) throw new Error("the sample has a failure");
    const other = { ...finding, message: "The required member age is missing", pointer: "/pets/*/age" };
    const text = render(sampleReport({ cases: [{ ...failing, findings: [finding, other] }] }));
    expect(text.match(/ {4}sent /g)).toHaveLength(1);
    expect(text).toContain("MUST BODY  The required member age is missing");
    expect(text).toContain("case      the same response");
  });

  it("counts the operations where all is well when there are many", () => {
    const operation = sampleReport().operations[0];
    if (operation === undefined) throw new Error("the sample has operations");
    const operations = Array.from({ length: 1200 }, (_, index) => ({
      ...operation,
      operation: `op${index}`,
      origin: `GET /op${index}`,
    }));
    const cases = operations.map((one) =>
      sampleCase(`${one.operation}/example/x`, one.operation === "op7" ? "failed" : "passed"),
    );
    const text = render(sampleReport({ cases, operations }));
    expect(text).toContain("… and 1,199 operations without findings");
    expect(text.split("\n").length).toBeLessThan(40);
  });

  it("marks an operation of which no call succeeded, also where all else is well", () => {
    const [operation] = sampleReport().operations;
    if (operation === undefined) throw new Error("the sample has operations");
    const operations = Array.from({ length: 50 }, (_, index) => ({
      ...operation,
      operation: `op${index}`,
      origin: `GET /op${index}`,
      hasSuccess: index !== 7,
    }));
    const cases = operations.map((one) => sampleCase(`${one.operation}/example/x`, "passed"));
    const text = render(sampleReport({ cases, operations }));
    expect(text).toMatch(/^GET \/op7 +.* never succeeded$/m);
    expect(text).toContain("… and 49 operations without findings");
  });

  it("stays short when thousands of findings differ", () => {
    const cases = Array.from({ length: 5000 }, (_, index) => ({
      ...sampleCase(`op${index % 50}/random/${index}`, "failed"),
      findings: [{ rule: "BODY", level: "MUST" as const, title: "A", message: `Member m${index} is missing` }],
    }));
    const text = render(sampleReport({ cases, operations: [] }));
    expect(text).toContain("… and 4,985 more findings of BODY; --verbose shows them.");
    expect(text.split("\n").length).toBeLessThan(150);
  });

  it("stays short when thousands of findings are of many rules", () => {
    const cases = Array.from({ length: 5000 }, (_, index) => ({
      ...sampleCase(`op${index % 50}/random/${index}`, "failed"),
      findings: [
        { rule: `R${index % 40}`, level: "MUST" as const, title: "A", message: `Member m${index} is missing` },
      ],
    }));
    expect(render(sampleReport({ cases, operations: [] })).split("\n").length).toBeLessThan(400);
  });

  it("lets nothing of a server or document act on the terminal", () => {
    const nasty = "\u001b]0;owned\u0007\u001b[2J\u202e\u0000\u009b\r\n\u2028";
    const report = sampleReport();
    const spoilt = JSON.parse(
      JSON.stringify(report, (key, value: unknown) =>
        typeof value === "string" && !["verdict", "level", "outcome", "protocol", "place", "availability"].includes(key)
          ? `${value}${nasty}`
          : value,
      ),
    ) as Report;
    for (const isVerbose of [false, true]) {
      const text = render(spoilt, { isVerbose });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not come through
      expect(text.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/);
    }
  });
});

describe("colours", () => {
  it.each([
    ["on a terminal", { isTTY: true }, {}, true],
    ["not in a pipe", {}, {}, false],
    ["not with NO_COLOR", { isTTY: true }, { NO_COLOR: "1" }, false],
    ["in a pipe with FORCE_COLOR", {}, { FORCE_COLOR: "1" }, true],
    ["not with FORCE_COLOR=0", { isTTY: true }, { FORCE_COLOR: "0" }, false],
    ["not on a dumb terminal", { isTTY: true }, { TERM: "dumb" }, false],
  ])("are there %s", (_, stream, environment, isColoured) => {
    expect(createPaint(stream, environment)("red", "x") !== "x").toBe(isColoured);
  });
});
