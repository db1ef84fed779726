import { canonicalText } from "@nodewright/api-model";
import type { Difference } from "../compare/differences.ts";
import { isTime } from "../compare/value-order.ts";
import { isMovingName } from "../compare/volatile-names.ts";
import { isHexadecimalText } from "../live/hexadecimal-text.ts";

/**
 * A count or a time of a target that goes on differs without fault, and so does a list that grew. What an object is called, or how it is
 * written, does not move. Of a target's state as it is now, no number, time or hash is that of the day when the description was written;
 * elements of a list are things, not the state.
 */
export function mayHaveMoved(difference: Difference, asksForState: boolean): boolean {
  const { kind, name, element, expected, actual } = difference;
  if (kind === "length") return isGrowth(difference);
  if (kind !== "value") return false;
  const isState = asksForState && element === undefined;
  const isMoving = isOfNumbersOrTimes(difference);
  if (isMoving && isMovingName(name)) return true;
  const areHashes = isHexadecimalText(expected) && isHexadecimalText(actual);
  return isState && (isMoving || areHashes || name === "");
}

/** A description may show the beginning of a list; elements that repeat are no growth. */
export function isGrowth({ kind, expected, actual }: Difference): boolean {
  if (kind !== "length" || !Array.isArray(expected) || !Array.isArray(actual)) return false;
  if (actual.length < expected.length) return false;
  const known = new Set(actual.slice(0, expected.length).map(canonicalText));
  return actual.slice(expected.length).every((element) => !known.has(canonicalText(element)));
}

function isOfNumbersOrTimes({ expected, actual }: Difference): boolean {
  return [isNumber, isTime].some((isOf) => isOf(expected) && isOf(actual));
}

/** A number, or a text that is written as one in hexadecimal, without leading zeros: a hash is longer. */
function isNumber(value: unknown): boolean {
  const isQuantity = typeof value === "string" && /^0x(?:0|[1-9a-f][0-9a-f]{0,31})$/i.test(value);
  return typeof value === "number" || typeof value === "bigint" || isQuantity;
}

/** Whether a difference is one of an object's state: a number, a time, a flag, a choice, or whether there is a value at all. */
export function isOfState(difference: Difference): boolean {
  const { kind, isChoice = false, expected, actual } = difference;
  if (kind === "missing" || kind === "extra" || expected === null || actual === null) return true;
  return kind === "value" && (isChoice || isOfNumbersOrTimes(difference) || typeof expected === "boolean");
}
