import type { FastifyRequest } from "fastify";
import { acceptedCoding } from "./content-coding.ts";
import { matchesEntityTag, encodedEntityTag } from "./entity-tags.ts";

/**
 * Returns the tag under which the client of a request caches the response that `tag` identifies, in the client's coding; `undefined` where
 * it can't be determined before the response is written: small ones are never compressed.
 */
export function matchingTag({ method, headers }: FastifyRequest, tag: string): string | undefined {
  const known = headers["if-none-match"];
  if (known === undefined || (method !== "GET" && method !== "HEAD")) return undefined;
  const accepted = headers["accept-encoding"];
  const sent = encodedEntityTag(tag, acceptedCoding(Array.isArray(accepted) ? accepted.join(",") : accepted));
  return known.includes(sent) && matchesEntityTag(known, sent) ? sent : undefined;
}
