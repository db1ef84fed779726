/** A piece of a path template: a literal, or a parameter by its position among the parameters of the path. */
export type SegmentPart = string | number;

/** A parsed path of a document: `/a/{x}.{y}` has the segments `["a"]` and `[0, ".", 1]`, and the parameters `x` and `y`. */
export interface PathTemplate {
  /** Segments between slashes. */
  readonly segments: readonly (readonly SegmentPart[])[];
  /** Names of the parameters, by position. */
  readonly parameterNames: readonly string[];
}

const parameterPattern = /\{([^{}]*)\}/g;

/** Parses a path template (OpenAPI 3.1, section 4.8.8.2). Names of parameters may contain any character, slashes too. */
export function readPathTemplate(path: string): PathTemplate {
  const segments: SegmentPart[][] = [[]];
  const parameterNames: string[] = [];
  let end = 0;
  for (const match of path.matchAll(parameterPattern)) {
    addText(segments, path.slice(end, match.index));
    segments.at(-1)?.push(parameterNames.length);
    parameterNames.push(match[1] ?? "");
    end = match.index + match[0].length;
  }
  addText(segments, path.slice(end));
  const [first = []] = segments;
  return { segments: first.length === 0 ? segments.slice(1) : segments, parameterNames };
}

/**
 * Returns the values of a segment's parameters, as they were sent, none of them empty; undefined when the segment does not match. Where a
 * literal matches in several places its last counts: `{name}.{format}` reads `a.tar.gz` as `a.tar` and `gz`.
 */
export function matchSegment(parts: readonly SegmentPart[], segment: string): readonly string[] | undefined {
  const texts: string[] = [];
  // Everything after it is read.
  let position = segment.length;
  let end: number | undefined;
  for (const [index, part] of [...parts.entries()].toReversed()) {
    if (typeof part === "number") {
      // Two adjacent parameters: the second gets as little as possible.
      if (end !== undefined) texts.unshift(segment.slice(--position, end));
      end = position;
      continue;
    }
    const found = findText(segment, part, { position, isBeforeParameter: end !== undefined, isFirst: index === 0 });
    if (found === undefined) return undefined;
    if (end !== undefined) texts.unshift(segment.slice(found + part.length, end));
    end = undefined;
    position = found;
  }
  if (end !== undefined) texts.unshift(segment.slice(0, end));
  return (end !== undefined || position === 0) && texts.every((text) => text !== "") ? texts : undefined;
}

/** Returns the position of a literal before a parameter of at least one character; the first one begins the segment. */
function findText(
  segment: string,
  text: string,
  {
    position,
    isBeforeParameter,
    isFirst,
  }: { readonly position: number; readonly isBeforeParameter: boolean; readonly isFirst: boolean },
): number | undefined {
  if (!isBeforeParameter) return segment.endsWith(text, position) ? position - text.length : undefined;
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
