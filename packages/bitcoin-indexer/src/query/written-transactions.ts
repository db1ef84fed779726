import type { WrittenTransaction } from "./chain-queries.ts";

/** What is taken from the system at once, and given back at once. */
const segmentBytes = 1024 * 1024;

/** Of all segments; what is kept beside them of each transaction is a tenth of that. */
const maximumBytes = 32 * 1024 * 1024;

/** Longer ones are written anew each time: a few of them would drive out all others. */
const maximumTransactionBytes = 64 * 1024;

/** About as many as are kept: who walks through more of them than that finds none again. */
const seenPlaces = 8_192;

interface Segment {
  readonly bytes: Buffer;
  length: number;
  /** Of the transactions that stand in it. */
  readonly numbers: number[];
}

/**
 * Transactions of the best chain in one form, by their numbers: those that were asked for again and written last. What is asked for once,
 * as by those who walk through whole histories, is not worth the memory.
 *
 * Blocks on top change nothing of a transaction, so all is kept until a reorganisation. Bytes that were given out stay as they are: a
 * segment is filled once, and let go of as a whole.
 */
export class WrittenTransactions {
  readonly #transactions = new Map<number, WrittenTransaction>();
  readonly #segments: Segment[] = [];
  readonly #maximumSegments: number;
  /** Numbers, and one more each, that were missed lately. */
  readonly #seen = new Uint32Array(seenPlaces);
  #reorganisations = Number.NaN;

  constructor(maximum: number = maximumBytes) {
    this.#maximumSegments = Math.max(1, Math.floor(maximum / segmentBytes));
  }

  /** Forgets what may have changed by now. */
  refresh(reorganisations: number): void {
    if (reorganisations === this.#reorganisations) return;
    this.#transactions.clear();
    this.#segments.length = 0;
    this.#reorganisations = reorganisations;
  }

  find(number: number): WrittenTransaction | undefined {
    return this.#transactions.get(number);
  }

  /** Whether a transaction that is not kept was missed lately as well; from now on it was. */
  isMissedAgain(number: number): boolean {
    const place = number % seenPlaces;
    const isSeen = this.#seen[place] === number + 1;
    this.#seen[place] = number + 1;
    return isSeen;
  }

  /** Gives a transaction whose bytes are valid until something else is written with bytes of its own, and remembers it. */
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
