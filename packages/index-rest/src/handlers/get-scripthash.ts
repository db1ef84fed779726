import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { readStatistics } from "../statistics.ts";

export const getScripthash: IndexHandler<"getScripthash", IndexRestContext> = async ({ scripthash }, context) => {
  const { headers, chain, mempool } = await readStatistics(context, scripthash.toLowerCase());
  return { headers, body: { chain_stats: chain, mempool_stats: mempool, scripthash } };
};
