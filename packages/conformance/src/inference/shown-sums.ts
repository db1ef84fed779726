import { isRecord } from "@nodewright/api-model";
import { listOf } from "../compare/list-of.ts";

/** Numbers of an object among which a sum is looked for: among more there are sums by chance. */
const mostNumbers = 8;
/** How much greater than the number of sums that are tried a number has to be: then no sum holds by chance. */
const telling = 1000;
/** Elements of one list that are looked at. */
const mostElements = 20;

/** Members that come to nothing when they are added with these signs: `total - net - tax`. */
type Sum = ReadonlyMap<string, 1 | -1>;

interface ShownSum {
  readonly sum: Sum;
  /** Other numbers of the examples that are not zero: they are no part of the sum. */
  readonly others: ReadonlySet<string>;
}

const knownSums = new WeakMap<readonly unknown[], ShownSum | null>();

/** An object in which members do not come to each other as they do in all objects that a description shows. */
export function brokenSumIn(
  shown: readonly unknown[],
  value: unknown,
): { readonly names: readonly string[]; readonly object: Readonly<Record<string, unknown>> } | undefined {
  const known = knownSums.get(shown);
  const found = known === undefined ? (findSum(shown) ?? null) : known;
  knownSums.set(shown, found);
  const object = found === null ? undefined : objectsIn(value).find((one) => breaks(found, one));
  return found === null || object === undefined ? undefined : { names: [...found.sum.keys()], object };
}

/** The only sum that all of them show. */
function findSum(shown: readonly unknown[]): ShownSum | undefined {
  const objects = shown.flatMap(objectsIn);
  const [first] = objects;
  if (first === undefined) return undefined;
  const numbers = [...numbersOf(first)].filter(([, value]) => value !== 0n);
  if (numbers.length < 3 || numbers.length > mostNumbers) return undefined;
  const [sum, ...further] = sumsOf(numbers).filter((one) => objects.every((object) => holds(one, object) !== false));
  if (sum === undefined || further.length > 0) return undefined;
  const others = numbers.map(([name]) => name).filter((name) => !sum.has(name));
  return { sum, others: new Set(others) };
}

/** All sums of three numbers and more, each once: its first member counts as positive. */
function sumsOf(numbers: readonly (readonly [string, bigint])[]): readonly Sum[] {
  const least = scale * BigInt(telling * 3 ** numbers.length);
  const found: Sum[] = [];
  const add = (index: number, total: bigint, sum: Sum): void => {
    const entry = numbers[index];
    if (entry === undefined) {
      const isTelling = numbers.some(([name, value]) => sum.has(name) && value >= least);
      if (total === 0n && sum.size >= 3 && isTelling) found.push(sum);
      return;
    }
    const [name, value] = entry;
    add(index + 1, total, sum);
    add(index + 1, total + value, new Map(sum).set(name, 1));
    if (sum.size > 0) add(index + 1, total - value, new Map(sum).set(name, -1));
  };
  add(0, 0n, new Map());
  return found;
}

/** Undefined where it can't be told: a part is missing, or nothing, as what would be below zero may be written. */
function holds(sum: Sum, object: Readonly<Record<string, unknown>>): boolean | undefined {
  const numbers = numbersOf(object);
  const parts = [...sum].map(([name, sign]) => (numbers.get(name) ?? 0n) * BigInt(sign));
  if (parts.includes(0n)) return undefined;
  const rest = parts.reduce((total, part) => total + part, 0n);
  // Parts with fractions were rounded, each by itself.
  const isRounded = parts.some((part) => part % scale !== 0n);
  const most = isRounded ? (scale / 100n) * BigInt(parts.length) : 0n;
  return (rest < 0n ? -rest : rest) <= most;
}

function breaks({ sum, others }: ShownSum, object: Readonly<Record<string, unknown>>): boolean {
  // A number that the examples do not have may be a part of it.
  const isForeign = [...numbersOf(object)].some(([name, value]) => value !== 0n && !sum.has(name) && !others.has(name));
  return !isForeign && holds(sum, object) === false;
}

function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  const items = listOf(value)?.items;
  if (items !== undefined) return items.filter(isRecord).slice(0, mostElements);
  return isRecord(value) ? [value] : [];
}

/** Numbers are held as whole ones of this fraction. */
const scale = 100_000_000n;

/** The amounts of an object. Where it writes amounts as texts, its plain numbers count something else. */
function numbersOf(object: Readonly<Record<string, unknown>>): ReadonlyMap<string, bigint> {
  const entries = Object.entries(object);
  const texts = entries.flatMap(([name, value]) => {
    const amount = typeof value === "string" ? amountOf(value) : undefined;
    return amount === undefined ? [] : [[name, amount] as const];
  });
  if (texts.length > 2) return new Map(texts);
  return new Map(
    entries.flatMap(([name, value]) => {
      const amount = typeof value === "number" || typeof value === "bigint" ? amountOf(String(value)) : undefined;
      return amount === undefined ? [] : [[name, amount] as const];
    }),
  );
}

function amountOf(text: string): bigint | undefined {
  if (/^0x[0-9a-f]{1,30}$/i.test(text)) return BigInt(text) * scale;
  const [, sign, whole, fraction = ""] = /^(-?)(\d{1,24})(?:\.(\d{1,8}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const amount = BigInt(whole) * scale + BigInt(fraction.padEnd(8, "0"));
  return sign === "-" ? -amount : amount;
}
