const alphabet = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Encodes Base64 (RFC 4648, section 4), for bytes where only text is possible. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  // In pieces: the platform limits the number of arguments of a call.
  for (let start = 0; start < bytes.length; start += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(text);
}

/** Decodes Base64; `undefined` for invalid text. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (!alphabet.test(text)) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
