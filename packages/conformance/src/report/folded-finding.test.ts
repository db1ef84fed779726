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

  it("makes one fault of the same values under several rules, and names them", () => {
    const said = { message: "The status is 500 instead of 200", detail: "status 500, text/html" };
    const cases = ["G503", "G504", "G503"].map((rule, index) =>
      sampleCase(`op${index}/protocol/x`, "failed", { findings: [{ ...said, rule, level: "MUST", title: "A" }] }),
    );
    expect(foldFindings(cases).map(({ rules, cases: own }) => [rules, own.length])).toEqual([[["G503", "G504"], 3]]);
  });

  it("shows a rule of MUST where rules of several levels are broken", () => {
    const said = { message: "The status is 500 instead of 200", detail: "status 500" };
    const [fault, ...others] = foldFindings([
      sampleCase("op/protocol/small", "failed", {
        findings: [{ ...said, rule: "G506", level: "SHOULD", title: "A" }],
      }),
      sampleCase("op/protocol/x", "failed", {
        findings: [{ ...said, rule: "G503", level: "MUST", title: "A" }],
        exchanges: [{ method: "GET", url: "http://a", headers: {}, startedAt: "", milliseconds: 1 }],
      }),
    ]);
    expect(fault).toMatchObject({ finding: { rule: "G503" }, rules: ["G503", "G506"], shown: { id: "op/protocol/x" } });
    expect(others).toEqual([]);
  });

  it("makes one fault of a message that names the operation", () => {
    const cases = ["ships", "docks"].map((name) =>
      sampleCase(`Query.${name}/live/x`, "failed", {
        findings: [{ rule: "P012", level: "MUST", title: "A", message: `A valid query of ${name} is refused` }],
      }),
    );
    expect(foldFindings(cases)).toHaveLength(1);
  });

  it.each([
    ["of another rule", { rule: "H105" }],
    ["of another level", { level: "SHOULD" as const }],
    ["that says something else about the same place", { message: "/price is missing", place: "47:24" }],
    ["of another member", { message: "/size must be an integer", pointer: "/size", place: "48:24" }],
  ])("keeps a finding apart %s", (_, more) => {
    expect(fold(finding({ place: "47:24" }), finding(more))).toEqual([["op0"], ["op1"]]);
  });

  it("tells what JSON-RPC methods accept apart by the place of the constraint", () => {
    const accepted = (place: string): FindingReport => {
      return { rule: "P014", level: "MUST", title: "A", message: "there is a result instead of an error", place };
    };
    expect(fold(accepted("9:9"), accepted("12:9"), accepted("9:9"))).toEqual([["op0", "op2"], ["op1"]]);
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
