import { keccak_256 } from "@noble/hashes/sha3.js";
import { createKeccak, type IHasher } from "hash-wasm";
import { unexpectedResult } from "../basics/unexpected-result.ts";

/**
 * Hasher in WebAssembly, which works with words of 64 bits: a block's header takes a fifth of the time that it takes without them.
 *
 * Absent until it is compiled. It is not awaited: an importer of a module with a top-level await misses events meanwhile, such as the first
 * message to a process.
 */
let compiled: IHasher | undefined;
createKeccak(256).then(
  (hasher) => {
    compiled = hasher;
  },
  () => undefined,
);

/** A value in RLP: bytes, a list of values (Ethereum yellow paper, appendix B), or one that is already encoded. */
export type RlpValue = Uint8Array | readonly RlpValue[] | { readonly encoded: Uint8Array };

export function serializeRlp(value: RlpValue): Uint8Array {
  const parts: Uint8Array[] = [];
  const length = collect(value, parts);
  const bytes = new Uint8Array(length);
  let position = length;
  // Parts were collected from the end: the length of a list is known only after its elements.
  for (const part of parts) {
    position -= part.length;
    bytes.set(part, position);
  }
  return bytes;
}

/** Adds the parts of a value from its end to its beginning; returns their total length. */
function collect(value: RlpValue, parts: Uint8Array[]): number {
  if (value instanceof Uint8Array) {
    parts.push(value);
    const [first] = value;
    if (value.length === 1 && first !== undefined && first < 0x80) return 1;
    return value.length + addPrefix(0x80, value.length, parts);
  }
  if ("encoded" in value) {
    parts.push(value.encoded);
    return value.encoded.length;
  }
  let length = 0;
  for (const element of value.toReversed()) length += collect(element, parts);
  return length + addPrefix(0xc0, length, parts);
}

function addPrefix(base: number, length: number, parts: Uint8Array[]): number {
  const lengthBytes = length <= 55 ? undefined : bytesOf(`0x${length.toString(16)}`);
  const prefix =
    lengthBytes === undefined
      ? Uint8Array.of(base + length)
      : Uint8Array.of(base + 55 + lengthBytes.length, ...lengthBytes);
  parts.push(prefix);
  return prefix.length;
}

/** Byte positions of an item of RLP; the end is exclusive. */
export interface RlpItem {
  readonly isList: boolean;
  /** Position of the prefix; for a byte that encodes itself, that of the byte. */
  readonly position: number;
  /** Start of the payload, after the prefix. */
  readonly start: number;
  readonly end: number;
}

/** Reads the item that begins at a position. Undefined when the bytes end before it does. */
export function readRlpItem(bytes: Uint8Array, position: number): RlpItem | undefined {
  const prefix = bytes[position];
  if (prefix === undefined) return undefined;
  if (prefix < 0x80) return { isList: false, position, start: position, end: position + 1 };
  const isList = prefix >= 0xc0;
  const length = prefix - (isList ? 0xc0 : 0x80);
  const lengthBytes = length <= 55 ? 0 : length - 55;
  const start = position + 1 + lengthBytes;
  if (start > bytes.length) return undefined;
  const end = start + (lengthBytes === 0 ? length : integerOf(bytes.subarray(position + 1, start)));
  return end <= bytes.length ? { isList, position, start, end } : undefined;
}

/** Reads the items between two positions; none when they do not end where the last one does. */
export function readRlpList(bytes: Uint8Array, start: number, end: number): readonly RlpItem[] {
  const items: RlpItem[] = [];
  let position = start;
  while (position < end) {
    const item = readRlpItem(bytes, position);
    if (item === undefined) return [];
    items.push(item);
    position = item.end;
  }
  return position === end ? items : [];
}

/** Reads a big-endian integer. Lengths that a double would round lie beyond the end of any bytes. */
function integerOf(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** Decodes 0x-prefixed hexadecimal; a single leading digit counts as a byte. */
export function bytesOf(hex: string): Uint8Array {
  const digits = hex.length % 2 === 0 ? hex.slice(2) : `0${hex.slice(2)}`;
  const bytes = Buffer.from(digits, "hex");
  // An invalid digit silently ends the bytes.
  if (bytes.length * 2 !== digits.length) throw unexpectedResult("bytes that are not hexadecimal");
  return bytes;
}

/** Decodes a quantity to RLP's form of integers: big-endian, without leading zeros, none for zero. */
export function integerBytesOf(hex: string): Uint8Array {
  const digits = hex.slice(2).replace(/^0+/, "");
  return bytesOf(`0x${digits}`);
}

export function hexOf(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex")}`;
}

export function keccakOf(bytes: Uint8Array): Uint8Array {
  return compiled === undefined ? keccak_256(bytes) : compiled.init().update(bytes).digest("binary");
}

/** Returns the same as `keccakOf`, in hexadecimal. */
export function keccak256(bytes: Uint8Array): string {
  if (compiled === undefined) return hexOf(keccak_256(bytes));
  return `0x${compiled.init().update(bytes).digest("hex")}`;
}
