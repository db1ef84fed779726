import type { ServiceError } from "@nodewright/runtime";
import { aboutParameters, rpcError } from "../parameters/rpc-error.ts";

/** Total supply in satoshi; no amount is above it. */
const maximumAmount = 21_000_000n * 100_000_000n;
/** Limit of the digits that Bitcoin Core reads. */
const readLimit = 10n ** 18n;
const decimalPlaces = 8;
const decimal = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
/** Maximum digits of a power of ten, and characters of an amount, that are processed. */
const [longestExponent, longestAmount] = [9, 100];

/**
 * Returns the satoshi of an amount as it was sent in a parameter: a decimal of bitcoin as a string, or satoshi. Throws -3 for an invalid
 * amount.
 */
export function readAmount(sent: bigint | string, parameter: string): bigint {
  const satoshi = typeof sent === "string" ? satoshiOf(sent) : sent;
  if (satoshi === undefined || satoshi >= readLimit || satoshi <= -readLimit) {
    throw aboutParameters(invalidAmount(), [parameter]);
  }
  if (satoshi < 0n || satoshi > maximumAmount) {
    throw aboutParameters(rpcError("wrongType", "Amount out of range"), [parameter]);
  }
  return satoshi;
}

/** Returns the satoshi of a decimal of bitcoin; `undefined` for another string, and for fractions of a satoshi. */
export function satoshiOf(text: string): bigint | undefined {
  const match = text.length > longestAmount ? null : decimal.exec(text);
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  if (exponent.length > longestExponent) return undefined;
  // As in Bitcoin Core, the zero before a point is no digit of the amount.
  const digits = (whole === "0" ? "" : whole) + fraction;
  const significant = digits.replace(/0+$/, "");
  const shift = decimalPlaces - fraction.length + Number(exponent) + (digits.length - significant.length);
  if (shift < 0 || shift >= 18) return undefined;
  // No digits are 0.
  const satoshi = BigInt(significant) * 10n ** BigInt(shift);
  return sign === "-" ? -satoshi : satoshi;
}

/** Creates the error for an invalid amount. */
export function invalidAmount(): ServiceError {
  return rpcError("wrongType", "Invalid amount");
}
