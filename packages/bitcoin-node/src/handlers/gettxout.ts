import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { isUnspendable, type TransactionOutput } from "@nodewright/bitcoin-primitives";
import { PreparedJson } from "@nodewright/runtime";
import { hundredMillionthsText } from "@nodewright/runtime/node";
import { getTip } from "../chain/best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { renderScriptPubKeyText } from "../render/transaction-text.ts";

/** A spendable output, with the block that created it. */
interface Coin {
  readonly output: TransactionOutput;
  /** Absent for an output of an unconfirmed transaction. */
  readonly height?: number;
  readonly isCoinbase: boolean;
}

/** Returns an unspent output. */
export const gettxout: BitcoinHandler<"gettxout", BitcoinNodeContext> = async (
  { txid, vout, includemempool: withMempool = true },
  context,
) => {
  const id = txid.toLowerCase();
  const coin = await findCoin(context, id, vout, withMempool);
  if (coin === undefined) return null;
  const { output, height, isCoinbase } = coin;
  const tip = await getTip(context.index);
  const confirmations = height === undefined ? 0 : Math.max(tip.height - height + 1, 1);
  const value = hundredMillionthsText(output.value);
  const scriptPubKey = renderScriptPubKeyText(output.scriptPubKey, context.index.network);
  return new PreparedJson(
    `{"bestblock":"${tip.hash}","confirmations":${confirmations},"value":${value},"scriptPubKey":${scriptPubKey},"coinbase":${isCoinbase}}`,
  );
};

async function findCoin(
  { index, mempool }: BitcoinNodeContext,
  txid: string,
  vout: number,
  withMempool: boolean,
): Promise<Coin | undefined> {
  const found = await index.transaction(txid);
  if (found?.block === undefined) return withMempool ? await findUnconfirmed({ mempool }, txid, vout) : undefined;
  const { transaction, block } = found;
  const output = transaction.outputs[vout];
  // Bitcoin Core stores neither the first block's output nor unspendable ones.
  if (output === undefined || block.height === 0 || isUnspendable(output.scriptPubKey)) return undefined;
  const spends = await index.spends(txid);
  if (spends?.[vout] !== undefined) return undefined;
  if (withMempool && (await isSpentUnconfirmed({ mempool }, txid, vout))) return undefined;
  return { output, height: block.height, isCoinbase: transaction.isCoinbase };
}

type Mempool = Pick<BitcoinNodeContext, "mempool">;

async function findUnconfirmed({ mempool }: Mempool, txid: string, vout: number): Promise<Coin | undefined> {
  const output = (await mempool?.transaction(txid))?.transaction.outputs[vout];
  if (output === undefined || (await isSpentUnconfirmed({ mempool }, txid, vout))) return undefined;
  return { output, isCoinbase: false };
}

async function isSpentUnconfirmed({ mempool }: Mempool, txid: string, vout: number): Promise<boolean> {
  const [spend] = (await mempool?.spends([{ txid, vout }])) ?? [];
  return spend !== undefined;
}
