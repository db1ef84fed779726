import { describe, expect, it } from "vitest";
import type { CaseReport, FindingReport, Report, Verdict } from "../contract/report.ts";
import { sampleCase, sampleReport } from "../testing/sample-report.ts";
import { applyBaseline } from "./apply-baseline.ts";
import type { KnownFailure } from "./read-baseline.ts";
import { applyFailOn, conclude } from "./conclude.ts";

function finding(message: string, level: FindingReport["level"] = "MUST"): FindingReport {
  return { rule: "BODY", level, title: "t", message };
}

function reportOf(cases: readonly CaseReport[], more: Partial<Report> = {}): Report {
  return conclude(sampleReport({ notices: [], ...more }), cases, []);
}

function known(id: string, message: string, more: Partial<KnownFailure> = {}): KnownFailure {
  return { case: id, rule: "BODY", message, reason: "that is how it is", since: "2026-11-22", ...more };
}

const failing = sampleCase("a/example/x", "failed", { findings: [finding("It lacks a name")] });
const passing = sampleCase("a/example/x", "passed");

function verdictOf(
  one: CaseReport,
  entries: readonly KnownFailure[],
  more: Partial<Report> = {},
): readonly [Verdict | undefined, Report["outcome"]] {
  const report = applyBaseline(reportOf([one], more), { known: entries, flaky: [] });
  return [report.cases[0]?.verdict, report.outcome];
}

describe("applyBaseline", () => {
  it("knows a failure that is listed, with its reason", () => {
    const report = applyBaseline(reportOf([failing]), { known: [known("a/example/x", "It lacks a name")], flaky: [] });
    expect(report.cases[0]).toMatchObject({ verdict: "known", reason: "that is how it is" });
    expect(report).toMatchObject({ outcome: "conforms", totals: { known: 1, failed: 0 } });
  });

  it("knows a failure that is listed with the key of the response instead of the field", () => {
    const one = sampleCase("a/example/x", "failed", {
      findings: [{ ...finding("/ships/*/name is null"), pointer: "/way3/*/name" }],
    });
    expect(verdictOf(one, [known("a/example/x", "/way3/*/name is null")])).toEqual(["known", "conforms"]);
    expect(verdictOf(one, [known("a/example/x", "/way4/*/name is null")])).toEqual(["stale", "differs"]);
  });

  it("does not say of a run that was broken off that the target conforms", () => {
    const entries = { known: [known("a/example/x", "It lacks a name")], flaky: [] };
    const broken = { ...reportOf([failing]), brokenOff: "The run was interrupted" };
    expect(applyBaseline(broken, entries)).toMatchObject({
      outcome: "inconclusive",
      inconclusiveBecause: "The run was interrupted; all that failed until then is known.",
    });
    expect(applyBaseline(broken, { known: [], flaky: [] }).outcome).toBe("differs");
  });

  it("lets a failure that is not listed fail", () => {
    expect(verdictOf(failing, [known("b/example/x", "It lacks a name")])).toEqual(["failed", "differs"]);
  });

  it("finds an entry stale whose case passes", () => {
    expect(verdictOf(passing, [known("a/example/x", "It lacks a name")])).toEqual(["stale", "differs"]);
  });

  it("knows a failure by the rule that its rule has replaced", () => {
    const one = sampleCase("a/relation/limit-2", "failed", {
      findings: [{ ...finding("there are more elements than limit allows"), rule: "P001" }],
    });
    const old = known("a/relation/limits", "The list has more elements", { rule: "R106" });
    expect(verdictOf(one, [old])).toEqual(["known", "conforms"]);
    expect(verdictOf(one, [{ ...old, rule: "R110" }])).toEqual(["failed", "differs"]);
  });

  it("finds an entry stale whose message changed, or whose rule did", () => {
    expect(verdictOf(failing, [known("a/example/x", "It lacks a nam")])).toEqual(["stale", "differs"]);
    expect(verdictOf(failing, [known("a/example/x", "It lacks a name", { rule: "HEAD" })])).toEqual([
      "stale",
      "differs",
    ]);
  });

  it("wants each finding of a case to be listed, and each entry to be found", () => {
    const two = { ...failing, findings: [finding("one"), finding("two")] };
    expect(verdictOf(two, [known(two.id, "one"), known(two.id, "two")])[0]).toBe("known");
    expect(verdictOf(two, [known(two.id, "one")])[0]).toBe("failed");
    expect(verdictOf(two, [known(two.id, "one"), known(two.id, "two"), known(two.id, "three")])[0]).toBe("stale");
  });

  it("lets warnings of a known failure be as they are", () => {
    const warned = { ...failing, findings: [finding("one"), finding("remark", "SHOULD")] };
    expect(verdictOf(warned, [known(warned.id, "one")])[0]).toBe("known");
  });

  it("knows a failure of a heuristic, which is a warning without --strict", () => {
    const warned = { ...failing, verdict: "warned" as const, findings: [finding("one", "heuristic")] };
    expect(verdictOf(warned, [known(warned.id, "one")])).toEqual(["known", "conforms"]);
    expect(verdictOf(warned, [known(warned.id, "another")])).toEqual(["stale", "differs"]);
  });

  it.each(["skipped", "untested", "not-sent", "flaky"] as const)(
    "says nothing of a case that was %s, and tells it",
    (verdict) => {
      const report = applyBaseline(reportOf([{ ...passing, verdict }]), { known: [known(passing.id, "m")], flaky: [] });
      expect(report.cases[0]?.verdict).toBe(verdict);
      expect(report.outcome).toBe("conforms");
      expect(report.notices).toEqual(["1 case of the baseline had no verdict in this run: a/example/x."]);
    },
  );

  it("says nothing of a case that was filtered out, and tells it", () => {
    const report = applyBaseline(reportOf([]), { known: [known("z/example/x", "m")], flaky: [] });
    expect(report.outcome).toBe("conforms");
    expect(report.notices[0]).toContain("z/example/x");
  });

  it("leaves out entries of other versions of the client, and tells them", () => {
    const entry = known("a/example/x", "It lacks a name", { clients: ["petd >=2"] });
    expect(verdictOf(failing, [entry])).toEqual(["failed", "differs"]);
    expect(verdictOf(failing, [{ ...entry, clients: ["petd >=2", "petd 1.4"] }])).toEqual(["known", "conforms"]);
    const { notices } = applyBaseline(reportOf([failing]), { known: [entry], flaky: [] });
    expect(notices).toEqual(["1 entry of the baseline is of other clients or versions: a/example/x."]);
    const unclear = applyBaseline(reportOf([failing], { target: {} }), { known: [entry], flaky: [] });
    expect(unclear.cases[0]?.verdict).toBe("failed");
    expect(unclear.notices[0]).toContain("does not say what client it is");
  });

  it("never fails for a case that is listed as flaky", () => {
    const flaky = [{ case: "a/example/x", reason: "the pool moves", since: "2026-11-22" }];
    expect(applyBaseline(reportOf([failing]), { known: [], flaky })).toMatchObject({
      outcome: "conforms",
      cases: [{ verdict: "flaky", reason: "known to be flaky: the pool moves" }],
    });
    expect(applyBaseline(reportOf([passing]), { known: [], flaky }).cases[0]?.verdict).toBe("passed");
  });

  it("tells loudly what has no reason yet", () => {
    const entry = known(failing.id, "It lacks a name", { reason: "TO BE EXPLAINED" });
    const { notices } = applyBaseline(reportOf([failing]), { known: [entry], flaky: [] });
    expect(notices[0]).toMatch(/^BASELINE: 1 entry without a reason/);
  });

  it("says nothing of a target that could not be judged", () => {
    expect(verdictOf(failing, [known(failing.id, "It lacks a name")], { outcome: "inconclusive" })[1]).toBe(
      "inconclusive",
    );
  });
});

