import { hash } from "node:crypto";
import { asBuffer, concatBytes } from "./bytes.ts";

/** A 32-byte double SHA-256 in wire order, as in serialized blocks and transactions. */
export type HashBytes = Uint8Array;
/** Hash of a block header in wire order. */
export type BlockHashBytes = HashBytes;
/** Hash of a transaction without its witnesses in wire order. */
export type TransactionIdBytes = HashBytes;

/** Hash of a block header in display order: 64 lower-case hex digits, wire order reversed. */
export type BlockHash = string;
/** Hash of a transaction without its witnesses in display order: 64 lower-case hex digits, wire order reversed. */
export type TransactionId = string;

/** Length of each hash, in bytes. */
export const hashLength: number = 32;

const displayHashPattern = /^[0-9a-fA-F]{64}$/;

/** Returns the SHA-256, 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return hash("sha256", bytes, "buffer");
}

/** Returns the SHA-256 of the SHA-256: the hash of headers, transactions, merkle nodes and address checksums. */
export function doubleSha256(bytes: Uint8Array): HashBytes {
  return hash("sha256", hash("sha256", bytes, "buffer"), "buffer");
}

/** Returns the RIPEMD-160 of the SHA-256, 20 bytes: the hash in P2PKH, P2SH and P2WPKH. */
export function hash160(bytes: Uint8Array): Uint8Array {
  return hash("ripemd160", sha256(bytes), "buffer");
}

/** Returns the SHA-256 of a scriptPubKey: the script hash of Esplora, which unlike Electrum's is not reversed when written in hex. */
export function hashScript(scriptPubKey: Uint8Array): Uint8Array {
  return sha256(scriptPubKey);
}

/** Converts wire order to display order. */
export function displayHash(bytes: HashBytes): string {
  for (let position = 0; position < hashLength; position += 1) {
    reversed[position] = bytes[hashLength - 1 - position] ?? 0;
  }
  return reversed.toString("hex");
}

/** Scratch buffer. It keeps nothing between two calls: hashes are converted by the thousand. */
const reversed: Buffer = Buffer.alloc(hashLength);

/** Converts display order, in either case, to wire order; `undefined` when the text is not a hash. */
export function wireHash(text: string): HashBytes | undefined {
  return displayHashPattern.test(text) ? Buffer.from(text, "hex").reverse() : undefined;
}

/** Returns whether the hash is zero: 32 zero bytes, as in the previous output of a coinbase. */
export function isZeroHash(bytes: HashBytes): boolean {
  return asBuffer(bytes).equals(zeroHash);
}

const zeroHash: Uint8Array = new Uint8Array(hashLength);

/** Returns a tagged hash (BIP 340). */
export function taggedHash(tag: string, bytes: Uint8Array): Uint8Array {
  const tagHash = sha256(Buffer.from(tag));
  return sha256(concatBytes(tagHash, tagHash, bytes));
}
