/** Integers from the first to the last, both of them included. */
export interface PageRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** Shared by all copies of this package that a program has loaded. */
const failedRangeKey: unique symbol = Symbol.for("nodewright.failed-range") as never;

/**
 * The range that was asked for when a page failed: everything before it was given already, so that who asks again begins at its
 * `from`. `undefined` for what no page has thrown.
 */
export function failedRange(error: unknown): PageRange | undefined {
  if (!(error instanceof Error) || !Object.hasOwn(error, failedRangeKey)) return undefined;
  return (error as Error & { readonly [failedRangeKey]?: PageRange })[failedRangeKey];
}

/** Writes into an error which range it is about. What is shown of it stays as it is. */
export function markFailedRange(error: unknown, range: PageRange): void {
  if (!(error instanceof Error) || !Object.isExtensible(error)) return;
  Object.defineProperty(error, failedRangeKey, { value: range, configurable: true });
}

/**
 * The integer that a variable or an answer holds: a number, a bigint, or a text of decimal or `0x` digits. `undefined` for
 * anything else, and for numbers that a double can't tell from their neighbours.
 */
export function readRangeValue(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === "string" && integerText.test(value) ? BigInt(value) : undefined;
}

/** Longer ones are no counts; to convert them takes time that grows faster than their length. */
const integerText = /^(?:-?[0-9]{1,100}|0[xX][0-9a-fA-F]{1,100})$/;

/** An integer as a variable holds it whose other values are like `example`. */
export function writeRangeValue(integer: bigint, example: unknown): number | bigint | string {
  if (typeof example === "bigint") return integer;
  if (typeof example === "string" && /^0x/i.test(example) && integer >= 0n) return `0x${integer.toString(16)}`;
  const number = Number(integer);
  return typeof example === "number" && Number.isSafeInteger(number) ? number : integer.toString();
}

/** The member that a path leads to; `undefined` where there is none. */
export function memberAt(value: unknown, path: readonly string[]): unknown {
  let member = value;
  for (const name of path) {
    if (typeof member !== "object" || member === null || !Object.hasOwn(member, name)) return undefined;
    member = (member as Readonly<Record<string, unknown>>)[name];
  }
  return member;
}

/** The same value with another member at a path; what is around it is copied, never changed. */
export function withMemberAt(value: unknown, [name, ...rest]: readonly string[], member: unknown): unknown {
  if (name === undefined) return member;
  const record = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  return { ...record, [name]: withMemberAt(record[name], rest, member) };
}
