/** Hashes and other long identifiers: at least 8 bytes in hexadecimal. */
export const hexadecimalText: RegExp = /^(?:0x)?[0-9a-f]{16,}$/i;

export function isHexadecimalText(value: unknown): value is string {
  return typeof value === "string" && hexadecimalText.test(value);
}
