import type { MempoolSpend, Spend } from "@nodewright/bitcoin-indexer";
import type { IndexRestContext } from "./context.ts";
import { findTransaction } from "./find-transaction.ts";
import { mempoolOf } from "./no-mempool.ts";

/** The input that spends an output; without `block` one of the mempool. */
export type AnySpend = Spend | (MempoolSpend & { readonly block?: undefined });

/** What spends one output; `undefined` when nothing does, or there is no such output. */
export async function findSpend(context: IndexRestContext, txid: string, vout: number): Promise<AnySpend | undefined> {
  const confirmed = (await context.index.spends(txid))?.[vout];
  if (confirmed !== undefined) return confirmed;
  const [waiting] = await mempoolOf(context).spends([{ txid, vout }]);
  return waiting;
}

/** What spends each output of a transaction, in order. */
type Spends = readonly (AnySpend | undefined)[];

/** What spends the outputs of each transaction; `undefined` for one that nobody knows. At most the batch of the index. */
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
  // In the order in which they were asked for.
  return known.map((spends) => spends?.map((spend) => spend ?? waiting.next().value));
}

/** The best chain can't hold spends of a transaction that it does not hold itself. */
async function unspentOutputsOf(context: IndexRestContext, txid: string): Promise<readonly undefined[] | undefined> {
  const found = await findTransaction(context, txid);
  return found?.transaction.outputs.map(() => undefined);
}

/** What an answer about spends is of, for its tag. */
export function nameOfSpend(spend: AnySpend | undefined): string {
  return spend === undefined ? "unspent" : `${spend.txid}:${spend.vin}:${spend.block?.hash ?? "waiting"}`;
}
