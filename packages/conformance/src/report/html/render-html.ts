import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type CaseReport, type Report, verdicts } from "../../contract/report.ts";
import { faultsOf } from "../folded-finding.ts";
import { faultSentence, outcomeSentence, verdictWords } from "../outcome-words.ts";
import { aroundMarked, showValue, type ValueLine } from "../shown-value.ts";
import { placeLines } from "../place.ts";

const directory = new URL("../../../page/", import.meta.url);
const frameWidth = 110;

/**
 * Renders a self-contained page for a browser: it contains the report as data, which its script lays out on demand. Its policy allows this
 * script and this style, and forbids loading or sending anything.
 */
export function renderHtml(report: Report, texts: ReadonlyMap<string, string>): string {
  const script = readFileSync(new URL("page.js", directory), "utf8");
  const style = readFileSync(new URL("page.css", directory), "utf8");
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${htmlText(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${htmlText(`${report.suite.title} ${report.suite.version}: ${outcomeSentence(report)}`)}</title>`,
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    "<noscript>This file contains the report as data, which a script renders. Scripts are disabled.</noscript>",
    `<script type="application/json" id="report">${embeddedJson(dataOf(report, texts))}</script>`,
    `<script type="module">${script}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function htmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Serializes JSON without characters that could begin or end a tag or comment. */
function embeddedJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function dataOf(whole: Report, texts: ReadonlyMap<string, string>): object {
  // The data for replays is large, and only for machines.
  const { replay: _, ...report } = whole;
  return {
    report,
    outcome: [outcomeSentence(whole), faultSentence(whole)].filter((sentence) => sentence !== undefined).join(" "),
    faults: faultsOf(whole),
    verdicts: Object.fromEntries(verdicts.map((verdict) => [verdict, verdictWords(verdict)])),
    documentFrames: framesOf(report, texts),
    excerpts: Object.fromEntries(report.cases.map((one) => [one.id, excerptOf(one, report)])),
  };
}

/** Returns the lines of the document by place. */
function framesOf({ cases, suite }: Report, texts: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const places = new Set(cases.flatMap(({ findings }) => findings.flatMap(({ place }) => place ?? [])));
  return Object.fromEntries(
    [...places].map((place) => [place, placeLines(place, suite.source, texts, frameWidth).join("\n")]),
  );
}

/** Returns the part of a response that the first finding is about. */
function excerptOf({ findings, exchanges }: CaseReport, { protocol }: Report): readonly ValueLine[] | undefined {
  const pointer = findings.find((finding) => finding.pointer !== undefined)?.pointer;
  const body = exchanges.at(-1)?.response?.body;
  if (pointer === undefined || body === undefined || body === "") return undefined;
  const lines = showValue(body, pointer, protocol, frameWidth);
  return lines.some(({ isMarked }) => isMarked) ? aroundMarked(lines) : undefined;
}
