import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { scriptHashOfAddress } from "../script-hash.ts";
import { listScriptHistory } from "../script-history.ts";

/** The mempool of an index without one is empty, so the history begins with what is confirmed. */
export const getAddressTransactions: IndexHandler<"getAddressTransactions", IndexRestContext> = async (
  { address },
  { index },
) => {
  const scriptHash = scriptHashOfAddress(address, index.network);
  return { headers: { cacheControl: cacheShort }, body: await listScriptHistory(index, scriptHash) };
};
