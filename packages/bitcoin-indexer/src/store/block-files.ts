import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { IndexerError } from "../indexer-error.ts";
import { applyMask } from "../source/block-file.ts";
import { type BlockPosition, firstSourceFile, type SourceFileRow } from "./layout.ts";

/** Bytes before each block: the network's magic and the block's length, as in the files of Bitcoin nodes. */
export const blockPrefixLength = 8;

/** A file that is longer gets no further block. */
export const maximumFileLength: number = 128 * 1024 * 1024;

/** Files that a reader keeps open. */
const maximumOpenFiles = 128;

/** Finds the row of `sourceFiles` with this number. */
export type FindSourceFile = (file: number) => SourceFileRow | undefined;

interface OpenFile {
  readonly path: string;
  readonly descriptor: number;
  readonly mask: Uint8Array;
}

/** Reads blocks out of the index's own block files and out of those of the node that it reads in place, from any process. */
export class BlockFileReader {
  readonly #directory: string;
  readonly #findSourceFile: FindSourceFile;
  readonly #open = new Map<number, OpenFile>();

  constructor(directory: string, findSourceFile: FindSourceFile) {
    this.#directory = directory;
    this.#findSourceFile = findSourceFile;
  }

  /**
   * Reads `length` bytes that start `start` bytes into the block at `position`.
   *
   * Throws `IndexerError` when the file does not have them: it was deleted or cut since.
   */
  read(position: BlockPosition, start: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    this.readInto(bytes, 0, position, start, length);
    return bytes;
  }

  /** The same into bytes that are there, from `at` on. */
  readInto(bytes: Buffer, at: number, position: BlockPosition, start: number, length: number): void {
    const file = this.#fileOf(position.file);
    const offset = position.offset + start;
    let count = 0;
    while (count < length) {
      const read = readSync(file.descriptor, bytes, at + count, length - count, offset + count);
      if (read === 0) throw unreadable(file.path, `it ends before byte ${offset + length}, where a block ends`);
      count += read;
    }
    if (file.mask.length > 0) applyMask(bytes.subarray(at, at + length), file.mask, offset);
  }

  close(): void {
    for (const { descriptor } of this.#open.values()) closeSync(descriptor);
    this.#open.clear();
  }

  #fileOf(number: number): OpenFile {
    let file = this.#open.get(number);
    if (file === undefined) {
      if (this.#open.size >= maximumOpenFiles) this.close();
      file = this.#openFile(number);
      this.#open.set(number, file);
    }
    return file;
  }

  #openFile(number: number): OpenFile {
    const { path, mask } = this.#locate(number);
    try {
      return { path, mask, descriptor: openSync(path, "r") };
    } catch (cause) {
      const code = cause instanceof Error && "code" in cause ? String(cause.code) : "it can't be opened";
      throw unreadable(path, code, cause);
    }
  }

  #locate(number: number): SourceFileRow {
    if (number < firstSourceFile) return { path: join(this.#directory, blockFileName(number)), mask: noMask };
    const row = this.#findSourceFile(number);
    if (row === undefined) throw new Error(`The index has no block file ${number}`);
    return row;
  }
}

const noMask = new Uint8Array(0);

function unreadable(path: string, reason: string, cause?: unknown): IndexerError {
  return new IndexerError(
    "block-unreadable",
    `The block file ${path} no longer holds a block that the index knows (${reason}): ` +
      "put the file back, or delete the data directory to index anew.",
    { cause },
  );
}

/**
 * Appends blocks to the index's own files, which keep each block once, in order of arrival.
 *
 * What stands behind the committed end belongs to no block: a process was killed between writing and committing. It is cut off.
 * Throws `IndexerError` when a file is shorter than the index knows.
 */
export class BlockFileWriter {
  readonly #directory: string;
  readonly #magic: Uint8Array;
  #end: BlockPosition;
  #waiting: Uint8Array[] = [];
  #waitingLength = 0;

  /** `end` is where the next block goes. */
  constructor(directory: string, magic: Uint8Array, end: BlockPosition) {
    this.#directory = directory;
    this.#magic = magic;
    this.#end = end;
    mkdirSync(directory, { recursive: true });
    this.#cutTo(end);
  }

  /** Where the next block goes, once `flush` has written those that wait. */
  get end(): BlockPosition {
    return this.#end;
  }

  /** Takes a block to write with the next `flush`, and says where it will be. Keeps the bytes until then. */
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

  /** Returns when all blocks are on the disk; only then may a row name them. */
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

  /** Forgets what was appended since `end`, which was the end then. */
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
        const length = file === end.file ? end.offset : 0;
        const { size } = fstatSync(descriptor);
        if (size < length) {
          throw unreadable(path, `it has ${size} bytes where the index knows of ${length}`);
        }
        ftruncateSync(descriptor, length);
      } finally {
        closeSync(descriptor);
      }
    }
  }
}

/** A file outlasts the machine's power once its name does as well. */
function syncDirectory(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The names that Bitcoin Core uses, so that the directory can itself be indexed again. */
export function blockFileName(file: number): string {
  return `blk${String(file).padStart(5, "0")}.dat`;
}
