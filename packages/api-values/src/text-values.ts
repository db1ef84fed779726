import type { StringNode } from "@nodewright/api-model";
import { patternText } from "./pattern-text.ts";
import type { RandomSource } from "./random.ts";

/** Maximum length of a generated string in characters. */
export const maximumTextLength = 4096;

/** Formats that any string matches. */
const anyTextFormats: ReadonlySet<string> = new Set(["password", "binary", "text", "string"]);

/** Returns whether a type's format, or the absence of one, allows any string of the right length. */
export function allowsAnyString({ format }: StringNode): boolean {
  return format === undefined || anyTextFormats.has(format);
}

/** Yields strings that may match a type, plain ones first; each must still be checked against it. Yields none for an unknown format. */
export function* plausibleTexts(type: StringNode, random: RandomSource): Iterable<string> {
  const ofFormat = type.format === undefined ? undefined : formatText(type.format, random);
  if (ofFormat !== undefined) yield ofFormat;
  const least = Math.min(type.minLength ?? 0, maximumTextLength);
  const most = Math.min(type.maxLength ?? maximumTextLength, maximumTextLength);
  if (type.pattern !== undefined) yield* patternTexts(type.pattern, least, most, random);
  if (ofFormat !== undefined || allowsAnyString(type)) yield textOfLength(Math.max(least, Math.min(6, most)), random);
}

/** Yields strings for a pattern, from short ones to long ones. */
export function* patternTexts(pattern: string, least: number, most: number, random: RandomSource): Iterable<string> {
  for (const stretch of [0.5, 0, 0.2, 1, 0.05, 0.8]) {
    for (const room of [8, Math.max(least, 1), most]) {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const text = patternText(pattern, { random, stretch, most: room });
        if (text === undefined) return;
        yield text;
        if (text.length < least) yield text + textOfLength(least - text.length, random);
      }
    }
  }
}

/** Returns lower-case letters. */
export function textOfLength(length: number, random: RandomSource): string {
  let text = "";
  while (text.length < length) text += String.fromCodePoint(97 + random.integer(0, 25));
  return text;
}

/** Returns a string of a JSON Schema or OpenAPI format; undefined for unknown ones. */
function formatText(format: string, random: RandomSource): string | undefined {
  const two = (least: number, most: number): string => String(random.integer(least, most)).padStart(2, "0");
  const date = (): string => `20${two(10, 24)}-${two(1, 12)}-${two(1, 28)}`;
  const time = (): string => `${two(0, 23)}:${two(0, 59)}:${two(0, 59)}Z`;
  const word = (): string => textOfLength(6, random);
  const formats: Readonly<Record<string, () => string>> = {
    "date-time": () => `${date()}T${time()}`,
    date,
    time,
    duration: () => `P${random.integer(1, 28)}D`,
    uuid: () => uuid(random),
    uri: () => `https://example.com/${word()}`,
    url: () => `https://example.com/${word()}`,
    iri: () => `https://example.com/${word()}`,
    "uri-reference": () => `/${word()}`,
    "iri-reference": () => `/${word()}`,
    "uri-template": () => `/${word()}/{id}`,
    email: () => `${word()}@example.com`,
    "idn-email": () => `${word()}@example.com`,
    hostname: () => `${word()}.example.com`,
    "idn-hostname": () => `${word()}.example.com`,
    ipv4: () => `192.0.2.${random.integer(1, 254)}`,
    ipv6: () => `2001:db8::${random.integer(1, 9999)}`,
    byte: () => Buffer.from(word()).toString("base64"),
    regex: () => `^${word()}$`,
    "json-pointer": () => `/${word()}`,
    "relative-json-pointer": () => `0/${word()}`,
  };
  // GraphQL scalars are identified by their names: `ISO8601DateTime`, `EmailAddress`.
  const plain = format
    .toLowerCase()
    .replace(/^(?:iso8601|local)|address$/g, "")
    .replace("datetime", "date-time")
    .replace("guid", "uuid");
  const known = [format, plain].find((one) => Object.hasOwn(formats, one));
  return known === undefined ? undefined : formats[known]?.();
}

function uuid(random: RandomSource): string {
  const hex = (length: number): string => Array.from({ length }, () => random.integer(0, 15).toString(16)).join("");
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${random.pick(["8", "9", "a", "b"])}${hex(3)}-${hex(12)}`;
}
