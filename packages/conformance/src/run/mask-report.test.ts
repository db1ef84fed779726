import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ndjsonCase, ndjsonEnd } from "../report/ndjson-report.ts";
import { plainPaint } from "@nodewright/terminal-text";
import { renderReport } from "../report/render-report.ts";
import { reportFormats } from "../report/report-format.ts";
import type { Report } from "../contract/report.ts";
import { sampleReport } from "../testing/sample-report.ts";
import { createSecretMask } from "@nodewright/secret-mask";
import { maskReport } from "./mask-report.ts";

/** Returns a report in which all members from the wire contain a string. */
function holding(text: string): Report {
  const report = sampleReport();
  return {
    ...report,
    baseUrl: `http://pets.example/${text}`,
    against: text,
    target: { client: text, chain: text },
    notices: [text],
    outcome: "inconclusive",
    inconclusiveBecause: text,
    operations: report.operations.map((one) => ({ ...one, availabilityReason: text })),
    cases: report.cases.map((one) => ({
      ...one,
      reason: text,
      curl: `curl 'http://x/${text}'`,
      findings: one.findings.map((finding) => ({ ...finding, detail: text, pointer: `/${text}` })),
      exchanges: one.exchanges.map(({ response, ...exchange }) => ({
        ...exchange,
        url: `http://x/?k=${text}`,
        headers: { "x-key": text },
        body: text,
        trouble: text,
        ...(response === undefined
          ? {}
          : { response: { ...response, headers: { echo: text }, body: JSON.stringify({ pets: [{ echo: text }] }) } }),
      })),
    })),
  };
}

function everything(report: Report): string {
  const settings = { width: 120, paint: plainPaint, isVerbose: true, texts: new Map() };
  const texts = reportFormats.flatMap(({ name }) =>
    name === "ndjson"
      ? [...report.cases.map(ndjsonCase), ndjsonEnd(report)].map((line) => JSON.stringify(line))
      : [true, false].map((isJson) => renderReport(name, report, { ...settings, isJson })),
  );
  return texts.join("\n");
}

const key = fc.string({
  unit: fc.constantFrom(..."abcXYZ0189-_./+=&%'\"<>$!~"),
  minLength: 12,
  maxLength: 40,
  size: "max",
});

/** Returns a string with some characters percent-encoded, in upper case when the number is even. */
function percentEncode(text: string, isEncoded: (code: number) => boolean): string {
  return text.replaceAll(/./gs, (character) => {
    const code = character.charCodeAt(0);
    const hex = code.toString(16).padStart(2, "0");
    return isEncoded(code) || character === "%" ? `%${code % 2 === 0 ? hex.toUpperCase() : hex}` : character;
  });
}

describe("the mask of reports", () => {
  it("lets no key through, in whatever form a server gives it back", () => {
    fc.assert(
      fc.property(key, (value) => {
        const forms = [
          value,
          encodeURIComponent(value),
          JSON.stringify(value).slice(1, -1),
          Buffer.from(value).toString("base64").replaceAll("=", ""),
          Buffer.from(value).toString("hex"),
          JSON.stringify(JSON.stringify(value)).slice(3, -3),
          percentEncode(value, () => true)
            .toLowerCase()
            .replaceAll("%2b", "%2B"),
          percentEncode(
            percentEncode(value, (code) => code % 3 === 0),
            (code) => code % 2 === 0,
          ),
          [...value].map((character) => `\\u00${character.charCodeAt(0).toString(16).toUpperCase()}`).join(""),
          [...value].map((character) => `&#${character.charCodeAt(0)};`).join(""),
        ];
        const mask = createSecretMask([{ value, placeholder: "$API_KEY" }]);
        for (const form of forms) {
          const written = everything(maskReport(holding(form), mask));
          for (const other of forms) expect(written.includes(other)).toBe(false);
        }
      }),
      { numRuns: 15 },
    );
  });

  it("leaves ids and rules alone, which baselines name", () => {
    const report = sampleReport();
    const masked = maskReport(report, createSecretMask([{ value: "getPet", placeholder: "$API_KEY" }]));
    expect(masked.cases.map(({ id }) => id)).toEqual(report.cases.map(({ id }) => id));
  });
});
