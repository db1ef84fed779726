import { additionalOf, type ApiModel, type JsonValue, type TypeNode } from "@nodewright/model";
import { declarationNode } from "../contract/contract-types.ts";
import { objectOf } from "./type-nodes.ts";

/** Returns a pseudo-random non-negative integer below a bound. */
export type Random = (bound: number) => number;

/** Returns a generator of the same numbers for the same seed (a linear congruence, modulo 2^32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const oddValues: readonly JsonValue[] = [
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  1.5,
  0.1,
  1e19,
  2 ** 53,
  "",
  "a",
  "ab1",
  "😀",
  "a😀b",
  "0",
  [],
  [1, 1],
  [[1], [1]],
  {},
  { a: 1 },
  { a: "a", b: [1] },
];

/** Returns a value that matches a type if the sampler can find one, and often one that nearly does. */
export function sampleValue(type: TypeNode, model: ApiModel, random: Random, depth = 0): JsonValue {
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[random(items.length)];
  if (depth > 6) return null;
  switch (type.kind) {
    case "null":
      return null;
    case "boolean":
      return random(2) === 0;
    case "string":
      return pick(["", "a", "ab", "abc", "b", "0a", "ff00", "😀", "😀😀", "a/b", "x".repeat(random(8)), "é"]) ?? "";
    case "number": {
      const lower = Number(type.minimum ?? type.exclusiveMinimum ?? -3);
      const upper = Number(type.maximum ?? type.exclusiveMaximum ?? lower + 6);
      const between = lower + random(Math.max(1, Math.floor(upper - lower) + 1));
      return pick([between, Math.floor(between), lower, upper, between + 0.5, lower - 1, upper + 1]) ?? 0;
    }
    case "enumeration":
      return structuredClone(pick(type.values) ?? null) as JsonValue;
    case "list": {
      const length = Math.min(8, (type.minItems ?? 0) + random(4));
      return Array.from({ length }, (_, index) =>
        sampleValue(type.prefix?.[index] ?? type.element, model, random, depth + 1),
      );
    }
    case "record": {
      const named = type.members
        .filter((field) => field.required || random(2) === 0)
        .map((field) => [field.name, sampleValue(field.type, model, random, depth + 1)] as const);
      const others = ["a", "zz", "0", "constructor"]
        .filter((name) => random(4) === 0 && !type.members.some((field) => field.name === name))
        .map(
          (name) =>
            [name, sampleValue(type.patterns?.[0]?.type ?? additionalOf(type), model, random, depth + 1)] as const,
        );
      return objectOf([...named, ...others]);
    }
    case "union":
      return sampleValue(pick(type.members) ?? type, model, random, depth + 1);
    case "unevaluated":
      return sampleValue(type.base, model, random, depth + 1);
    case "conditional":
      return sampleValue(pick([type.condition, type.consequence, type.alternative]) ?? type, model, random, depth + 1);
    case "intersection":
      return sampleValue(pick(type.members) ?? type, model, random, depth + 1);
    case "reference":
      return sampleValue(declarationNode(type.target, model), model, random, depth + 1);
    default:
      return structuredClone(pick(oddValues) ?? null) as JsonValue;
  }
}

/** Returns a value that differs in one place. */
export function mutateValue(value: JsonValue, random: Random): JsonValue {
  const odd = structuredClone(oddValues[random(oddValues.length)] ?? null) as JsonValue;
  if (typeof value !== "object" || value === null || random(5) === 0) return odd;
  if (isList(value)) {
    if (value.length === 0 || random(4) === 0) return [...value, odd];
    const position = random(value.length);
    return value.map((item, index) => (index === position ? mutateValue(item, random) : item));
  }
  const members = Object.entries(value);
  if (members.length === 0 || random(4) === 0) return objectOf([...members, [`new${random(3)}`, odd]]);
  const position = random(members.length);
  if (random(3) === 0) return objectOf(members.filter((_, index) => index !== position));
  return objectOf(
    members.map(([name, member], index) => [name, index === position ? mutateValue(member, random) : member]),
  );
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
