import { readValidJson } from "./valid-json.ts";

/**
 * A JSON number after lossless reading: a double where that represents the number as written, a bigint for an integer that a double would
 * round.
 */
export type JsonNumber = number | bigint;

/** A piece of JSON text that `JSON.stringify` writes unchanged (`JSON.rawJSON`). */
export interface RawJson {
  readonly rawJSON: string;
}

/** Part of `JSON` that the compiler's library does not describe yet (proposal "JSON.parse source text access"). */
interface SourceTextJson {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
}

const sourceTextJson: SourceTextJson = JSON as unknown as SourceTextJson;

/** Pattern of an integer that may exceed 2^53: sixteen digits directly after a structural character, so not inside a string. */
const longInteger = /(?:^|[:[,\s-])[0-9]{16}/;
const integerText = /^-?[0-9]+$/;

/** Maximum digits of a bigint; longer integers stay doubles: converting text to a bigint takes time that grows faster than its length. */
const maximumIntegerDigits = 1000;

/**
 * Reads JSON text without rounding integers: those beyond 2^53 - 1 become bigints, all other values are those of `JSON.parse`. Throws
 * `SyntaxError` as `JSON.parse` does; its message may quote the text, so it must not be shown to clients.
 */
export function readLosslessJson(text: string): unknown {
  if (!longInteger.test(text)) return JSON.parse(text);
  // Rejects text that is not JSON.
  JSON.parse(text);
  return readValidJson(text, readNumber);
}

/** Returns text that `JSON.stringify` writes unquoted. Throws `SyntaxError` unless it is a JSON primitive. */
export function rawJson(text: string): RawJson {
  return sourceTextJson.rawJSON(text);
}

/** Returns whether a value was created by `rawJson`. */
export function isRawJson(value: unknown): value is RawJson {
  return typeof value === "object" && value !== null && sourceTextJson.isRawJSON(value);
}

/** Writes a value that may contain bigints, each as a JSON integer. */
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
