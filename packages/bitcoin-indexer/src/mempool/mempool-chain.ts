import { displayHash, type Outpoint } from "@nodewright/bitcoin-primitives";
import { isUnspendable } from "../chain/unspendable.ts";
import type { ChainQueries, PreviousOutput } from "../query/chain-queries.ts";

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
    unspentOutputsAt: async (outpoints) => {
      const outputs = new Map<string, readonly (PreviousOutput | undefined)[]>();
      for (const txid of new Set(outpoints.map((outpoint) => displayHash(outpoint.txid)))) {
        outputs.set(txid, await unspentOutputsOf(queries, txid));
      }
      return outpoints.map(({ txid, vout }) => outputs.get(displayHash(txid))?.[vout]);
    },
  };
}

async function unspentOutputsOf(queries: ChainQueries, txid: string): Promise<readonly (PreviousOutput | undefined)[]> {
  const found = await queries.transaction(txid);
  const spends = await queries.spends(txid);
  const height = found?.block?.height;
  if (found === undefined || height === undefined || spends === undefined) return [];
  const { outputs, isCoinbase } = found.transaction;
  return outputs.map(({ value, scriptPubKey }, vout) => {
    const isThere = spends[vout] === undefined && !isUnspendable(scriptPubKey);
    return isThere ? { value, scriptPubKey, height, isCoinbase } : undefined;
  });
}
