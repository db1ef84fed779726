const alphabet = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Base64 (RFC 4648, section 4), for bytes where only text can stand. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  // In pieces: the platform bounds how many arguments a call takes.
  for (let start = 0; start < bytes.length; start += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(text);
}

/** `undefined` for a text that is not Base64. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (!alphabet.test(text)) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
