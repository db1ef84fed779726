/** Lower-case hex of `bytes`, in the order they have. */
export function toHex(bytes: Uint8Array): string {
  return asBuffer(bytes).toString("hex");
}

/** Bytes of a text of hex digits, in either case; `undefined` when it is no such text or has an odd length. */
export function fromHex(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "hex");
  // Node stops at the first character that is no digit, and before a last digit without a partner.
  return bytes.length * 2 === text.length ? bytes : undefined;
}

/** True when both hold the same bytes. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return asBuffer(left).equals(right);
}

/** One array with the bytes of all parts, in order. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

/** A Buffer over the same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
