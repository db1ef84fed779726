import { findTransaction, type IndexedTransaction } from "@nodewright/bitcoin-indexer";
import { displayHash } from "@nodewright/bitcoin-primitives";
import { cacheByDepth, type CacheByDepth } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { entityTag } from "../response/entity-tag.ts";
import { transactionNotFound } from "../response/refusal.ts";

/**
 * Returns the bytes of a transaction, confirmed or not, with the headers of a response about them. Throws `not_found` for an
 * unknown one.
 */
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

/** A transaction with the headers of a response about all of it. */
export interface FoundTransaction {
  readonly found: IndexedTransaction;
  readonly headers: TransactionHeaders;
}

/** Returns a transaction with headers. Throws `not_found` with Esplora's text for an unknown transaction. */
export async function getTransactionAndHeaders(context: IndexRestContext, txid: string): Promise<FoundTransaction> {
  const [found, tipHeight] = await Promise.all([
    findTransaction(context, txid.toLowerCase()),
    context.index.tipHeight(),
  ]);
  if (found === undefined) throw transactionNotFound();
  return { found, headers: { cacheControl: cacheByDepth(tipHeight, found.block?.height), eTag: tagOf(found) } };
}

/** Returns the tag. One id may be confirmed in several blocks one after the other, and wait with several witnesses. */
function tagOf({ block, transaction }: IndexedTransaction): string {
  return block === undefined ? entityTag("waiting", displayHash(transaction.wtxid)) : entityTag(block.hash);
}
