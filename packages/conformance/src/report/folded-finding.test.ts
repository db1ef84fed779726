import { describe, expect, it } from "vitest";
import type { FindingReport } from "../contract/report.ts";
import { sampleCase } from "../testing/sample-report.ts";
import { foldFindings } from "./folded-finding.ts";

function finding(more: Partial<FindingReport> = {}): FindingReport {
  return { rule: "H108", level: "MUST", title: "A", message: "/price must be an integer", pointer: "/price", ...more };
}

function fold(...findings: readonly FindingReport[]): readonly (readonly string[])[] {
  const cases = findings.map((one, index) => sampleCase(`op${index}/live/x`, "failed", { findings: [one] }));
  return foldFindings(cases).map(({ cases: own }) => own.map(({ operation }) => operation));
}

describe("folding findings", () => {
  it("makes one fault of the same message in several operations", () => {
    expect(fold(finding(), finding({ place: "9:9", detail: "another value" }), finding())).toEqual([
      ["op0", "op1", "op2"],
    ]);
  });

  it("makes one fault of a shared schema that different pointers lead to", () => {
    const shared = { place: "47:24" };
    expect(
      fold(
        finding(shared),
        finding({ ...shared, message: "/items/*/price must be an integer", pointer: "/items/*/price" }),
      ),
    ).toEqual([["op0", "op1"]]);
  });

  it.each([
    ["of another rule", { rule: "H105" }],
    ["of another level", { level: "SHOULD" as const }],
    ["that says something else about the same place", { message: "/price is missing", place: "47:24" }],
    ["of another member", { message: "/size must be an integer", pointer: "/size", place: "48:24" }],
  ])("keeps a finding apart %s", (_, more) => {
    expect(fold(finding({ place: "47:24" }), finding(more))).toEqual([["op0"], ["op1"]]);
  });

  it("shows the smallest case of the first operation, with its own detail", () => {
    const exchange = (url: string) => ({ method: "GET", url, headers: {}, startedAt: "", milliseconds: 1 });
    const [fault] = foldFindings([
      sampleCase("a/live/long", "failed", {
        findings: [finding({ detail: "long" })],
        exchanges: [exchange("http://a/long")],
      }),
      sampleCase("a/live/x", "failed", { findings: [finding({ detail: "short" })], exchanges: [exchange("http://a")] }),
      sampleCase("b/live/x", "failed", { findings: [finding({ detail: "none" })] }),
    ]);
    expect(fault?.shown.id).toBe("a/live/x");
    expect(fault?.finding.detail).toBe("short");
  });
});
