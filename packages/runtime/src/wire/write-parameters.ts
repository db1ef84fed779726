import type { ParameterFacts } from "../operations/operation.ts";
import { ownMember } from "../json/own-member.ts";
import { encodePercent, encodeReserved } from "./percent-encoding.ts";
import { isScalarValue, scalarText } from "./scalar-text.ts";
import { type ValueStyle, styleOfParameter } from "./value-style.ts";
import { pairEncoder, refuseSeparators, type Encoder, type WrittenPair, writePairs, writeText } from "./write-value.ts";

/** Parameters of a request in their serialized form. */
export interface WrittenParameters {
  /** Path, percent-encoded. */
  readonly path: string;
  /** Query, percent-encoded, without question mark; empty when there is none. */
  readonly query: string;
  /** Headers by lower-case name, including `cookie`. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Writes an input's parameters in OpenAPI's styles: into the path parameters, a query, headers and cookies. Members that are undefined or
 * null are omitted.
 *
 * Throws `RangeError` for a value that cannot be represented: an empty string or a dot segment in a path, a line end in a header, a separator
 * in a list that is not percent-encoded. Its message names the parameter, not the value.
 */
export function writeParameters(
  path: string,
  parameters: readonly ParameterFacts[],
  input: Readonly<Record<string, unknown>>,
): WrittenParameters {
  const query: WrittenPair[] = [];
  const cookies: WrittenPair[] = [];
  const headers: [string, string][] = [];
  const pathValues = new Map<string, string>();
  let completeQuery: string | undefined;
  for (const facts of parameters) {
    const value = ownMember(input, facts.property);
    if (facts.location === "path") pathValues.set(facts.name, pathText(facts, value));
    if (value === undefined || value === null) continue;
    if (facts.location === "query") query.push(...queryPairs(facts, value));
    else if (facts.location === "querystring") completeQuery = queryText(facts, value);
    else if (facts.location === "header") headers.push([facts.name.toLowerCase(), headerText(facts, value)]);
    else if (facts.location === "cookie") cookies.push(...cookiePairs(facts, value));
  }
  if (cookies.length > 0) headers.push(["cookie", joinPairs(cookies, "; ")]);
  return {
    path: fillPath(path, pathValues),
    query: completeQuery ?? joinPairs(query, "&"),
    headers: Object.fromEntries(headers),
  };
}

/** Returns whether a parameter with a media type is written as JSON. */
export function isJsonType(mediaType: string): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(mediaType);
}

/** Returns the pairs of one query parameter, percent-encoded. */
function queryPairs(facts: ParameterFacts, value: unknown): readonly WrittenPair[] {
  const style = styleOfParameter(facts);
  const encode = pairEncoder(style.allowReserved);
  if (facts.mediaType !== undefined) return [[encodePercent(facts.name), encode(documentText(value, facts.mediaType))]];
  return writePairs(value, style, encode);
}

function documentText(value: unknown, mediaType: string): string {
  return isJsonType(mediaType) ? JSON.stringify(value) : scalarText(value);
}

/** Returns the query that is one value of a media type (OpenAPI 3.2, section 4.12.4). */
function queryText(facts: ParameterFacts, value: unknown): string {
  const { mediaType = "application/x-www-form-urlencoded" } = facts;
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(mediaType) && !isScalarValue(value);
  if (!isForm) return encodePercent(documentText(value, mediaType));
  const style: ValueStyle = { ...styleOfParameter(facts), style: "form", explode: true };
  return joinPairs(writePairs(value, style, encodePercent), "&");
}

const parameterText = /\{([^{}]*)\}/g;

/** Pattern of dot segments (RFC 3986, section 3.3), also percent-encoded. */
const dotSegment = /^(?:\.|%2e){1,2}$/i;

function fillPath(template: string, pathValues: ReadonlyMap<string, string>): string {
  const segments = template.split("/").map((segment) => {
    const filled = segment.replaceAll(parameterText, (expression, name: string) => pathValues.get(name) ?? expression);
    if (filled !== segment && dotSegment.test(filled))
      throw new RangeError(`${template}: a segment must not be . or ..`);
    return filled;
  });
  return segments.join("/");
}

function pathText(facts: ParameterFacts, value: unknown): string {
  const text = value === undefined || value === null ? "" : writtenPath(facts, value);
  if (text === "" || dotSegment.test(text))
    throw new RangeError(`${facts.property} must not be empty, . or .. in a path`);
  return text;
}

function writtenPath(facts: ParameterFacts, value: unknown): string {
  const style = styleOfParameter(facts);
  const encode: Encoder = style.allowReserved ? (text) => encodeReserved(text, "path") : encodePercent;
  if (facts.mediaType !== undefined) return encode(documentText(value, facts.mediaType));
  return writeText(value, style, encode);
}

/**
 * Returns the text of a header, which is not encoded (OpenAPI 3.1.1, appendix D). Characters that end a header, or don't fit in a byte, are
 * not allowed.
 */
function headerText(facts: ParameterFacts, value: unknown): string {
  const text = facts.mediaType === undefined ? simpleText(facts, value) : documentText(value, facts.mediaType);
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text)) {
    throw new RangeError(`The header ${facts.name} must not contain control characters, or characters beyond Latin-1`);
  }
  return text;
}

function simpleText(facts: ParameterFacts, value: unknown): string {
  const style = styleOfParameter(facts);
  if (isScalarValue(value)) return scalarText(value);
  const separators = style.explode && !Array.isArray(value) ? /[,=]/ : /,/;
  return writeText(value, style, refuseSeparators(separators, `The header ${facts.name}`));
}

/** Returns the pairs of a cookie. Style `form` is percent-encoded, style `cookie` is not (OpenAPI 3.2, section 4.12.6). */
function cookiePairs(facts: ParameterFacts, value: unknown): readonly WrittenPair[] {
  const style = styleOfParameter(facts);
  const place = `The cookie ${facts.name}`;
  const encode = style.style === "cookie" ? cookieEncoder(place, style.explode || isScalarValue(value)) : encodePercent;
  if (facts.mediaType !== undefined) return [[facts.name, encode(documentText(value, facts.mediaType))]];
  return writePairs(value, style, encode, unencoded);
}

function unencoded(text: string): string {
  return text;
}

/**
 * Returns the encoder of a cookie. A semicolon ends a cookie (RFC 6265, section 4.2.1), a comma separates where a list is one cookie; all
 * other ASCII is allowed.
 */
function cookieEncoder(place: string, isWhole: boolean): Encoder {
  return refuseSeparators(isWhole ? /[^\x20-\x3a\x3c-\x7e]/ : /[^\x20-\x2b\x2d-\x3a\x3c-\x7e]/, place);
}

function joinPairs(pairs: readonly WrittenPair[], separator: string): string {
  return pairs.map(([name, text]) => `${name}=${text}`).join(separator);
}
