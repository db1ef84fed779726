import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { scriptHashOfAddress } from "../script-hash.ts";

/** Only tells good addresses from bad ones: the mempool of an index without one is empty. */
export const getAddressMempoolTransactions: IndexHandler<"getAddressMempoolTransactions", IndexRestContext> = (
  { address },
  { index },
) => {
  scriptHashOfAddress(address, index.network);
  return { headers: { cacheControl: cacheShort }, body: [] };
};
