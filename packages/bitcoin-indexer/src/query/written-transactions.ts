import type { WrittenTransaction } from "./chain-queries.ts";

/** Bytes that are allocated and released at once. */
const segmentBytes = 1024 * 1024;

/** Maximum bytes of all segments; the bookkeeping of the transactions is a tenth of that. */
const maximumBytes = 32 * 1024 * 1024;

/** Length above which a transaction is serialized each time: a few of them would evict all others. */
const maximumTransactionBytes = 64 * 1024;

/** Number of remembered misses, about as many as cached transactions: a client that walks through more of them finds none again. */
const seenPlaces = 8_192;

interface Segment {
  readonly bytes: Buffer;
  length: number;
  /** Numbers of the transactions in it. */
  readonly numbers: number[];
}

/**
 * Cache of transactions of the best chain in one form, by their numbers: those that were queried again and serialized last. Transactions
 * that are queried once, as during walks through complete histories, are not worth the memory.
 *
 * Blocks on top do not change a transaction, so all entries are kept until a reorganization. Returned bytes stay unchanged: a segment is
 * filled once, and released as a unit.
 */
export class WrittenTransactions {
  readonly #transactions = new Map<number, WrittenTransaction>();
  readonly #segments: Segment[] = [];
  readonly #maximumSegments: number;
  /** Numbers, plus one, of recent misses. */
  readonly #seen = new Uint32Array(seenPlaces);
  #reorganisations = Number.NaN;

  constructor(maximum: number = maximumBytes) {
    this.#maximumSegments = Math.max(1, Math.floor(maximum / segmentBytes));
  }

  /** Drops what may have changed by now. */
  refresh(reorganisations: number): void {
    if (reorganisations === this.#reorganisations) return;
    this.#transactions.clear();
    this.#segments.length = 0;
    this.#reorganisations = reorganisations;
  }

  find(number: number): WrittenTransaction | undefined {
    return this.#transactions.get(number);
  }

  /** Returns whether an uncached transaction was missed recently as well, and records this miss. */
  isMissedAgain(number: number): boolean {
    const place = number % seenPlaces;
    const isSeen = this.#seen[place] === number + 1;
    this.#seen[place] = number + 1;
    return isSeen;
  }

  /** Caches a transaction whose bytes are valid until something else is serialized, and returns it with bytes of its own. */
  keep(number: number, { txid, block, bytes }: WrittenTransaction): WrittenTransaction {
    if (bytes.length > maximumTransactionBytes) return { txid, block, bytes: Buffer.from(bytes) };
    const segment = this.#segmentFor(bytes.length);
    const end = segment.length + bytes.length;
    segment.bytes.set(bytes, segment.length);
    const kept: WrittenTransaction = { txid, block, bytes: segment.bytes.subarray(segment.length, end) };
    segment.length = end;
    segment.numbers.push(number);
    this.#transactions.set(number, kept);
    return kept;
  }

  #segmentFor(length: number): Segment {
    const last = this.#segments.at(-1);
    if (last !== undefined && last.length + length <= segmentBytes) return last;
    if (this.#segments.length === this.#maximumSegments) this.#forgetOldest();
    const segment: Segment = { bytes: Buffer.allocUnsafeSlow(segmentBytes), length: 0, numbers: [] };
    this.#segments.push(segment);
    return segment;
  }

  #forgetOldest(): void {
    for (const number of this.#segments.shift()?.numbers ?? []) this.#transactions.delete(number);
  }
}
