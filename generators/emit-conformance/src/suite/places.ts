import type { Place } from "@nodewright/conformance/suite";
import type { TypeNode } from "@nodewright/model";

type SourceRange = TypeNode["source"];

/** How places of a description are written into a suite. */
export interface Places {
  /** Of what a reader of a report looks for: an operation, an input, a declared type. */
  landmark(source: SourceRange): PlaceMember;
  /** Of everything else. */
  detail(source: SourceRange): PlaceMember;
}

/** To be spread into what has the place. */
export type PlaceMember = { readonly place?: Place };

/** Every place by its line and column: for a suite that is played at once. */
export function linePlaces(document: string): Places {
  const place = ({ file, line, column }: SourceRange): PlaceMember => ({
    place: file === document ? `${line}:${column}` : `${file}:${line}:${column}`,
  });
  return { landmark: place, detail: place };
}

/**
 * Landmarks by their JSON Pointer: for a suite that is kept. Its text is then the same wherever a line came or went in the
 * description.
 */
export function pointerPlaces(document: string): Places {
  return {
    landmark: ({ file, pointer }) => ({ place: file === document ? `#${pointer}` : `${file}#${pointer}` }),
    detail: () => ({}),
  };
}
