import { readValidJson } from "./valid-json.ts";

/**
 * A JSON number as it is held after reading without loss: a double where that holds the number as written, a bigint for an
 * integer that a double would round.
 */
export type JsonNumber = number | bigint;

/** A piece of JSON text that `JSON.stringify` writes as it stands (`JSON.rawJSON`). */
export interface RawJson {
  readonly rawJSON: string;
}

/** The part of `JSON` that the compiler's library does not describe yet (proposal "JSON.parse source text access"). */
interface SourceTextJson {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
}

const sourceTextJson: SourceTextJson = JSON as unknown as SourceTextJson;

/** An integer that may pass 2^53: sixteen digits directly behind a structural character, so not inside a string. */
const longInteger = /(?:^|[:[,\s-])[0-9]{16}/;
const integerText = /^-?[0-9]+$/;

/** Longer integers stay doubles: converting text to a bigint takes time that grows faster than its length. */
const maximumIntegerDigits = 1000;

/**
 * Reads JSON text so that no integer is rounded: those beyond 2^53 - 1 become bigints, all other values are those of
 * `JSON.parse`. Throws `SyntaxError` as `JSON.parse` does; its message may quote the text, so it is not for callers' eyes.
 */
export function readLosslessJson(text: string): unknown {
  if (!longInteger.test(text)) return JSON.parse(text);
  // Refuses what is no JSON.
  JSON.parse(text);
  return readValidJson(text, readNumber);
}

/** Text that `JSON.stringify` writes unquoted. Throws `SyntaxError` unless it is a JSON primitive. */
export function rawJson(text: string): RawJson {
  return sourceTextJson.rawJSON(text);
}

/** Whether a value is one that `rawJson` has made. */
export function isRawJson(value: unknown): value is RawJson {
  return typeof value === "object" && value !== null && sourceTextJson.isRawJSON(value);
}

/** Writes a value that may hold bigints, each as a JSON integer. */
export function writeLosslessJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "bigint" ? rawJson(member.toString()) : member,
  );
}

function readNumber(source: string): JsonNumber {
  const value = Number(source);
  const isExact = Number.isSafeInteger(value) || source.length > maximumIntegerDigits || !integerText.test(source);
  return isExact ? value : BigInt(source);
}
