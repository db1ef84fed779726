import type { Place } from "../suite/suite-type.ts";

/** Where something is said: line and column from 1. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Reads `12:5`, which is of `source`, and `other.yaml:12:5`. Undefined for what is no place. */
export function readPlace(place: Place, source: string): FilePlace | undefined {
  const [, file, line = "", column = ""] = /^(?:(.+):)?(\d+):(\d+)$/.exec(place) ?? [];
  if (line === "") return undefined;
  return { file: file ?? source, line: Number(line), column: Number(column) };
}

/** A place for people, with its file: `pets.yaml:12:5`; suites that are kept name members instead: `pets.yaml#/paths/~1pets/get`. */
export function placeText(place: Place, source: string): string {
  const found = readPlace(place, source);
  if (found !== undefined) return `${found.file}:${found.line}:${found.column}`;
  return place.startsWith("#") ? `${source}${place}` : place;
}
