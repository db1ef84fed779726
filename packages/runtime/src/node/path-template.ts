/** A piece of a path template: text as it stands, or a hole by its position among the holes of the path. */
export type SegmentPart = string | number;

/** A path of a document, taken apart: `/a/{x}.{y}` has the segments `["a"]` and `[0, ".", 1]`, and the holes `x` and `y`. */
export interface PathTemplate {
  /** Between slashes. */
  readonly segments: readonly (readonly SegmentPart[])[];
  /** Names of the holes, by position. */
  readonly holes: readonly string[];
}

const hole = /\{([^{}]*)\}/g;

/** Reads a path template (OpenAPI 3.1, section 4.8.8.2). Names of holes may hold any character, slashes too. */
export function readPathTemplate(path: string): PathTemplate {
  const segments: SegmentPart[][] = [[]];
  const holes: string[] = [];
  let end = 0;
  for (const match of path.matchAll(hole)) {
    addText(segments, path.slice(end, match.index));
    segments.at(-1)?.push(holes.length);
    holes.push(match[1] ?? "");
    end = match.index + match[0].length;
  }
  addText(segments, path.slice(end));
  const [first = []] = segments;
  return { segments: first.length === 0 ? segments.slice(1) : segments, holes };
}

/** What stands in the holes of a segment, as it was sent, none of them empty; undefined when it is no such segment. */
export function matchSegment(parts: readonly SegmentPart[], segment: string): readonly string[] | undefined {
  const texts: string[] = [];
  let position = 0;
  let start: number | undefined;
  for (const [index, part] of parts.entries()) {
    if (typeof part === "number") {
      // Two holes with nothing between them: the first gets as little as it can.
      if (start !== undefined) texts.push(segment.slice(start, ++position));
      start = position;
      continue;
    }
    const found = findText(segment, part, {
      position,
      isInHole: start !== undefined,
      isLast: index === parts.length - 1,
    });
    if (found === undefined) return undefined;
    if (start !== undefined) texts.push(segment.slice(start, found));
    start = undefined;
    position = found + part.length;
  }
  if (start !== undefined) {
    texts.push(segment.slice(start));
    position = segment.length;
  }
  return position === segment.length && texts.every((text) => text !== "") ? texts : undefined;
}

/** A text behind a hole is looked for where the hole has at least one character; the last one ends the segment. */
function findText(
  segment: string,
  text: string,
  { position, isInHole, isLast }: { readonly position: number; readonly isInHole: boolean; readonly isLast: boolean },
): number | undefined {
  if (!isInHole) return segment.startsWith(text, position) ? position : undefined;
  const found = isLast ? segment.length - text.length : segment.indexOf(text, position + 1);
  return found > position && segment.startsWith(text, found) ? found : undefined;
}

function addText(segments: SegmentPart[][], text: string): void {
  for (const [index, piece] of text.split("/").entries()) {
    if (index > 0) segments.push([]);
    if (piece !== "") segments.at(-1)?.push(piece);
  }
}
