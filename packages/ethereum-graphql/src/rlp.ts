import { keccak_256 } from "@noble/hashes/sha3.js";

/** A value in RLP: bytes, a list of values (Ethereum yellow paper, appendix B), or one that is already written. */
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

/** Adds the parts of a value from its end to its beginning; gives their length together. */
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

/** Bytes of 0x-prefixed hexadecimal, a leading digit alone counting as a byte. */
export function bytesOf(hex: string): Uint8Array {
  const digits = hex.slice(2);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
}

/** Bytes of a quantity as RLP wants integers: big-endian, without leading zeros, none for zero. */
export function integerBytesOf(hex: string): Uint8Array {
  const digits = hex.slice(2).replace(/^0+/, "");
  return bytesOf(`0x${digits}`);
}

export function hexOf(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex")}`;
}

export function keccak256(bytes: Uint8Array): string {
  return hexOf(keccak_256(bytes));
}
