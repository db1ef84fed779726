import { type Network, networks } from "@nodewright/bitcoin-primitives";
import { IndexerError } from "../basics/indexer-error.ts";
import type { BlockFile } from "../store/block-file.ts";
import { FileWindow } from "./file-window.ts";

/** A block found in a file, not yet parsed. Offsets and lengths are bytes. */
export interface ScannedBlock {
  /** Offset of the block's first byte, after magic and length. */
  readonly offset: number;
  readonly length: number;
  /** 80 bytes. */
  readonly header: Uint8Array;
}

/** Magic and length. */
const prefixLength = 8;
const headerLength = 80;
/** Header and the count of transactions. */
const minimumBlockLength = 81;
/** Consensus: maximum bytes of a block. Serialized blocks are at most 4,000,000 weight units (BIP 141), and a byte weighs at least one. */
const maximumBlockLength = 4_000_000;

/** Bytes read at a time: many small blocks, or only the beginning of a large one. */
const scanWindowLength = 32 * 1024;

/** Bytes searched at a time for the end of padding. */
const paddingWindowLength = 1024 * 1024;

/**
 * Scans a file from block to block, without reading much of the bytes between their headers.
 *
 * Yields the blocks in the order of the file from byte `start` on, where one begins or the file had ended. Ends at the end of the file or
 * at reserved space that reaches to it. Throws `IndexerError`, with the offset of the invalid byte, at anything else: the blocks after it
 * can't be found any more.
 */
export function* scanBlockFile(file: BlockFile, network: Network, start: number = 0): Generator<ScannedBlock> {
  const window = new FileWindow(file, scanWindowLength);
  let offset = start;
  while (offset < file.length) {
    if (isPadding(window, file, offset)) {
      const next = endOfPadding(file, offset);
      if (next === file.length) return;
      offset = next;
    }
    const prefix = window.view(offset, prefixLength);
    checkMagic(prefix, file, offset, network);
    if (prefix.length < prefixLength) throw cutShort(file, offset);
    const length = prefix.readUInt32LE(4);
    if (length < minimumBlockLength || length > maximumBlockLength) {
      throw invalidByte(file, offset + 4, `it gives a block a length of ${length} bytes, which is impossible`);
    }
    const blockStart = offset + prefixLength;
    if (blockStart + length > file.length) throw cutShort(file, offset);
    yield { offset: blockStart, length, header: window.view(blockStart, headerLength) };
    offset = blockStart + length;
  }
}

function checkMagic(prefix: Uint8Array, file: BlockFile, offset: number, network: Network): void {
  const found = prefix.subarray(0, 4);
  if (startsWith(network.magic, found)) {
    if (found.length < 4) throw cutShort(file, offset);
    return;
  }
  const other = Object.values(networks).find(({ magic }) => found.length === 4 && startsWith(magic, found));
  if (other === undefined)
    throw invalidByte(file, offset, `a block of ${network.name} should begin there, but its magic does not`);
  throw new IndexerError(
    "source-network",
    `Byte ${offset} of ${file.path} is wrong: a block of ${other.name} begins there, not one of ${network.name}; ` +
      "name the network of the files.",
    { place: { file: file.path, offset } },
  );
}

function startsWith(magic: Uint8Array, found: Uint8Array): boolean {
  return found.every((byte, index) => byte === magic[index]);
}

function isPadding(window: FileWindow, file: BlockFile, offset: number): boolean {
  const bytes = window.view(offset, 4);
  return bytes.every((byte) => byte === 0) || (bytes.length === 4 && file.isReserved(offset, 4) && !isMagic(bytes));
}

function isMagic(bytes: Uint8Array): boolean {
  return Object.values(networks).some(({ magic }) => startsWith(magic, bytes));
}

/** Returns the first byte after the zeros, masked or not, that begin at `offset`. */
function endOfPadding(file: BlockFile, offset: number): number {
  for (let start = offset; start < file.length; start += paddingWindowLength) {
    const length = Math.min(paddingWindowLength, file.length - start);
    if (file.isReserved(start, length)) continue;
    const unmasked = file.read(start, length);
    const index = unmasked.findIndex((byte, position) => byte !== 0 && !file.isReserved(start + position, 1));
    if (index !== -1) return start + index;
  }
  return file.length;
}

function cutShort(file: BlockFile, offset: number): IndexerError {
  return invalidByte(file, file.length, `the file ends inside the block that begins at byte ${offset}`);
}

function invalidByte(file: BlockFile, offset: number, reason: string): IndexerError {
  return new IndexerError("bad-block", `Byte ${offset} of ${file.path} is wrong: ${reason}.`, {
    place: { file: file.path, offset },
  });
}
