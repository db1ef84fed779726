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
  const first = createHash("sha256").update(bytes).digest();
  return createHash("sha256").update(first).digest().reverse().toString("hex");
}

/** Keccak-256 as Ethereum has it, in hex behind `0x`. */
export function keccak256(bytes: Uint8Array): string {
  return `0x${Buffer.from(keccak_256(bytes)).toString("hex")}`;
}

/** The root of Bitcoin's merkle tree over transaction ids, all in display order; undefined for none and for what is no id. */
export function merkleRoot(ids: readonly unknown[]): string | undefined {
  const level: Uint8Array[] = [];
  for (const id of ids) {
    const bytes = bytesOfHex(id);
    if (bytes?.length !== 32) return undefined;
    level.push(bytes.toReversed());
  }
  return rootOf(level);
}

/** A level with an odd number of hashes counts its last one twice. */
function rootOf(level: readonly Uint8Array[]): string | undefined {
  const [only] = level;
  if (only === undefined) return undefined;
  if (level.length === 1) return Buffer.from(only.toReversed()).toString("hex");
  const above: Uint8Array[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const left = level[index] ?? only;
    above.push(Buffer.from(doubleSha256(Buffer.concat([left, level[index + 1] ?? left])), "hex").toReversed());
  }
  return rootOf(above);
}
