import type { AnySpend } from "../render/outspend.ts";
import type { IndexRestContext } from "../request/context.ts";
import { findTransaction } from "@nodewright/bitcoin-indexer";
import { mempoolOf } from "../request/no-mempool.ts";

/** Returns the spend of one output; `undefined` when nothing spends it, or there is no such output. */
export async function findSpend(context: IndexRestContext, txid: string, vout: number): Promise<AnySpend | undefined> {
  const confirmed = (await context.index.spends(txid))?.[vout];
  if (confirmed !== undefined) return confirmed;
  const [waiting] = await mempoolOf(context).spends([{ txid, vout }]);
  return waiting;
}

/** Spends of each output of a transaction, in order. */
type Spends = readonly (AnySpend | undefined)[];

/** Returns the spends of the outputs of each transaction; `undefined` for an unknown one. At most the batch of the index. */
export async function listSpends(
  context: IndexRestContext,
  txids: readonly string[],
): Promise<readonly (Spends | undefined)[]> {
  const confirmed = await context.index.spendsOf(txids);
  const known = await Promise.all(
    txids.map(async (txid, position) => confirmed[position] ?? unspentOutputsOf(context, txid)),
  );
  const open = known.flatMap((spends = [], position) =>
    spends.flatMap((spend, vout) => (spend === undefined ? [{ txid: txids[position] ?? "", vout }] : [])),
  );
  const waiting = (open.length === 0 ? [] : await mempoolOf(context).spends(open)).values();
  // In the requested order.
  return known.map((spends) => spends?.map((spend) => spend ?? waiting.next().value));
}

/** Returns the outputs. The best chain can't contain spends of a transaction that it does not contain itself. */
async function unspentOutputsOf(context: IndexRestContext, txid: string): Promise<readonly undefined[] | undefined> {
  const found = await findTransaction(context, txid);
  return found?.transaction.outputs.map(() => undefined);
}

/** Returns a string that identifies the state of an output, for entity tags. */
export function spendKey(spend: AnySpend | undefined): string {
  return spend === undefined ? "unspent" : `${spend.txid}:${spend.vin}:${spend.block?.hash ?? "waiting"}`;
}
