/** A client name with constraints on its version. */
interface ClientRange {
  readonly name: string;
  readonly bounds: readonly { readonly operator: string; readonly version: readonly number[] }[];
}

/** Returns whether a string is a range such as `btcd`, `btcd 0.26` (which includes 0.26.1) and `geth >=1.17 <1.19`. */
export function isClientRange(text: string): boolean {
  return parseRange(text) !== undefined;
}

/**
 * Returns whether a client, by its own name and version (`btcd 0.26.0`, `Geth/v1.17.8-stable/linux`, `/Satoshi:28.0.0/`), is in the range;
 * `undefined` when it has no version and the range requires one.
 */
export function isInClientRange(client: string, text: string): boolean | undefined {
  const range = parseRange(text);
  if (range === undefined) return false;
  const [, name = ""] = /([a-z][a-z_-]*)/i.exec(client) ?? [];
  if (name.toLowerCase() !== range.name) return false;
  if (range.bounds.length === 0) return true;
  const [, digits] = /(\d+(?:\.\d+)*)/.exec(client) ?? [];
  if (digits === undefined) return undefined;
  const version = numbersOf(digits);
  return range.bounds.every((bound) => fits(version, bound));
}

function parseRange(text: string): ClientRange | undefined {
  const [name = "", ...bounds] = text.trim().split(/\s+/);
  if (!/^[a-z][a-z_-]*$/i.test(name)) return undefined;
  const parsed = bounds.map((bound) => /^(>=|<=|>|<|=)?v?(\d+(?:\.\d+)*)$/.exec(bound));
  if (parsed.some((match) => match === null)) return undefined;
  return {
    name: name.toLowerCase(),
    bounds: parsed.map((match) => ({ operator: match?.[1] ?? "", version: numbersOf(match?.[2] ?? "") })),
  };
}

function numbersOf(version: string): readonly number[] {
  return version.split(".").map(Number);
}

/** Operator → whether a version satisfies it, given its order relative to the bound. */
const fitting: Readonly<Record<string, (order: number) => boolean>> = {
  ">=": (order) => order >= 0,
  ">": (order) => order > 0,
  "<=": (order) => order <= 0,
  "<": (order) => order < 0,
  "=": (order) => order === 0,
};

/** Returns whether a version satisfies a constraint: without operator, it must begin with the bound. */
function fits(version: readonly number[], { operator, version: bound }: ClientRange["bounds"][number]): boolean {
  const isFitting = fitting[operator];
  return isFitting?.(compare(version, bound)) ?? bound.every((part, position) => (version[position] ?? 0) === part);
}

/** Compares versions; missing parts are 0. */
function compare(left: readonly number[], right: readonly number[]): number {
  for (let position = 0; position < Math.max(left.length, right.length); position += 1) {
    const difference = (left[position] ?? 0) - (right[position] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
