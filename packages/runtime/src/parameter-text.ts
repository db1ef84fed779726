import type { Decoding, ParameterFacts, ParameterStyle, ScalarDecoding } from "./operation.ts";
import { decodeScalar } from "./wire/scalar-text.ts";

/** The places of a request that parameters are read from. */
export interface RawParameters {
  readonly path: Readonly<Record<string, string | undefined>>;
  /** A repeated name has an array. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
}

/** Reads one parameter's wire value; `undefined` when it was left out. Text that spells no such value is given as it is. */
export type ParameterReader = (raw: RawParameters) => unknown;

type Scalar = string | number | bigint | boolean | null;

const listSeparators: Readonly<Partial<Record<ParameterStyle, string>>> = { spaceDelimited: " ", pipeDelimited: "|" };

/** OpenAPI's default: `simple` in path and header, `form` elsewhere. */
function styleOf(facts: ParameterFacts): ParameterStyle {
  if (facts.style !== undefined) return facts.style;
  return facts.location === "path" || facts.location === "header" ? "simple" : "form";
}

/** OpenAPI's default: true for `form`, else false. */
function explodeOf(facts: ParameterFacts): boolean {
  return facts.explode ?? styleOf(facts) === "form";
}

export { decodeScalar };

/** Prepares the reading of a parameter, so that a request costs no more than its values. */
export function createParameterReader(facts: ParameterFacts): ParameterReader {
  const decoding = facts.decoding ?? "string";
  const read = rawReader(facts);
  if (decoding === "string") return read;
  if (typeof decoding === "string") {
    return (raw) => {
      const value = read(raw);
      return typeof value === "string" ? decodeScalar(decoding, value) : value;
    };
  }
  return decoding.list === undefined
    ? recordReader(facts, read, decoding.record ?? {})
    : listReader(facts, read, scalarOf(decoding.list));
}

/** Writes a wire value as OpenAPI's `style` and `explode` ask: name–text pairs, not percent-encoded. */
export function writeParameter(
  facts: ParameterFacts,
  value: unknown,
): readonly (readonly [name: string, text: string])[] {
  const style = styleOf(facts);
  const explode = explodeOf(facts);
  if (Array.isArray(value)) return writeList(facts.name, value.map(scalarText), style, explode);
  if (typeof value === "object" && value !== null) return writeRecord(facts.name, recordEntries(value), style, explode);
  return [[facts.name, prefixed(style, facts.name, scalarText(value))]];
}

/** Cookies of a `Cookie` header (RFC 6265, section 5.4). */
export function readCookies(header: string | undefined): Readonly<Record<string, string | undefined>> {
  const cookies: Record<string, string | undefined> = Object.create(null);
  for (const pair of (header ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0) cookies[pair.slice(0, equals).trim()] = pair.slice(equals + 1).trim();
  }
  return cookies;
}

function rawReader(facts: ParameterFacts): ParameterReader {
  const style = styleOf(facts);
  const { name } = facts;
  switch (facts.location) {
    case "path":
      return style === "simple" ? (raw) => raw.path[name] : (raw) => unprefixed(style, name, raw.path[name]);
    case "header": {
      const lowerCaseName = name.toLowerCase();
      return (raw) => raw.headers[lowerCaseName];
    }
    case "cookie":
      return (raw) => raw.cookies[name];
    default:
      return (raw) => raw.query[name];
  }
}

function listReader(facts: ParameterFacts, read: ParameterReader, element: ScalarDecoding): ParameterReader {
  const style = styleOf(facts);
  const explode = explodeOf(facts);
  const separator = listSeparator(style, explode);
  const decode = (text: unknown): unknown => (typeof text === "string" ? decodeScalar(element, text) : text);
  return (raw) => {
    const value = read(raw);
    if (Array.isArray(value)) return value.map(decode);
    if (typeof value !== "string") return value;
    if (style === "form" && explode) return [decode(value)];
    return value === "" ? [] : value.split(separator).map(decode);
  };
}

function recordReader(
  facts: ParameterFacts,
  read: ParameterReader,
  fields: Readonly<Record<string, Decoding>>,
): ParameterReader {
  const style = styleOf(facts);
  const explode = explodeOf(facts);
  if (facts.location === "query" && style === "deepObject")
    return fieldReader(fields, (name) => `${facts.name}[${name}]`);
  if (facts.location === "query" && explode) return fieldReader(fields, (name) => name);
  return (raw) => {
    const value = read(raw);
    if (typeof value !== "string") return value;
    const pieces = value === "" ? [] : value.split(listSeparator(style, explode));
    return Object.fromEntries(
      pairs(pieces, explode).map(([name, text]) => [name, decodeScalar(fieldDecoding(fields, name), text)]),
    );
  };
}

/** Reads the members of an object that stand in the query each under a name of its own. */
function fieldReader(fields: Readonly<Record<string, Decoding>>, nameOf: (field: string) => string): ParameterReader {
  const names = Object.entries(fields).map(([field, decoding]) => [field, nameOf(field), scalarOf(decoding)] as const);
  return (raw) => {
    const found = names.filter(([, name]) => raw.query[name] !== undefined);
    if (found.length === 0) return undefined;
    return Object.fromEntries(
      found.map(([field, name, decoding]) => {
        const value = raw.query[name];
        return [field, typeof value === "string" ? decodeScalar(decoding, value) : value];
      }),
    );
  };
}

function fieldDecoding(fields: Readonly<Record<string, Decoding>>, name: string): ScalarDecoding {
  return Object.hasOwn(fields, name) ? scalarOf(fields[name] ?? "string") : "string";
}

function scalarOf(decoding: Decoding): ScalarDecoding {
  return typeof decoding === "string" ? decoding : (decoding.scalar ?? "string");
}

/** `["a", "1"]` or `["a=1"]` give `[["a", "1"]]`. */
function pairs(pieces: readonly string[], explode: boolean): readonly (readonly [string, string])[] {
  if (!explode)
    return pieces.flatMap((name, index) => (index % 2 === 0 ? [[name, pieces[index + 1] ?? ""] as const] : []));
  return pieces.map((piece) => {
    const equals = piece.indexOf("=");
    return equals < 0 ? [piece, ""] : [piece.slice(0, equals), piece.slice(equals + 1)];
  });
}

function listSeparator(style: ParameterStyle, explode: boolean): string {
  if (style === "label") return ".";
  if (style === "matrix") return explode ? ";" : ",";
  return listSeparators[style] ?? ",";
}

/** Takes `.` (label) or `;name=` (matrix) off a path parameter; exploded matrix lists lose each `name=`. */
function unprefixed(style: ParameterStyle, name: string, text: string | undefined): string | undefined {
  if (text === undefined || style === "simple") return text;
  if (style === "label") return text.startsWith(".") ? text.slice(1) : text;
  if (!text.startsWith(";")) return text;
  return text
    .slice(1)
    .split(";")
    .map((piece) => (piece.startsWith(`${name}=`) ? piece.slice(name.length + 1) : piece))
    .join(";");
}

function prefixed(style: ParameterStyle, name: string, text: string): string {
  if (style === "label") return `.${text}`;
  return style === "matrix" ? `;${name}=${text}` : text;
}

function writeList(
  name: string,
  texts: readonly string[],
  style: ParameterStyle,
  explode: boolean,
): readonly (readonly [string, string])[] {
  if (style === "form" && explode) return texts.map((text) => [name, text]);
  if (style === "matrix" && explode) return [[name, texts.map((text) => `;${name}=${text}`).join("")]];
  return [[name, prefixed(style, name, texts.join(listSeparator(style, explode)))]];
}

function writeRecord(
  name: string,
  entries: readonly (readonly [string, string])[],
  style: ParameterStyle,
  explode: boolean,
): readonly (readonly [string, string])[] {
  if (style === "deepObject") return entries.map(([field, text]) => [`${name}[${field}]`, text]);
  if (style === "form" && explode) return entries;
  if (style === "matrix" && explode) return [[name, entries.map(([field, text]) => `;${field}=${text}`).join("")]];
  const separator = listSeparator(style, explode);
  const text = entries.map(([field, value]) => (explode ? `${field}=${value}` : `${field}${separator}${value}`));
  return [[name, prefixed(style, name, text.join(separator))]];
}

function recordEntries(value: object): readonly (readonly [string, string])[] {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([field, member]) => [field, scalarText(member)]);
}

function scalarText(value: unknown): string {
  return isScalar(value) ? String(value) : JSON.stringify(value);
}

function isScalar(value: unknown): value is Scalar {
  return typeof value !== "object" || value === null;
}
