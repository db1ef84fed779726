import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { scriptHashOfAddress } from "../script-hash.ts";
import { readStatistics } from "../statistics.ts";

export const getAddress: IndexHandler<"getAddress", IndexRestContext> = async ({ address }, context) => {
  const { headers, chain, mempool } = await readStatistics(
    context,
    scriptHashOfAddress(address, context.index.network),
  );
  return { headers, body: { address, chain_stats: chain, mempool_stats: mempool } };
};
