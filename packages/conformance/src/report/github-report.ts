import { foldFindings } from "./folded-finding.ts";
import { operationsWords } from "./outcome-words.ts";
import { readPlace } from "./place.ts";
import type { Level } from "../contract/rule.ts";
import { type CaseReport, isFailing, type Report } from "../contract/report.ts";

/** Maximum number of annotations of a kind that GitHub shows for a step; it drops the rest silently. */
const maximumPerKind = 10;

type Kind = "error" | "warning" | "notice";

interface Annotation {
  readonly kind: Kind;
  readonly text: string;
}

/** Renders workflow commands of GitHub Actions: an annotation for each fault, at the line of the document. */
export function renderGithub(report: Report): string {
  const reported = report.cases.filter((one) => isFailing(one) || one.verdict === "warned");
  const annotations = [...annotateFaults(report, reported), ...annotateBare(reported)];
  const byKind = Map.groupBy(annotations, ({ kind }) => kind);
  const lines = (["error", "warning", "notice"] as const).flatMap((kind) => {
    const own = byKind.get(kind) ?? [];
    const isFull = own.length > maximumPerKind;
    const shown = own.slice(0, isFull ? maximumPerKind - 1 : maximumPerKind).map(({ text }) => text);
    const rest = `::${kind} title=conform::${own.length - shown.length} more findings of this kind`;
    return isFull ? [...shown, rest] : shown;
  });
  if (report.outcome === "inconclusive")
    lines.unshift(`::error title=conform::${escapeData(report.inconclusiveBecause ?? "The run is inconclusive.")}`);
  return lines.map((line) => `${line}\n`).join("");
}

function annotateFaults(report: Report, cases: readonly CaseReport[]): readonly Annotation[] {
  return foldFindings(cases).map(({ finding, shown, cases: own }) => {
    const place = finding.place === undefined ? undefined : readPlace(finding.place, report.suite.source);
    const properties = {
      ...(place === undefined
        ? finding.place?.startsWith("#") === true
          ? { file: report.suite.source }
          : {}
        : { file: place.file, line: place.line, col: place.column }),
      title: `${finding.level} ${finding.rule} ${shown.operation}`,
    };
    const operations = operationsWords(own, report);
    const count =
      own.length > 1 ? ` and ${own.length - 1} more${operations === undefined ? "" : ` of ${operations}`}` : "";
    const guess = finding.guess === undefined ? "" : `guess: ${finding.guess}\n`;
    const reason = shown.reason === undefined ? "" : `\n${shown.reason}`;
    return command(
      kindOf(finding.level),
      properties,
      `${finding.detail ?? finding.message}\n${guess}${shown.id}${count}${reason}`,
    );
  });
}

function annotateBare(cases: readonly CaseReport[]): readonly Annotation[] {
  return cases
    .filter(({ findings }) => findings.length === 0)
    .map((one) =>
      command("error", { title: `${one.verdict} ${one.operation}` }, `${one.reason ?? one.expected}\n${one.id}`),
    );
}

function kindOf(level: Level): Kind {
  if (level === "MUST") return "error";
  return level === "SHOULD" ? "warning" : "notice";
}

function command(kind: Kind, properties: Readonly<Record<string, string | number>>, message: string): Annotation {
  const written = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return { kind, text: `::${kind} ${written.join(",")}::${escapeData(message)}` };
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
