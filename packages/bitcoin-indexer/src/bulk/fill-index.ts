import { existsSync } from "node:fs";
import { setImmediate as nextTimeSlice } from "node:timers/promises";
import { IndexerError } from "../basics/indexer-error.ts";
import type { Environment, WriteTransaction } from "../store/environment.ts";
import { type BlockPosition, emptyTip, tips } from "../store/layout.ts";
import { abandonBulk, dropBulkTables } from "./abandon-bulk.ts";
import { BatchCursor } from "./block-joiner.ts";
import { BulkFiles } from "./bulk-files.ts";
import { type BulkJournal, emptyJournal, type SortedTable, sortedTables } from "./bulk-journal.ts";
import { ChainBatches } from "./chain-batches.ts";
import { bulkJournals, bulkTables } from "./bulk-tables.ts";
import { type BulkLimits, type BulkTarget, defaultBulkLimits } from "./bulk-target.ts";
import type { ChainInFiles } from "../source/chain-in-files.ts";
import { createSorters, recordShapes, type Sorters } from "./joined-rows.ts";
import { MergedRuns } from "./merged-runs.ts";
import { readWordFile, type WordFile } from "./run-file.ts";
import { ScanPool, type ScannedBatch } from "./scan-pool.ts";
import { Segment } from "./segment.ts";
import { createRowMakers, type RowMaker } from "./sorted-tables.ts";
import { UnspentOutputs } from "./unspent-outputs.ts";

/** Progress since the last report. */
export interface BulkAdvance {
  /** Progress of the complete work, in blocks of the chain: at the tip when the index is complete. */
  readonly height: number;
  /** Increase of `height` since the last report. */
  readonly blocks: number;
  readonly transactions: number;
  readonly bytes: number;
}

export interface FillIndexOptions {
  readonly target: BulkTarget;
  readonly chain: ChainInFiles;
  readonly signal: AbortSignal;
  readonly limits?: Partial<BulkLimits> | undefined;
  readonly onAdvance?: ((advance: BulkAdvance) => void) | undefined;
}

/**
 * Fills an empty index with the best chain of block files, and makes it visible when it is complete.
 *
 * A start after a crash resumes from the last journal. Ends below the first block that is bad: continuing there block by block reports what
 * is wrong with it. Returns whether the index is complete; it is not when `signal` was aborted, or when the first block is bad.
 */
export async function fillIndex(options: FillIndexOptions): Promise<boolean> {
  const filler = new IndexFiller(options);
  try {
    return await filler.run();
  } finally {
    await filler.close();
  }
}

/** Returns whether the blocks of a chain above `height` are long enough to be worth the start of threads. */
export function isWorthBulk(chain: ChainInFiles, height: number, minimumBytes: number): boolean {
  let bytesLeft = minimumBytes;
  for (let at = height + 1; at <= chain.height && bytesLeft > 0; at += 1) bytesLeft -= chain.blockAt(at).length;
  return bytesLeft <= 0;
}

/** Returns the bytes from which a chain is worth it: 0 where an index was begun in bulk already. */
export function minimumOf(target: BulkTarget, limits?: Partial<BulkLimits>): number {
  return existsSync(target.bulkDirectory) ? 0 : (limits?.minimumBytes ?? defaultBulkLimits.minimumBytes);
}

/** Fraction of the work that is done when all blocks are joined. The rest builds the sorted tables. */
const joiningShare = 0.6;

class IndexFiller {
  readonly #target: BulkTarget;
  readonly #environment: Environment;
  readonly #chain: ChainInFiles;
  readonly #signal: AbortSignal;
  readonly #limits: BulkLimits;
  readonly #onAdvance: (advance: BulkAdvance) => void;
  readonly #files: BulkFiles;
  #sorters: Sorters;
  #journal: BulkJournal = emptyJournal;
  #transaction: WriteTransaction | undefined;
  readonly #batches: ChainBatches;
  /** Words of the remaining runs at the start of the table building, and of those that became tables since. */
  #wordsLeft = 0;
  #wordsDone = 0;
  /** Last reported height. */
  #reportedHeight = -1;
  #pool: ScanPool | undefined;

