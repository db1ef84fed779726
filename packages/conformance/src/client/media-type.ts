import type { Answer } from "../contract/exchange.ts";

/** The media type of an answer without its parameters, in lower case; empty when there is none. */
export function mediaTypeOf({ headers }: Pick<Answer, "headers">): string {
  return (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
