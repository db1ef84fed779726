import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { BlockPosition } from "./layout.ts";

/** Bytes before each block: the network's magic and the block's length, as in the files of Bitcoin nodes. */
const blockPrefixLength = 8;

/** A file that is longer gets no further block. */
const maximumFileLength = 128 * 1024 * 1024;

/** Files that a reader keeps open. */
const maximumOpenFiles = 128;

/** Reads blocks out of the index's own block files, from any process. */
export class BlockFileReader {
  readonly #directory: string;
  readonly #descriptors = new Map<number, number>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Reads `length` bytes that start `start` bytes into the block at `position`. */
  read(position: BlockPosition, start: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    const count = readSync(this.#descriptorOf(position.file), bytes, 0, length, position.offset + start);
    if (count !== length)
      throw new Error(`${blockFileName(position.file)} ends before byte ${position.offset + start + length}`);
    return bytes;
  }

  close(): void {
    for (const descriptor of this.#descriptors.values()) closeSync(descriptor);
    this.#descriptors.clear();
  }

  #descriptorOf(file: number): number {
    let descriptor = this.#descriptors.get(file);
    if (descriptor === undefined) {
      if (this.#descriptors.size >= maximumOpenFiles) this.close();
      descriptor = openSync(join(this.#directory, blockFileName(file)), "r");
      this.#descriptors.set(file, descriptor);
    }
    return descriptor;
  }
}

/**
 * Appends blocks to the index's own files, which keep each block once, in order of arrival.
 *
 * What stands behind the committed end belongs to no block: a process was killed between writing and committing. It is cut off.
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
    const descriptor = openSync(path, existsSync(path) ? "r+" : "w+");
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
        if (size < length) throw new Error(`${path} has ${size} bytes where the index knows of ${length}`);
        ftruncateSync(descriptor, length);
      } finally {
        closeSync(descriptor);
      }
    }
  }
}

/** The names that Bitcoin Core uses, so that the directory can itself be indexed again. */
function blockFileName(file: number): string {
  return `blk${String(file).padStart(5, "0")}.dat`;
}
