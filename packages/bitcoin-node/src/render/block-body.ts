import { setImmediate as nextTimeSlice } from "node:timers/promises";
import type { BlockRecord, ChainQueries, IndexedTransaction } from "@nodewright/bitcoin-indexer";
import { JsonBytes, literalOf } from "@nodewright/runtime/node";
import { renderCoinbaseTransaction } from "./block.ts";
import { writeTransaction } from "./transaction-text.ts";

/** JSON in consecutive pieces. */
export interface TextPieces {
  readonly pieces: readonly (string | Uint8Array)[];
  /** Total bytes. */
  readonly bytes: number;
}

/** Detail of a block's transactions in `getblock`: their ids at 1, all of them at 2, with the outputs that they spend at 3. */
export type BlockDetail = 1 | 2 | 3;

/** Function that awaits a part of the block; throws when the block no longer exists. */
type Found = <Part>(part: Promise<Part | undefined>) => Promise<Part>;

const names = {
  coinbase: ',"coinbase_tx":',
  transactions: literalOf(',"tx":['),
  ids: literalOf(',"tx":["'),
  nextId: literalOf('","'),
  idsEnd: literalOf('"]}'),
} as const;
const comma = 0x2c;
const openingBrace = 0x7b;
const closingBrace = 0x7d;
const closingBracket = 0x5d;
const idLength = 32;

/** Milliseconds for which the event loop is blocked: with a pause of the garbage collector, below 10. */
const sliceMilliseconds = 2;
/** Number of transactions that are read at once. */
const pageSize = 16;
/** Number of bytes at which a slice is copied out of the writer's buffer. */
const pieceBytes = 256 * 1024;
/** Length below which a piece is a string, which costs less to combine with others. */
const shortBytes = 16 * 1024;

/** Idle writers; a few, because few long responses are rendered at a time. */
const writers: JsonBytes[] = [];
const keptWriters = 4;

/**
 * Renders the end of a block's result, from `coinbase_tx` to the brace after the transactions. It never changes: the same block has the
 * same ancestors. A large one is rendered in time slices, between which the event loop continues.
 */
export async function renderBlockBody(
  index: ChainQueries,
  record: BlockRecord,
  detail: BlockDetail,
  found: Found,
): Promise<TextPieces> {
  const out = writers.pop() ?? new JsonBytes();
  try {
    const body = new SlicedText(out);
    if (detail === 1) await writeIds(out, index, record, found);
    else await writeTransactions(body, index, record, detail, found);
    return body.end();
  } finally {
    out.clear();
    if (writers.length < keptWriters) writers.push(out);
  }
}

/** Text that is rendered in time slices. */
class SlicedText {
  readonly out: JsonBytes;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;
  #sliceStart = performance.now();

  constructor(out: JsonBytes) {
    this.out = out;
  }

  /** Whether the time slice is over. */
  get isSliceOver(): boolean {
    return performance.now() - this.#sliceStart > sliceMilliseconds;
  }

  async pause(): Promise<void> {
    if (this.out.length > pieceBytes) this.#take();
    await nextTimeSlice();
    this.#sliceStart = performance.now();
  }

  end(): TextPieces {
    if (this.#pieces.length === 0 && this.out.length <= shortBytes) {
      const bytes = this.out.length;
      return { pieces: [this.out.takeText()], bytes };
    }
    this.#take();
    return { pieces: this.#pieces, bytes: this.#bytes };
  }

  #take(): void {
    const piece = this.out.takeBytes();
    this.#bytes += piece.length;
    this.#pieces.push(piece);
  }
}

async function writeIds(out: JsonBytes, index: ChainQueries, { hash }: BlockRecord, found: Found): Promise<void> {
  const [ids, transactions] = await Promise.all([
    found(index.transactionIdBytes(hash)),
    found(index.blockTransactions(hash, 0, 1)),
  ]);
  writeCoinbase(out, transactions);
  out.literal(names.ids);
  for (let offset = 0; offset < ids.length; offset += idLength) {
    if (offset > 0) out.literal(names.nextId);
    out.displayHash(ids, offset);
  }
  out.literal(names.idsEnd);
}

async function writeTransactions(
  body: SlicedText,
  index: ChainQueries,
  { hash, transactionCount }: BlockRecord,
  detail: BlockDetail,
  found: Found,
): Promise<void> {
  const { out } = body;
  const written = { withFee: true, withPreviousOutputs: detail === 3 };
  for (let start = 0; start < transactionCount; start += pageSize) {
    const transactions = await found(index.blockTransactions(hash, start, pageSize));
    if (start === 0) {
      writeCoinbase(out, transactions);
      out.literal(names.transactions);
    }
    for (const [position, transaction] of transactions.entries()) {
      if (start + position > 0) out.byte(comma);
      out.byte(openingBrace);
      for (const _ of writeTransaction(out, transaction, index.network, written)) {
        if (body.isSliceOver) await body.pause();
      }
      out.byte(closingBrace);
      if (body.isSliceOver) await body.pause();
    }
  }
  out.byte(closingBracket);
  out.byte(closingBrace);
}

function writeCoinbase(out: JsonBytes, [coinbase]: readonly Pick<IndexedTransaction, "transaction">[]): void {
  if (coinbase === undefined) throw new Error("A block without transactions is not indexed");
  out.text(names.coinbase);
  out.text(JSON.stringify(renderCoinbaseTransaction(coinbase.transaction)));
}
