import type { ServiceError } from "@nodewright/runtime";
import { aboutParameters, rpcError } from "../rpc-error.ts";

/** All bitcoin that there will be, in satoshi; no amount is above it. */
const maximumAmount = 21_000_000n * 100_000_000n;
/** Bitcoin Core reads no more digits. */
const readLimit = 10n ** 18n;
const decimalPlaces = 8;
const decimal = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
/** Digits of a power of ten, and characters of an amount, that are worked with. */
const [longestExponent, longestAmount] = [9, 100];

/** Satoshi of an amount as it was sent in a parameter: a decimal of bitcoin as text, or satoshi. Throws -3 for what is no amount. */
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

/** Satoshi of a decimal of bitcoin; `undefined` for another text, and where less than a satoshi is left over. */
export function satoshiOf(text: string): bigint | undefined {
  const match = text.length > longestAmount ? null : decimal.exec(text);
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  if (exponent.length > longestExponent) return undefined;
  // As for Bitcoin Core, the zero before a point is no digit of the amount.
  const digits = (whole === "0" ? "" : whole) + fraction;
  const significant = digits.replace(/0+$/, "");
  const shift = decimalPlaces - fraction.length + Number(exponent) + (digits.length - significant.length);
  if (shift < 0 || shift >= 18) return undefined;
  // No digits are 0.
  const satoshi = BigInt(significant) * 10n ** BigInt(shift);
  return sign === "-" ? -satoshi : satoshi;
}

/** The refusal of what is no amount. */
export function invalidAmount(): ServiceError {
  return rpcError("wrongType", "Invalid amount");
}
