import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";

/** The mempool of an index without one is empty. */
export const getMempoolTransactionIds: IndexHandler<"getMempoolTransactionIds", IndexRestContext> = () => {
  return { headers: { cacheControl: cacheShort }, body: [] };
};
