import type { ContentFacts } from "./operation.ts";

/**
 * Returns the essence: `Application/JSON; charset=utf-8` becomes `application/json`; undefined for an invalid media type (RFC 9110, section
 * 8.3.1).
 */
export function essenceOf(mediaType: string | undefined): string | undefined {
  const [essence = ""] = (mediaType ?? "").split(";", 1);
  const name = essence.trim().toLowerCase();
  return mediaTypeName.test(name) ? name : undefined;
}

const mediaTypeName = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;

/** Returns the content for `mediaType`: the one of that exact type, otherwise the narrowest range that includes it. */
export function findContent(contents: readonly ContentFacts[], mediaType: string): ContentFacts | undefined {
  const candidates = contents.filter((content) => isWithin(mediaType, essenceOf(content.mediaType) ?? ""));
  return candidates.toSorted((left, right) => narrowness(right) - narrowness(left))[0];
}

/**
 * Returns the content that a client prefers (RFC 9110, section 12.5.1), the first of equals. A client that accepts none of them gets the
 * first nevertheless: a response of another type is better than none.
 */
export function negotiateContent<Candidate extends { readonly mediaType: string }>(
  candidates: readonly Candidate[],
  accept: string | undefined,
): Candidate | undefined {
  const [first] = candidates;
  if (accept === undefined || candidates.length < 2) return first;
  const wishes = readAccept(accept);
  let best = first;
  let highest = 0;
  for (const candidate of candidates) {
    const quality = qualityOf(essenceOf(candidate.mediaType) ?? "", wishes);
    if (quality > highest) {
      highest = quality;
      best = candidate;
    }
  }
  return best;
}

interface Wish {
  readonly range: string;
  readonly quality: number;
}

/** Maximum number of media ranges: a header is bounded, and so is the work for it. */
const readWishes = 100;

function readAccept(accept: string): readonly Wish[] {
  return accept.split(",", readWishes).map((piece): Wish => {
    const [range = "", ...parameters] = piece.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight);
    return { range, quality: quality >= 0 && quality <= 1 ? quality : 0 };
  });
}

/** Returns the quality of a type: the narrowest range that includes it decides. */
function qualityOf(essence: string, wishes: readonly Wish[]): number {
  const [decisive] = wishes
    .filter(({ range }) => isWithin(essence, range))
    .toSorted((left, right) => rangeNarrowness(right.range) - rangeNarrowness(left.range));
  return decisive?.quality ?? 0;
}

function isWithin(essence: string, range: string): boolean {
  if (range === "*/*" || range === "*" || range === essence) return true;
  const [type, subtype] = range.split("/");
  if (subtype === "*") return essence.startsWith(`${type}/`);
  // A candidate may itself be a range: `image/*` is offered to clients that accept `image/png`.
  return essence.endsWith("/*") && range.startsWith(essence.slice(0, -1));
}

function narrowness({ mediaType }: ContentFacts): number {
  return rangeNarrowness(essenceOf(mediaType) ?? "*/*");
}

function rangeNarrowness(range: string): number {
  if (range === "*/*" || range === "*") return 0;
  return range.endsWith("/*") ? 1 : 2;
}
