/** Range of integers, both ends included. */
export interface PageRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** Symbol shared by all copies of this package that a program has loaded. */
const failedRangeKey: unique symbol = Symbol.for("nodewright.failed-range") as never;

/**
 * Returns the range that was requested when a page failed: everything before it was returned already, so that a retry begins at its `from`.
 * `undefined` for an error that no page has thrown.
 */
export function failedRange(error: unknown): PageRange | undefined {
  if (!(error instanceof Error) || !Object.hasOwn(error, failedRangeKey)) return undefined;
  return (error as Error & { readonly [failedRangeKey]?: PageRange })[failedRangeKey];
}

/** Adds to an error its range. Its visible representation stays unchanged. */
export function markFailedRange(error: unknown, range: PageRange): void {
  if (!(error instanceof Error) || !Object.isExtensible(error)) return;
  Object.defineProperty(error, failedRangeKey, { value: range, configurable: true });
}

/**
 * Returns the integer of a variable or a result: a number, a bigint, or a string of decimal or `0x` digits. `undefined` for anything else,
 * and for numbers that a double can't represent exactly.
 */
export function readRangeValue(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === "string" && integerText.test(value) ? BigInt(value) : undefined;
}

/** Pattern of an integer. Longer ones are not counts; converting them takes time that grows faster than their length. */
const integerText = /^(?:-?[0-9]{1,100}|0[xX][0-9a-fA-F]{1,100})$/;

/** Returns an integer in the form of a variable with values like `example`. */
export function writeRangeValue(integer: bigint, example: unknown): number | bigint | string {
  if (typeof example === "bigint") return integer;
  if (typeof example === "string" && /^0x/i.test(example) && integer >= 0n) return `0x${integer.toString(16)}`;
  const number = Number(integer);
  return typeof example === "number" && Number.isSafeInteger(number) ? number : integer.toString();
}

/** Returns the member at a path; `undefined` where there is none. */
export function memberAt(value: unknown, path: readonly string[]): unknown {
  let member = value;
  for (const name of path) {
    if (typeof member !== "object" || member === null || !Object.hasOwn(member, name)) return undefined;
    member = (member as Readonly<Record<string, unknown>>)[name];
  }
  return member;
}

/** Returns the same value with another member at a path; its parents are copied, never changed. */
export function withMemberAt(value: unknown, [name, ...rest]: readonly string[], member: unknown): unknown {
  if (name === undefined) return member;
  const record = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  return { ...record, [name]: withMemberAt(record[name], rest, member) };
}
