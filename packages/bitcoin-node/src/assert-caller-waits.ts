import { ServiceError } from "@nodewright/runtime";
import type { BitcoinNodeContext } from "./context.ts";

/** Ends work for one caller alone, between two slices of it, when nobody waits for it any more: throws what nobody will see. */
export function assertCallerWaits({ hasCallerGone }: Pick<BitcoinNodeContext, "hasCallerGone">): void {
  if (hasCallerGone?.() === true) throw new ServiceError("invalid_request", "The caller has gone before the answer");
}
