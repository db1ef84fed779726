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

/**
 * What stands in the holes of a segment, as it was sent, none of them empty; undefined when it is no such segment. Where a text
 * could stand in several places its last is meant: `{name}.{format}` reads `a.tar.gz` as `a.tar` and `gz`.
 */
export function matchSegment(parts: readonly SegmentPart[], segment: string): readonly string[] | undefined {
  const texts: string[] = [];
  // What stands behind is read.
  let position = segment.length;
  let end: number | undefined;
  for (const [index, part] of [...parts.entries()].toReversed()) {
    if (typeof part === "number") {
      // Two holes with nothing between them: the second gets as little as it can.
      if (end !== undefined) texts.unshift(segment.slice(--position, end));
      end = position;
      continue;
    }
    const found = findText(segment, part, { position, isBeforeHole: end !== undefined, isFirst: index === 0 });
    if (found === undefined) return undefined;
    if (end !== undefined) texts.unshift(segment.slice(found + part.length, end));
    end = undefined;
    position = found;
  }
  if (end !== undefined) texts.unshift(segment.slice(0, end));
  return (end !== undefined || position === 0) && texts.every((text) => text !== "") ? texts : undefined;
}

/** A text before a hole is looked for where the hole has at least one character; the first one begins the segment. */
function findText(
  segment: string,
  text: string,
  {
    position,
    isBeforeHole,
    isFirst,
  }: { readonly position: number; readonly isBeforeHole: boolean; readonly isFirst: boolean },
): number | undefined {
  if (!isBeforeHole) return segment.endsWith(text, position) ? position - text.length : undefined;
  if (position <= text.length) return undefined;
  const found = isFirst ? 0 : segment.lastIndexOf(text, position - text.length - 1);
  return found >= 0 && segment.startsWith(text, found) ? found : undefined;
}

function addText(segments: SegmentPart[][], text: string): void {
  for (const [index, piece] of text.split("/").entries()) {
    if (index > 0) segments.push([]);
    if (piece !== "") segments.at(-1)?.push(piece);
  }
}
