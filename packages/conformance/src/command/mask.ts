import { isRecord } from "@nodewright/api-model";
import type { CaseReport, Report } from "../contract/report.ts";
import { createSecretMask, type Secret } from "../client/secret-mask.ts";

/** Takes secrets out of what goes to outputs. */
export interface Mask {
  text(text: string): string;
  case(report: CaseReport): CaseReport;
  report(report: Report): Report;
}

/** Members of a report that may hold what came from the wire, or was said of it. */
const fromTheWire: ReadonlySet<string> = new Set(
  "against availabilityReason baseUrl body brokenOff chain client detail guess header notices pointer reason trouble unjudgedBecause url".split(
    " ",
  ),
);

/**
 * Makes the last guard in front of all outputs: what a run records is already without keys, and nothing that comes from the wire passes
 * here with one. Ids, rules and messages of cases hold nothing from the wire and stay as they are: baselines name them.
 */
export function createMask(secrets: readonly Secret[]): Mask {
  const { mask: text } = createSecretMask(secrets);
  // In a shell a variable stands in double quotes; around it are single ones.
  const { mask: curl } = createSecretMask(
    secrets.map(({ value, placeholder }) => ({ value, placeholder: `'"${placeholder}"'` })),
  );
  const walk = (value: unknown, name = ""): unknown => {
    if (typeof value === "string") {
      if (name === "curl") return curl(value);
      return fromTheWire.has(name) ? text(value) : value;
    }
    if (Array.isArray(value)) return value.map((one) => walk(one, name));
    if (!isRecord(value)) return value;
    if (name === "replay") return maskedValue(value, text);
    // Of headers the values are masked, whatever their names.
    return Object.fromEntries(
      Object.entries(value).map(([member, one]) => [member, walk(one, name === "headers" ? "header" : member)]),
    );
  };
  return {
    text,
    case: (report) => walk(report) as CaseReport,
    report: (report) => walk(report) as Report,
  };
}

/** A JSON value with all names and strings in it masked: in its text a secret could take the quotation marks of JSON with it. */
function maskedValue(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((one) => maskedValue(one, mask));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [mask(name), maskedValue(one, mask)]));
}
