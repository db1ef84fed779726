import type { Place } from "@nodewright/conformance/suite";
import type { TypeNode } from "@nodewright/model";

type SourceRange = TypeNode["source"];

/** Writer of a description's locations in a suite. */
export interface Places {
  /** Returns the location of an item that readers of a report look up: an operation, an input, a declared type. */
  landmark(source: SourceRange): PlaceMember;
  /** Returns the location of everything else. */
  detail(source: SourceRange): PlaceMember;
}

/** Member to be spread into the item with the location. */
export type PlaceMember = { readonly place?: Place };

/** Returns every location as line and column: for a suite that is run at once. */
export function linePlaces(document: string): Places {
  const place = ({ file, line, column }: SourceRange): PlaceMember => ({
    place: file === document ? `${line}:${column}` : `${file}:${line}:${column}`,
  });
  return { landmark: place, detail: place };
}

/**
 * Returns locations of landmarks as JSON Pointers: for a suite that is stored. It stays the same when lines are added to or removed from
 * the description.
 */
export function pointerPlaces(document: string): Places {
  return {
    landmark: ({ file, pointer }) => ({ place: file === document ? `#${pointer}` : `${file}#${pointer}` }),
    detail: () => ({}),
  };
}
