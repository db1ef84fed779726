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
