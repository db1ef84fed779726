import { visibleText } from "./visible-text.ts";

/** Number of shown lines before the marked one. */
const linesBefore = 2;

/** A line and column of a document, both from 1. */
export interface FramePlace {
  readonly line: number;
  readonly column: number;
}

/**
 * Returns lines of a document with a caret under a column. A line that is longer than `room` is shown alone, cut around the column. Returns
 * an empty list when the document has no such line.
 *
 * @param lineAt returns a line, counted from 1; `undefined` past the end
 */
export function codeFrame(
  lineAt: (line: number) => string | undefined,
  { line, column }: FramePlace,
  room: number,
): readonly string[] {
  const marked = lineAt(line);
  if (marked === undefined) return [];
  const gutter = String(line).length;
  const isLong = marked.length > room;
  const from = isLong ? Math.max(0, column - 1 - Math.floor(room / 2)) : 0;
  const first = isLong ? line : Math.max(1, line - linesBefore);
  const shown = Array.from({ length: line - first + 1 }, (_, index) => first + index);
  return [
    ...shown.map((number) => {
      const text = readable((lineAt(number) ?? "").slice(from, from + room));
      return `${String(number).padStart(gutter)} | ${text}`.trimEnd();
    }),
    `${" ".repeat(gutter)} | ${" ".repeat(readable(marked.slice(from, column - 1)).length)}^`,
  ];
}

function readable(text: string): string {
  return visibleText(text.replaceAll("\t", " "));
}
