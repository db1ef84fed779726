import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { scriptHashOfAddress } from "../script-hash.ts";
import { listScriptHistory } from "../script-history.ts";

export const getAddressChainTransactions: IndexHandler<"getAddressChainTransactions", IndexRestContext> = async (
  { address },
  { index },
) => {
  const scriptHash = scriptHashOfAddress(address, index.network);
  return { headers: { cacheControl: cacheShort }, body: await listScriptHistory(index, scriptHash) };
};
