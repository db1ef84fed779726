import { armsOf } from "../compare/member-facts.ts";
import { distanceOf } from "../compare/value-order.ts";
import type { SuiteTypes } from "../suite/suite-type.ts";
import { nameWords } from "../basics/name-words.ts";
import { isValueOf } from "@nodewright/api-values";
import type { Parameter } from "./list-roles.ts";

type Values = Readonly<Record<string, unknown>>;

/** Words for the two ends of a range. */
const ends: readonly (readonly [string, string])[] = [
  ["from", "to"],
  ["from", "until"],
  ["start", "end"],
  ["start", "stop"],
  ["begin", "end"],
  ["since", "until"],
  ["after", "before"],
  ["min", "max"],
  ["minimum", "maximum"],
  ["lower", "upper"],
];

/** Ordered values of all kinds, the greater one first. */
const descending: readonly (readonly [unknown, unknown])[] = [
  [2, 1],
  ["0x2", "0x1"],
  ["2024-03-01", "2024-02-01"],
  ["2024-03-01T00:00:00Z", "2024-02-01T00:00:00Z"],
];

/** Returns pairs of parameters whose names are the two ends of one range. */
export function rangesOf(parameters: readonly Parameter[]): readonly (readonly [from: Parameter, to: Parameter])[] {
  return oppositesOf(parameters, ({ name }) => name, ends);
}

/** Returns pairs whose names differ only in a word and its opposite. */
function oppositesOf<Of>(
  named: readonly Of[],
  nameOf: (one: Of) => string,
  pairs: readonly (readonly [string, string])[],
): readonly (readonly [Of, Of])[] {
  return named.flatMap((one) => {
    const words = wordsOf(nameOf(one));
    return pairs.flatMap(([word, opposite]) => {
      const at = words.indexOf(word);
      const wanted = at === -1 ? undefined : words.with(at, opposite).join(" ");
      const other = named.find((each) => wordsOf(nameOf(each)).join(" ") === wanted);
      return other === undefined ? [] : [[one, other] as const];
    });
  });
}

/** Whether an input has a range that ends before it starts. */
export function hasReversedRange(parameters: readonly Parameter[], input: Values): boolean {
  return rangesOf(parameters).some(([from, to]) => isBefore(input[to.property], input[from.property]));
}

/** Returns two values that are valid by themselves, in the wrong order: those of a call that had a result, or generated ones. */
export function reversedValues(
  [from, to]: readonly [Parameter, Parameter],
  good: readonly Values[],
  types: SuiteTypes,
): Values | undefined {
  const isOf = (value: unknown): boolean =>
    [from, to].every(
      (parameter) => isValueOf(parameter.type, value, types, "request") && hasForm(parameter, value, types),
    );
  const pair = descending.find((values) => values.every(isOf));
  if (pair === undefined) return undefined;
  const known = good
    .map((input) => [input[to.property], input[from.property]] as const)
    .find(([high, low]) => isBefore(low, high));
  const [high, low] = known ?? pair;
  return { [from.property]: high, [to.property]: low };
}

/** Whether the type of a parameter requires a string's format, or has a pattern, so that it does not allow any string. */
function hasForm({ type }: Parameter, value: unknown, types: SuiteTypes): boolean {
  if (typeof value !== "string") return true;
  const wanted = value.startsWith("0x") ? undefined : value.includes("T") ? "date-time" : "date";
  return armsOf(type, types).some(
    (arm) => arm.kind === "string" && (wanted === undefined ? arm.pattern !== undefined : arm.format === wanted),
  );
}

function isBefore(low: unknown, high: unknown): boolean {
  return (distanceOf(high, low) ?? 0) > 0;
}

/** Returns the words of a name, in lower case. */
export function wordsOf(name: string): readonly string[] {
  return nameWords(name).filter((word) => word !== "");
}
