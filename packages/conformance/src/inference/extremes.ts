import { plainName } from "../compare/volatile-names.ts";
import { isTime } from "../compare/value-order.ts";

/** Words for the least, what lies between, and the greatest; for times, the first and the last. */
const least = ["min", "minimum", "lowest", "smallest"];
const middle = ["mean", "average", "avg", "median"];
const greatest = ["max", "maximum", "highest", "largest", "greatest"];
/** Members of an object that tells of many, and is not itself entered by someone. */
const statisticName = /^(?:count|total|sum|mean|average|avg|median)|(?:count|total|sum|mean|average|avg|median)$/;
/** Pairs of members of which the one that has to be less is more. */
export function turnedPairs(value: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  const names = Object.keys(value);
  const isStatistic = names.some((name) => statisticName.test(plainName(name)));
  const named = (words: readonly string[], stem: string): string | undefined =>
    names.find((name) => words.some((word) => [`${word}${stem}`, `${stem}${word}`].includes(plainName(name))));
  return names.flatMap((name): readonly (readonly [string, string])[] => {
    const plain = plainName(name);
    const first = /^(?:first|earliest|oldest)(.+)$/.exec(plain)?.[1];
    if (first !== undefined) {
      const last = named(["last", "latest", "newest"], first);
      return last !== undefined && isLater(value[name], value[last]) ? [[name, last]] : [];
    }
    const stem = isStatistic ? stemOf(plain, least) : undefined;
    if (stem === undefined) return [];
    const [between, high] = [named(middle, stem), named(greatest, stem)];
    const pairs = [
      [name, high],
      [name, between],
      [between, high],
    ] as const;
    return pairs.flatMap(([low, up]) =>
      low !== undefined && up !== undefined && isMore(value[low], value[up]) ? [[low, up] as const] : [],
    );
  });
}

function stemOf(plain: string, words: readonly string[]): string | undefined {
  const word = words
    .toSorted((left, right) => right.length - left.length)
    .find((one) => plain.startsWith(one) || plain.endsWith(one));
  if (word === undefined) return undefined;
  return plain.startsWith(word) ? plain.slice(word.length) : plain.slice(0, -word.length);
}

/** What is rounded may be more by a little. */
function isMore(low: unknown, high: unknown): boolean {
  return typeof low === "number" && typeof high === "number" && low > high + Math.abs(high) * 0.01;
}

function isLater(first: unknown, last: unknown): boolean {
  if (typeof first !== "string" || typeof last !== "string" || !isTime(first) || !isTime(last)) return false;
  return first.length === last.length && Date.parse(first) > Date.parse(last);
}
