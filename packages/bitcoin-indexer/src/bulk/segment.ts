import { resolve } from "node:path";
import { toHex } from "@nodewright/bitcoin-primitives";
import { HeaderWork } from "../chain/header-work.ts";
import type { Environment } from "../store/environment.ts";
import { firstSourceFile, maximumTransactionNumber, sourceFiles } from "../store/layout.ts";
import { blockColumn } from "./batch-memory.ts";
import { BlockCopier } from "./block-copier.ts";
import { type BatchCursor, BlockJoiner } from "./block-joiner.ts";
import type { BulkJournal } from "./bulk-journal.ts";
import type { BulkLimits, BulkTarget } from "./bulk-target.ts";
import type { BlockInFile } from "../source/chain-in-files.ts";
import type { Sorters } from "./joined-rows.ts";
import { readWordFile } from "./run-file.ts";
import { UnspentOutputs } from "./unspent-outputs.ts";

export interface SegmentOptions {
  readonly target: BulkTarget;
  readonly limits: BulkLimits;
  readonly sorters: Sorters;
  /** To go on from. */
  readonly journal: BulkJournal;
  readonly filesDirectory: string;
  /** What the source's files are masked with. */
  readonly mask: Uint8Array;
}

/** Part of the arena that may be unspent before the oldest are spilled, so that there is room to go on. */
const fullestArena = 0.5;
/** Part of the arena that a compact one may take without a new segment being begun. */
const fullestCompactArena = 0.75;

/** Joins blocks between two journals, as many as memory and the work that a crash may cost allow. */
export class Segment {
  readonly copier: BlockCopier;
  readonly unspent: UnspentOutputs;
  readonly joiner: BlockJoiner;
  readonly #environment: Environment;
  readonly #limits: BulkLimits;
  readonly #sorters: Sorters;
  readonly #blocksInPlace: boolean;
  readonly #mask: Uint8Array;
  /** Numbers by path. */
  readonly #sourceFiles = new Map<string, number>();
  #nextSourceFile = firstSourceFile;
  /** Of blocks, since the last journal. */
  #bytes = 0;
  /** Of the unspent outputs in the last journal. */
  #journalBytes = 0;

  constructor({ target, limits, sorters, journal, filesDirectory, mask }: SegmentOptions) {
    const { environment, network, addressesOf } = target;
    this.#environment = environment;
    this.#limits = limits;
    this.#sorters = sorters;
    this.#blocksInPlace = target.blocksInPlace;
    this.#mask = mask;
    this.copier = new BlockCopier(target.blocksDirectory, journal.blocksEnd);
    this.unspent = new UnspentOutputs(environment, limits.unspentWords, journal.spilled, sorters.unspent);
    if (journal.unspent !== undefined) this.unspent.arena.load(readWordFile(filesDirectory, journal.unspent));
    const headerWork = new HeaderWork(network);
    this.joiner = new BlockJoiner({ environment, unspent: this.unspent, sorters, headerWork, addressesOf }, journal);
    if (this.#blocksInPlace) this.#readSourceFiles();
  }

  /** Whether another block may be joined before a journal is written. */
  hasRoomFor(words: Uint32Array, block: number): boolean {
    if (this.#bytes >= Math.max(this.#limits.segmentBytes, this.#journalBytes * 4)) return false;
    if (Object.values(this.#sorters).some((sorter) => sorter.isFull)) return false;
    const { arena } = this.unspent;
    const needed = BlockJoiner.wordsFor(words, block);
    if (arena.end + needed <= arena.capacity) return true;
    arena.compact();
    return arena.end + needed <= arena.capacity && arena.end <= arena.capacity * fullestCompactArena;
  }

  /** For a block that finds none in an arena which was just settled. */
  makeRoom(words: Uint32Array, block: number): void {
    this.unspent.arena.reserve(BlockJoiner.wordsFor(words, block));
  }

  /** False when the block is bad. */
  join(cursor: BatchCursor, block: number, file: BlockInFile): boolean {
    const { words, bytes } = cursor.batch;
    const address = words[block + blockColumn.address] ?? 0;
    this.#bytes += file.length;
    return this.joiner.join(cursor, block, file, () => {
      if (file.position !== undefined) return file.position;
      if (this.#blocksInPlace && file.isPlain) return { file: this.#sourceFile(file.path), offset: file.offset };
      return this.copier.append(bytes, address, file.length);
    });
  }

  /** The unspent outputs in memory, as few as leave room for many more: what a journal names. */
  settle(): Uint32Array {
    const { arena } = this.unspent;
    arena.compact();
    const most = Math.floor(this.#limits.unspentWords * fullestArena);
    if (arena.end > most) this.unspent.spill(most);
    this.#bytes = 0;
    this.#journalBytes = arena.end * 4;
    return arena.words.subarray(0, arena.end);
  }

  #sourceFile(path: string): number {
    const known = this.#sourceFiles.get(path);
    if (known !== undefined) return known;
    const absolute = resolve(path);
    const file = this.#sourceFiles.get(absolute) ?? this.#nextSourceFile;
    this.#nextSourceFile = Math.max(this.#nextSourceFile, file + 1);
    this.#environment.put(sourceFiles, [file], { path: absolute, mask: this.#mask });
    this.#sourceFiles.set(absolute, file);
    this.#sourceFiles.set(path, file);
    return file;
  }

  #readSourceFiles(): void {
    const range = { start: sourceFiles.key(firstSourceFile), end: sourceFiles.key(maximumTransactionNumber) };
    for (const [index, { value }] of this.#environment.rows(sourceFiles, range).entries()) {
      const { path, mask } = sourceFiles.decode(value, firstSourceFile + index);
      this.#nextSourceFile = firstSourceFile + index + 1;
      // A file that was masked otherwise is another file.
      if (toHex(mask) === toHex(this.#mask)) this.#sourceFiles.set(path, firstSourceFile + index);
    }
  }
}
