import { createSecretFilter } from "@nodewright/secret-mask";

/** Length below which a key, which only a person can have chosen, may well be a part of a word or of a path. */
const unmistakableKeyLength = 16;

/** Replacement for a key. */
const mask = "(API key)";

/**
 * Replaces a key in text that quotes a request, in each encoding that `createSecretFilter` supports: a client may have sent any of them.
 */
export function hideKey(text: string, key: string): string {
  return key.length < unmistakableKeyLength ? text : createSecretFilter([key], mask)(text);
}
