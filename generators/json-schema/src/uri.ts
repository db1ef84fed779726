import { posix } from "node:path";

/** Splits a reference at its `#`. The fragment is undefined if there is no `#`. */
export function splitFragment(reference: string): { readonly uri: string; readonly fragment: string | undefined } {
  const hash = reference.indexOf("#");
  if (hash === -1) return { uri: reference, fragment: undefined };
  return { uri: reference.slice(0, hash), fragment: reference.slice(hash + 1) };
}

/** Returns whether a reference starts with a scheme (RFC 3986, section 3.1). */
export function isAbsoluteUri(reference: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(reference);
}

/**
 * Resolves a reference without fragment against a base (RFC 3986, section 5.2). Returns undefined if that is impossible.
 *
 * A base without a scheme is a file name as the user gave it, and so is the result.
 */
export function resolveUri(base: string, reference: string): string | undefined {
  if (reference === "") return base;
  if (isAbsoluteUri(reference)) return normalUri(reference);
  if (!isAbsoluteUri(base)) return posix.isAbsolute(reference) ? reference : posix.join(posix.dirname(base), reference);
  try {
    return new URL(reference, base).href;
  } catch {
    return undefined;
  }
}

/** Returns a URI as normalized by the URL standard; unchanged if it is not a valid URL. */
function normalUri(uri: string): string {
  try {
    return new URL(uri).href;
  } catch {
    return uri;
  }
}

/** Decodes the percent-encoding of a string; returns it unchanged if the encoding is malformed. */
export function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
