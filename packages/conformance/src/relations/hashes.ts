import { createHash } from "node:crypto";
import { keccak_256 } from "@noble/hashes/sha3.js";

/** Bytes that hex stands for, with or without `0x`; undefined for a text that is no hex of whole bytes. */
export function bytesOfHex(text: unknown): Uint8Array | undefined {
  if (typeof text !== "string") return undefined;
  const digits = text.startsWith("0x") ? text.slice(2) : text;
  return digits.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(digits)
    ? Uint8Array.from(Buffer.from(digits, "hex"))
    : undefined;
}

/** SHA-256, in hex. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** SHA-256 of SHA-256 in the order in which Bitcoin's hashes are shown: the last byte first. */
export function doubleSha256(bytes: Uint8Array): string {
  return doubleHash(bytes).reverse().toString("hex");
}

function doubleHash(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(createHash("sha256").update(bytes).digest()).digest();
}

/** Keccak-256 as Ethereum has it, in hex behind `0x`. */
export function keccak256(bytes: Uint8Array): string {
  return `0x${Buffer.from(keccak_256(bytes)).toString("hex")}`;
}

/** The root of Bitcoin's merkle tree over transaction ids, all in display order; undefined for none and for what is no id. */
export function merkleRoot(ids: readonly unknown[]): string | undefined {
  const hashes = ids.flatMap((id) => bytesOfHex(id)?.toReversed() ?? []);
  return hashes.length > 0 && hashes.length === ids.length && hashes.every(({ length }) => length === 32)
    ? Buffer.from(rootOf(hashes)).reverse().toString("hex")
    : undefined;
}

/** A level with an odd number of hashes counts its last one twice. */
function rootOf([first = new Uint8Array(), ...others]: readonly Uint8Array[]): Uint8Array {
  if (others.length === 0) return first;
  const level = [first, ...others];
  const above = level.flatMap((left, index) =>
    index % 2 === 0 ? [doubleHash(Buffer.concat([left, level[index + 1] ?? left]))] : [],
  );
  return rootOf(above);
}