describe("applyFailOn", () => {
  const warned = sampleCase("a/example/x", "warned", { findings: [finding("remark", "SHOULD")] });

  it("lets rules of SHOULD fail when that is asked for, and a baseline knows them then", () => {
    const strict = applyFailOn(reportOf([warned]), "SHOULD");
    expect(strict).toMatchObject({ outcome: "differs", cases: [{ verdict: "failed" }] });
    expect(applyFailOn(reportOf([warned]), "MUST").outcome).toBe("conforms");
    const entries = { known: [known(warned.id, "remark")], flaky: [] };
    expect(applyBaseline(strict, entries, "SHOULD").outcome).toBe("conforms");
    expect(applyBaseline(reportOf([warned]), entries).cases[0]?.verdict).toBe("known");
  });

  it("does not let remarks fail", () => {
    const remark = { ...warned, findings: [finding("remark", "MAY")] };
    expect(applyFailOn(reportOf([remark]), "heuristic").outcome).toBe("conforms");
  });

  it("lets heuristics fail with the least level alone", () => {
    const guessed = { ...warned, findings: [finding("remark", "heuristic")] };
    expect(applyFailOn(reportOf([guessed]), "SHOULD").outcome).toBe("conforms");
    const strict = applyFailOn(reportOf([guessed]), "heuristic");
    expect(strict.outcome).toBe("differs");
    const entries = { known: [known(guessed.id, "remark")], flaky: [] };
    expect(applyBaseline(strict, entries, "heuristic").outcome).toBe("conforms");
    expect(applyBaseline(strict, { known: [], flaky: [] }, "heuristic").outcome).toBe("differs");
  });
});
