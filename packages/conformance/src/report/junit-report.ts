import { placeText } from "./place.ts";
import type { CaseReport, FindingReport, Report, Verdict } from "../contract/report.ts";
import { cut } from "./shown-value.ts";

/** Maximum number of characters of a body in a failure. */
const shownBody = 2_000;

/** JUnit elements of the verdicts. Known failures are skipped, so that a build passes. */
const elements: Readonly<Record<Verdict, "failure" | "skipped" | "error" | undefined>> = {
  failed: "failure",
  stale: "failure",
  known: "skipped",
  skipped: "skipped",
  flaky: "skipped",
  untested: "skipped",
  "not-sent": "skipped",
  passed: undefined,
  warned: undefined,
};

/**
 * Renders JUnit XML: a suite for each operation, a test case for each case. When the target could not be judged, one test case with an
 * error.
 */
export function renderJunit(report: Report): string {
  const groups = [...Map.groupBy(report.cases, ({ operation }) => operation)];
  const failures = report.cases.filter(({ verdict }) => elements[verdict] === "failure").length;
  const errors = report.outcome === "inconclusive" ? 1 : 0;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: titleOf(report), tests: report.cases.length + errors, failures, errors, time: seconds(report.milliseconds) })}>`,
    ...(errors === 0 ? [] : renderInconclusive(report)),
    ...groups.flatMap(([operation, cases]) => renderSuite(report, operation, cases)),
    "</testsuites>",
    "",
  ].join("\n");
}

function titleOf({ suite }: Report): string {
  return `${suite.title} ${suite.version}`;
}

function renderInconclusive(report: Report): readonly string[] {
  const { startedAt, inconclusiveBecause = "The run is inconclusive." } = report;
  return [
    `  <testsuite${attributes({ name: "(target)", tests: 1, failures: 0, errors: 1, skipped: 0, time: "0.000", timestamp: startedAt.slice(0, 19) })}>`,
    `    <testcase${attributes({ name: "(target)/judged", classname: report.suite.name, time: "0.000" })}>`,
    `      <error${attributes({ message: inconclusiveBecause, type: "inconclusive" })}>${xmlText(report.notices.join("\n"))}</error>`,
    "    </testcase>",
    "  </testsuite>",
  ];
}

function renderSuite(report: Report, operation: string, cases: readonly CaseReport[]): readonly string[] {
  const count = (element: string): number => cases.filter(({ verdict }) => elements[verdict] === element).length;
  const time = seconds(cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
  return [
    `  <testsuite${attributes({
      name: operation,
      tests: cases.length,
      failures: count("failure"),
      errors: 0,
      skipped: count("skipped"),
      time,
      timestamp: report.startedAt.slice(0, 19),
    })}>`,
    ...cases.flatMap((one) => renderCase(report, one)),
    "  </testsuite>",
  ];
}

function renderCase(report: Report, one: CaseReport): readonly string[] {
  const head = attributes({
    name: one.id,
    classname: `${report.suite.name}.${one.operation}`,
    time: seconds(one.milliseconds),
  });
  const element = elements[one.verdict];
  if (element === undefined && one.findings.length === 0) return [`    <testcase${head}/>`];
  const inner =
    element === undefined
      ? `      <system-out>${xmlText(one.findings.map((finding) => findingLine(finding, report)).join("\n"))}</system-out>`
      : element === "skipped"
        ? `      <skipped${attributes({ message: `${one.verdict}: ${one.reason ?? ""}`.replace(/: $/, "") })}/>`
        : `      <failure${attributes({ message: messageOf(one), type: one.findings[0]?.rule ?? one.rule })}>${xmlText(contentOf(report, one))}</failure>`;
  return [`    <testcase${head}>`, inner, "    </testcase>"];
}

function messageOf({ findings, reason, verdict }: CaseReport): string {
  return findings[0]?.message ?? reason ?? verdict;
}

function contentOf(report: Report, one: CaseReport): string {
  const exchange = one.exchanges.at(-1);
  return [
    ...one.findings.map((finding) => findingLine(finding, report)),
    ...(one.reason === undefined ? [] : [`because: ${one.reason}`]),
    `expected: ${one.expected}`,
    ...(exchange === undefined ? [] : [`sent: ${exchange.method} ${exchange.url}`]),
    ...(exchange?.body === undefined ? [] : [cut(exchange.body, shownBody)]),
    ...(exchange === undefined
      ? []
      : [
          `came: ${exchange.response === undefined ? (exchange.trouble ?? "no response") : `${exchange.response.status} ${cut(exchange.response.body, shownBody)}`}`,
        ]),
    ...(one.curl === undefined ? [] : [`again: ${one.curl}`]),
  ].join("\n");
}

function findingLine({ level, rule, message, detail, place, guess }: FindingReport, { suite }: Report): string {
  const said = detail === undefined ? message : `${message} (${detail})`;
  const guessed = guess === undefined ? "" : ` (guess: ${guess})`;
  return `${level} ${rule}: ${said}${guessed}${place === undefined ? "" : ` [${placeText(place, suite.source)}]`}`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(String(value))}"`)
    .join("");
}

/**
 * Escapes a string for XML 1.0: markup characters, and as `\u0000` those that XML does not allow (section 2.2). Line feeds in attributes
 * are preserved by escaping them.
 */
function xmlText(text: string): string {
  return text
    .replace(forbidden, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`)
    .replace(/[&<>"'\n\r\t]/g, (character) => entities[character] ?? character);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFFFE\uFFFF]|\p{Surrogate}/gu;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;",
};
