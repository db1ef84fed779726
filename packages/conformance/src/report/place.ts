import type { Place } from "../suite/suite-type.ts";
import { codeFrame } from "@nodewright/terminal-text";

/** A position in a file: line and column from 1. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Parses `12:5`, a position in `source`, and `other.yaml:12:5`. Returns `undefined` for anything else. */
export function readPlace(place: Place, source: string): FilePlace | undefined {
  const [, file, line = "", column = ""] = /^(?:(.+):)?(\d+):(\d+)$/.exec(place) ?? [];
  if (line === "") return undefined;
  return { file: file ?? source, line: Number(line), column: Number(column) };
}

/** Returns a place for people, with its file: `pets.yaml:12:5`; stored suites name members instead: `pets.yaml#/paths/~1pets/get`. */
export function placeText(place: Place, source: string): string {
  const found = readPlace(place, source);
  if (found !== undefined) return `${found.file}:${found.line}:${found.column}`;
  return place.startsWith("#") ? `${source}${place}` : place;
}

/** Renders a place of the document, with its lines when the source text of its file is known. */
export function placeLines(
  written: Place,
  source: string,
  texts: ReadonlyMap<string, string>,
  width: number,
): readonly string[] {
  const place = readPlace(written, source);
  const text = place && texts.get(place.file);
  const room = Math.max(20, width - String(place?.line).length - 3);
  const frame = place && text !== undefined ? codeFrame((line) => lineOf(text, line), place, room) : [];
  return [placeText(written, source), ...frame];
}

/** Returns a line, found by searching for line feeds: a document may have megabytes, of which one line is needed. */
function lineOf(text: string, line: number): string | undefined {
  let from = 0;
  for (let number = 1; number < line; number += 1) {
    from = text.indexOf("\n", from) + 1;
    if (from === 0) return undefined;
  }
  const end = text.indexOf("\n", from);
  return text.slice(from, end === -1 ? undefined : end).replace(/\r$/, "");
}
