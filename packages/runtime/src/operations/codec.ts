import { type JsonNumber, type RawJson, rawJson } from "../json/lossless-json.ts";

/** Decimal places of a bitcoin amount; one satoshi is the last. */
const amountPlaces = 8;
const satoshiPerBitcoin = 100_000_000n;
const decimalText = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** Largest exponent that is expanded; amounts have far smaller ones. */
const maximumExponent = 40;

/**
 * Returns the satoshi of a decimal of bitcoin on the wire.
 *
 * Exact for each amount of up to 2^26 bitcoin, three times the total supply: neighboring doubles are less than a satoshi apart, so the
 * shortest decimal of the one that was read is the one that was written. Throws `RangeError` for a value that is not an integer of satoshi.
 */
export function decodeBitcoinAmount(wire: unknown): bigint {
  if (typeof wire === "bigint") return wire * satoshiPerBitcoin;
  if (typeof wire !== "number") throw new RangeError("A bitcoin amount is a JSON number");
  return satoshiOfDecimal(String(wire));
}

/** Returns the JSON number with 8 decimals for an amount of satoshi. */
export function encodeBitcoinAmount(satoshi: bigint): RawJson {
  return rawJson(formatBitcoinAmount(satoshi));
}

/** Formats satoshi: `-123456n` becomes `-0.00123456`. */
export function formatBitcoinAmount(satoshi: bigint): string {
  const sign = satoshi < 0n ? "-" : "";
  const digits = (satoshi < 0n ? -satoshi : satoshi).toString().padStart(amountPlaces + 1, "0");
  return `${sign}${digits.slice(0, -amountPlaces)}.${digits.slice(-amountPlaces)}`;
}

/** Returns a JSON integer as a bigint. Throws `RangeError` for another value. */
export function decodeBigint(wire: unknown): bigint {
  if (typeof wire === "bigint") return wire;
  if (typeof wire === "number" && Number.isInteger(wire)) return BigInt(wire);
  throw new RangeError("A JSON integer is expected");
}

/** Returns a bigint as the JSON integer that `JSON.stringify` writes. */
export function encodeBigint(value: bigint): RawJson {
  return rawJson(value.toString());
}

/** Returns a JSON number as a double, rounded where it is longer. */
export function decodeNumber(wire: JsonNumber): number {
  return Number(wire);
}

function satoshiOfDecimal(text: string): bigint {
  const match = decimalText.exec(text);
  if (match === null) throw new RangeError("A bitcoin amount is a finite decimal");
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const shift = amountPlaces - fraction.length + Number(exponent);
  if (Math.abs(shift) > maximumExponent) throw new RangeError("A bitcoin amount is out of range");
  const satoshi = shiftDecimal(BigInt(whole + fraction), shift);
  return sign === "-" ? -satoshi : satoshi;
}

function shiftDecimal(value: bigint, places: number): bigint {
  if (places >= 0) return value * 10n ** BigInt(places);
  const divisor = 10n ** BigInt(-places);
  if (value % divisor !== 0n) throw new RangeError("A bitcoin amount has at most 8 decimals");
  return value / divisor;
}
