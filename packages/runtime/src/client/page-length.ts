import { isGraphqlError } from "./client-errors.ts";

/** How many integers the next page is asked for. */
export interface PageLength {
  readonly next: number;
  /** A page of this length was answered. */
  answered(length: number): void;
  /** A page of this length was refused: whether a shorter one may be answered. */
  refused(length: number, error: unknown): boolean;
}

/** What our own services limit in a request whatever its range is: for a shorter one it is the same, and not worth being asked for. */
const limitsBesideRanges: ReadonlySet<unknown> = new Set([
  ...["tokens", "lines", "escapes", "name", "directives", "nesting", "depth", "aliases", "fields", "definitions"],
  ...["repetitions", "introspection", "introspectionDepth", "variables", "variableName"],
  ...["addresses", "topics", "topicAlternatives"],
]);

/** How many pages are answered before a length that was refused is tried again; each further refusal of it doubles that. */
const firstPatience = 8;

/**
 * Finds out how long a range the service answers. Whatever it tells of its limit is taken; otherwise a length that is refused is
 * halved, and doubled again once the pages that follow are answered, for a range that holds much may lie before one that holds little.
 */
export function createPageLength(longest: number): PageLength {
  let ceiling = longest;
  let next = longest;
  /** The shortest length that was refused, and not answered since. */
  let wall = Number.POSITIVE_INFINITY;
  let patience = firstPatience;
  let pagesBelowWall = 0;
  return {
    get next() {
      return next;
    },
    answered(length) {
      if (length >= wall) {
        wall = Number.POSITIVE_INFINITY;
        patience = firstPatience;
      }
      // The last page of a range is shorter than it might be, and says nothing.
      if (length < next) return;
      pagesBelowWall += 1;
      const doubled = Math.min(ceiling, next * 2);
      if (doubled < wall || pagesBelowWall >= patience) next = doubled;
    },
    refused(length, error) {
      const refusal = findRefusal(error);
      if (refusal === undefined || length <= 1) return false;
      const told = toldLength(length, refusal);
      const half = Math.floor(length / 2);
      // A limit on the range itself holds for all ranges; what a range holds differs from one to the next.
      const isOfRange = told !== undefined && refusal.actual === length;
      if (isOfRange) ceiling = told;
      if (length >= wall) patience *= 2;
      pagesBelowWall = 0;
      next = isOfRange ? told : Math.max(1, Math.min(half, told ?? half));
      wall = Math.min(wall, told === undefined ? length : next + 1);
      return true;
    },
  };
}

/** How long a range may be by what the service says; `undefined` where it does not say by how much a limit was passed. */
function toldLength(length: number, { maximum, actual }: Refusal): number | undefined {
  if (maximum === undefined || actual === undefined || maximum < 1 || actual <= maximum) return undefined;
  return Math.max(1, Math.floor((length * maximum) / actual));
}

interface Refusal {
  readonly maximum: number | undefined;
  readonly actual: number | undefined;
}

/** What a service says of a limit that a range has passed: `extensions` with `limit`, and `maximum` and `actual` where it knows them. */
function findRefusal(error: unknown): Refusal | undefined {
  if (!isGraphqlError(error)) return undefined;
  for (const { extensions } of error.errors) {
    const limit = extensions?.["limit"];
    if (typeof limit !== "string" || limitsBesideRanges.has(limit)) continue;
    return { maximum: finiteNumber(extensions?.["maximum"]), actual: finiteNumber(extensions?.["actual"]) };
  }
  return undefined;
}

function finiteNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
