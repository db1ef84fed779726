import type { ContentFacts, PropertyFacts } from "../operations/operation.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { type FormProperties, formProperties, styleOfProperty } from "./form-properties.ts";
import { type DecodeOptions, readJsonText } from "./json-text.ts";
import { type Pairs, readPairs } from "./pairs.ts";
import { encodePercent } from "./percent-encoding.ts";
import { readPairsValue } from "./read-value.ts";
import { decodeScalar, scalarText } from "./scalar-text.ts";
import { isStructure } from "./value-style.ts";
import { defaultWireLimits } from "./wire-limits.ts";
import { pairEncoder, type WrittenPair, writePairs } from "./write-value.ts";

/** Writes an `application/x-www-form-urlencoded` body. Members that are undefined or null are omitted. */
export function encodeForm(content: ContentFacts, value: object): string {
  const { find } = formProperties(content);
  return Object.entries(value)
    .flatMap(([name, member]) => writeProperty(find(name), member))
    .map(([name, text]) => `${name}=${text}`)
    .join("&");
}

/** Reads the output of `encodeForm`, and lists and objects in brackets of other encoders. Throws `WireError`. */
export function decodeForm(content: ContentFacts, text: string, options: DecodeOptions = {}): Record<string, unknown> {
  const { limits = defaultWireLimits } = options;
  return readProperties(formProperties(content), readPairs(text, limits), options);
}

function writeProperty(facts: PropertyFacts, value: unknown): readonly WrittenPair[] {
  if (value === undefined || (value === null && facts.form !== "json")) return [];
  if (facts.form === "text" && facts.isRepeated !== true) {
    const style = styleOfProperty(facts);
    return writePairs(value, style, pairEncoder(style.allowReserved));
  }
  const values = facts.isRepeated === true && Array.isArray(value) ? value : [value];
  return values.map((one) => [encodePercent(facts.name), encodePercent(propertyText(facts, one))]);
}

function propertyText({ form }: PropertyFacts, value: unknown): string {
  if (form === "json") return JSON.stringify(value);
  return value instanceof Uint8Array ? encodeBase64(value) : scalarText(value);
}

/** Returns the members of pairs: the described ones, then all others. */
function readProperties(properties: FormProperties, pairs: Pairs, options: DecodeOptions): Record<string, unknown> {
  const described = properties.described.map(
    (facts) => [facts.name, readProperty(facts, pairs, properties, options)] as const,
  );
  const others = otherNames(properties, pairs).map(
    (name) => [name, readProperty(properties.find(name), pairs, properties, options)] as const,
  );
  return Object.fromEntries([...described, ...others].filter(([, value]) => value !== undefined));
}

function readProperty(
  facts: PropertyFacts,
  pairs: Pairs,
  { claimed }: FormProperties,
  options: DecodeOptions,
): unknown {
  const { limits = defaultWireLimits } = options;
  if (facts.form === "text" && facts.isRepeated !== true) {
    return readPairsValue({ pairs, claimed, maximumDepth: limits.maximumDepth }, styleOfProperty(facts));
  }
  const texts = repeatedTexts(facts, pairs);
  const [first] = texts;
  if (first === undefined) return undefined;
  if (facts.isRepeated === true) return texts.map((text) => readText(facts, text, options));
  return texts.length > 1 ? texts : readText(facts, first, options);
}

/** Returns the texts of a list, which is also read from `name[]` and `name[0]`. */
function repeatedTexts({ name, isRepeated }: PropertyFacts, pairs: Pairs): readonly string[] {
  const values = pairs.values(name);
  const elements = isRepeated === true && values.length === 0 ? bracketedElements(name, pairs) : [];
  return [...values, ...elements].map(pairs.decode);
}

function bracketedElements(name: string, pairs: Pairs): readonly string[] {
  return pairs
    .bracketed(name)
    .filter((pair) => /^\[[0-9]{0,9}\]$/.test(pair.name.slice(name.length)))
    .map(({ value }) => value);
}

function readText({ form, decoding = "string" }: PropertyFacts, text: string, options: DecodeOptions): unknown {
  switch (form) {
    case "json":
      return readJsonText(text, options.limits ?? defaultWireLimits, options.keepsLongIntegers ?? false);
    case "binary":
      return decodeBase64(text) ?? text;
    case "text":
      return decodeScalar(isStructure(decoding) ? (decoding.scalar ?? "string") : decoding, text);
  }
}

function otherNames({ claimed, claimedBases }: FormProperties, pairs: Pairs): readonly string[] {
  const names = new Set<string>();
  for (const { name } of pairs.all) {
    const bracket = name.indexOf("[", 1);
    const isPartOfOther = bracket > 0 && claimedBases.has(name.slice(0, bracket));
    if (!claimed.has(name) && !isPartOfOther) names.add(name);
  }
  return [...names];
}
