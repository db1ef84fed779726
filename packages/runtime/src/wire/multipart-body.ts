import type { ContentFacts, PropertyFacts } from "../operations/operation.ts";
import { FileBytes } from "./file-bytes.ts";
import { type FormProperties, formProperties, styleOfProperty } from "./form-properties.ts";
import { type DecodeOptions, readJsonText, readUtf8 } from "./json-text.ts";
import { createBoundary, type Part, readHeaderParameters, readMultipart, writeMultipart } from "./multipart.ts";
import { createPairs } from "./pairs.ts";
import { decodePercent, encodePercent } from "./percent-encoding.ts";
import { readPairsValue } from "./read-value.ts";
import { decodeScalar, isScalarValue, scalarText } from "./scalar-text.ts";
import { isStructure } from "./value-style.ts";
import { WireError } from "./wire-error.ts";
import { defaultWireLimits } from "./wire-limits.ts";
import { writePairs } from "./write-value.ts";

/** A multipart body with the media type that contains its boundary. */
export interface EncodedMultipart {
  readonly contentType: string;
  readonly body: Uint8Array;
}

/**
 * Writes a multipart body: an object's members as named parts, a list's elements as parts without a name. Bytes may be `FileBytes`. Members
 * that are undefined or null are omitted.
 */
export function encodeMultipart(
  content: ContentFacts,
  value: object,
  boundary: string = createBoundary(),
): EncodedMultipart {
  const { find } = formProperties(content);
  const parts = Array.isArray(value)
    ? value.map((element): Part => createPart(find(""), undefined, element))
    : Object.entries(value).flatMap(([name, member]) => writeProperty(find(name), member));
  const [essence = "multipart/form-data"] = content.mediaType.split(";", 1);
  const type = essence.endsWith("*") ? "multipart/form-data" : essence.trim();
  return { contentType: `${type}; boundary=${boundary}`, body: writeMultipart(parts, boundary) };
}

/** Reads the output of `encodeMultipart`; `contentType` is the header's. Files are `FileBytes`. Throws `WireError`. */
export function decodeMultipart(
  content: ContentFacts,
  bytes: Uint8Array,
  contentType: string | undefined,
  options: DecodeOptions = {},
): Record<string, unknown> | readonly unknown[] {
  const boundary = readHeaderParameters(contentType ?? "").get("boundary") ?? "";
  // RFC 2046, section 5.1.1.
  if (!/^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/.test(boundary)) {
    throw new WireError("malformed", "The media type of a multipart body has no boundary");
  }
  const parts = readMultipart(bytes, boundary, options.limits);
  const properties = formProperties(content);
  const isNamed = properties.described.length > 0 || parts.some(({ name }) => name !== undefined);
  if (!isNamed) return parts.map((part) => readPart(properties.find(""), part, options));
  return readNamedParts(properties, parts, options);
}

function writeProperty(facts: PropertyFacts, value: unknown): readonly Part[] {
  if (value === undefined || (value === null && facts.form !== "json")) return [];
  const { name, form, isRepeated } = facts;
  if (isRepeated === true && Array.isArray(value)) return value.map((element) => createPart(facts, name, element));
  if (form !== "text" || isScalarValue(value) || value instanceof Uint8Array) return [createPart(facts, name, value)];
  // Nothing is percent-encoded in parts: the pairs are written for a query and decoded again.
  return writePairs(value, styleOfProperty(facts), encodePercent).map(([pairName, text]) =>
    createPart({ ...facts, name: pairName }, decodePercent(pairName), decodePercent(text)),
  );
}

function createPart({ form, contentType }: PropertyFacts, name: string | undefined, value: unknown): Part {
  const named = name === undefined ? {} : { name };
  const own = concreteType(contentType);
  const encoder = new TextEncoder();
  if (value instanceof Uint8Array) {
    const { filename, contentType: type } = fileFacts(value);
    return {
      ...named,
      // Without a file name, receivers take a part for text.
      ...(name === undefined ? {} : { filename: filename ?? "blob" }),
      contentType: type ?? own ?? "application/octet-stream",
      body: value,
    };
  }
  if (form === "json")
    return { ...named, contentType: own ?? "application/json", body: encoder.encode(JSON.stringify(value)) };
  return { ...named, ...(own === undefined ? {} : { contentType: own }), body: encoder.encode(scalarText(value)) };
}

