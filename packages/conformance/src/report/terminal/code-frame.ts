import type { Place } from "../../suite/suite-type.ts";
import { placeText, readPlace } from "../place.ts";
import { visibleText } from "../visible-text.ts";

const linesBefore = 2;

/** Returns a place of the document for people, and the lines there where the text of its file is known. */
export function placeLines(
  written: Place,
  source: string,
  texts: ReadonlyMap<string, string>,
  width: number,
): readonly string[] {
  const place = readPlace(written, source);
  const text = place && texts.get(place.file);
  const frame = place && text !== undefined ? codeFrame(text, place.line, place.column, width) : [];
  return [placeText(written, source), ...frame];
}

/** Lines of a document with a caret under the column; long lines are cut around it. Empty where the document has no such line. */
export function codeFrame(text: string, line: number, column: number, width: number): readonly string[] {
  const lines = linesAround(text, line);
  if (lines === undefined) return [];
  const gutter = String(line).length;
  const room = Math.max(20, width - gutter - 3);
  const marked = lines.at(-1) ?? "";
  const isLong = marked.length > room;
  const from = isLong ? Math.max(0, column - 1 - Math.floor(room / 2)) : 0;
  const shown = isLong ? lines.slice(-1) : lines;
  return [
    ...shown.map((each, position) => {
      const number = String(line - shown.length + 1 + position).padStart(gutter);
      return `${number} | ${readable(each.slice(from, from + room))}`.trimEnd();
    }),
    `${" ".repeat(gutter)} | ${" ".repeat(readable(marked.slice(from, column - 1)).length)}^`,
  ];
}

function readable(text: string): string {
  return visibleText(text.replaceAll("\t", " "));
}

/** The line and those before it: found by walking, as a document may be megabytes of which one line is wanted. */
function linesAround(text: string, line: number): readonly string[] | undefined {
  const lines: string[] = [];
  let from = 0;
  for (let number = 1; number <= line; number += 1) {
    if (from > text.length) return undefined;
    const end = text.indexOf("\n", from);
    const to = end === -1 ? text.length : end;
    if (number >= line - linesBefore) lines.push(text.slice(from, to).replace(/\r$/, ""));
    from = to + 1;
  }
  return lines;
}
