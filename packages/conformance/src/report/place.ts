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
