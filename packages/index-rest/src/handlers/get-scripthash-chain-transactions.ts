import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { listScriptHistory } from "../script-history.ts";

export const getScripthashChainTransactions: IndexHandler<"getScripthashChainTransactions", IndexRestContext> = async (
  { scripthash },
  { index },
) => {
  const scriptHash = scripthash.toLowerCase();
  return { headers: { cacheControl: cacheShort }, body: await listScriptHistory(index, scriptHash) };
};
