import { createSecretFilter } from "@nodewright/upstream";

/** A shorter key, which only a person can have chosen, may well be a part of a word or of a path. */
const unmistakableKeyLength = 16;

/** Stands where a key stood. */
const mask = "(API key)";

/** Replaces a key in text that quotes a request, in each spelling that `createSecretFilter` knows: a client may have sent any of them. */
export function hideKey(text: string, key: string): string {
  return key.length < unmistakableKeyLength ? text : createSecretFilter([key], mask)(text);
}
