import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { blockFileName, blockPrefixLength, maximumFileLength } from "../store/block-files.ts";
import type { BlockPosition } from "../store/layout.ts";

/** Appender of blocks to the index's own files, each with its prefix, many at once where they are adjacent in memory. */
export class BlockCopier {
  readonly #directory: string;
  #end: BlockPosition;
  #descriptor: number | undefined;
  /** Memory of the blocks that wait to be written. */
  #bytes: Uint8Array | undefined;
  #from = 0;
  #to = 0;
  #offset = 0;

  /** Opens the files. `end`: position of the next block; nothing may follow it. */
  constructor(directory: string, end: BlockPosition) {
    this.#directory = directory;
    this.#end = end;
  }

  get end(): BlockPosition {
    return this.#end;
  }

  /** Appends the block at `address` and returns its position. `flush` must follow before the memory is reused. */
  append(bytes: Uint8Array, address: number, length: number): BlockPosition {
    if (this.#end.offset >= maximumFileLength) this.#startNextFile();
    const start = address - blockPrefixLength;
    if (this.#bytes !== bytes || this.#to !== start) {
      this.flush();
      this.#bytes = bytes;
      this.#from = start;
      this.#offset = this.#end.offset;
    }
    this.#to = address + length;
    const position = { file: this.#end.file, offset: this.#end.offset + blockPrefixLength };
    this.#end = { file: position.file, offset: position.offset + length };
    return position;
  }

  /** Writes all blocks, without syncing them to the disk. */
  flush(): void {
    const bytes = this.#bytes;
    if (bytes === undefined) return;
    this.#bytes = undefined;
    this.#descriptor ??= openFile(join(this.#directory, blockFileName(this.#end.file)));
    while (this.#from < this.#to) {
      const written = writeSync(this.#descriptor, bytes, this.#from, this.#to - this.#from, this.#offset);
      this.#from += written;
      this.#offset += written;
    }
  }

  /** Returns when all blocks are on the disk. Only then may a row refer to them. */
  sync(): void {
    this.flush();
    if (this.#descriptor !== undefined) fdatasyncSync(this.#descriptor);
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #startNextFile(): void {
    this.sync();
    this.close();
    this.#end = { file: this.#end.file + 1, offset: 0 };
  }
}

/** Opens a file for writing at any position, and creates it when it does not exist. */
function openFile(path: string): number {
  closeSync(openSync(path, "a"));
  return openSync(path, "r+");
}
