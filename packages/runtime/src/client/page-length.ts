import { isGraphqlError } from "./client-errors.ts";

/** Length of the next page, in integers. */
export interface PageLength {
  readonly next: number;
  /** Records that a page of this length was returned. */
  accept(length: number): void;
  /** Records that a page of this length was rejected. Returns whether a shorter one may succeed. */
  reject(length: number, error: unknown): boolean;
}

/** Limits of our own services that do not depend on the range: for a shorter one they are the same, so that a retry is useless. */
const limitsWithRanges: ReadonlySet<unknown> = new Set([
  ...["tokens", "lines", "escapes", "name", "directives", "nesting", "depth", "aliases", "fields", "definitions"],
  ...["repetitions", "introspection", "introspectionDepth", "variables", "variableName"],
  ...["addresses", "topics", "topicAlternatives"],
]);

/** Number of returned pages before a rejected length is tried again; each further rejection doubles it. */
const initialRetryPages = 8;

/**
 * Creates the search for the length of a range that the service accepts. A reported limit is used; otherwise a rejected length is halved,
 * and doubled again once the following pages are returned, because a dense range may precede a sparse one.
 */
export function createPageLength(longest: number): PageLength {
  let ceiling = longest;
  let next = longest;
  /** Shortest length that was rejected, and not accepted since. */
  let wall = Number.POSITIVE_INFINITY;
  let retryPages = initialRetryPages;
  let pagesBelowWall = 0;
  return {
    get next() {
      return next;
    },
    accept(length) {
      if (length >= wall) {
        wall = Number.POSITIVE_INFINITY;
        retryPages = initialRetryPages;
      }
      // The last page of a range may be shorter, and is no evidence.
      if (length < next) return;
      pagesBelowWall += 1;
      const doubled = Math.min(ceiling, next * 2);
      if (doubled < wall || pagesBelowWall >= retryPages) next = doubled;
    },
    reject(length, error) {
      const refusal = findRefusal(error);
      if (refusal === undefined || length <= 1) return false;
      const reportedLimit = declaredLength(length, refusal);
      const half = Math.floor(length / 2);
      // A limit on the range itself applies to all ranges; the content of ranges differs.
      const isOfRange = reportedLimit !== undefined && refusal.actual === length;
      if (isOfRange) ceiling = reportedLimit;
      if (length >= wall) retryPages *= 2;
      pagesBelowWall = 0;
      next = isOfRange ? reportedLimit : Math.max(1, Math.min(half, reportedLimit ?? half));
      wall = Math.min(wall, reportedLimit === undefined ? length : next + 1);
      return true;
    },
  };
}

/** Returns the length of a range that the service allows; `undefined` where it does not report by how much a limit was exceeded. */
function declaredLength(length: number, { maximum, actual }: Refusal): number | undefined {
  if (maximum === undefined || actual === undefined || maximum < 1 || actual <= maximum) return undefined;
  return Math.max(1, Math.floor((length * maximum) / actual));
}

interface Refusal {
  readonly maximum: number | undefined;
  readonly actual: number | undefined;
}

/** Returns the reported limit that a range has exceeded: `extensions` with `limit`, and `maximum` and `actual` where it knows them. */
function findRefusal(error: unknown): Refusal | undefined {
  if (!isGraphqlError(error)) return undefined;
  for (const { extensions } of error.errors) {
    const limit = extensions?.["limit"];
    if (typeof limit !== "string" || limitsWithRanges.has(limit)) continue;
    return { maximum: finiteNumber(extensions?.["maximum"]), actual: finiteNumber(extensions?.["actual"]) };
  }
  return undefined;
}

function finiteNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
