// RFC 3986, appendix A, and RFC 3987, section 2.2.
import { isIpv6 } from "./ip-address.ts";

const unreserved = "A-Za-z0-9\\-._~";
const delimiters = "!$&'()*+,;=";
/** Characters beyond ASCII: RFC 3987, `ucschar`. */
const beyondAscii =
  "\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}\\u{10000}-\\u{1fffd}\\u{20000}-\\u{2fffd}\\u{30000}-\\u{3fffd}" +
  "\\u{40000}-\\u{4fffd}\\u{50000}-\\u{5fffd}\\u{60000}-\\u{6fffd}\\u{70000}-\\u{7fffd}\\u{80000}-\\u{8fffd}" +
  "\\u{90000}-\\u{9fffd}\\u{a0000}-\\u{afffd}\\u{b0000}-\\u{bfffd}\\u{c0000}-\\u{cfffd}\\u{d0000}-\\u{dfffd}\\u{e1000}-\\u{efffd}";
/** Private-use characters, only in queries: RFC 3987, `iprivate`. */
const privateUse = "\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}";

/** Pattern of the five parts of any reference: RFC 3986, appendix B. */
const referenceParts = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?$/;
const schemePattern = /^[A-Za-z][A-Za-z0-9+\-.]*$/;
const authorityParts = /^(?:([^@]*)@)?(\[[^\]]*\]|[^:]*)(?::([0-9]*))?$/;
const futureAddress = /^v[0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+$/i;
const badEscape = /%(?![0-9A-Fa-f]{2})/;

/** Characters that are not allowed in a part. */
interface ForeignCharacters {
  readonly userInformation: RegExp;
  readonly host: RegExp;
  readonly path: RegExp;
  readonly query: RegExp;
  readonly fragment: RegExp;
}

const uriCharacters = foreignCharacters("", "");
const iriCharacters = foreignCharacters(beyondAscii, privateUse);

/** Returns whether text is an absolute reference with a scheme: RFC 3986, section 3. */
export function isUri(text: string): boolean {
  return isReference(text, uriCharacters, true);
}

/** Returns whether text is a URI or a relative reference: RFC 3986, section 4.1. */
export function isUriReference(text: string): boolean {
  return isReference(text, uriCharacters, false);
}

/** Returns whether text is a URI with characters of any script: RFC 3987, section 2.2. */
export function isIri(text: string): boolean {
  return isReference(text, iriCharacters, true);
}

/** Returns whether text is an IRI or a relative reference: RFC 3987, section 2.2. */
export function isIriReference(text: string): boolean {
  return isReference(text, iriCharacters, false);
}

function isReference(text: string, foreign: ForeignCharacters, needsScheme: boolean): boolean {
  const parts = referenceParts.exec(text);
  if (parts === null || badEscape.test(text)) return false;
  const [, scheme, authority, path = "", query = "", fragment = ""] = parts;
  if (scheme === undefined ? needsScheme : !schemePattern.test(scheme)) return false;
  if (authority !== undefined && !isAuthority(authority, foreign)) return false;
  // Without a scheme, a colon in the first segment would be read as its end: section 4.2. The pattern above assigns it to the scheme.
  return !foreign.path.test(path) && !foreign.query.test(query) && !foreign.fragment.test(fragment);
}

function isAuthority(authority: string, foreign: ForeignCharacters): boolean {
  const parts = authorityParts.exec(authority);
  if (parts === null) return false;
  const [, userInformation = "", host = ""] = parts;
  if (foreign.userInformation.test(userInformation)) return false;
  if (!host.startsWith("[")) return !foreign.host.test(host);
  const address = host.slice(1, -1);
  return isIpv6(address) || futureAddress.test(address);
}

function foreignCharacters(letters: string, queryLetters: string): ForeignCharacters {
  const but = (characters: string): RegExp => new RegExp(`[^${unreserved}${delimiters}%${letters}${characters}]`, "u");
  return {
    userInformation: but(":"),
    host: but(""),
    path: but(":@/"),
    query: but(`:@/?${queryLetters}`),
    fragment: but(":@/?"),
  };
}
