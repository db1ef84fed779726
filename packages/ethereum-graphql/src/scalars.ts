import type { ServiceError } from "@nodewright/runtime";
import type { ScalarImplementation } from "@nodewright/runtime/graphql";
import { unexpectedResult } from "./basics/unexpected-result.ts";

/**
 * Custom scalars of the schema. All of them are strings internally, in their serialized form: quantities in hexadecimal without leading
 * zeros, bytes in lower case. Input of clients is normalized to that form here, once.
 */
export const scalars: Readonly<Record<"Address" | "BigInt" | "Bytes" | "Bytes32" | "Long", ScalarImplementation>> = {
  Address: bytesScalar("Address", /^0x[0-9a-fA-F]{40}$/, "0x and 40 hexadecimal digits"),
  BigInt: integerScalar("BigInt", 256n),
  Bytes: bytesScalar("Bytes", /^0x(?:[0-9a-fA-F]{2})*$/, "0x and an even count of hexadecimal digits"),
  Bytes32: bytesScalar("Bytes32", /^0x[0-9a-fA-F]{64}$/, "0x and 64 hexadecimal digits"),
  Long: integerScalar("Long", 64n),
};

/** Names of scalars in other servers' schemas, by their names here: accepted in the definitions of variables. */
export const scalarAliases: Readonly<Record<string, string>> = {
  Hash: "Bytes32",
  LogTopic: "Bytes32",
  VersionedHash: "Bytes32",
};

function bytesScalar(name: string, pattern: RegExp, form: string): ScalarImplementation {
  return {
    serialize(value) {
      if (typeof value === "string" && startsAsHex(value)) return value.toLowerCase();
      throw noValueOf(name);
    },
    parse(value) {
      if (typeof value !== "string") throw new TypeError(`${name} must be ${form}, as text in quotes`);
      if (!pattern.test(value)) throw new TypeError(`${name} must be ${form}`);
      return value.toLowerCase();
    },
  };
}

function integerScalar(name: string, bits: bigint): ScalarImplementation {
  const limit = 1n << bits;
  const form = 'a natural number, or text of one in decimal, such as "30", or in hexadecimal, such as "0x1e"';
  return {
    serialize(value) {
      if (typeof value === "string" && value.length > 2 && startsAsHex(value)) return withoutLeadingZeros(value);
      if (isNatural(value)) return `0x${value.toString(16)}`;
      throw noValueOf(name);
    },
    parse(value, isFloatLiteral) {
      const integer = isFloatLiteral === true ? undefined : readInteger(value);
      if (integer === undefined) throw new TypeError(`${name} must be ${form}${mistakeIn(value, isFloatLiteral)}`);
      if (integer >= limit) throw new TypeError(`${name} must have at most ${bits} bits`);
      return `0x${integer.toString(16)}`;
    },
  };
}

/** Reads an integer; undefined when the value is not a natural number, or a JSON number that may already have lost digits. */
function readInteger(value: unknown): bigint | undefined {
  if (isNatural(value)) return BigInt(value);
  if (typeof value !== "string" || value.length > maximumDigits) return undefined;
  return /^(?:0|[1-9][0-9]*|0x(?:0|[1-9a-fA-F][0-9a-fA-F]*))$/.test(value) ? BigInt(value) : undefined;
}

/** Maximum digits: enough for 2^256 - 1 in decimal; the rest is rejected before it costs time. */
const maximumDigits = 78;

/** Returns the mistake in a value that is not a natural number, where it is known: half a sentence, or nothing. */
function mistakeIn(value: unknown, isFloatLiteral: boolean | undefined): string {
  if (isFloatLiteral === true) return "; it has a fraction or an exponent";
  if (typeof value === "bigint") return "; it is negative";
  if (typeof value === "number") return mistakeInNumber(value);
  if (typeof value !== "string") return "";
  if (value.length > maximumDigits) return "; it has too many digits";
  if (/^-[0-9]/.test(value)) return "; it is negative";
  if (/^(?:0x)?0[0-9a-fA-F]/.test(value)) return "; it has leading zeros";
  return "";
}

function mistakeInNumber(value: number): string {
  if (value < 0) return "; it is negative";
  if (value === Number.POSITIVE_INFINITY) return "; it has too many digits";
  return Number.isInteger(value) ? "; it is written with an exponent" : "; it has a fraction";
}

function isNatural(value: unknown): value is number | bigint {
  if (typeof value === "bigint") return value >= 0n;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/**
 * Returns whether a string starts as hexadecimal. Nothing else of the node's results is checked here: this runs for every field of
 * thousands of logs.
 */
function startsAsHex(value: string): boolean {
  return value.charCodeAt(0) === digitZero && value.charCodeAt(1) === letterX;
}

const digitZero = 0x30;
const letterX = 0x78;

/** Removes leading zeros: some clients pad the parts of signatures. */
function withoutLeadingZeros(hex: string): string {
  if (hex.length === 3 || hex.charCodeAt(2) !== digitZero) return hex;
  return hex.replace(/^0x0+(?=.)/, "0x");
}

function noValueOf(name: string): ServiceError {
  return unexpectedResult(`a value that is not a ${name}`);
}
