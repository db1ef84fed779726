const dayMilliseconds = 86_400_000;
/** Length of a date such as `2024-05-06`. */
const dateLength = 10;

/**
 * Returns the difference of two values: numbers or strings of numbers, dates and times (in seconds or milliseconds); undefined where they
 * have no such order.
 */
export function distanceOf(left: unknown, right: unknown): number | undefined {
  const [first, second] = [numberOf(left), numberOf(right)];
  if (first !== undefined && second !== undefined) return first - second;
  // One value is a time as a string, the other one a Unix time.
  if (first !== undefined && isTime(right))
    return isUnixTime(first) ? first - Date.parse(String(right)) / 1000 : undefined;
  if (second !== undefined && isTime(left))
    return isUnixTime(second) ? Date.parse(String(left)) / 1000 - second : undefined;
  return typeof left === "string" && typeof right === "string" ? timeDistance(left, right) : undefined;
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === "number" || typeof value === "bigint") return Number(value);
  return typeof value === "string" && /^(?:0x[0-9a-f]{1,16}|-?\d+(?:\.\d+)?)$/i.test(value) ? Number(value) : undefined;
}

/** Whether a number is a plausible Unix time in seconds, between 2001 and 2100. */
export function isUnixTime(value: unknown): value is number {
  return typeof value === "number" && value > 1e9 && value < 4.1e9;
}

/** Whether a value is a date, or a time of RFC 3339. */
export function isTime(value: unknown): boolean {
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}|$)/i.test(value);
}

/** Returns the difference of two times in milliseconds. A date and a time within it, or near it in another time zone, count as equal. */
function timeDistance(left: string, right: string): number | undefined {
  if (!isTime(left) || !isTime(right)) return undefined;
  const distance = Date.parse(left) - Date.parse(right);
  if (Number.isNaN(distance)) return undefined;
  const areAlike = (left.length === dateLength) === (right.length === dateLength);
  return areAlike || Math.abs(distance) > 2 * dayMilliseconds ? distance : 0;
}
