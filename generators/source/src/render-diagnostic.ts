import type { Diagnostic } from "./diagnostic.ts";
import type { SourceText } from "./source-text.ts";

/** Widest line of a document that a code frame shows whole; documents in one line are cut around the column. */
const frameWidth = 100;
const linesBefore = 2;

/** A diagnostic for a person: code, message, place, the lines of the document with a caret, and the way out. */
export function renderDiagnostic(diagnostic: Diagnostic, text: SourceText | undefined): string {
  const { code, severity, message, source, hint } = diagnostic;
  const pointer = source.pointer === "" ? "" : `   ${source.pointer.startsWith("/") ? "#" : ""}${source.pointer}`;
  return [
    `${severity} ${code}: ${message}`,
    `  ${source.file}:${source.line}:${source.column}${pointer}`,
    ...(text === undefined ? [] : renderCodeFrame(diagnostic, text)),
    ...(hint === undefined ? [] : [`  ${hint}`]),
  ].join("\n");
}

function renderCodeFrame({ source }: Diagnostic, text: SourceText): readonly string[] {
  const gutterWidth = String(source.line).length + 1;
  const offset = Math.max(0, source.column - 1 - Math.floor(frameWidth / 2));
  const isCut = (text.line(source.line)?.length ?? 0) > frameWidth;
  const from = isCut ? offset : 0;
  const first = isCut ? source.line : Math.max(1, source.line - linesBefore);
  const lines: string[] = [];
  for (let number = first; number <= source.line; number += 1) {
    const line = (text.line(number) ?? "").slice(from, from + frameWidth).replaceAll("\t", " ");
    lines.push(`  ${String(number).padStart(gutterWidth)} | ${line}`.trimEnd());
  }
  lines.push(`  ${" ".repeat(gutterWidth)} | ${" ".repeat(source.column - 1 - from)}^`);
  return lines;
}

/** Orders diagnostics as a reader walks the documents. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted(
    (left, right) =>
      compareText(left.source.file, right.source.file) ||
      left.source.start - right.source.start ||
      compareText(left.code, right.code),
  );
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
