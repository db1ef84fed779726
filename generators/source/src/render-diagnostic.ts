import { codeFrame } from "@nodewright/terminal-text";
import type { Diagnostic } from "./diagnostic.ts";
import type { SourceText } from "./source-text.ts";

/** Maximum width of a line in a code frame, in characters. Longer lines are cut around the column. */
const frameWidth = 100;

/** Returns a diagnostic as text for people: code, message, location, the lines of the document with a caret, and the hint. */
export function renderDiagnostic(diagnostic: Diagnostic, text: SourceText | undefined): string {
  const { code, severity, message, source, hint } = diagnostic;
  const pointer = source.pointer === "" ? "" : `   ${source.pointer.startsWith("/") ? "#" : ""}${source.pointer}`;
  return [
    `${severity} ${code}: ${message}`,
    `  ${source.file}:${source.line}:${source.column}${pointer}`,
    ...(text === undefined ? [] : codeFrame(text.line, source, frameWidth).map((line) => `   ${line}`)),
    ...(hint === undefined ? [] : [`  ${hint}`]),
  ].join("\n");
}

/** Returns diagnostics sorted by file, position and code. */
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
