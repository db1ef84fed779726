import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { renderReport } from "./render-report.ts";
import { plainPaint } from "@nodewright/terminal-text";
import { sampleReport } from "../testing/sample-report.ts";

const schema = JSON.parse(readFileSync(new URL("../../schema/report.schema.json", import.meta.url), "utf8")) as object;
const isReport = new Ajv2020({ allErrors: true }).compile(schema);

describe("the schema of the JSON report", () => {
  const text = renderReport("json", sampleReport(), {
    width: 100,
    paint: plainPaint,
    isVerbose: false,
    texts: new Map(),
    isJson: true,
  });

  it("describes what is written", () => {
    isReport(JSON.parse(text));
    expect(isReport.errors ?? []).toEqual([]);
  });

  it.each([
    ["a member that nobody knows", (report: Record<string, unknown>) => ({ ...report, extra: 1 })],
    ["another format", (report: Record<string, unknown>) => ({ ...report, format: 1 })],
    ["a verdict that is none", (report: Record<string, unknown>) => ({ ...report, totals: { good: 1 } })],
  ])("refuses %s", (_, change) => {
    expect(isReport(change(JSON.parse(text) as Record<string, unknown>))).toBe(false);
  });
});
