import { plainName } from "../compare/volatile-names.ts";
import { isTime } from "../compare/value-order.ts";
import { oppositesOf } from "./reversed-ranges.ts";

/** Words for the least and the greatest. */
const extremes = [
  ["min", "max"],
  ["minimum", "maximum"],
  ["lowest", "highest"],
  ["smallest", "largest"],
] as const;
const times = [
  ["first", "last"],
  ["earliest", "latest"],
  ["oldest", "newest"],
] as const;
/** Members of an object that tells of many, and is not itself entered by someone. */
const statisticName = /^(?:count|total|sum|mean|average|avg|median)|(?:count|total|sum|mean|average|avg|median)$/;

/** Pairs of members of which the one that has to be less, or earlier, is more. */
export function turnedPairs(value: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  const names = Object.keys(value);
  const isStatistic = names.some((name) => statisticName.test(plainName(name)));
  const turned = (pairs: readonly (readonly [string, string])[], isTurned: typeof isMore) =>
    oppositesOf(names, (name) => name, pairs).filter(([low, high]) => isTurned(value[low], value[high]));
  return [...turned(isStatistic ? extremes : [], isMore), ...turned(times, isLater)];
}

/** What is rounded may be more by a little. */
function isMore(low: unknown, high: unknown): boolean {
  return typeof low === "number" && typeof high === "number" && low > high + Math.abs(high) * 0.01;
}

function isLater(first: unknown, last: unknown): boolean {
  if (typeof first !== "string" || typeof last !== "string" || !isTime(first) || !isTime(last)) return false;
  return first.length === last.length && Date.parse(first) > Date.parse(last);
}
