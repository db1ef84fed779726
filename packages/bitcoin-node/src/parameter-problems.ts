import type { ServiceError } from "@nodewright/runtime";
import { rpcError } from "./rpc-error.ts";

/** A value of the wrong JSON type. */
export interface Mistyped {
  /** For a person, such as `Position 1 (inputs)`. */
  readonly place: string;
  readonly value: unknown;
  /** In Bitcoin Core's words for types. */
  readonly expected: string;
}

/** Longer texts of callers are not sent back. */
const echoedLength = 100;
const hashDigits = 64;

/** The refusal of values of wrong types, naming each. */
export function typeProblem(mistyped: readonly Mistyped[]): ServiceError {
  const details = Object.fromEntries(
    mistyped.map(({ place, value, expected }) => [
      place,
      `JSON value of type ${typeName(value)} is not of expected type ${expected}`,
    ]),
  );
  return rpcError("wrongType", `Wrong type passed:\n${JSON.stringify(details, null, 4)}`);
}

/** The refusal of a text that should be a hash. */
export function hashProblem(name: string, value: string): ServiceError {
  // Bitcoin Core counts bytes of UTF-8.
  const length = Buffer.byteLength(value);
  return length === hashDigits
    ? hexProblem(name, value)
    : rpcError(
        "invalidParameter",
        `${name} must be of length ${hashDigits} (not ${length}, for '${shortened(value)}')`,
      );
}

/** The refusal of a text that should be hexadecimal. */
export function hexProblem(name: string, value: string): ServiceError {
  return rpcError("invalidParameter", `${name} must be hexadecimal string (not '${shortened(value)}')`);
}

/** The refusal of an integer that Bitcoin Core cannot hold, and of a number that is none. */
export function integerProblem(): ServiceError {
  return rpcError("miscellaneous", "JSON integer out of range");
}

/** Bitcoin Core's word for the JSON type of a value. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (isNumber(value)) return "number";
  return typeof value === "boolean" ? "bool" : typeof value;
}

/** The lossless reader gives integers above 2^53 as bigint. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** An object that is no array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text of a caller as it may be sent back. */
export function shortened(text: string): string {
  return text.length > echoedLength ? `${text.slice(0, echoedLength)}…` : text;
}
