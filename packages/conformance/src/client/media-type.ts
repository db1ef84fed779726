import type { ReceivedResponse } from "../contract/exchange.ts";

/** Returns the media type of a response without its parameters, in lower case; empty without a Content-Type. */
export function mediaTypeOf({ headers }: Pick<ReceivedResponse, "headers">): string {
  return (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
