import { hash, randomBytes } from "node:crypto";

const randomKeyStart = "nwk_";
const randomKeyBytes = 32;
/** Number of shown characters of a random key: 30 of its 256 bits. */
const shownRandomCharacters = 5;

/** Maximum length of a key, so that no longer text is hashed. */
export const maximumKeyLength = 256;

const keyPattern = /^[\x21-\x7e]+$/;

/** Creates a key of 256 random bits, in characters that need no escape in a URL. */
export function createRandomKey(): string {
  return randomKeyStart + randomBytes(randomKeyBytes).toString("base64url");
}

/** Returns the SHA-256 of a key, in hex: all that is stored of it, and all that is compared. */
export function digestOfKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** Returns the part of a key that may be shown; nothing of a key that a person chose, which may be short. */
export function prefixOfKey(key: string): string {
  const looksRandom = key.startsWith(randomKeyStart) && key.length === randomKeyStart.length + 43;
  return looksRandom ? key.slice(0, randomKeyStart.length + shownRandomCharacters) : "";
}

/** Returns the problem of a key that a person chose, without repeating it, or `undefined`. */
export function problemOfKey(key: string): string | undefined {
  if (key.length === 0) return "a key can't be empty";
  if (key.length > maximumKeyLength) return `a key has at most ${maximumKeyLength} characters`;
  if (!keyPattern.test(key)) return "a key has printable ASCII characters without spaces only";
  if (key.endsWith("/")) return "a key can't end with a slash, which some clients append";
  return undefined;
}
