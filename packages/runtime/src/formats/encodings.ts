const notBase64 = /[^A-Za-z0-9+/]/;
const notBase64Url = /[^A-Za-z0-9_-]/;
const integer = /^-?(?:0|[1-9][0-9]*)$/;

/** Returns whether text is base64 with padding: RFC 4648, section 4. OpenAPI's `byte`. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && !notBase64.test(withoutPadding(text));
}

/** Returns whether text is base64url, padded or not: RFC 4648, section 5. */
export function isBase64Url(text: string): boolean {
  const digits = withoutPadding(text);
  const isPadded = digits.length < text.length;
  return digits.length % 4 !== 1 && (!isPadded || text.length % 4 === 0) && !notBase64Url.test(digits);
}

/** Returns whether text is an integer of 32 bits, in a location where only text is possible. */
export function isInt32Text(text: string): boolean {
  return isBetween(text, -(2n ** 31n), 2n ** 31n);
}

/** Returns whether text is an integer of 64 bits: more than a JSON number represents everywhere. */
export function isInt64Text(text: string): boolean {
  return isBetween(text, -(2n ** 63n), 2n ** 63n);
}

/** Returns whether a string is a decimal integer from 0 to 2³² - 1: format `uint32`. */
export function isUint32Text(text: string): boolean {
  return isBetween(text, 0n, 2n ** 32n);
}

/** Returns whether a string is a decimal integer from 0 to 2⁶⁴ - 1: format `uint64`. */
export function isUint64Text(text: string): boolean {
  return isBetween(text, 0n, 2n ** 64n);
}

/** Returns whether text is an integer in a range. The longest such number with its sign has 20 characters: more would only take time. */
function isBetween(text: string, first: bigint, end: bigint): boolean {
  if (text.length > 20 || !integer.test(text)) return false;
  const value = BigInt(text);
  return value >= first && value < end;
}

function withoutPadding(text: string): string {
  if (text.endsWith("==")) return text.slice(0, -2);
  return text.endsWith("=") ? text.slice(0, -1) : text;
}
