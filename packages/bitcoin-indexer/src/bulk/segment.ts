import { HeaderWork } from "../chain/header-work.ts";
import { blockColumn } from "./batch-memory.ts";
import { BlockCopier } from "./block-copier.ts";
import { BlockPlacer } from "./block-placer.ts";
import { type BatchCursor, BlockJoiner } from "./block-joiner.ts";
import type { BulkJournal } from "./bulk-journal.ts";
import type { BulkLimits, BulkTarget } from "./bulk-target.ts";
import type { BlockInFile } from "../source/chain-in-files.ts";
import type { Sorters } from "./joined-rows.ts";
import { readWordFile } from "./run-file.ts";
import { UnspentOutputs } from "./unspent-outputs.ts";

/** Options of a segment. */
export interface SegmentOptions {
  readonly target: BulkTarget;
  readonly limits: BulkLimits;
  readonly sorters: Sorters;
  /** Journal to resume from. */
  readonly journal: BulkJournal;
  readonly filesDirectory: string;
  /** XOR mask of the source's files. */
  readonly mask: Uint8Array;
}

/** Maximum fraction of the arena with unspent outputs, above which the oldest ones are spilled. */
const maximumUnspentFraction = 0.5;
/** Maximum fraction of a compacted arena that is used, above which a new segment begins. */
const maximumCompactFraction = 0.75;

/** Joiner of blocks between two journals, as many as memory and the work that a crash may cost allow. */
export class Segment {
  readonly copier: BlockCopier;
  readonly unspent: UnspentOutputs;
  readonly joiner: BlockJoiner;
  readonly #placer: BlockPlacer;
  readonly #limits: BulkLimits;
  readonly #sorters: Sorters;
  /** Bytes of blocks since the last journal. */
  #bytes = 0;
  /** Bytes of the unspent outputs in the last journal. */
  #journalBytes = 0;

  constructor({ target, limits, sorters, journal, filesDirectory, mask }: SegmentOptions) {
    const { environment, network, addressesOf, blocksInPlace } = target;
    this.#limits = limits;
    this.#sorters = sorters;
    this.copier = new BlockCopier(target.blocksDirectory, journal.blocksEnd);
    this.#placer = new BlockPlacer({ environment, copier: this.copier, blocksInPlace, mask });
    this.unspent = new UnspentOutputs(environment, limits.unspentWords, journal.spilled, sorters.unspent);
    if (journal.unspent !== undefined) this.unspent.arena.load(readWordFile(filesDirectory, journal.unspent));
    const headerWork = new HeaderWork(network);
    this.joiner = new BlockJoiner({ environment, unspent: this.unspent, sorters, headerWork, addressesOf }, journal);
  }

  /** Returns whether another block may be joined before a journal is written. */
  hasCapacityFor(words: Uint32Array, block: number): boolean {
    if (this.#bytes >= Math.max(this.#limits.segmentBytes, this.#journalBytes * 4)) return false;
    if (Object.values(this.#sorters).some((sorter) => sorter.isFull)) return false;
    const { arena } = this.unspent;
    const needed = BlockJoiner.wordsFor(words, block);
    if (arena.end + needed <= arena.capacity) return true;
    arena.compact();
    return arena.end + needed <= arena.capacity && arena.end <= arena.capacity * maximumCompactFraction;
  }

  /** Frees space for a block that does not fit in an arena which was just settled. */
  makeSpace(words: Uint32Array, block: number): void {
    this.unspent.arena.reserve(BlockJoiner.wordsFor(words, block));
  }

  /** Joins a block. Returns false when it is invalid. */
  join(cursor: BatchCursor, block: number, file: BlockInFile): boolean {
    const { words, bytes } = cursor.batch;
    const address = words[block + blockColumn.address] ?? 0;
    this.#bytes += file.length;
    return this.joiner.join(cursor, block, file, () => this.#placer.place(bytes, address, file));
  }

  /** Returns the unspent outputs in memory, few enough to leave space for many more: they are listed in a journal. */
  settle(): Uint32Array {
    const { arena } = this.unspent;
    arena.compact();
    const maximum = Math.floor(this.#limits.unspentWords * maximumUnspentFraction);
    if (arena.end > maximum) this.unspent.spill(maximum);
    this.#bytes = 0;
    this.#journalBytes = arena.end * 4;
    return arena.words.subarray(0, arena.end);
  }
}
