import { counted, visibleText, wrapText } from "@nodewright/terminal-text";
import type { RecordedExchange } from "../../contract/exchange.ts";
import type { FoldedFinding } from "../folded-finding.ts";
import { placeLines, placeText } from "../place.ts";
import type { FindingReport, Report } from "../../contract/report.ts";
import type { Place } from "../../suite/suite-type.ts";
import { operationsWords } from "../outcome-words.ts";
import { aroundMarked, calledIn, cut, showValue } from "../shown-value.ts";
import type { TerminalSettings } from "./render-terminal.ts";

/** A finding with what is needed to render it. */
export interface FindingView extends FoldedFinding {
  readonly report: Report;
  readonly settings: TerminalSettings;
  /** Whether the previous finding shows the same requests and responses. */
  readonly isResponseShown?: boolean;
}

/** Width of the column with labels. */
const labelWidth = 12;

/** Renders a finding in full: the fault, the request, the response and the description, then how to investigate further. */
export function renderFinding(view: FindingView): readonly string[] {
  const { finding, rules, shown, settings } = view;
  const differing = (finding.detail ?? "") !== "" && finding.detail !== finding.message;
  const isResponseShown = view.isResponseShown === true;
  const exchange = shown.exchanges.at(-1);
  return [
    ...hanging(
      `  ${levelWord(finding, settings)} ${settings.paint("bold", visibleText(finding.rule))}  `,
      indentOf(finding),
      finding.message,
      settings,
    ),
    ...(differing ? entry("found", [foundText(finding.detail ?? "", settings)], settings) : []),
    ...(finding.guess === undefined ? [] : entry("guess", [visibleText(finding.guess)], settings)),
    ...(shown.reason === undefined ? [] : entry("because", [visibleText(shown.reason)], settings)),
    ...(isResponseShown ? [] : renderSent(view)),
    ...(isResponseShown || exchange === undefined ? [] : block("came", cameLines(exchange, view))),
    ...(finding.place === undefined ? [] : block("document", documentLines(finding.place, view))),
    ...(isResponseShown ? [] : entry("expected", [visibleText(shown.expected)], settings)),
    ...(rules.length > 1 ? entry("rules", [visibleText(rules.join(", "))], settings) : []),
    ...entry("case", [visibleText(`${isResponseShown ? "the same response" : shown.id}${others(view)}`)], settings),
    ...(isResponseShown || shown.curl === undefined ? [] : block("again", [visibleText(shown.curl)])),
  ];
}

/** Renders a finding in one line. */
export function renderShortFinding(view: FindingView): readonly string[] {
  const { finding, cases, report, settings } = view;
  const place = finding.place && visibleText(placeText(finding.place, report.suite.source));
  const where = place === undefined ? "" : ` ${settings.paint("dim", place)}`;
  const count = cases.length > 1 ? ` (${cases.length} cases)` : "";
  return hanging(
    `  ${levelWord(finding, settings)} ${visibleText(finding.rule)}  `,
    indentOf(finding),
    `${finding.message}${guessText(finding)}${count}${where}`,
    settings,
  );
}

function indentOf({ level, rule }: FindingReport): number {
  return 2 + level.length + 1 + rule.length + 2;
}

/** Returns the lines of a text after a label, with a hanging indent. */
export function hanging(label: string, indent: number, text: string, { width }: TerminalSettings): readonly string[] {
  const [first = "", ...rest] = wrapText(visibleText(text), Math.max(30, width - indent));
  return [label + first, ...rest.map((line) => " ".repeat(indent) + line)];
}

/** Returns the guess of a heuristic, in brackets after its message. */
function guessText({ guess }: FindingReport): string {
  return guess === undefined ? "" : ` [guessed: ${guess}]`;
}

function levelWord({ level }: FindingReport, { paint }: TerminalSettings): string {
  return paint(level === "MUST" ? "red" : "yellow", level);
}

/** Returns a detail, cut so that the request and the response still fit. */
function foundText(detail: string, { isVerbose, width }: TerminalSettings): string {
  return isVerbose ? visibleText(detail) : cut(visibleText(detail), (width - labelWidth) * 3);
}

/** Returns the other cases of a fault: ids in verbose mode, else their number and operations. */
function others({ cases, settings, shown, report }: FindingView): string {
  const left = cases.filter((one) => one !== shown);
  if (left.length === 0) return "";
  if (settings.isVerbose) return `; ${left.map(({ id }) => id).join("; ")}`;
  const operations = operationsWords(cases, report);
  return ` and ${counted(left.length, "more case")}${operations === undefined ? "" : ` of ${operations}`}`;
}

function entry(label: string, texts: readonly string[], settings: TerminalSettings): readonly string[] {
  return block(
    label,
    texts.flatMap((text) => wrapText(text, Math.max(30, settings.width - labelWidth - 2))),
  );
}

function block(label: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, position) => `    ${(position === 0 ? label : "").padEnd(labelWidth - 2)}${line}`);
}

/** Renders the requests; those before the last in one line each. */
function renderSent({ shown, settings, report }: FindingView): readonly string[] {
  const width = Math.max(30, settings.width - labelWidth - 2);
  const before = shown.exchanges.slice(0, -1).slice(-3);
  const last = shown.exchanges.at(-1);
  if (last === undefined) return [];
  // A GraphQL document in JSON is hard to read.
  const text = report.protocol === "graphql" ? (calledIn(last.body ?? "") ?? last.body) : last.body;
  const body = text === undefined ? [] : [cut(visibleText(text), width * (settings.isVerbose ? 30 : 2))];
  return block("sent", [
    ...before.map((one) => cut(`${requestLine(one)} → ${one.response?.status ?? "no response"}`, width * 2)),
    cut(requestLine(last), width * (settings.isVerbose ? 30 : 2)),
    ...body,
  ]);
}

function requestLine({ method, url }: RecordedExchange): string {
  return visibleText(`${method} ${url}`);
}

function cameLines(exchange: RecordedExchange, { finding, report, settings }: FindingView): readonly string[] {
  const { response, trouble } = exchange;
  if (response === undefined) return [visibleText(trouble ?? "no response")];
  const type = response.headers["content-type"];
  const head = [
    String(response.status),
    type === undefined ? "without content type" : visibleText(type),
    `${response.size.toLocaleString("en")} bytes`,
    `${Math.round(exchange.milliseconds)} ms`,
  ].join(", ");
  if (response.body === "") return [head];
  const width = Math.max(30, settings.width - labelWidth - 4);
  const lines = aroundMarked(showValue(response.body, finding.pointer, report.protocol, width));
  const hasMark = lines.length > 1 && lines.some(({ isMarked }) => isMarked);
  return [
    head,
    ...lines.map(({ text, isMarked }) => {
      if (!hasMark) return text;
      return isMarked ? `${settings.paint("red", ">")} ${settings.paint("bold", text)}` : `  ${text}`;
    }),
  ];
}

function documentLines(place: Place, { report, settings }: FindingView): readonly string[] {
  return placeLines(place, report.suite.source, settings.texts, settings.width - labelWidth - 2).map(visibleText);
}
