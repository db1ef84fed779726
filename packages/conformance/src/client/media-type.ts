import type { Answer } from "../contract/exchange.ts";

/** Returns the media type of a response without its parameters, in lower case; empty when there is none. */
export function mediaTypeOf({ headers }: Pick<Answer, "headers">): string {
  return (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
