import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";

/** The mempool of an index without one is empty. */
export const getMempool: IndexHandler<"getMempool", IndexRestContext> = () => {
  return { headers: { cacheControl: cacheShort }, body: { count: 0, vsize: 0, total_fee: 0, fee_histogram: [] } };
};
