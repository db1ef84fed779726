import { codeFrame } from "@nodewright/terminal-text";
import type { Place } from "../../suite/suite-type.ts";
import { placeText, readPlace } from "../place.ts";

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
