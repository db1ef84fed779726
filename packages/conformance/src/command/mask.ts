import type { CaseReport, Report } from "../contract/report.ts";
import { createSecretMask, type Secret } from "../wire/secret-mask.ts";
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
export function createMask(given: readonly Secret[]): Mask {
  const secrets = given.flatMap(({ value, placeholder }) =>
    [value, ...disguisesOf(value)].map((form) => ({ value: form, placeholder })),
  );
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
        : { replay: JSON.parse(text(JSON.stringify(report.replay))) as NonNullable<Report["replay"]> }),
    }),
  };
}

/** In base64, a text of this length is not there by chance. */
const shortestBase64 = 8;

/** How servers give back what they were sent: encoded twice, escaped by another JSON writer, or in base64 behind a user's name. */
function disguisesOf(value: string): readonly string[] {
  const escaped = JSON.stringify(value)
    .slice(1, -1)
    .replace(/[&<>'+=/]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [
    encodeURIComponent(encodeURIComponent(value)),
    escaped,
    // An answer in JSON that tells in a string of its own what came, as JSON.
    JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1),
    JSON.stringify(escaped).slice(1, -1),
    escaped.replace(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`),
    value.replaceAll("&", "\\u0026"),
    ...[1, 2].map((before) => base64Within(value, before)).filter((form) => form.length >= shortestBase64),
  ];
}

/** What stays of a text in the base64 of a longer one that has so many bytes (modulo 3) in front: both edges mix with other bytes. */
function base64Within(value: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
  const whole = bytes.toString("base64").replaceAll("=", "");
  return whole.slice(before + 1, bytes.length % 3 === 0 ? undefined : -1);
}

function optional<Name extends string>(
  name: Name,
  value: string | undefined,
  mask: (text: string) => string,
): { readonly [Member in Name]?: string } {
  return (value === undefined ? {} : { [name]: mask(value) }) as { readonly [Member in Name]?: string };
}
