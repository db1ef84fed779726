import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { IndexerError, type IndexerErrorOptions } from "../basics/indexer-error.ts";
import { applyMask } from "./block-file.ts";
import { checksumOf } from "./checksum.ts";
import { type DamagedBlock, maximumReports, reportDamage } from "./damage-reports.ts";
import { damagedTables } from "./damaged-tables.ts";
import type { DataDirectory } from "./data-directory.ts";
import { type BlockPosition, type BlockRow, firstSourceFile, type SourceFileRow } from "./layout.ts";

/** Bytes before each block: the network's magic and the block's length, as in the files of Bitcoin nodes. */
export const blockPrefixLength = 8;

/** Length in bytes above which a file receives no further block. */
export const maximumFileLength: number = 128 * 1024 * 1024;

/** Consensus: maximum bytes of a block. */
const maximumBlockLength = 4_000_000;

/** Maximum number of files that a reader keeps open. */
const maximumOpenFiles = 128;

/**
 * Function that returns how damaged blocks in the index's own files are repaired, as the end of a sentence for the operator; `undefined`
 * when nothing repairs them now.
 */
export type RepairHint = () => string | undefined;

/** Function that finds the row of `sourceFiles` with this number. */
export type FindSourceFile = (file: number) => SourceFileRow | undefined;

/** Part of a block, with the checksum of its bytes. */
export interface CheckedPart {
  /** Offset from the block's first byte. */
  readonly offset: number;
  readonly size: number;
  /** `checksumOf` the bytes as they were indexed. */
  readonly checksum: number;
}

/** Returns a complete block as a part. */
export function completeBlock({ size, checksum }: Pick<BlockRow, "size" | "checksum">): CheckedPart {
  return { offset: 0, size, checksum };
}

interface OpenFile {
  readonly path: string;
  readonly descriptor: number;
  readonly mask: Uint8Array;
}

/** Reader of blocks from the index's own block files and from those of the node that it reads in place, in any process. */
export class BlockFileReader {
  readonly #directory: DataDirectory;
  readonly #findSourceFile: FindSourceFile;
  readonly #repairHint: RepairHint;
  readonly #open = new Map<number, OpenFile>();
  /** Times of the latest reports, by position; as many as reports are kept. */
  readonly #reported = new LRUCache<string, number>({ max: maximumReports });

  constructor(directory: DataDirectory, findSourceFile: FindSourceFile, repairHint: RepairHint = () => undefined) {
    this.#directory = directory;
    this.#findSourceFile = findSourceFile;
    this.#repairHint = repairHint;
  }

  /**
   * Reads a part of the block at `position`, and checks it.
   *
   * Throws `IndexerError` when the file does not contain the bytes that were indexed: it was deleted, truncated or changed since.
   */
  read(position: BlockPosition, part: CheckedPart): Buffer {
    const bytes = Buffer.allocUnsafe(this.checkLength(part.size));
    this.readInto(bytes, 0, position, part.offset, part.size);
    this.check(bytes, position, part);
    return bytes;
  }

  /** Returns the length of a part of a block. Throws `IndexerError` for an impossible length: it comes from a damaged row. */
  checkLength(length: number): number {
    if (length >= 0 && length <= maximumBlockLength) return length;
    throw damagedTables(this.#directory.index, `a part of a block has ${length} bytes`);
  }

  /**
   * Reads `length` bytes from byte `start` of the block at `position` into existing bytes, from `at` on. They must not be used before
   * `check` has accepted the part that they belong to.
   */
  readInto(bytes: Buffer, at: number, position: BlockPosition, start: number, length: number): void {
    const file = this.#fileOf(position, start);
    const offset = position.offset + start;
    let count = 0;
    while (count < length) {
      const read = this.#readSome(bytes, at + count, length - count, position, start + count);
      if (read === 0) {
        throw this.#damaged(position, start, `it ends before byte ${offset + length}, where a block ends`);
      }
      count += read;
    }
    if (file.mask.length > 0) applyMask(bytes.subarray(at, at + length), file.mask, offset);
  }

  /** Throws `IndexerError` when the bytes of a part are not those that were indexed. */
  check(bytes: Uint8Array, position: BlockPosition, { offset, size, checksum }: CheckedPart): void {
    if (checksumOf(bytes) === checksum) return;
    const start = position.offset + offset;
    throw this.#damaged(position, offset, `its bytes ${start} to ${start + size - 1} were changed`);
  }

  close(): void {
    for (const { descriptor } of this.#open.values()) closeSync(descriptor);
    this.#open.clear();
  }

  #readSome(bytes: Buffer, at: number, length: number, position: BlockPosition, start: number): number {
    const { descriptor } = this.#fileOf(position, start);
    try {
      return readSync(descriptor, bytes, at, length, position.offset + start);
    } catch (cause) {
      throw this.#damaged(position, start, codeOf(cause), cause);
    }
  }

  #fileOf(position: BlockPosition, start: number): OpenFile {
    let file = this.#open.get(position.file);
    if (file === undefined) {
      if (this.#open.size >= maximumOpenFiles) this.close();
      file = this.#openFile(position, start);
      this.#open.set(position.file, file);
    }
    return file;
  }

  #openFile(position: BlockPosition, start: number): OpenFile {
    const { path, mask } = this.#locate(position.file);
    try {
      return { path, mask, descriptor: openSync(path, "r") };
    } catch (cause) {
      throw this.#damaged(position, start, codeOf(cause), cause);
    }
  }

