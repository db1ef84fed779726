import { hash } from "node:crypto";

/** Version of the rendering. Incremented when responses change, so that tags in the caches of clients no longer match. */
const renderingVersion = 2;

/**
 * Returns a strong entity tag (RFC 9110, section 8.8.3) from what a response depends on, such as the hash of its block. Two responses of one
 * URL with equal parts must have equal bytes.
 */
export function entityTag(...parts: readonly (string | number)[]): string {
  return `"${renderingVersion}-${parts.join("-")}"`;
}

/** Returns the entity tag of a response that depends on many parts: a hash of them. */
export function hashedEntityTag(parts: Iterable<string | number | bigint>): string {
  return entityTag(hash("sha256", [...parts].join(" "), "base64url").slice(0, digestLength));
}

/** Length of a tag: 27 digits of 6 bits, 162 bits in all. */
const digestLength = 27;
