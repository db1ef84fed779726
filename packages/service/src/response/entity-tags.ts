import type { ContentCoding } from "./content-coding.ts";

/** Returns whether an `If-None-Match` header contains a tag (RFC 9110, section 13.1.2: the weak comparison). */
export function matchesEntityTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  const tags: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return tags.includes(tag);
}

/** Returns the tag of a body with a content coding: other bytes need another strong tag (RFC 9110, section 8.8.3.3). */
export function encodedEntityTag(tag: string, coding: ContentCoding | undefined): string {
  return coding === undefined ? tag : `${tag.slice(0, -1)}-${coding}"`;
}
