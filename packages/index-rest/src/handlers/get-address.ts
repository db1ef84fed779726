import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { noScriptStatistics, renderScriptStatistics } from "../render/script-statistics.ts";
import { scriptHashOfAddress } from "../script-hash.ts";

export const getAddress: IndexHandler<"getAddress", IndexRestContext> = async ({ address }, { index }) => {
  const scriptHash = scriptHashOfAddress(address, index.network);
  const chainStatistics = renderScriptStatistics(await index.scriptStatistics(scriptHash));
  return {
    headers: { cacheControl: cacheShort },
    body: { address, chain_stats: chainStatistics, mempool_stats: noScriptStatistics },
  };
};
