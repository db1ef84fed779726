import {
  displayHash,
  doubleSha256,
  fromHex,
  isMalformedBytesError,
  merkleRoot,
  parseTransaction,
  wireHash,
} from "@nodewright/bitcoin-primitives/transactions";
import { keccak_256 } from "@noble/hashes/sha3.js";

/** Returns the bytes of a hexadecimal string, with or without `0x`; undefined for invalid strings. */
export function bytesOfHex(text: unknown): Uint8Array | undefined {
  return typeof text === "string" ? fromHex(text.startsWith("0x") ? text.slice(2) : text) : undefined;
}

/** Returns the double SHA-256 as Bitcoin displays hashes: in reverse byte order. */
export function shownDoubleSha256(bytes: Uint8Array): string {
  return displayHash(doubleSha256(bytes));
}

/** Returns the Keccak-256 of Ethereum, in hexadecimal with the prefix `0x`. */
export function keccak256(bytes: Uint8Array): string {
  return `0x${Buffer.from(keccak_256(bytes)).toString("hex")}`;
}

/** Returns the txid of a serialized Bitcoin transaction, which excludes witnesses; undefined for bytes that are not a transaction. */
export function bitcoinTransactionId(bytes: Uint8Array): string | undefined {
  try {
    return displayHash(parseTransaction(bytes).txid);
  } catch (reason) {
    if (isMalformedBytesError(reason)) return undefined;
    throw reason;
  }
}

/** Returns the Merkle root of transaction ids as Bitcoin displays it; undefined for an empty list and for invalid ids. */
export function shownMerkleRoot(ids: readonly unknown[]): string | undefined {
  const hashes = ids.flatMap((id) => (typeof id === "string" ? (wireHash(id.replace(/^0x/, "")) ?? []) : []));
  return hashes.length > 0 && hashes.length === ids.length ? displayHash(merkleRoot(hashes)) : undefined;
}
