import type { ParameterFacts } from "../operations/operation.ts";
import { ownMember } from "../json/own-member.ts";
import { readDelimited, type Separation } from "./delimited-text.ts";
import { createPairs, type Pair, type Pairs, readCookies, readPairs } from "./pairs.ts";
import { decodeFormText, decodePercent } from "./percent-encoding.ts";
import { readPairsValue, readSpread } from "./read-value.ts";
import { isStructure, styleOfParameter, type ValueStyle } from "./value-style.ts";
import { defaultWireLimits, type WireLimits } from "./wire-limits.ts";
import { isJsonType } from "./write-parameters.ts";

/** Parts of a request that parameters are read from. */
export interface RawParameters {
  /** Values of the path parameters, still percent-encoded. */
  readonly path: Readonly<Record<string, string | undefined>>;
  /** Query, still percent-encoded, without question mark. */
  readonly query: string;
  /** Headers by lower-case name, including `cookie`. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Function that reads the wire values of all parameters, by property, with defaults. Throws `WireError` for unreadable ones. */
export type ParametersReader = (raw: RawParameters) => Record<string, unknown>;

/** Parts of a request that contain parameters, parsed once. */
interface RequestParts {
  readonly raw: RawParameters;
  readonly query: Pairs;
  /** Cookies without decoding. */
  readonly cookies: Pairs;
  /** Cookies percent-decoded. */
  readonly encodedCookies: Pairs;
}

type Reader = (parts: RequestParts) => unknown;

interface Preparation {
  readonly claimedInQuery: ReadonlySet<string>;
  readonly claimedInCookies: ReadonlySet<string>;
  readonly limits: WireLimits;
}

const nothing: Pairs = createPairs([]);

/** Creates the reader of an operation's parameters, so that a request costs no more than its values. */
export function createParametersReader(
  parameters: readonly ParameterFacts[],
  limits: WireLimits = defaultWireLimits,
): ParametersReader {
  const preparation: Preparation = {
    claimedInQuery: namesIn(parameters, "query"),
    claimedInCookies: namesIn(parameters, "cookie"),
    limits,
  };
  const readers = parameters.map((facts) => ({
    property: facts.property,
    default: facts.default,
    read: createReader(facts, preparation),
  }));
  const parseParts = createPartsParser(parameters, limits);
  return (raw) => {
    const parts = parseParts(raw);
    const values: Record<string, unknown> = {};
    for (const reader of readers) {
      const value = reader.read(parts) ?? reader.default;
      if (value !== undefined) values[reader.property] = value;
    }
    return values;
  };
}

function namesIn(parameters: readonly ParameterFacts[], location: ParameterFacts["location"]): ReadonlySet<string> {
  return new Set(parameters.filter((facts) => facts.location === location).map(({ name }) => name));
}

/** Creates a function that parses the parts that contain the parameters, and no others. */
function createPartsParser(
  parameters: readonly ParameterFacts[],
  limits: WireLimits,
): (raw: RawParameters) => RequestParts {
  const hasQuery = parameters.some((facts) => facts.location === "query" || facts.location === "querystring");
  const hasCookies = parameters.some((facts) => facts.location === "cookie");
  return (raw) => {
    const cookies = hasCookies ? readCookies(singleText(raw.headers["cookie"])) : noCookies;
    return {
      raw,
      query: hasQuery && raw.query !== "" ? readPairs(raw.query, limits) : nothing,
      cookies: hasCookies ? createPairs(cookies) : nothing,
      encodedCookies: hasCookies ? createPairs(cookies, decodeLeniently) : nothing,
    };
  };
}

const noCookies: readonly Pair[] = [];

function createReader(facts: ParameterFacts, preparation: Preparation): Reader {
  const style = styleOfParameter(facts);
  if (facts.location === "querystring") return querystringReader(facts, style, preparation);
  if (facts.mediaType !== undefined) return documentReader(facts, style, facts.mediaType);
  const { maximumDepth } = preparation.limits;
  switch (facts.location) {
    case "path":
      return pathReader(style);
    case "header":
      return headerReader(style);
    case "cookie": {
      const claimed = preparation.claimedInCookies;
      return style.style === "cookie"
        ? ({ cookies }) => readPairsValue({ pairs: cookies, claimed, maximumDepth }, style)
        : ({ encodedCookies }) => readPairsValue({ pairs: encodedCookies, claimed, maximumDepth }, style);
    }
    default: {
      const claimed = preparation.claimedInQuery;
      return ({ query }) => readPairsValue({ pairs: query, claimed, maximumDepth }, style);
    }
  }
}

function pathReader(style: ValueStyle): Reader {
  const separation: Separation = {
    separator: style.explode && style.style !== "simple" ? (style.style === "label" ? "." : ";") : ",",
    isPaired: style.explode,
    decode: decodePercent,
  };
  return ({ raw }) => {
    const text = ownMember(raw.path, style.name);
    return text === undefined ? undefined : readDelimited(unprefixed(text, style), style.decoding, separation);
  };
}

/** Removes `.` (label), or `;name=` (matrix, each in an exploded list), from the text. */
function unprefixed(text: string, { name, style, explode, decoding }: ValueStyle): string {
  if (style === "label") return text.startsWith(".") ? text.slice(1) : text;
  if (style !== "matrix" || !text.startsWith(";")) return text;
  const isSpread = explode && isStructure(decoding) && decoding.list === undefined;
  if (isSpread) return text.slice(1);
  const pieces = text.slice(1).split(";");
  return pieces.map((piece) => unnamed(piece, name)).join(";");
}

function unnamed(piece: string, name: string): string {
  const equals = piece.indexOf("=");
  const encodedName = equals < 0 ? piece : piece.slice(0, equals);
  if (decodeLeniently(encodedName) !== name) return piece;
  return equals < 0 ? "" : piece.slice(equals + 1);
}

/**
 * Returns the reader of a header. Texts in headers are not encoded; space around the pieces of a list is not part of them (RFC 9110,
 * section 5.6.1).
 */
function headerReader(style: ValueStyle): Reader {
  const name = style.name.toLowerCase();
  const separation: Separation = { separator: ",", isPaired: style.explode, decode: (piece) => piece.trim() };
  return ({ raw }) => {
    const text = singleText(ownMember(raw.headers, name));
    return text === undefined ? undefined : readDelimited(text, style.decoding, separation);
  };
}

/** Returns one text. A repeated header is one list (RFC 9110, section 5.3). */
function singleText(value: string | readonly string[] | undefined): string | undefined {
  return value === undefined || typeof value === "string" ? value : value.join(", ");
}

/** Returns the reader of a parameter that is a complete document; invalid text is returned unchanged. */
function documentReader(facts: ParameterFacts, style: ValueStyle, mediaType: string): Reader {
  const read = textReader(facts, style);
  return (parts) => {
    const text = read(parts);
    return text === undefined ? undefined : readDocument(text, mediaType);
  };
}

function textReader(
  { name, location }: ParameterFacts,
  { allowReserved, style }: ValueStyle,
): (parts: RequestParts) => string | undefined {
  const decode = (text: string | undefined, decodeText: (text: string) => string): string | undefined =>
    text === undefined ? undefined : decodeText(text);
  switch (location) {
    case "path":
      return ({ raw }) => decode(ownMember(raw.path, name), decodePercent);
    case "header":
      return ({ raw }) => singleText(ownMember(raw.headers, name.toLowerCase()));
    case "cookie":
      if (style === "cookie") return ({ cookies }) => cookies.values(name)[0];
      return ({ encodedCookies }) => decode(encodedCookies.values(name)[0], encodedCookies.decode);
    default:
      return ({ query }) => decode(query.values(name)[0], allowReserved ? decodePercent : decodeFormText);
  }
}

function querystringReader(facts: ParameterFacts, style: ValueStyle, { limits }: Preparation): Reader {
  const { mediaType = "application/x-www-form-urlencoded" } = facts;
  if (!/^application\/x-www-form-urlencoded\b/i.test(mediaType)) {
    return ({ raw }) => (raw.query === "" ? undefined : readDocument(decodePercent(raw.query), mediaType));
  }
  const decoding = isStructure(style.decoding) ? style.decoding : { record: {} };
  const { maximumDepth } = limits;
  return ({ query }) => readSpread({ pairs: query, claimed: new Set(), maximumDepth }, style, decoding);
}

function readDocument(text: string, mediaType: string): unknown {
  if (!isJsonType(mediaType)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Decodes a cookie. Cookies may come from other sources: one that is not percent-encoded is returned unchanged. */
function decodeLeniently(text: string): string {
  try {
    return decodePercent(text);
  } catch {
    return text;
  }
}
