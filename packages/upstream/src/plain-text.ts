const quote = 0x22;
const backslash = 0x5c;

/** Returns the offset of the next quote or backslash of a JSON string, or `end`: nearly all bytes of a response are skipped here. */
export function endOfPlainText(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === quote || byte === backslash) return at;
  }
  return end;
}
