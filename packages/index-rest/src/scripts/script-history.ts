import type { ChainQueries, HistoryPage, IndexedTransaction, WrittenTransaction } from "@nodewright/bitcoin-indexer";
import { ServiceError } from "@nodewright/runtime";
import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import type { IndexRestContext } from "../request/context.ts";
import { mempoolOf } from "../request/no-mempool.ts";
import { transactionWriter } from "../render/transaction.ts";
import { ScriptSet } from "./script-set.ts";

/** Maximum transactions of a page, Esplora's numbers. */
const confirmedLimit = 25;
const waitingLimit = 50;

/** Number of transactions that are read at once. */
const pageLimit = 100;

const transactionIdPattern = /^[0-9a-fA-F]{64}$/;

/** A transaction of a history, in the JSON of responses where it is available. */
export type HistoryEntry = IndexedTransaction | WrittenTransaction;

/** Parameters of the requested page. */
export interface PageWish {
  /** Maximum of waiting and confirmed transactions together. */
  readonly maxTxs?: number | undefined;
  readonly afterTxid?: string | undefined;
}

/** Beginning of the page after a cursor. */
type Start =
  | { readonly in: "mempool"; readonly after?: IndexedTransaction }
  | { readonly in: "chain"; readonly below: NonNullable<HistoryPage["below"]> };

/**
 * Returns a page of the confirmed transactions of a script, latest first. An invalid transaction id counts as no cursor; one that is not in
 * the history gives an empty page.
 */
export async function listConfirmed(
  index: ChainQueries,
  scriptHash: string,
  lastSeen?: string,
): Promise<readonly HistoryEntry[]> {
  return writtenReader(index)(scriptHash, { limit: confirmedLimit, after: readCursor(lastSeen) });
}

/** Returns waiting transactions of a script, the latest arrivals first. */
export async function listWaiting(
  context: IndexRestContext,
  scriptHash: string,
): Promise<readonly IndexedTransaction[]> {
  return mempoolOf(context).scriptHistory(scriptHash, { limit: waitingLimit });
}

/**
 * Returns a page of the transactions of several scripts, each once: waiting ones first, then confirmed ones, latest first. Throws
 * `unprocessable` for a cursor that is neither in the mempool nor on the best chain.
 */
export async function listHistory(
  context: IndexRestContext,
  scriptHashes: readonly string[],
  wish: PageWish,
): Promise<readonly HistoryEntry[]> {
  const start = await findStart(context, wish.afterTxid);
  const waiting =
    start.in === "mempool"
      ? await listWaitingOfAll(context, scriptHashes, start.after, wish.maxTxs ?? waitingLimit)
      : [];
  const room = wish.maxTxs === undefined ? confirmedLimit : wish.maxTxs - waiting.length;
  const below = start.in === "chain" ? start.below : undefined;
  const confirmed =
    room === 0 ? [] : await takeConfirmed(writtenReader(context.index), scriptHashes, { below, limit: room });
  // A block may have taken some out of the mempool since that was queried: they are shown as confirmed.
  const ids = new Set(confirmed.map(({ txid }) => txid));
  return [...waiting.filter(({ txid }) => !ids.has(txid)), ...confirmed];
}

/**
 * Returns the latest confirmed transactions of several scripts below a cursor. Throws `unprocessable` for one that is not on the best
 * chain.
 */
export async function listConfirmedOfAll(
  context: IndexRestContext,
  scriptHashes: readonly string[],
  afterTxid: string | undefined,
  limit: number,
): Promise<readonly IndexedTransaction[]> {
  const below = afterTxid === undefined ? undefined : await context.index.transactionPlace(afterTxid.toLowerCase());
  if (afterTxid !== undefined && below === undefined) throw cursorNotFound();
  const read: ReadHistory<IndexedTransaction> = (scriptHash, page) => context.index.scriptHistory(scriptHash, page);
  return takeConfirmed(read, scriptHashes, { below, limit });
}

/** Returns the same of one script, whose cursor is read as in `listConfirmed`. */
export async function listConfirmedBelow(
  index: ChainQueries,
  scriptHash: string,
  lastSeen: string | undefined,
  limit: number,
): Promise<readonly IndexedTransaction[]> {
  const found: IndexedTransaction[] = [];
  for (let after = readCursor(lastSeen); found.length < limit; after = found.at(-1)?.txid) {
    const wanted = Math.min(pageLimit, limit - found.length);
    const page = await index.scriptHistory(scriptHash, { after, limit: wanted });
    found.push(...page);
    if (page.length < wanted) break;
    if (isTimeSliceUsedUp()) await nextTimeSlice();
  }
  return found;
}

function readCursor(text: string | undefined): string | undefined {
  return text !== undefined && transactionIdPattern.test(text) ? text.toLowerCase() : undefined;
}

