import type { ServiceError } from "@nodewright/runtime";
import { rpcError } from "./rpc-error.ts";

/** A value of an invalid JSON type. */
export interface Mistyped {
  /** Place for a person, such as `Position 1 (inputs)`. */
  readonly place: string;
  readonly value: unknown;
  /** Expected type in Bitcoin Core's words. */
  readonly expected: string;
}

/** Maximum length of client text that is echoed. */
const echoedLength = 100;
const hashDigits = 64;

/** Creates the error for values of invalid types, with each of them. */
export function typeProblem(mistyped: readonly Mistyped[]): ServiceError {
  const details = Object.fromEntries(
    mistyped.map(({ place, value, expected }) => [
      place,
      `JSON value of type ${typeName(value)} is not of expected type ${expected}`,
    ]),
  );
  return rpcError("wrongType", `Wrong type passed:\n${JSON.stringify(details, null, 4)}`);
}

/** Creates the error for a string that should be a hash. */
export function hashProblem(name: string, value: string): ServiceError {
  // Bitcoin Core counts bytes of UTF-8.
  const length = Buffer.byteLength(value);
  return length === hashDigits
    ? hexProblem(name, value)
    : rpcError("invalidParameter", `${name} must be of length ${hashDigits} (not ${length}, for '${truncate(value)}')`);
}

/** Creates the error for a string that should be hexadecimal. */
export function hexProblem(name: string, value: string): ServiceError {
  return rpcError("invalidParameter", `${name} must be hexadecimal string (not '${truncate(value)}')`);
}

/** Creates the error for an integer that Bitcoin Core cannot represent, and for a number that is not an integer. */
export function integerProblem(): ServiceError {
  return rpcError("miscellaneous", "JSON integer out of range");
}

/** Returns Bitcoin Core's word for the JSON type of a value. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (isNumber(value)) return "number";
  return typeof value === "boolean" ? "bool" : typeof value;
}

/** Returns whether a value is a number. The lossless parser returns integers above 2^53 as bigint. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Returns whether a value is an object and no array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Truncates text of a client for an error message that quotes it. */
export function truncate(text: string): string {
  return text.length > echoedLength ? `${text.slice(0, echoedLength)}…` : text;
}
