import { describe, expect, it } from "vitest";
import { renderMethodsJson, renderMethodsMarkdown } from "./methods-report.ts";
import { sampleReport } from "../testing/sample-report.ts";

describe("the table of methods", () => {
  it("is a table of Markdown", () => {
    expect(renderMethodsMarkdown(sampleReport()).split("\n")).toEqual([
      "# Pets 1.2.0",
      "",
      "http://pets.example/v1, petd 1.4.2, regtest, height 120, 2026-11-22",
      "",
      "2 available, 1 missing, 1 not sent.",
      "",
      "| operation | availability | reason | calls | p50 |",
      "|---|---|---|---:|---:|",
      "| `GET /pets/{petId}` | available | it answered | 31 | 3 ms |",
      "| `GET /pets` | available | it answered | 38 | 3 ms |",
      "| `GET /owner` | missing | it answered 501 | 2 | 3 ms |",
      "| `POST /pets` | not sent | POST may change something | 0 |  |",
      "",
    ]);
  });

  it("stays a table whatever a server says", () => {
    const [first] = sampleReport().operations;
    if (first === undefined) throw new Error("the sample has operations");
    const reason = "a | b\n<img src=x onerror=1> [x](http://evil) `c`";
    const report = sampleReport({ operations: [{ ...first, origin: "get`a|b", availabilityReason: reason }] });
    const row = renderMethodsMarkdown(report).split("\n").at(-2);
    expect(row).toBe(
      "| ``get`a\\|b`` | available | a \\| b \\<img src=x onerror=1\\> \\[x\\]\\(http://evil\\) \\`c\\` | 31 | 3 ms |",
    );
  });

  it("leaves out the rules of the protocol", () => {
    const [first] = sampleReport().operations;
    if (first === undefined) throw new Error("the sample has operations");
    const report = sampleReport({ operations: [first, { ...first, operation: "(protocol)", origin: "(protocol)" }] });
    expect(renderMethodsMarkdown(report)).toContain("\n1 available.\n");
    expect(renderMethodsMarkdown(report)).not.toContain("(protocol)");
    expect(renderMethodsJson(report)).not.toContain("(protocol)");
  });

  it("is JSON for machines", () => {
    const { operations } = JSON.parse(renderMethodsJson(sampleReport())) as { readonly operations: readonly object[] };
    expect(operations[2]).toEqual({
      operation: "getOwner",
      origin: "GET /owner",
      availability: "missing",
      reason: "it answered 501",
      calls: 2,
      p50Milliseconds: 3.2,
    });
  });
});
