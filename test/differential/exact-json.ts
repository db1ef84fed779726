/** A number of a JSON text, by its decimal value: `1e-05` and `0.00001000` are one number. */
export class ExactNumber {
  /** As it was written. */
  readonly source: string;
  /** The digits without zeros at either end, and the power of ten that they are multiplied with; the sign in front. */
  readonly value: string;

  constructor(source: string) {
    this.source = source;
    this.value = normalise(source);
  }

  /** As `JSON.stringify` writes it: rounded. */
  toJSON(): number {
    return Number(this.source);
  }
}

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Reads JSON with all digits of its numbers. Throws on anything else. */
export function parseExactJson(text: string): unknown {
  const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;
  return parse(text, (_name, value, { source }) => (typeof value === "number" ? new ExactNumber(source ?? "") : value));
}

/** Whether two read values say the same; the order of members does not count. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left instanceof ExactNumber || right instanceof ExactNumber)
    return left instanceof ExactNumber && right instanceof ExactNumber && left.value === right.value;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, at) => isSameJson(item, right[at]));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return left === right;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && isSameJson(left[name], right[name]));
}

/** Whether a read value is an object of JSON. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

function normalise(source: string): string {
  const {
    sign = "",
    whole = "",
    fraction = "",
    exponent = "0",
  } = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d+))?$/.exec(source)?.groups ?? {};
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0e0";
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
