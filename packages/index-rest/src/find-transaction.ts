import type { IndexedTransaction } from "@nodewright/bitcoin-indexer";
import { displayHash } from "@nodewright/bitcoin-primitives";
import { cacheByDepth, type CacheByDepth } from "./cache-control.ts";
import type { IndexRestContext } from "./context.ts";
import { entityTag } from "./entity-tag.ts";
import { mempoolOf } from "./no-mempool.ts";
import { transactionNotFound } from "./refusal.ts";

/** A transaction of the best chain, of a stale block or of the mempool; what the chain knows of it counts before the others. */
export async function findTransaction(
  context: IndexRestContext,
  txid: string,
): Promise<IndexedTransaction | undefined> {
  const known = await context.index.transaction(txid);
  if (known !== undefined) return known;
  const waiting = await mempoolOf(context).transaction(txid);
  // A block may have taken it out of the mempool since the chain was asked.
  return waiting ?? context.index.transaction(txid);
}

/** The bytes of a transaction, found like the whole, with the headers of an answer about them. Throws `not_found` like the whole. */
export async function getBytesAndHeaders(
  context: IndexRestContext,
  text: string,
): Promise<{ readonly bytes: Uint8Array; readonly headers: TransactionHeaders }> {
  const txid = text.toLowerCase();
  const [raw, tipHeight] = await Promise.all([context.index.rawTransaction(txid), context.index.tipHeight()]);
  if (raw === undefined || raw.block === undefined) {
    const { found, headers } = await getTransactionAndHeaders(context, txid);
    return { bytes: found.transaction.bytes, headers };
  }
  const { bytes, block } = raw;
  return { bytes, headers: { cacheControl: cacheByDepth(tipHeight, block.height), eTag: entityTag(block.hash) } };
}

interface TransactionHeaders {
  readonly cacheControl: CacheByDepth;
  readonly eTag: string;
}

/** A transaction with the headers of an answer about all of it. */
export interface FoundTransaction {
  readonly found: IndexedTransaction;
  readonly headers: TransactionHeaders;
}

/** Throws `not_found` with Esplora's text for an unknown transaction. */
export async function getTransactionAndHeaders(context: IndexRestContext, txid: string): Promise<FoundTransaction> {
  const [found, tipHeight] = await Promise.all([
    findTransaction(context, txid.toLowerCase()),
    context.index.tipHeight(),
  ]);
  if (found === undefined) throw transactionNotFound();
  return { found, headers: { cacheControl: cacheByDepth(tipHeight, found.block?.height), eTag: tagOf(found) } };
}

/** One id may be confirmed in several blocks one after the other, and wait with several witnesses. */
function tagOf({ block, transaction }: IndexedTransaction): string {
  return block === undefined ? entityTag("waiting", displayHash(transaction.wtxid)) : entityTag(block.hash);
}
