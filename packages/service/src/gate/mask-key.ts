import { createSecretFilter } from "@nodewright/secret-mask";

/** Minimum length of a masked key: a shorter one, chosen by a person, may be a part of other words or paths. */
const minimumMaskedLength = 16;

/** Replacement for a key. */
const mask = "(API key)";

/**
 * Replaces the key in text that quotes a request, in each encoding that `createSecretFilter` supports.
 */
export function maskKey(text: string, key: string): string {
  return key.length < minimumMaskedLength ? text : createSecretFilter([key], mask)(text);
}
