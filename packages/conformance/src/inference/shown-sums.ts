import { isRecord } from "@nodewright/api-model";
import { listOf } from "../compare/list-of.ts";

/** Numbers of an object among which a sum is looked for: among more there are sums by chance. */
const mostNumbers = 8;
/** How much greater than the number of sums that are tried a number has to be: then no sum holds by chance. */
const telling = 1000;
/** Elements of one list that are looked at. */
const mostElements = 20;
/** What each of the parts that have fractions may have been rounded by, and what large numbers lose as parts of themselves. */
const rounding = 0.01;
const precision = 1e-15;

type Amounts = ReadonlyMap<string, number>;
/** Members of which the first is the sum of the others. */
type Sum = readonly [whole: string, part: string, other: string];

/** An object in which a member is not the sum of two others, as it is in all objects that a description shows. */
export function brokenSumIn(
  shown: readonly unknown[],
  value: unknown,
): { readonly names: readonly string[]; readonly amounts: Amounts } | undefined {
  const objects = shown.flatMap(amountsIn);
  const numbers = [...(objects[0] ?? [])].filter(([, amount]) => amount !== 0);
  if (numbers.length < 3 || numbers.length > mostNumbers) return undefined;
  const least = telling * 3 ** numbers.length;
  const names = numbers.map(([name]) => name);
  const [sum, ...further] = sumsOf(names).filter(
    (one) =>
      numbers.some(([name, amount]) => one.includes(name) && amount >= least) &&
      objects.every((object) => holds(one, object) !== false),
  );
  if (sum === undefined || further.length > 0) return undefined;
  // A number that the examples do not have may be a part of it.
  const isKnown = (object: Amounts): boolean =>
    [...object].every(([name, amount]) => amount === 0 || names.includes(name));
  const amounts = amountsIn(value).find((one) => isKnown(one) && holds(sum, one) === false);
  return amounts === undefined ? undefined : { names: names.filter((name) => sum.includes(name)), amounts };
}

function sumsOf(names: readonly string[]): readonly Sum[] {
  return names.flatMap((whole) => {
    const others = names.filter((name) => name !== whole);
    return others.flatMap((part, index) => others.slice(index + 1).map((other): Sum => [whole, part, other]));
  });
}

/** Undefined where it can't be told: a part is missing, or nothing, as what would be below zero may be written. */
function holds(sum: Sum, object: Amounts): boolean | undefined {
  const amounts = sum.map((name) => object.get(name) ?? 0);
  if (amounts.includes(0)) return undefined;
  const [whole = 0, part = 0, other = 0] = amounts;
  const lost = amounts.every(Number.isInteger) ? 0 : rounding * amounts.length;
  return Math.abs(whole - part - other) <= lost + Math.abs(whole) * precision;
}

/** The amounts of each object that a value is, or lists. */
function amountsIn(value: unknown): readonly Amounts[] {
  const items = listOf(value)?.items.slice(0, mostElements) ?? [value];
  return items.filter(isRecord).map((object) => {
    const entries = Object.entries(object);
    const texts = entries.filter(([, one]) => typeof one === "string" && decimalText.test(one));
    // Where amounts are written as texts, plain numbers count something else.
    const isAmount = ([, one]: readonly [string, unknown]): boolean =>
      typeof one === "number" || typeof one === "bigint";
    const amounts = texts.length > 2 ? texts : entries.filter(isAmount);
    return new Map(amounts.map(([name, one]) => [name, Number(one)]));
  });
}

const decimalText = /^(?:0x[0-9a-f]{1,30}|-?\d{1,24}(?:\.\d{1,8})?)$/i;
