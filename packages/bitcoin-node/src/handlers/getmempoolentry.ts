import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { getCluster } from "../mempool/read-mempool.ts";
import { renderMempoolEntry } from "../mempool/render-entry.ts";

/** Returns the mempool's entry of a transaction. */
export const getmempoolentry: BitcoinHandler<"getmempoolentry", BitcoinNodeContext> = async ({ txid }, { mempool }) => {
  const { graph, position } = await getCluster(mempool, txid);
  return renderMempoolEntry(graph, position);
};
