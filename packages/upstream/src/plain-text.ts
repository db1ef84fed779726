const quote = 0x22;
const backslash = 0x5c;

/** Returns the offset of the next quote or backslash of a JSON string, or `end`: nearly all bytes of a response are passed over here. */
export function endOfPlainText(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === quote || byte === backslash) return at;
  }
  return end;
}

/** Returns whether objects and arrays of a JSON text are more than `maximum` deep within each other. */
export function isNestedDeeper(bytes: Uint8Array, maximum: number): boolean {
  // Each of them has two brackets or braces.
  if (bytes.length <= 2 * maximum) return false;
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfPlainText(bytes, at + 1, bytes.length);
      while (bytes[at] === backslash) at = endOfPlainText(bytes, at + 2, bytes.length);
    } else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > maximum) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
  }
  return false;
}