  #locate(number: number): SourceFileRow {
    if (number < firstSourceFile) return { path: join(this.#directory.blocks, blockFileName(number)), mask: noMask };
    const row = this.#findSourceFile(number);
    if (row === undefined) throw damagedTables(this.#directory.index, `the table source-files has no file ${number}`);
    return row;
  }

  #report(damage: DamagedBlock): void {
    const block = `${damage.position.file}-${damage.position.offset}`;
    const reportedAt = this.#reported.get(block) ?? Number.NEGATIVE_INFINITY;
    if (performance.now() - reportedAt < reportEveryMilliseconds) return;
    this.#reported.set(block, performance.now());
    reportDamage(this.#directory, damage);
  }

  /** Reports a damaged part of a block. A repair may replace the file: it is opened anew. */
  #damaged(position: BlockPosition, start: number, reason: string, cause?: unknown): IndexerError {
    const { path } = this.#locate(position.file);
    const offset = position.offset + start;
    const open = this.#open.get(position.file);
    if (open !== undefined) closeSync(open.descriptor);
    this.#open.delete(position.file);
    this.#report({ position, path, offset, reason });
    // A client that retries may find the block repaired. Files of a node are never written.
    const hint = position.file < firstSourceFile ? this.#repairHint() : undefined;
    return unreadable(path, reason, hint ?? putBack, { cause, place: { file: path, offset }, retry: true });
  }
}

/** Milliseconds between two reports of a block: a damaged one may be read many times in a second. */
const reportEveryMilliseconds = 10_000;

/** Returns the code alone: messages of the file system repeat the path. */
function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "it can't be read";
}

const noMask = new Uint8Array(0);

/** Remedy where no source has the block. */
export const putBack = "put the file back, or delete the data directory to index anew";

function unreadable(path: string, reason: string, wayOut: string, options: IndexerErrorOptions): IndexerError {
  return new IndexerError(
    "block-unreadable",
    `The block file ${path} no longer holds a block that the index knows (${reason}): ${wayOut}.`,
    options,
  );
}

/**
 * Appender of blocks to the index's own files, which contain each block once, in order of arrival.
 *
 * Bytes after the committed end belong to no block: a process was killed between write and commit. They are cut off. A file that is shorter
 * was truncated from outside, because blocks are on the disk before a row refers to them: it is extended with zeros, which no reader takes
 * for the missing blocks, and which are repaired like other damage.
 */
export class BlockFileWriter {
  readonly #directory: string;
  readonly #magic: Uint8Array;
  #end: BlockPosition;
  #waiting: Uint8Array[] = [];
  #waitingLength = 0;

  /** Opens the files. `end` is the position of the next block. */
  constructor(directory: string, magic: Uint8Array, end: BlockPosition) {
    this.#directory = directory;
    this.#magic = magic;
    this.#end = end;
    mkdirSync(directory, { recursive: true });
    this.#cutTo(end);
  }

  /** Position of the next block, once `flush` has written those that wait. */
  get end(): BlockPosition {
    return this.#end;
  }

  /** Queues a block for the next `flush`, and returns its position. The bytes are retained until then. */
  append(block: Uint8Array): BlockPosition {
    if (this.#end.offset >= maximumFileLength) this.#startNextFile();
    const prefix = Buffer.allocUnsafe(blockPrefixLength);
    prefix.set(this.#magic);
    prefix.writeUInt32LE(block.length, 4);
    this.#waiting.push(prefix, block);
    this.#waitingLength += prefix.length + block.length;
    const position = { file: this.#end.file, offset: this.#end.offset + blockPrefixLength };
    this.#end = { file: position.file, offset: position.offset + block.length };
    return position;
  }

  /** Returns when all blocks are on the disk. Only then may a row refer to them. */
  flush(): void {
    if (this.#waitingLength === 0) return;
    const path = join(this.#directory, blockFileName(this.#end.file));
    const isNew = !existsSync(path);
    const descriptor = openSync(path, isNew ? "w+" : "r+");
    try {
      const bytes = Buffer.concat(this.#waiting, this.#waitingLength);
      let position = this.#end.offset - bytes.length;
      for (let written = 0; written < bytes.length; ) {
        const count = writeSync(descriptor, bytes, written, bytes.length - written, position);
        written += count;
        position += count;
      }
      fdatasyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (isNew) syncDirectory(this.#directory);
    this.#waiting = [];
    this.#waitingLength = 0;
  }

  /** Discards the blocks appended since `end`, which was the end then. */
  returnTo(end: BlockPosition): void {
    this.#waiting = [];
    this.#waitingLength = 0;
    this.#end = end;
    this.#cutTo(end);
  }

  #startNextFile(): void {
    this.flush();
    this.#end = { file: this.#end.file + 1, offset: 0 };
  }

  #cutTo(end: BlockPosition): void {
    for (let file = end.file; ; file += 1) {
      const path = join(this.#directory, blockFileName(file));
      if (!existsSync(path)) return;
      const descriptor = openSync(path, "r+");
      try {
        ftruncateSync(descriptor, file === end.file ? end.offset : 0);
      } finally {
        closeSync(descriptor);
      }
    }
  }
}

/** Syncs a directory. A file survives a power failure once its name does as well. */
function syncDirectory(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the name that Bitcoin Core uses, so that the directory can itself be indexed again. */
export function blockFileName(file: number): string {
  return `blk${String(file).padStart(5, "0")}.dat`;
}
