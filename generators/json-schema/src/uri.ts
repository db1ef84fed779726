import { posix } from "node:path";

/** A reference before and after its `#`; the fragment is undefined where there is no `#`. */
export function splitFragment(reference: string): { readonly uri: string; readonly fragment: string | undefined } {
  const hash = reference.indexOf("#");
  if (hash === -1) return { uri: reference, fragment: undefined };
  return { uri: reference.slice(0, hash), fragment: reference.slice(hash + 1) };
}

/** Whether a reference begins with a scheme (RFC 3986, section 3.1). */
export function isAbsoluteUri(reference: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(reference);
}

/**
 * A reference without fragment, resolved against a base (RFC 3986, section 5.2); undefined when it cannot be.
 *
 * A base without a scheme is the name of a file as its user gave it, and so is what is resolved against it.
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

/** A URI in the spelling that all others of its meaning share, as far as the URL standard knows; as it is where it knows nothing. */
function normalUri(uri: string): string {
  try {
    return new URL(uri).href;
  } catch {
    return uri;
  }
}

/** Text with its percent-encoding undone; as it is where that is malformed. */
export function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
