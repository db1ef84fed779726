import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { SpendingTransaction } from "@nodewright/bitcoin-api/types";
import type { ChainQueries, MempoolQueries, OutputName } from "@nodewright/bitcoin-indexer";
import { toHex } from "@nodewright/bitcoin-primitives";
import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Number of outputs that are looked up at once. */
const pageLength = 100;

/** Spender of an output, with its block. */
interface Spender {
  readonly txid: string;
  readonly blockhash?: string;
}

type Sources = Pick<BitcoinNodeContext, "index" | "mempool">;

/** Returns the transactions that spend outputs, unconfirmed or in a block. */
export const gettxspendingprevout: BitcoinHandler<"gettxspendingprevout", BitcoinNodeContext> = async (
  { outputs, options = {} },
  { index, mempool },
) => {
  const { mempool_only: mempoolOnly = false, return_spending_tx: withTransaction = false } = options;
  const sources = { index, mempool };
  const results: SpendingTransaction[] = [];
  for (let start = 0; start < outputs.length; start += pageLength) {
    if (isTimeSliceUsedUp()) await nextTimeSlice();
    const names = outputs
      .slice(start, start + pageLength)
      .map(({ txid, vout }) => ({ txid: txid.toLowerCase(), vout }));
    const spenders = await findSpenders(sources, names, mempoolOnly);
    for (const [position, name] of names.entries()) {
      results.push(await describe(sources, name, spenders[position], withTransaction));
    }
  }
  return results;
};

/**
 * Returns one spender for each output; `undefined` for one that nothing spends. The chain is authoritative: the mempool may not know a
 * block yet.
 */
async function findSpenders(
  { index, mempool }: Sources,
  names: readonly OutputName[],
  mempoolOnly: boolean,
): Promise<readonly (Spender | undefined)[]> {
  const unconfirmed = (await mempool?.spends(names)) ?? [];
  if (mempoolOnly) return names.map((_name, position) => unconfirmed[position]);
  const txids = [...new Set(names.map(({ txid }) => txid))];
  const confirmed = await index.spendsOf(txids);
  const spendsById = new Map(txids.map((txid, position) => [txid, confirmed[position]]));
  return names.map(({ txid, vout }, position) => {
    const spend = spendsById.get(txid)?.[vout];
    return spend === undefined ? unconfirmed[position] : { txid: spend.txid, blockhash: spend.block.hash };
  });
}

async function describe(
  sources: Sources,
  { txid, vout }: OutputName,
  spender: Spender | undefined,
  withTransaction: boolean,
): Promise<SpendingTransaction> {
  if (spender === undefined) return { txid, vout };
  const bytes = withTransaction ? await findBytes(sources, spender.txid) : undefined;
  return {
    txid,
    vout,
    spendingtxid: spender.txid,
    ...(bytes === undefined ? {} : { spendingtx: toHex(bytes) }),
    ...(spender.blockhash === undefined ? {} : { blockhash: spender.blockhash }),
  };
}

/** Returns the bytes of a transaction. One that was unconfirmed a moment ago may be in a block by now. */
async function findBytes(
  { index, mempool }: { readonly index: ChainQueries; readonly mempool?: MempoolQueries | undefined },
  txid: string,
): Promise<Uint8Array | undefined> {
  return (await mempool?.transaction(txid))?.transaction.bytes ?? (await index.rawTransaction(txid))?.bytes;
}
