import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { MempoolEntries } from "@nodewright/bitcoin-api/types";
import type { MempoolQueries } from "@nodewright/bitcoin-indexer";
import type { PreparedJson } from "@nodewright/runtime";
import type { BitcoinNodeContext } from "../context/context.ts";
import { readIds, readMempool } from "../mempool/read-mempool.ts";
import { renderMempoolEntries } from "../mempool/render-entry.ts";
import { rpcError } from "../parameters/rpc-error.ts";

/** Entries of all transactions that are being rendered: a large mempool takes seconds and a hundred megabytes. */
const underWay = new WeakMap<MempoolQueries, Promise<PreparedJson<MempoolEntries>>>();

/** Returns the unconfirmed transactions: their ids, or an entry for each. */
export const getrawmempool: BitcoinHandler<"getrawmempool", BitcoinNodeContext> = async (
  { verbose = false, mempoolSequence = false },
  { mempool },
) => {
  if (verbose && mempoolSequence) {
    throw rpcError("invalidParameter", "Verbose results cannot contain mempool sequence values.");
  }
  if (verbose) return mempool === undefined ? {} : entriesOf(mempool);
  // Read first: later changes are reported again to clients that continue from here.
  const sequence = (await mempool?.changes()) ?? 0;
  const txids = mempool === undefined ? [] : await readIds(mempool);
  return mempoolSequence ? { txids, mempool_sequence: sequence } : txids;
};

/** Returns the entries. Concurrent callers share the same rendering. */
function entriesOf(mempool: MempoolQueries): Promise<PreparedJson<MempoolEntries>> {
  let entries = underWay.get(mempool);
  if (entries === undefined) {
    entries = writeEntries(mempool).finally(() => underWay.delete(mempool));
    underWay.set(mempool, entries);
  }
  return entries;
}

async function writeEntries(mempool: MempoolQueries): Promise<PreparedJson<MempoolEntries>> {
  const graph = await readMempool(mempool);
  return renderMempoolEntries(graph);
}
