import { isRecord } from "@nodewright/api-model";
import type { CaseReport, Report } from "../contract/report.ts";
import { createSecretMask, type Secret } from "../client/secret-mask.ts";
import type { RecordedExchange } from "../contract/exchange.ts";

/** Takes secrets out of what goes to outputs. */
export interface Mask {
  text(text: string): string;
  case(report: CaseReport): CaseReport;
  report(report: Report): Report;
}

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
  const record = (values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, text(value)]));

  const exchange = (one: RecordedExchange): RecordedExchange => ({
    ...one,
    url: text(one.url),
    headers: record(one.headers),
    ...optional("body", one.body, text),
    ...(one.answer === undefined
      ? {}
      : { answer: { ...one.answer, headers: record(one.answer.headers), body: text(one.answer.body) } }),
    ...optional("trouble", one.trouble, text),
  });

  const oneCase = (one: CaseReport): CaseReport => ({
    ...one,
    ...optional("reason", one.reason, text),
    findings: one.findings.map((finding) => ({
      ...finding,
      ...optional("detail", finding.detail, text),
      ...optional("pointer", finding.pointer, text),
    })),
    exchanges: one.exchanges.map(exchange),
    ...optional("curl", one.curl, curl),
  });

  return {
    text,
    case: oneCase,
    report: (report) => ({
      ...report,
      baseUrl: text(report.baseUrl),
      ...optional("against", report.against, text),
      target: {
        ...report.target,
        ...optional("client", report.target.client, text),
        ...optional("chain", report.target.chain, text),
      },
      cases: report.cases.map(oneCase),
      operations: report.operations.map((one) => ({ ...one, availabilityReason: text(one.availabilityReason) })),
      notices: report.notices.map(text),
      ...optional("brokenOff", report.brokenOff, text),
      ...optional("unjudgedBecause", report.unjudgedBecause, text),
      ...(report.replay === undefined
        ? {}
        : { replay: maskedValue(report.replay, text) as NonNullable<Report["replay"]> }),
    }),
  };
}

/** A JSON value with all names and strings in it masked: in its text a secret could take the quotation marks of JSON with it. */
function maskedValue(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((one) => maskedValue(one, mask));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [mask(name), maskedValue(one, mask)]));
}

function optional<Name extends string>(
  name: Name,
  value: string | undefined,
  mask: (text: string) => string,
): { readonly [Member in Name]?: string } {
  return (value === undefined ? {} : { [name]: mask(value) }) as { readonly [Member in Name]?: string };
}
