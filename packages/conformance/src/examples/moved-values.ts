import { canonicalText } from "@nodewright/api-model";
import type { Difference } from "../compare/differences.ts";
import { isTime } from "../compare/value-order.ts";
import { isMovingName } from "../compare/volatile-names.ts";
import { isHexadecimalText } from "../live/leaves.ts";

/**
 * Whether a value may have changed without a fault: counts, times and the lengths of lists change; names and formats do not. In the current
 * state of a target any number, time or hash may differ from the description; list elements are objects and not the state.
 */
export function mayHaveMoved(difference: Difference, readsState: boolean): boolean {
  const { kind, name, element, expected, actual } = difference;
  if (kind === "length") return isGrowth(difference);
  if (kind !== "value") return false;
  const isState = readsState && element === undefined;
  const isMoving = isOfNumbersOrTimes(difference);
  if (isMoving && isMovingName(name)) return true;
  const areHashes = isHexadecimalText(expected) && isHexadecimalText(actual);
  return isState && (isMoving || areHashes || name === "");
}

/** Whether a list is longer than the documented one, which may show only its start; repeated elements are not growth. */
export function isGrowth({ kind, expected, actual }: Difference): boolean {
  if (kind !== "length" || !Array.isArray(expected) || !Array.isArray(actual)) return false;
  if (actual.length < expected.length) return false;
  const known = new Set(actual.slice(0, expected.length).map(canonicalText));
  return actual.slice(expected.length).every((element) => !known.has(canonicalText(element)));
}

function isOfNumbersOrTimes({ expected, actual }: Difference): boolean {
  return [isNumber, isTime].some((isOf) => isOf(expected) && isOf(actual));
}

/** Whether a value is a number, or a hexadecimal string without leading zeros that is shorter than a hash. */
function isNumber(value: unknown): boolean {
  const isQuantity = typeof value === "string" && /^0x(?:0|[1-9a-f][0-9a-f]{0,31})$/i.test(value);
  return typeof value === "number" || typeof value === "bigint" || isQuantity;
}

/** Whether a difference concerns the state of an object: a number, a time, a boolean, an enumeration, or the presence of a value. */
export function isOfState(difference: Difference): boolean {
  const { kind, isChoice = false, expected, actual } = difference;
  if (kind === "missing" || kind === "extra" || expected === null || actual === null) return true;
  return kind === "value" && (isChoice || isOfNumbersOrTimes(difference) || typeof expected === "boolean");
}
