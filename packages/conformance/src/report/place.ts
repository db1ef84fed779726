import type { Place } from "../suite/suite-type.ts";

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
