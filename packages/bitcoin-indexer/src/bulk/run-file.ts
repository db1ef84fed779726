import { closeSync, fdatasyncSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

/** A file of 32-bit words in native byte order, as the journal lists it. */
export interface WordFile {
  readonly name: string;
  readonly words: number;
  /** CRC-32 of all bytes: detects a file that was only half written when the machine lost its power. */
  readonly checksum: number;
}

/** Bytes that are written, read and checksummed at a time. */
const pieceLength = 1024 * 1024;

/** Writes a file, and returns when it is on the disk. */
export function writeWordFile(directory: string, name: string, words: Uint32Array): WordFile {
  const writer = new WordFileWriter(directory, name);
  try {
    writer.addAll(words);
    return writer.finish();
  } finally {
    writer.close();
  }
}

/** Sequential writer of a file. */
export class WordFileWriter {
  readonly #name: string;
  readonly #descriptor: number;
  readonly #waiting = new Uint32Array(pieceLength / 4);
  #waitingWords = 0;
  #words = 0;
  #checksum = 0;

  constructor(directory: string, name: string) {
    this.#name = name;
    this.#descriptor = openSync(join(directory, name), "w");
  }

  /** Adds a few words. */
  add(words: Uint32Array, start: number, count: number): void {
    if (this.#waitingWords + count > this.#waiting.length) this.#flush();
    for (let word = 0; word < count; word += 1) this.#waiting[this.#waitingWords + word] = words[start + word] ?? 0;
    this.#waitingWords += count;
  }

  addAll(words: Uint32Array): void {
    this.#flush();
    this.#write(words);
  }

  /** Returns when the file is on the disk. */
  finish(): WordFile {
    this.#flush();
    fdatasyncSync(this.#descriptor);
    return { name: this.#name, words: this.#words, checksum: this.#checksum };
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #flush(): void {
    this.#write(this.#waiting.subarray(0, this.#waitingWords));
    this.#waitingWords = 0;
  }

  #write(words: Uint32Array): void {
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    for (let start = 0; start < bytes.length; ) {
      const piece = bytes.subarray(start, start + pieceLength);
      const written = writeSync(this.#descriptor, piece);
      this.#checksum = crc32(piece.subarray(0, written), this.#checksum);
      start += written;
    }
    this.#words += words.length;
  }
}

/** Returns whether the file exists as it was written. */
export function isComplete(directory: string, { name, words, checksum }: WordFile): boolean {
  let reader: WordFileReader;
  try {
    reader = new WordFileReader(join(directory, name), pieceLength / 4);
  } catch {
    return false;
  }
  try {
    let found = 0;
    let count = 0;
    for (let piece = reader.read(); piece.length > 0; piece = reader.read()) {
      found = crc32(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength), found);
      count += piece.length;
    }
    return count === words && found === checksum;
  } finally {
    reader.close();
  }
}

/** Returns all words of a file that fits into memory. */
export function readWordFile(directory: string, { name, words }: WordFile): Uint32Array {
  const reader = new WordFileReader(join(directory, name), words);
  try {
    return reader.read();
  } finally {
    reader.close();
  }
}

/** Sequential reader of a file. */
export class WordFileReader {
  readonly #descriptor: number;
  readonly #buffer: Uint8Array;
  readonly #words: Uint32Array;

  /** Opens the file. `length`: words that are read at a time. */
  constructor(path: string, length: number) {
    this.#descriptor = openSync(path, "r");
    this.#words = new Uint32Array(length);
    this.#buffer = new Uint8Array(this.#words.buffer);
  }

  /** Returns the next words, valid until the next call; none at the end. */
  read(): Uint32Array {
    let count = 0;
    while (count < this.#buffer.length) {
      const read = readSync(this.#descriptor, this.#buffer, count, this.#buffer.length - count, null);
      if (read === 0) break;
      count += read;
    }
    return this.#words.subarray(0, count >>> 2);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
