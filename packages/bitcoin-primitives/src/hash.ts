import { hash } from "node:crypto";
import { asBuffer, concatBytes } from "./bytes.ts";

/** A 32-byte double SHA-256 in wire order, as it stands in serialized blocks and transactions. */
export type HashBytes = Uint8Array;
/** Hash of a block header in wire order. */
export type BlockHashBytes = HashBytes;
/** Hash of a transaction without its witnesses in wire order. */
export type TransactionIdBytes = HashBytes;

/** Hash of a block header as people and RPC write it: 64 lower-case hex digits, wire order reversed. */
export type BlockHash = string;
/** Hash of a transaction without its witnesses as people and RPC write it: 64 lower-case hex digits, wire order reversed. */
export type TransactionId = string;

/** Length of each hash, in bytes. */
export const hashLength: number = 32;

const displayHashPattern = /^[0-9a-fA-F]{64}$/;

/** 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return hash("sha256", bytes, "buffer");
}

/** SHA-256 of the SHA-256: the hash of headers, transactions, merkle nodes and address checksums. */
export function doubleSha256(bytes: Uint8Array): HashBytes {
  return hash("sha256", hash("sha256", bytes, "buffer"), "buffer");
}

/** RIPEMD-160 of the SHA-256, 20 bytes: what P2PKH, P2SH and P2WPKH pay to. */
export function hash160(bytes: Uint8Array): Uint8Array {
  return hash("ripemd160", sha256(bytes), "buffer");
}

/** SHA-256 of a scriptPubKey: the script hash of Esplora, which unlike Electrum's is not reversed when written in hex. */
export function hashScript(scriptPubKey: Uint8Array): Uint8Array {
  return sha256(scriptPubKey);
}

/** Wire order → display order. */
export function displayHash(bytes: HashBytes): string {
  for (let position = 0; position < hashLength; position += 1) {
    reversed[position] = bytes[hashLength - 1 - position] ?? 0;
  }
  return reversed.toString("hex");
}

/** Nothing is kept in it between two calls: hashes are written for people by the thousand. */
const reversed: Buffer = Buffer.alloc(hashLength);

/** Display order, in either case → wire order; `undefined` when the text is no hash. */
export function wireHash(text: string): HashBytes | undefined {
  return displayHashPattern.test(text) ? Buffer.from(text, "hex").reverse() : undefined;
}

/** True for the hash of nothing: 32 zero bytes, as in the previous output of a coinbase. */
export function isZeroHash(bytes: HashBytes): boolean {
  return asBuffer(bytes).equals(zeroHash);
}

const zeroHash: Uint8Array = new Uint8Array(hashLength);

/** BIP 340: a hash that says what it is a hash of. */
export function taggedHash(tag: string, bytes: Uint8Array): Uint8Array {
  const tagHash = sha256(Buffer.from(tag));
  return sha256(concatBytes(tagHash, tagHash, bytes));
}
