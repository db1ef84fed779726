import type { TableReads } from "./environment.ts";
import { blockStarts, blockStartsPerRow, type TipRow } from "./layout.ts";

/**
 * Map from transaction numbers to heights, from the first numbers of all blocks, held in memory: four bytes a block.
 *
 * It must be brought to the state of the tables before use; loaded entries stay valid until a reorganization.
 */
export class BlockPlaces {
  #starts = new Uint32Array(1024);
  /** Number of blocks in `#starts`. */
  #count = 0;
  #nextTransactionNumber = 0;
  #changes = -1;
  #reorganisations = -1;
  #reads: TableReads | undefined;

  /** Brings it to the state of `tip`. */
  refresh(reads: TableReads, tip: TipRow): void {
    this.#reads = reads;
    if (tip.changes === this.#changes) return;
    const isKept = tip.reorganisations === this.#reorganisations && tip.height + 1 >= this.#count;
    this.#load(reads, isKept ? this.#count : 0, tip.height + 1);
    this.#nextTransactionNumber = tip.nextTransactionNumber;
    this.#changes = tip.changes;
    this.#reorganisations = tip.reorganisations;
  }

  /** Adds blocks on top that are not committed yet, by their first numbers. */
  append(starts: readonly number[], nextTransactionNumber: number): void {
    this.#changes = -1;
    this.#nextTransactionNumber = nextTransactionNumber;
    this.#reserve(this.#count + starts.length);
    this.#starts.set(starts, this.#count);
    this.#count += starts.length;
  }

  /** Removes the blocks above `height`, before that is committed. */
  cutTo(height: number): void {
    this.#changes = -1;
    this.#reorganisations = -1;
    if (height + 1 >= this.#count) return;
    this.#nextTransactionNumber = this.#starts[height + 1] ?? 0;
    this.#count = height + 1;
  }

  /** Records that the appends and cuts are committed now, as the state of `tip`. */
  settle(tip: TipRow): void {
    this.#changes = tip.changes;
    this.#reorganisations = tip.reorganisations;
  }

  /** Discards uncommitted entries. */
  forget(): void {
    this.#changes = -1;
    this.#reorganisations = -1;
  }

  /** Returns the height of the block that contains a transaction of the best chain. Throws for an unused number. */
  heightOf(transactionNumber: number): number {
    if (transactionNumber >= this.#nextTransactionNumber) {
      const reason = `there is no transaction ${transactionNumber}`;
      throw this.#reads?.damaged(reason) ?? new Error(reason);
    }
    let low = 0;
    let high = this.#count;
    // The last block that starts at or below the number.
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= transactionNumber) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Returns whether the transaction is its block's first. */
  isCoinbase(transactionNumber: number): boolean {
    return this.#starts[this.heightOf(transactionNumber)] === transactionNumber;
  }

  /** Returns the number of a block's coinbase. */
  firstNumberOf(height: number): number | undefined {
    return height < this.#count ? this.#starts[height] : undefined;
  }

  #load(reads: TableReads, from: number, count: number): void {
    this.#reserve(count);
    for (let row = Math.floor(from / blockStartsPerRow); row * blockStartsPerRow < count; row += 1) {
      this.#starts.set(reads.get(blockStarts, row) ?? [], row * blockStartsPerRow);
    }
    this.#count = count;
  }

  #reserve(count: number): void {
    // A row is set completely, also where fewer blocks are counted.
    const needed = count + blockStartsPerRow;
    if (needed <= this.#starts.length) return;
    const larger = new Uint32Array(Math.max(this.#starts.length * 2, needed));
    larger.set(this.#starts);
    this.#starts = larger;
  }
}
