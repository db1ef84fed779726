/** Returns a string of one character per byte, for use as the key of a Map: several times faster than hex. */
export function bytesKey(bytes: Uint8Array, length: number = bytes.length): string {
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString("latin1", 0, length);
}
