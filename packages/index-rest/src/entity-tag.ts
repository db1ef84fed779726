import { hash } from "node:crypto";

/** Raised when answers are written differently than before: the tags that callers keep then name no answer any more. */
const rendering = 2;

/**
 * A strong entity tag (RFC 9110, section 8.8.3) from what an answer is of, such as the hash of the block that it tells about. The same
 * parts under one URL have to mean the same bytes.
 */
export function entityTag(...parts: readonly (string | number)[]): string {
  return `"${rendering}-${parts.join("-")}"`;
}

/** The same for an answer that is of many things. */
export function digestTag(parts: Iterable<string | number | bigint>): string {
  return entityTag(hash("sha256", [...parts].join(" "), "base64url").slice(0, digestLength));
}

/** 27 digits of 6 bits, 162 bits in all. */
const digestLength = 27;