/** Returns the facts of a file. Compares members, because `instanceof` fails when two copies of this package are installed. */
function fileFacts(bytes: Uint8Array): {
  readonly filename?: string | undefined;
  readonly contentType?: string | undefined;
} {
  const { filename, contentType } = bytes as Partial<FileBytes>;
  return {
    filename: typeof filename === "string" ? filename : undefined,
    contentType: typeof contentType === "string" ? contentType : undefined,
  };
}

/** Returns the first of several media types; `undefined` where that is a range, which does not determine the type of one part. */
function concreteType(contentType: string | undefined): string | undefined {
  const [first = ""] = (contentType ?? "").split(",", 1);
  return first.trim() === "" || first.includes("*") ? undefined : first.trim();
}

function readNamedParts(
  properties: FormProperties,
  parts: readonly Part[],
  options: DecodeOptions,
): Record<string, unknown> {
  const groups = Map.groupBy(parts, ({ name = "" }) => name);
  const values = new Map<string, unknown>();
  for (const facts of properties.described) {
    const value = isStyled(facts)
      ? readStyled(facts, parts, properties, options)
      : readParts(facts, groups.get(facts.name) ?? [], options);
    if (value !== undefined) values.set(facts.name, value);
  }
  for (const [name, group] of groups) {
    const bracket = name.indexOf("[", 1);
    const isPartOfOther = bracket > 0 && properties.claimedBases.has(name.slice(0, bracket));
    if (!properties.claimed.has(name) && !isPartOfOther)
      values.set(name, readParts(properties.find(name), group, options));
  }
  return Object.fromEntries(values);
}

function isStyled({ form, decoding, isRepeated }: PropertyFacts): boolean {
  return form === "text" && isRepeated !== true && decoding !== undefined && isStructure(decoding);
}

/** Reads a structure whose members are parts of their own. */
function readStyled(
  facts: PropertyFacts,
  parts: readonly Part[],
  { claimed }: FormProperties,
  { limits = defaultWireLimits }: DecodeOptions,
): unknown {
  const texts = parts.filter(({ name, filename }) => name !== undefined && filename === undefined);
  const pairs = createPairs(texts.map(({ name = "", body }) => ({ name, value: readUtf8(body) })));
  return readPairsValue({ pairs, claimed, maximumDepth: limits.maximumDepth }, styleOfProperty(facts));
}

/** Returns one value for the parts of one name; a list where one is expected, or where there are several. */
function readParts(facts: PropertyFacts, parts: readonly Part[], options: DecodeOptions): unknown {
  const [first] = parts;
  if (first === undefined) return undefined;
  const values = parts.map((part) => readPart(facts, part, options));
  return facts.isRepeated === true || parts.length > 1 ? values : values[0];
}

function readPart(facts: PropertyFacts, part: Part, options: DecodeOptions): unknown {
  const { decoding = "string" } = facts;
  if (facts.form === "binary") return new FileBytes(part.body, part);
  const text = partText(part);
  if (facts.form === "json") {
    return readJsonText(text, options.limits ?? defaultWireLimits, options.keepsLongIntegers ?? false);
  }
  return decodeScalar(isStructure(decoding) ? (decoding.scalar ?? "string") : decoding, text);
}

/** Decodes the text of a part. RFC 7578, section 5.1.2: parts are UTF-8 unless they declare otherwise. */
function partText({ body, contentType = "" }: Part): string {
  const charset = readHeaderParameters(contentType).get("charset")?.toLowerCase() ?? "utf-8";
  if (!/^(?:utf-?8|us-ascii)$/.test(charset)) {
    throw new WireError("malformed", "A part is in a character encoding other than UTF-8");
  }
  return readUtf8(body);
}
