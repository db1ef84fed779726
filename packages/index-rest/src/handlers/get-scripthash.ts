import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { noScriptStatistics, renderScriptStatistics } from "../render/script-statistics.ts";

export const getScripthash: IndexHandler<"getScripthash", IndexRestContext> = async ({ scripthash }, { index }) => {
  const scriptHash = scripthash.toLowerCase();
  const chainStatistics = renderScriptStatistics(await index.scriptStatistics(scriptHash));
  return {
    headers: { cacheControl: cacheShort },
    body: { chain_stats: chainStatistics, mempool_stats: noScriptStatistics, scripthash },
  };
};
