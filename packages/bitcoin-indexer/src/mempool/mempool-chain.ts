import { displayHash, type Outpoint } from "@nodewright/bitcoin-primitives";
import { isUnspendable } from "../chain/unspendable.ts";
import { type ChainQueries, maximumBatch, type PreviousOutput } from "../query/chain-queries.ts";

/** What the mempool asks the chain: the committed state of the index, whatever is being written. */
export interface MempoolChain extends RecentBlocks {
  tip: ChainQueries["tip"];
  blockByHash: ChainQueries["blockByHash"];
  blockByHeight: ChainQueries["blockByHeight"];
  rawBlock: ChainQueries["rawBlock"];
  /** For each outpoint the output, or `undefined` when the best chain has none or has spent it. */
  unspentOutputsAt(outpoints: readonly Outpoint[]): Promise<readonly (PreviousOutput | undefined)[]>;
}

/** What fee estimates are made from. */
export interface RecentBlocks {
  tipHeight: ChainQueries["tipHeight"];
  blocks: ChainQueries["blocks"];
  blockTransactions: ChainQueries["blockTransactions"];
}

/** The chain of an index, asked through its readers' side. */
export function mempoolChainOf(queries: ChainQueries): MempoolChain {
  return {
    tip: () => queries.tip(),
    tipHeight: () => queries.tipHeight(),
    blocks: (fromHeight, count) => queries.blocks(fromHeight, count),
    blockByHash: (hash) => queries.blockByHash(hash),
    blockByHeight: (height) => queries.blockByHeight(height),
    blockTransactions: (hash, start, count) => queries.blockTransactions(hash, start, count),
    rawBlock: (hash) => queries.rawBlock(hash),
    unspentOutputsAt: (outpoints) => unspentOutputsAt(queries, outpoints),
  };
}

async function unspentOutputsAt(
  queries: ChainQueries,
  outpoints: readonly Outpoint[],
): Promise<readonly (PreviousOutput | undefined)[]> {
  const names = outpoints.map(({ txid, vout }) => ({ txid: displayHash(txid), vout }));
  const unspent: (PreviousOutput | undefined)[] = [];
  for (let start = 0; start < names.length; start += maximumBatch) {
    const part = names.slice(start, start + maximumBatch);
    const outputs = await queries.outputs(part);
    const txids = [...new Set(part.map(({ txid }) => txid))];
    const spends = await queries.spendsOf(txids);
    const spendsById = new Map(txids.map((txid, index) => [txid, spends[index]]));
    for (const [index, { txid, vout }] of part.entries()) {
      const output = outputs[index];
      const isThere =
        output !== undefined && spendsById.get(txid)?.[vout] === undefined && !isUnspendable(output.scriptPubKey);
      unspent.push(isThere ? output : undefined);
    }
  }
  return unspent;
}
