/**
 * Returns the number of a byte string of at most 4 bytes in script arithmetic: little-endian, the highest bit of the last byte being the
 * sign. Forms with needless zero bytes are accepted too.
 */
export function scriptNumber(bytes: Uint8Array): number {
  let magnitude = 0;
  for (let index = bytes.length - 1; index >= 0; index -= 1) {
    const byte = bytes[index] ?? 0;
    magnitude = magnitude * 256 + (index === bytes.length - 1 ? byte & 0x7f : byte);
  }
  const isNegative = ((bytes[bytes.length - 1] ?? 0) & 0x80) !== 0;
  // 0 - 0 is 0, where -0 would be printed with its sign.
  return isNegative ? 0 - magnitude : magnitude;
}
