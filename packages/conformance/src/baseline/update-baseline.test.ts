import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CaseReport, Report } from "../contract/report.ts";
import { sampleCase, sampleReport } from "../testing/sample-report.ts";
import { applyBaseline } from "./apply-baseline.ts";
import { conclude } from "./conclude.ts";
import { readBaseline } from "./read-baseline.ts";
import { updateBaseline } from "./update-baseline.ts";

function failing(id: string, ...messages: readonly string[]): CaseReport {
  return sampleCase(id, messages.length === 0 ? "passed" : "failed", {
    findings: messages.map((message) => ({ rule: "BODY", level: "MUST", title: "t", message })),
  });
}

function reportOf(...cases: readonly CaseReport[]): Report {
  return conclude(sampleReport({ notices: [] }), cases, []);
}

const settings = { day: "2026-11-22", failOn: "MUST" } as const;

const text = `# Pets of the old server.
format: 1
known:
  # The oldest one.
  - case: a/example/x
    rule: BODY
    message: one # as it is
    reason: >-
      It is old,
      and stays.
    since: 2025-01-01
  - { case: b/example/x, rule: BODY, message: gone, reason: r, since: 2025-01-01 }
  - { case: c/example/x, rule: BODY, message: m, reason: r, since: 2025-01-01, clients: petd >=9 }
  - { case: d/example/x, rule: BODY, message: m, reason: not played, since: 2025-01-01 }
`;

describe("updateBaseline", () => {
  it("begins a file that says what it is for", () => {
    const update = updateBaseline("known.yaml", "", reportOf(failing("a/example/x", "one")), settings);
    expect(update.text).toMatch(/^# Failures that are known/);
    expect(
      update.text.endsWith(
        "format: 1\nknown:\n  - case: a/example/x\n    rule: BODY\n    message: one\n    reason: TO BE EXPLAINED\n    since: 2026-11-22\n",
      ),
    ).toBe(true);
    expect(update).toMatchObject({ added: 1, removed: 0 });
  });

  it("keeps what stays as it was written, takes out what is gone and adds what is new", () => {
    const report = reportOf(failing("a/example/x", "one", "two"), failing("b/example/x"), failing("c/example/x"));
    const update = updateBaseline("known.yaml", text, report, settings);
    expect(update).toMatchObject({ added: 1, removed: 1 });
    expect(update.text).toBe(
      `${text
        .replace("It is old,\n      and stays.", "It is old, and stays.")
        .replace(
          "  - { case: b/example/x, rule: BODY, message: gone, reason: r, since: 2025-01-01 }\n",
          "",
        )}  - case: a/example/x
    rule: BODY
    message: two
    reason: TO BE EXPLAINED
    since: 2026-11-22
`,
    );
  });

  it("changes nothing when nothing changed", () => {
    const report = reportOf(failing("a/example/x", "one"), failing("b/example/x", "gone"));
    expect(updateBaseline("known.yaml", text, report, settings)).toEqual({ text, added: 0, removed: 0 });
  });

  it("does not list what is flaky", () => {
    const flaky = "format: 1\nflaky:\n  - { case: a/example/x, reason: r, since: 2025-01-01 }\n";
    expect(updateBaseline("known.yaml", flaky, reportOf(failing("a/example/x", "one")), settings).added).toBe(0);
  });

  it("writes a baseline with which the same report conforms, whatever the messages are", () => {
    const message = fc.string({ unit: "grapheme", minLength: 1 }).filter((one) => one.trim() === one && one !== "");
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.array(message, { maxLength: 3 })), (findings) => {
        const report = reportOf(
          ...Object.entries(findings).map(([id, own]) => failing(`${id}/random/1`, ...new Set(own))),
        );
        const update = updateBaseline("known.yaml", "", report, settings);
        const held = applyBaseline(report, readBaseline("known.yaml", update.text));
        expect(held.outcome).toBe("conforms");
        expect(updateBaseline("known.yaml", update.text, report, settings)).toEqual({ ...update, added: 0 });
      }),
      { numRuns: 100 },
    );
  });
});
