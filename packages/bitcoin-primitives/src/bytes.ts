/** Returns lower-case hex of `bytes`, in their order. */
export function toHex(bytes: Uint8Array): string {
  return asBuffer(bytes).toString("hex");
}

/** Returns the bytes of hex digits, in either case; `undefined` when the text is invalid or has an odd length. */
export function fromHex(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "hex");
  // Node stops at the first invalid character, and before a last digit without a partner.
  return bytes.length * 2 === text.length ? bytes : undefined;
}

/** Returns whether both contain the same bytes. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return asBuffer(left).equals(right);
}

/** Returns one array with the bytes of all parts, in order. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

/** Returns a Buffer over the same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
