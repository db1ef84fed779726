import type { PatternNode } from "./pattern-syntax.ts";

/** An upper bound of the number of ways that a backtracking engine may try for a pattern: `factor * length ** degree`. */
export interface BacktrackingBound {
  readonly factor: number;
  readonly degree: number;
}

/**
 * Returns the bound of the number of ways that a backtracking engine may try on any text, by the shape of the pattern alone. Undefined
 * where groups are repeated: then only an analysis can determine it.
 */
export function backtrackingBound(pattern: PatternNode): BacktrackingBound | undefined {
  const inside = boundOf(pattern);
  if (inside === undefined || startsAtStart(pattern)) return inside;
  return { factor: inside.factor, degree: inside.degree + 1 };
}

function boundOf(node: PatternNode): BacktrackingBound | undefined {
  switch (node.kind) {
    case "sequence":
      return node.parts.map(boundOf).reduce(multiplied, { factor: 1, degree: 0 });
    case "choice":
      return node.options.map(boundOf).reduce(added);
    case "group":
    case "look":
      return boundOf(node.body);
    case "repetition": {
      const { body, minimum, maximum } = node;
      // Each repetition compares the same text: there is one way for a number of repetitions. Empty ones are repeated up to the minimum.
      if (body.kind === "back-reference")
        return { factor: maximum === Number.POSITIVE_INFINITY ? minimum + 1 : maximum + 1, degree: 1 };
      if (body.kind !== "character" && maximum > 1) return undefined;
      const inside = boundOf(body);
      if (inside === undefined) return undefined;
      if (maximum === Number.POSITIVE_INFINITY) return { factor: 1, degree: 1 };
      return { factor: inside.factor * (maximum - minimum + 1), degree: inside.degree };
    }
    case "back-reference":
      // It compares as many characters as its group has.
      return { factor: 1, degree: 1 };
    default:
      return { factor: 1, degree: 0 };
  }
}

function multiplied(
  left: BacktrackingBound | undefined,
  right: BacktrackingBound | undefined,
): BacktrackingBound | undefined {
  if (left === undefined || right === undefined) return undefined;
  return { factor: left.factor * right.factor, degree: left.degree + right.degree };
}

function added(
  left: BacktrackingBound | undefined,
  right: BacktrackingBound | undefined,
): BacktrackingBound | undefined {
  if (left === undefined || right === undefined) return undefined;
  return { factor: left.factor + right.factor, degree: Math.max(left.degree, right.degree) };
}

/** Returns whether a match can only begin at the start of the text: then an engine tries no other position. */
export function startsAtStart(node: PatternNode): boolean {
  switch (node.kind) {
    case "edge":
      return node.edge === "start";
    case "sequence":
      return node.parts[0] !== undefined && startsAtStart(node.parts[0]);
    case "choice":
      return node.options.every(startsAtStart);
    case "group":
      return startsAtStart(node.body);
    default:
      return false;
  }
}
