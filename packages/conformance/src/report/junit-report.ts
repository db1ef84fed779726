import { placeText } from "./place.ts";
import type { CaseReport, FindingReport, Report, Verdict } from "../contract/report.ts";
import { cut } from "./shown-value.ts";

/** Maximum number of characters of a body in a failure. */
const shownBody = 2_000;

const inconclusiveText = "The run is inconclusive.";

/** JUnit elements of the verdicts. Known failures are skipped, so that a build passes. */
const elements: Readonly<Record<Verdict, "failure" | "skipped" | undefined>> = {
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
 * Renders JUnit XML: a suite for each operation, a test case for each case. When the run is inconclusive, one test case with an
 * error.
 */
export function renderJunit(report: Report): string {
  const { suite, cases, milliseconds, outcome } = report;
  const inconclusive = outcome === "inconclusive" ? renderInconclusive(report) : [];
  const errors = inconclusive.length > 0 ? 1 : 0;
  const counts = { tests: cases.length + errors, failures: countOf(cases, "failure"), errors };
  const attributes = { name: `${suite.title} ${suite.version}`, ...counts, time: seconds(milliseconds) };
  const groups = [...Map.groupBy(cases, ({ operation }) => operation)];
  const suites = groups.flatMap(([operation, own]) => renderSuite(report, operation, own));
  const root = element("testsuites", attributes, [...inconclusive, ...suites]);
  return ['<?xml version="1.0" encoding="UTF-8"?>', ...root, ""].join("\n");
}

function renderInconclusive({
  suite,
  startedAt,
  notices,
  inconclusiveBecause = inconclusiveText,
}: Report): readonly string[] {
  const error = element("error", { message: inconclusiveBecause, type: "inconclusive" }, notices.join("\n"));
  const test = element("testcase", { name: "(target)/conclusive", classname: suite.name, time: "0.000" }, error);
  const counts = { tests: 1, failures: 0, errors: 1, skipped: 0, time: "0.000" };
  return element("testsuite", { name: "(target)", ...counts, timestamp: startedAt.slice(0, 19) }, test);
}

function renderSuite(report: Report, operation: string, cases: readonly CaseReport[]): readonly string[] {
  const counts = {
    tests: cases.length,
    failures: countOf(cases, "failure"),
    errors: 0,
    skipped: countOf(cases, "skipped"),
    time: seconds(cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0)),
  };
  const attributes = { name: operation, ...counts, timestamp: report.startedAt.slice(0, 19) };
  return element(
    "testsuite",
    attributes,
    cases.flatMap((one) => renderCase(report, one)),
  );
}

function countOf(cases: readonly CaseReport[], element: string): number {
  return cases.filter(({ verdict }) => elements[verdict] === element).length;
}

function renderCase(report: Report, one: CaseReport): readonly string[] {
  const { id, operation, milliseconds } = one;
  const classname = `${report.suite.name}.${operation}`;
  return element("testcase", { name: id, classname, time: seconds(milliseconds) }, renderResult(report, one));
}

function renderResult(report: Report, one: CaseReport): readonly string[] {
  const { verdict, reason, rule, findings } = one;
  const lines = findings.map((finding) => findingLine(finding, report));
  switch (elements[verdict]) {
    case "skipped":
      return element("skipped", { message: reason === undefined ? verdict : `${verdict}: ${reason}` });
    case "failure": {
      const [first] = findings;
      const attributes = { message: first?.message ?? reason ?? verdict, type: first?.rule ?? rule };
      return element("failure", attributes, [...lines, ...detailsOf(one)].join("\n"));
    }
    case undefined:
      return lines.length === 0 ? [] : element("system-out", {}, lines.join("\n"));
  }
}

/** Returns the expectation of a case, with its last request and response. */
function detailsOf({ reason, expected, exchanges, curl }: CaseReport): readonly string[] {
  const exchange = exchanges.at(-1);
  const { response, trouble = "no response" } = exchange ?? {};
  const came = response === undefined ? trouble : `${response.status} ${cut(response.body, shownBody)}`;
  return [
    ...(reason === undefined ? [] : [`because: ${reason}`]),
    `expected: ${expected}`,
    ...(exchange === undefined ? [] : [`sent: ${exchange.method} ${exchange.url}`]),
    ...(exchange?.body === undefined ? [] : [cut(exchange.body, shownBody)]),
    ...(exchange === undefined ? [] : [`came: ${came}`]),
    ...(curl === undefined ? [] : [`again: ${curl}`]),
  ];
}

function findingLine({ level, rule, message, detail, place, guess }: FindingReport, { suite }: Report): string {
  const said = detail === undefined ? message : `${message} (${detail})`;
  const guessed = guess === undefined ? "" : ` (guess: ${guess})`;
  return `${level} ${rule}: ${said}${guessed}${place === undefined ? "" : ` [${placeText(place, suite.source)}]`}`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** Returns the lines of an element with text, or with the lines of its children. */
function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: string | readonly string[] = [],
): readonly string[] {
  const written = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${xmlText(String(value))}"`);
  const head = `<${name}${written.join("")}`;
  if (typeof content === "string") return [`${head}>${xmlText(content)}</${name}>`];
  return content.length === 0 ? [`${head}/>`] : [`${head}>`, ...content.map((line) => `  ${line}`), `</${name}>`];
}

/**
 * Escapes a string for XML 1.0: markup characters, and as `\u0000` those that XML does not allow (section 2.2). Line feeds in attributes
 * are preserved by escaping them.
 */
function xmlText(text: string): string {
  return text
    .replace(forbidden, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`)
    .replace(/[&<>"'\n\r\t]/g, (character) => entities[character] ?? `&#${character.charCodeAt(0)};`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFFFE\uFFFF]|\p{Surrogate}/gu;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};
