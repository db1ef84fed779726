const uuidPattern = /^[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$/;

/** Returns whether text is like `f81d4fae-7dec-11d0-a765-00a0c91e6bf6`: RFC 9562, section 4, of any version. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
