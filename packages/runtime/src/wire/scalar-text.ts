import { isRawJson } from "../json/lossless-json.ts";
import type { ScalarDecoding } from "../operations/operation.ts";

/** Pattern of JSON's grammar of numbers (RFC 8259, section 6). */
const numberText = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const integerText = /^-?(?:0|[1-9][0-9]*)$/;

/** Maximum digits of a bigint; longer integers stay text: converting one to a bigint takes time that grows faster than its length. */
const maximumIntegerDigits = 1000;

/** Returns the value of a text, of the given kind; the text itself when it does not represent one, for a validator to reject. */
export function decodeScalar(decoding: ScalarDecoding, text: string): unknown {
  switch (decoding) {
    case "string":
      return text;
    case "number":
      return readNumber(text) ?? text;
    case "integer":
      return integerText.test(text) ? (readNumber(text) ?? text) : text;
    case "bigint":
      return readInteger(text) ?? text;
    case "boolean":
      return readBoolean(text) ?? text;
    case "scalar":
      return readNumber(text) ?? readBoolean(text) ?? text;
  }
}

/** Returns a number, boolean or string as its characters; anything else as JSON. */
export function scalarText(value: unknown): string {
  if (typeof value === "string") return value;
  if (isRawJson(value)) return value.rawJSON;
  // Beyond that, a double would be written with an exponent, which integers do not have.
  if (typeof value === "number" && Math.abs(value) >= 1e21 && Number.isFinite(value)) return BigInt(value).toString();
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** Returns whether a value is written as one text: it is neither a list nor an object. */
export function isScalarValue(value: unknown): boolean {
  return typeof value !== "object" || value === null || isRawJson(value);
}

function readNumber(text: string): number | undefined {
  if (!numberText.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function readInteger(text: string): number | bigint | undefined {
  if (text.length > maximumIntegerDigits || !integerText.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

function readBoolean(text: string): boolean | undefined {
  if (text === "true") return true;
  return text === "false" ? false : undefined;
}
