import { MalformedBytesError } from "./malformed-bytes-error.ts";

/**
 * Returns the CompactSize at `offset`. Throws `MalformedBytesError` if it is truncated, if it is not in its shortest form, or if it has nine
 * bytes, since no length is that large.
 */
export function compactSizeAt(bytes: Uint8Array, offset: number): number {
  const first = bytes[offset];
  if (first === undefined) throw new MalformedBytesError(bytes.length, "length is missing");
  if (first < 0xfd) return first;
  if (first === 0xff || offset + (first === 0xfd ? 3 : 5) > bytes.length) {
    throw new MalformedBytesError(offset, "length is cut off or too large");
  }
  const low = (bytes[offset + 1] ?? 0) | ((bytes[offset + 2] ?? 0) << 8);
  const value = first === 0xfd ? low : low + ((bytes[offset + 3] ?? 0) | ((bytes[offset + 4] ?? 0) << 8)) * 0x10000;
  if (value < (first === 0xfd ? 0xfd : 0x10000)) {
    throw new MalformedBytesError(offset, "length is not in its shortest form");
  }
  return value;
}

/** Returns the bytes of an encoded value, including its prefix. */
export function compactSizeLength(value: number): number {
  if (value < 0xfd) return 1;
  return value < 0x10000 ? 3 : 5;
}
