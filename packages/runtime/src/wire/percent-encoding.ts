import { WireError } from "./wire-error.ts";

/** Encodes all except the unreserved characters (RFC 3986, section 2.3): `encodeURIComponent` leaves five too many. */
export function encodePercent(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(/[!'()*]/g, encodeCharacter);
}

/**
 * Encodes text, leaving reserved characters and percent-encoded triplets unchanged (RFC 6570, section 3.2.3), except for those that would
 * end the value or have another meaning there: `#`, `[` and `]`, which RFC 3986, section 3.4 excludes, and those that are special in the
 * place.
 */
export function encodeReserved(text: string, place: "query" | "path"): string {
  const pieces = text.toWellFormed().split(/(%[0-9A-Fa-f]{2})/);
  return pieces
    .map((piece, index) => (index % 2 === 1 ? piece : encodeURI(piece).replaceAll(forbidden[place], encodeCharacter)))
    .join("");
}

/** Special characters: `&` and `+` in a query, `/` and `?` in a path. */
const forbidden = { query: /[#[\]&+]/g, path: /[#[\]/?]/g } as const;

/** Decodes percent-encoding. Throws `WireError` for a percent sign without digits, and for bytes that are not UTF-8. */
export function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw new WireError("malformed", "A percent sign escapes no character", { cause: error });
  }
}

/** Decodes form and query text, in which `+` is a space (application/x-www-form-urlencoded, WHATWG URL, section 5.1). */
export function decodeFormText(text: string): string {
  return decodePercent(text.includes("+") ? text.replaceAll("+", " ") : text);
}

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