async function findStart(context: IndexRestContext, afterTxid: string | undefined): Promise<Start> {
  if (afterTxid === undefined) return { in: "mempool" };
  const txid = afterTxid.toLowerCase();
  const below = await context.index.transactionPlace(txid);
  if (below !== undefined) return { in: "chain", below };
  const after = await mempoolOf(context).transaction(txid);
  if (after === undefined) throw cursorNotFound();
  return { in: "mempool", after };
}

function cursorNotFound(): ServiceError {
  return new ServiceError("unprocessable", "after_txid not found");
}

/**
 * Returns waiting transactions of several scripts, script by script in the requested order, each transaction under the first script that it
 * pays or spends from: so a page needs to know nothing of the pages before it except the cursor.
 */
async function listWaitingOfAll(
  context: IndexRestContext,
  scriptHashes: readonly string[],
  after: IndexedTransaction | undefined,
  limit: number,
): Promise<readonly IndexedTransaction[]> {
  const mempool = mempoolOf(context);
  const [only, ...others] = scriptHashes;
  if (only === undefined) return [];
  if (others.length === 0) return mempool.scriptHistory(only, { after: after?.txid, limit });
  const scripts = new ScriptSet(scriptHashes);
  const first = after === undefined ? 0 : (scripts.firstOf(after) ?? scriptHashes.length);
  const found: IndexedTransaction[] = [];
  for (let position = first; position < scriptHashes.length && found.length < limit; position += 1) {
    let cursor = position === first ? after?.txid : undefined;
    for (;;) {
      const wanted = limit - found.length;
      const page = await mempool.scriptHistory(scriptHashes[position] ?? "", { after: cursor, limit: wanted });
      found.push(...page.filter((transaction) => scripts.firstOf(transaction) === position));
      cursor = page.at(-1)?.txid;
      if (page.length < wanted || found.length >= limit) break;
    }
  }
  return found;
}

/** Function that reads a page of the confirmed transactions of a script, latest first. */
type ReadHistory<Entry> = (scriptHash: string, page: HistoryPage) => Promise<readonly Entry[]>;

/** Members of a transaction that determine its place among others. */
type Placed = Pick<IndexedTransaction, "txid" | "block">;

function writtenReader(index: ChainQueries): ReadHistory<HistoryEntry> {
  const write = transactionWriter(index.network);
  return (scriptHash, page) => index.writtenHistory(scriptHash, page, write);
}

/** One script's history as far as it has been read. */
interface Reading<Entry> {
  readonly scriptHash: string;
  readonly page: Entry[];
  isWhole: boolean;
}

async function takeConfirmed<Entry extends Placed>(
  read: ReadHistory<Entry>,
  scriptHashes: readonly string[],
  { below, limit }: HistoryPage,
): Promise<readonly Entry[]> {
  const [only, ...others] = scriptHashes;
  if (only === undefined) return [];
  if (others.length === 0 && limit <= pageLimit) return read(only, { below, limit });
  const step = Math.min(pageLimit, Math.max(2, Math.ceil((2 * limit) / scriptHashes.length)));
  const readings: Reading<Entry>[] = [];
  for (const scriptHash of scriptHashes) {
    const page = await read(scriptHash, { below, limit: step });
    if (page.length > 0) readings.push({ scriptHash, page: page.toReversed(), isWhole: page.length < step });
  }
  return mergeReadings(read, readings, step, limit);
}

/** Repeatedly takes the latest transaction of all histories. The latest of a page stands last. */
async function mergeReadings<Entry extends Placed>(
  read: ReadHistory<Entry>,
  readings: readonly Reading<Entry>[],
  step: number,
  limit: number,
): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  while (found.length < limit) {
    const newest = readings.reduce<Reading<Entry> | undefined>(newerOf, undefined);
    const transaction = newest?.page.pop();
    if (newest === undefined || transaction === undefined) break;
    if (found.at(-1)?.txid !== transaction.txid) found.push(transaction);
    if (newest.page.length > 0 || newest.isWhole) continue;
    const page = await read(newest.scriptHash, { below: transaction.block, limit: step });
    newest.page.push(...page.toReversed());
    newest.isWhole = page.length < step;
    if (isTimeSliceUsedUp()) await nextTimeSlice();
  }
  return found;
}

function newerOf<Entry extends Placed>(
  best: Reading<Entry> | undefined,
  reading: Reading<Entry>,
): Reading<Entry> | undefined {
  const one = reading.page.at(-1)?.block;
  if (one === undefined) return best;
  const other = best?.page.at(-1)?.block;
  if (other === undefined) return reading;
  const isNewer = one.height === other.height ? one.position > other.position : one.height > other.height;
  return isNewer ? reading : best;
}
