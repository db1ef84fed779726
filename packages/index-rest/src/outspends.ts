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

/** What spends each output of a transaction, in order; `undefined` for one that nobody knows. */
export async function listSpends(
  context: IndexRestContext,
  txid: string,
): Promise<readonly (AnySpend | undefined)[] | undefined> {
  const confirmed = (await context.index.spends(txid)) ?? (await unspentOutputsOf(context, txid));
  if (confirmed === undefined) return undefined;
  const open = confirmed.flatMap((spend, vout) => (spend === undefined ? [vout] : []));
  if (open.length === 0) return confirmed;
  const waiting = await mempoolOf(context).spends(open.map((vout) => ({ txid, vout })));
  const spends: (AnySpend | undefined)[] = [...confirmed];
  for (const [position, vout] of open.entries()) spends[vout] = waiting[position];
  return spends;
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
