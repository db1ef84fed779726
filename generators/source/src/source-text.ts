import type { SourceRange } from "./diagnostic.ts";

/** Source text of one document. Line starts are computed on first use. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
  /** Returns the line and column of an offset, both from 1. */
  position(offset: number): { readonly line: number; readonly column: number };
  /** Returns the text of a line, counted from 1, without its line break; undefined past the end. */
  line(number: number): string | undefined;
  range(start: number, end: number, pointer: string): SourceRange;
}

/** Creates the text of a file, with conversion of offsets to lines and columns (both from 1, in UTF-16 code units). */
export function createSourceText(file: string, text: string): SourceText {
  let starts: readonly number[] | undefined;
  const lineStarts = (): readonly number[] => {
    starts ??= findLineStarts(text);
    return starts;
  };
  // Editors do not count the byte order mark.
  const startOf = (index: number): number => lineStarts()[index] || (text.startsWith("\uFEFF") ? 1 : 0);
  const position = (offset: number) => {
    const index = lastAtOrBefore(lineStarts(), offset);
    return { line: index + 1, column: Math.max(offset - startOf(index), 0) + 1 };
  };
  return {
    file,
    text,
    position,
    line(number) {
      if (lineStarts()[number - 1] === undefined) return undefined;
      const start = startOf(number - 1);
      const next = lineStarts()[number] ?? text.length + 1;
      return text.slice(start, next - 1).replace(/\r$/, "");
    },
    range(start, end, pointer) {
      return { file, ...position(start), start, end, pointer };
    },
  };
}

function findLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Returns the index of the last element that is not greater than `value`. The first element is never greater. */
function lastAtOrBefore(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
