import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context.ts";
import { readIds, readMempool } from "../mempool/read-mempool.ts";
import { renderMempoolEntries } from "../mempool/render-entry.ts";
import { rpcError } from "../rpc-error.ts";

/** The transactions that are in no block yet: their ids, or an entry for each. */
export const getrawmempool: BitcoinHandler<"getrawmempool", BitcoinNodeContext> = async (
  { verbose = false, mempoolSequence = false },
  { mempool },
) => {
  if (verbose && mempoolSequence) {
    throw rpcError("invalidParameter", "Verbose results cannot contain mempool sequence values.");
  }
  if (mempool === undefined) return withoutNode(verbose, mempoolSequence);
  if (verbose) {
    const graph = await readMempool(mempool);
    return renderMempoolEntries(graph, graph.members.keys());
  }
  if (!mempoolSequence) return readIds(mempool);
  // Read first: what changes meanwhile is told again to those who go on from here.
  const sequence = await mempool.changes();
  return { txids: await readIds(mempool), mempool_sequence: sequence };
};

function withoutNode(verbose: boolean, withSequence: boolean) {
  if (verbose) return {};
  return withSequence ? { txids: [], mempool_sequence: 0 } : [];
}
