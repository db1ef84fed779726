import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { IndexerError } from "../basics/indexer-error.ts";

/** Permanent location of a block's bytes, so that a store need not keep them as well. */
export interface BlockLocation {
  /** Absolute path. */
  readonly path: string;
  /** Offset of the block's first byte. */
  readonly offset: number;
  /** XOR mask of the file; empty for a plain file. */
  readonly mask: Uint8Array;
}

/** Bytes of one block file. Offsets and lengths are those of the uncompressed file. */
export interface BlockFile {
  readonly path: string;
  readonly length: number;
  /** Whether the file is compressed: offsets are then unrelated to positions on the disk. */
  readonly isPacked: boolean;
  /** Reads the available bytes of the range. The caller owns the bytes. */
  read(offset: number, length: number): Buffer;
  /** Returns whether the disk contains zeros there: space that a node has reserved but not written, which is never masked. */
  isReserved(offset: number, length: number): boolean;
  close(): void;
}

/** Maximum uncompressed size of a compressed file, in bytes: it is held in memory. */
const maximumUnpackedLength = 1024 * 1024 * 1024;

const zeros = Buffer.alloc(64 * 1024);

const unpackers: Readonly<Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Buffer>> = {
  ".br": brotliDecompressSync,
  ".gz": gunzipSync,
  ".zst": zstdDecompressSync,
};

/**
 * Opens a block file: plain, masked, or compressed as its extension indicates (`.br`, `.gz`, `.zst`).
 *
 * `mask` is repeated over the file and combined by XOR, as Bitcoin Core does since version 28. Throws `IndexerError`.
 */
export function openBlockFile(path: string, mask: Uint8Array = new Uint8Array(0)): BlockFile {
  try {
    const unpack = unpackers[path.slice(path.lastIndexOf("."))];
    return unpack === undefined ? new PlainFile(path, mask) : new UnpackedFile(path, unpack);
  } catch (cause) {
    throw new IndexerError("source-unusable", `The block file ${path} can't be read${describe(cause)}.`, { cause });
  }
}

class PlainFile implements BlockFile {
  readonly isPacked = false;
  readonly path: string;
  readonly length: number;
  readonly #mask: Uint8Array | undefined;
  readonly #descriptor: number;

  constructor(path: string, mask: Uint8Array) {
    this.path = path;
    this.#mask = mask.some((byte) => byte !== 0) ? mask : undefined;
    this.#descriptor = openSync(path, "r");
    this.length = fstatSync(this.#descriptor).size;
  }

  read(offset: number, length: number): Buffer {
    const bytes = this.#readRaw(offset, length);
    if (this.#mask !== undefined) applyMask(bytes, this.#mask, offset);
    return bytes;
  }

  isReserved(offset: number, length: number): boolean {
    return isZero(this.#readRaw(offset, length));
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #readRaw(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, this.length - offset)));
    let count = 0;
    while (count < bytes.length) {
      const read = readSync(this.#descriptor, bytes, count, bytes.length - count, offset + count);
      if (read === 0) return bytes.subarray(0, count);
      count += read;
    }
    return bytes;
  }
}

class UnpackedFile implements BlockFile {
  readonly isPacked = true;
  readonly path: string;
  readonly length: number;
  readonly #bytes: Buffer;

  constructor(path: string, unpack: (bytes: Buffer, options: { maxOutputLength: number }) => Buffer) {
    this.path = path;
    this.#bytes = unpack(readFileSync(path), { maxOutputLength: maximumUnpackedLength });
    this.length = this.#bytes.length;
  }

  read(offset: number, length: number): Buffer {
    return Buffer.from(this.#bytes.subarray(offset, offset + length));
  }

  isReserved(offset: number, length: number): boolean {
    return isZero(this.#bytes.subarray(offset, offset + length));
  }

  close(): void {}
}

/** Masks or unmasks bytes at `offset` of a file, in place. */
export function applyMask(bytes: Buffer, mask: Uint8Array, offset: number): void {
  const turned = Uint8Array.from(mask, (_, index) => mask[(offset + index) % mask.length] ?? 0);
  for (let index = maskWords(bytes, turned); index < bytes.length; index += 1) {
    bytes[index] = (bytes[index] ?? 0) ^ (turned[index % turned.length] ?? 0);
  }
}

/** Masks the bytes that form complete masks, word by word, where mask and memory allow it. Returns their number. */
function maskWords(bytes: Buffer, mask: Uint8Array): number {
  if (mask.length !== 8 || bytes.byteOffset % 4 !== 0) return 0;
  const [low = 0, high = 0] = new Uint32Array(Uint8Array.from(mask).buffer);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, (bytes.length >>> 3) * 2);
  for (let word = 0; word < words.length; word += 2) {
    words[word] = (words[word] ?? 0) ^ low;
    words[word + 1] = (words[word + 1] ?? 0) ^ high;
  }
  return words.length * 4;
}

function isZero(bytes: Buffer): boolean {
  for (let start = 0; start < bytes.length; start += zeros.length) {
    const piece = bytes.subarray(start, start + zeros.length);
    if (!piece.equals(zeros.subarray(0, piece.length))) return false;
  }
  return true;
}

/** Returns the code alone: messages of the file system repeat the path. */
function describe(reason: unknown): string {
  return reason instanceof Error && "code" in reason ? ` (${String(reason.code)})` : "";
}
