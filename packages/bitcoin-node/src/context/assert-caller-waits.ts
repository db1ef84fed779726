import { ServiceError } from "@nodewright/runtime";
import type { BitcoinNodeContext } from "./context.ts";

/** Ends work for one client, between two time slices of it, when that client has gone: throws an error that is never visible. */
export function assertCallerWaits({ hasCallerGone }: Pick<BitcoinNodeContext, "hasCallerGone">): void {
  if (hasCallerGone?.() === true)
    throw new ServiceError("invalid_request", "The client disconnected before the response");
}