  constructor({ target, chain, signal, limits, onAdvance }: FillIndexOptions) {
    this.#target = target;
    this.#environment = target.environment;
    this.#chain = chain;
    this.#signal = signal;
    this.#limits = { ...defaultBulkLimits, ...limits };
    this.#batches = new ChainBatches(chain, this.#limits.batchBytes);
    this.#onAdvance = onAdvance ?? (() => undefined);
    this.#files = new BulkFiles(target.bulkDirectory);
    this.#sorters = createSorters(this.#limits.sorterWords);
  }

  async run(): Promise<boolean> {
    this.#resume();
    this.#chain.growth?.taken(this.#journal.height);
    this.#reportedHeight = this.#heightOf(this.#joinedShare(this.#journal.height));
    while (this.#journal.making === undefined) {
      if (!(await this.#reaches(this.#journal.height + 1))) await this.#gatherUnspent();
      else if (!(await this.#joinBlocks())) return false;
    }
    if (this.#journal.height === -1) {
      abandonBulk(this.#target);
      return false;
    }
    if (!(await this.#makeTables())) return false;
    this.#finish();
    return true;
  }

  async close(): Promise<void> {
    await this.#pool?.close();
    await this.#transaction?.cancel();
    this.#transaction = undefined;
  }

  /** Returns the highest available height. */
  #lastHeight(): number {
    return Math.min(this.#journal.lastHeight ?? this.#chain.height, this.#chain.height);
  }

  /** Returns whether there is, or will be, a block to join at this height. Waits until that is known. */
  async #reaches(height: number): Promise<boolean> {
    if (height <= this.#lastHeight()) return true;
    if (this.#journal.lastHeight !== undefined && height > this.#journal.lastHeight) return false;
    return (await this.#chain.growth?.reaches(height)) === true;
  }

  /** Resumes from the last journal, when all its files still exist and its block is on the source's best chain. */
  #resume(): void {
    for (const table of bulkTables) this.#environment.addTable(table);
    const journal = this.#environment.get(bulkJournals);
    if (journal === undefined) return;
    const { height, hash } = journal;
    const isOnChain =
      height === -1 ||
      (height <= this.#chain.height && Buffer.from(this.#chain.blockAt(height).hash).toString("hex") === hash);
    if (isOnChain && this.#files.hasAll(journal)) {
      this.#journal = journal;
      this.#files.resume(journal);
      return;
    }
    abandonBulk(this.#target);
    this.#files.create();
    for (const table of bulkTables) this.#environment.addTable(table);
  }

  /** Joins blocks until the chain ends, which returns true, or the signal is aborted. Writes journals meanwhile. */
  async #joinBlocks(): Promise<boolean> {
    const segment = new Segment({
      target: this.#target,
      limits: this.#limits,
      sorters: this.#sorters,
      journal: this.#journal,
      filesDirectory: this.#files.directory,
      mask: this.#chain.mask,
    });
    const pool = new ScanPool(this.#limits.threads, this.#chain.mask);
    this.#pool = pool;
    this.#begin();
    let next = this.#journal.height + 1;
    try {
      for (;;) {
        while (next <= this.#lastHeight() && pool.hasCapacity) {
          next = this.#batches.order(pool, next, this.#lastHeight());
        }
        if (pool.isIdle) {
          if (await this.#reachesOrKeeps(next, segment)) continue;
          break;
        }
        const batch = await pool.take();
        if (!(await this.#joinBatch(batch, segment))) return await this.#endBelowBadBlock(segment);
        pool.release();
        if (this.#signal.aborted) {
          await this.#commitSegment(segment);
          return false;
        }
      }
      await this.#commitSegment(segment);
      return true;
    } finally {
      await pool.close();
      this.#pool = undefined;
      segment.copier.close();
    }
  }

  /** Does the same as `#reaches`, but keeps the joined blocks when that cannot be determined. */
  async #reachesOrKeeps(height: number, segment: Segment): Promise<boolean> {
    try {
      return await this.#reaches(height);
    } catch (reason) {
      await this.#commitSegment(segment);
      throw reason;
    }
  }

  /** Joins a batch. Returns false when a block is bad. */
  async #joinBatch(batch: ScannedBatch, segment: Segment): Promise<boolean> {
    const cursor = new BatchCursor(batch);
    const first = segment.joiner.chain.nextTransactionNumber;
    let bytes = 0;
    for (let block = cursor.next(); block !== undefined; block = cursor.next()) {
      if (!segment.hasCapacityFor(batch.words, block)) {
        await this.#commitSegment(segment);
        this.#begin();
        segment.makeSpace(batch.words, block);
      }
      const file = this.#chain.blockAt(segment.joiner.chain.height + 1);
      if (!segment.join(cursor, block, file)) return false;
      bytes += file.length;
    }
    segment.copier.flush();
    const { height, nextTransactionNumber } = segment.joiner.chain;
    this.#chain.growth?.taken(height);
    this.#notify(this.#joinedShare(height), nextTransactionNumber - first, bytes);
    return true;
  }

  /** Discards everything joined since the last journal, because it includes a part of the bad block. */
  async #endBelowBadBlock(segment: Segment): Promise<boolean> {
    const lastHeight = segment.joiner.chain.height;
    await this.#transaction?.cancel();
    this.#transaction = undefined;
    if ((await this.#chain.growth?.discardIfDoubtful(lastHeight + 1)) === true) {
      throw new IndexerError("bad-block", `Block ${lastHeight + 1} came damaged from its source. Trying again.`, {
        retry: true,
      });
    }
    this.#sorters = createSorters(this.#limits.sorterWords);
    this.#journal = { ...this.#journal, lastHeight };
    this.#environment.write(() => this.#environment.put(bulkJournals, [], this.#journal));
    this.#files.deleteUnlisted(this.#journal);
    return true;
  }

  /** Writes a journal of everything joined so far. */
  async #commitSegment(segment: Segment): Promise<void> {
    segment.copier.sync();
    const unspent = segment.settle();
    const { joiner } = segment;
    joiner.writeOpenRows();
    const { chainWork, ...chain } = joiner.chain;
    const { growth } = this.#chain;
    growth?.sync();
    const blocksEnd = growth === undefined ? segment.copier.end : this.#endAt(chain.height);
    const runs = this.#files.writeRuns(this.#sorters, this.#journal.runs);
    const unspentFile = this.#files.write("memory", unspent);
    // Blocks that are loaded and not joined yet are kept as well.
    this.#environment.put(tips, [], { ...emptyTip, blocksEnd: growth?.end ?? blocksEnd });
    await this.#commit({
      ...this.#journal,
      ...chain,
      chainWork: chainWork.toString(),
      blocksEnd,
      unspent: unspentFile,
      spilled: segment.unspent.spilled,
      repeated: joiner.repeated,
      runs,
    });
  }

  /** Returns the position of the next block after that at `height`, for a chain in the index's own files. */
  #endAt(height: number): BlockPosition {
    const block = height === -1 ? undefined : this.#chain.blockAt(height);
    if (block?.position === undefined) return { file: 0, offset: 0 };
    return { file: block.position.file, offset: block.position.offset + block.length };
  }

  /** Adds the records of the outputs that are unspent when all blocks are joined. */
  async #gatherUnspent(): Promise<void> {
    const { unspent: file, spilled } = this.#journal;
    let { runs } = this.#journal;
    this.#begin();
    const unspent = new UnspentOutputs(this.#environment, file?.words ?? 0, spilled, this.#sorters.unspent);
    if (file !== undefined) unspent.arena.load(readWordFile(this.#files.directory, file));
    for (const _ of unspent.addRows()) {
      if (!this.#sorters.unspent.isFull) continue;
      runs = this.#files.writeRuns(this.#sorters, runs);
      await nextTimeSlice();
    }
    runs = this.#files.writeRuns(this.#sorters, runs);
    for (const sorter of Object.values(this.#sorters)) sorter.clear();
    const { unspent: _, ...journal } = this.#journal;
    await this.#commit({ ...journal, runs, making: { table: 0, records: 0 } });
  }

  /** Builds tables from sorted runs, one after the other. Returns false when the signal was aborted. */
  async #makeTables(): Promise<boolean> {
    const makers = createRowMakers();
    const left = Object.values(this.#journal.runs).flat();
    this.#wordsLeft = left.reduce((sum, { words }) => sum + words, 0);
    for (let table = this.#journal.making?.table ?? 0; table < sortedTables.length; table += 1) {
      const name = sortedTables[table];
      if (name === undefined) break;
      await this.#reduceRuns(name);
      if (!(await this.#makeTable(table, name, makers[name]))) return false;
    }
    return true;
  }

  async #makeTable(table: number, name: SortedTable, make: RowMaker): Promise<boolean> {
    const records = new MergedRuns(this.#files.directory, this.#journal.runs[name], recordShapes[name]);
    try {
      const done = this.#journal.making?.records ?? 0;
      let isLeft = records.next();
      for (let skipped = 0; skipped < done && isLeft; skipped += 1) isLeft = records.next();
      let count = done;
      let rows = 0;
      this.#begin();
      while (isLeft) {
        const made = make(records, (target, key, value) => {
          this.#environment.putBytes(target, key, value, true);
          rows += 1;
        });
        count += made.count;
        isLeft = made.isLeft;
        if (rows < this.#limits.rowsPerTransaction || !isLeft) continue;
        await this.#commit({ ...this.#journal, making: { table, records: count } });
        this.#reportTables(name, count - done);
        await nextTimeSlice();
        if (this.#signal.aborted) return false;
        rows = 0;
        this.#begin();
      }
      const runs = { ...this.#journal.runs, [name]: [] };
      await this.#commit({ ...this.#journal, runs, making: { table: table + 1, records: 0 } });
      this.#reportTables(name, count - done);
      this.#wordsDone += (count - done) * recordShapes[name].width;
      return true;
    } finally {
      records.close();
    }
  }

  /** Merges runs until the rest can be merged at once. */
  async #reduceRuns(name: SortedTable): Promise<void> {
    const shape = recordShapes[name];
    const most = this.#limits.runsPerMerge;
    while (this.#journal.runs[name].length > most) {
      const runs = this.#journal.runs[name];
      const merged = this.#files.merge(name, runs.slice(0, most), shape);
      // The merged run replaces its inputs: records with equal keys stay in order.
      const left: readonly WordFile[] = [merged, ...runs.slice(most)];
      this.#begin();
      await this.#commit({ ...this.#journal, runs: { ...this.#journal.runs, [name]: left } });
      await nextTimeSlice();
    }
  }

  /** Makes the index visible to readers. */
  #finish(): void {
    const { height, nextTransactionNumber, blocksEnd } = this.#journal;
    this.#environment.write(() => {
      this.#environment.put(tips, [], { height, nextTransactionNumber, blocksEnd, changes: 1, reorganisations: 0 });
      this.#environment.remove(bulkJournals);
    });
    dropBulkTables(this.#environment);
    this.#target.finish();
    this.#files.remove();
  }

  /** Returns the fraction of the work that is done when blocks are joined up to this height. */
  #joinedShare(height: number): number {
    return (joiningShare * (height + 1)) / (this.#aim() + 1);
  }

  /** Reports table progress. `records`: of the table that is being built, since this start. */
  #reportTables(name: SortedTable, records: number): void {
    const words = this.#wordsDone + records * recordShapes[name].width;
    const made = this.#wordsLeft === 0 ? 1 : Math.min(1, words / this.#wordsLeft);
    this.#notify(joiningShare + (1 - joiningShare) * made, 0, 0);
  }

  #notify(share: number, transactions: number, bytes: number): void {
    const height = this.#heightOf(share);
    this.#onAdvance({ height, blocks: height - this.#reportedHeight, transactions, bytes });
    this.#reportedHeight = height;
  }

  #heightOf(share: number): number {
    return Math.floor(share * (this.#aim() + 1)) - 1;
  }

  /** Returns the height that the index will have. */
  #aim(): number {
    const height = this.#chain.growth?.aim ?? this.#chain.height;
    return Math.min(this.#journal.lastHeight ?? height, height);
  }

  #begin(): void {
    this.#transaction = this.#environment.begin();
  }

  async #commit(journal: BulkJournal): Promise<void> {
    const next = { ...journal, nextFile: this.#files.next };
    this.#environment.put(bulkJournals, [], next);
    const transaction = this.#transaction;
    this.#transaction = undefined;
    await transaction?.commit();
    this.#journal = next;
    this.#files.deleteUnlisted(next);
  }
}
