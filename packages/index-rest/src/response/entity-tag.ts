import { hash } from "node:crypto";

/** Version of the rendering, incremented when responses change: the tags that clients cache then match no response any more. */
const rendering = 2;

/**
 * Returns a strong entity tag (RFC 9110, section 8.8.3) from the subjects of a response, such as the hash of its block. The same parts
 * under one URL must mean the same bytes.
 */
export function entityTag(...parts: readonly (string | number)[]): string {
  return `"${rendering}-${parts.join("-")}"`;
}

/** Returns the same for a response with many subjects. */
export function digestTag(parts: Iterable<string | number | bigint>): string {
  return entityTag(hash("sha256", [...parts].join(" "), "base64url").slice(0, digestLength));
}

/** Length of a tag: 27 digits of 6 bits, 162 bits in all. */
const digestLength = 27;
