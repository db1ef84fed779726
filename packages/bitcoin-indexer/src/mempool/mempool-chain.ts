import { displayHash, type Outpoint, type TransactionId } from "@nodewright/bitcoin-primitives";
import { isUnspendable } from "../chain/unspendable.ts";
import { type ChainQueries, maximumBatch, type OutputName } from "../query/chain-queries.ts";
import type { PreviousOutput } from "../chain/connected-block.ts";

/** Queries of the mempool to the chain: the committed state of the index, whatever is being written. */
export interface MempoolChain extends RecentBlocks {
  tip: ChainQueries["tip"];
  blockByHash: ChainQueries["blockByHash"];
  blockByHeight: ChainQueries["blockByHeight"];
  rawBlock: ChainQueries["rawBlock"];
  /** Returns for each outpoint the output, or `undefined` when it does not exist or is spent on the best chain. */
  unspentOutputsAt(outpoints: readonly Outpoint[]): Promise<readonly (PreviousOutput | undefined)[]>;
}

/** Recent blocks, from which fee estimates are derived. */
export interface RecentBlocks {
  tipHeight: ChainQueries["tipHeight"];
  blocks: ChainQueries["blocks"];
  blockTransactions: ChainQueries["blockTransactions"];
}

/** Returns the chain of an index, queried through its read side. */
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
    unspent.push(...(await unspentAmong(queries, names.slice(start, start + maximumBatch))));
  }
  return unspent;
}

async function unspentAmong(
  queries: ChainQueries,
  names: readonly OutputName[],
): Promise<readonly (PreviousOutput | undefined)[]> {
  const namesById = Map.groupBy(names, ({ txid }) => txid);
  const txids = [...namesById.keys()];
  const outputs = new Map<OutputName, PreviousOutput>();
  const single = [...namesById.values()].filter(({ length }) => length === 1).flat();
  for (const [index, output] of (await queries.outputs(single)).entries()) {
    const name = single[index];
    if (name !== undefined && output !== undefined) outputs.set(name, output);
  }
  for (const [txid, several] of namesById) {
    // Read once: transactions with thousands of outputs are spent by thousands of others.
    if (several.length > 1) await readOutputs(queries, txid, several, outputs);
  }
  const spends = await queries.spendsOf(txids);
  const spendsById = new Map(txids.map((txid, index) => [txid, spends[index]]));
  return names.map((name) => {
    const output = outputs.get(name);
    const isSpent = spendsById.get(name.txid)?.[name.vout] !== undefined;
    return output === undefined || isSpent || isUnspendable(output.scriptPubKey) ? undefined : output;
  });
}

async function readOutputs(
  queries: ChainQueries,
  txid: TransactionId,
  names: readonly OutputName[],
  outputs: Map<OutputName, PreviousOutput>,
): Promise<void> {
  const found = await queries.transaction(txid);
  const height = found?.block?.height;
  if (found === undefined || height === undefined) return;
  const { outputs: made, isCoinbase } = found.transaction;
  for (const name of names) {
    const output = made[name.vout];
    if (output !== undefined) outputs.set(name, { ...output, height, isCoinbase });
  }
}
