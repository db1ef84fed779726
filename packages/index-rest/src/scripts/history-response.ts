import type { IndexedTransaction } from "@nodewright/bitcoin-indexer";
import type { Transaction, TransactionSummary } from "@nodewright/index-api/types";
import type { PreparedJson } from "@nodewright/runtime";
import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import { cacheShort } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { hashedEntityTag } from "../response/entity-tag.ts";
import { renderTransactions } from "../render/transaction.ts";
import type { HistoryEntry } from "./script-history.ts";
import { ScriptSet } from "./script-set.ts";

/** Maximum transactions of a history summary, the number of mempool.space. */
export const summaryLimit = 5_000;

interface Headers {
  readonly cacheControl: typeof cacheShort;
  readonly eTag: string;
}

/** Returns the response of a history: its transactions as in `/tx/{txid}`. */
export function createHistoryResponse(
  { index }: IndexRestContext,
  history: readonly HistoryEntry[],
): { readonly headers: Headers; readonly body: PreparedJson<readonly Transaction[]> } {
  return { headers: headersOf(history), body: renderTransactions(history, index.network) };
}

/** Returns the response of a history summary, rendered in time slices. All of it must be confirmed. */
export async function createSummaryResponse(
  scriptHashes: readonly string[],
  history: readonly IndexedTransaction[],
): Promise<{ readonly headers: Headers; readonly body: readonly TransactionSummary[] }> {
  const scripts = new ScriptSet(scriptHashes);
  const body: TransactionSummary[] = [];
  for (const indexed of history) {
    if (isTimeSliceUsedUp()) await nextTimeSlice();
    const { txid, block } = indexed;
    if (block === undefined) continue;
    body.push({ txid, height: block.height, value: Number(scripts.balanceOf(indexed)), time: block.time });
  }
  if (isTimeSliceUsedUp()) await nextTimeSlice();
  return { headers: headersOf(history), body };
}

/** Returns a response without its tag: responses to POST are not revalidated. */
export function withoutTag<Body>({ headers, body }: { readonly headers: Headers; readonly body: Body }): {
  readonly headers: Pick<Headers, "cacheControl">;
  readonly body: Body;
} {
  return { headers: { cacheControl: headers.cacheControl }, body };
}

function headersOf(history: readonly HistoryEntry[]): Headers {
  return { cacheControl: cacheShort, eTag: hashedEntityTag(history.map(nameOf)) };
}

function nameOf({ txid, block }: HistoryEntry): string {
  return `${txid}:${block?.hash ?? "waiting"}`;
}
