import { isRecord } from "@nodewright/api-model";
import { hasManyParameters } from "../inference/many-parameters.ts";
import { type InferredFilter, isBound } from "../inference/list-filters.ts";
import { kebabCase } from "@nodewright/api-values";
import { verifyWidest } from "./attempt.ts";
import { elementProblems, isCallableWith, itemsOf, lets, valueAmong, withMembers } from "./choice.ts";
import { valuesToCallFor } from "./filter.ts";
import type { Input } from "./operation.ts";
import type { Check, Knowledge, Problem, Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** Property that two filters together match the elements that each of them matches alone. */
export const combinedFiltersProperty: Property = { name: "combined-filters", rule: propertyRules.filter, checks };

/** Maximum number of pairs of filters to try; one if the operation has many parameters. */
const mostPairs = 4;
/** Maximum number of values of one filter to try. */
const mostValues = 8;

type Pair = readonly [InferredFilter, InferredFilter];

function* checks(knowledge: Knowledge): Generator<Check> {
  const { operation, whole } = knowledge;
  const filters = knowledge.filters.filter(
    ({ isRequired, order, test }) => !isRequired && order === undefined && test !== "contains" && test !== "prefix",
  );
  const most = hasManyParameters(operation) ? 1 : mostPairs;
  for (const pair of pairsOf(filters).slice(0, most)) {
    const [left, right] = pair;
    yield {
      name: `filter-${kebabCase(left.name)}-and-${kebabCase(right.name)}`,
      expected: `the elements that ${left.name} and ${right.name} both let through`,
      parameter: right.parameter,
      guess: `${left.guess}, and ${right.guess}`,
      inputs: [whole],
      furtherCalls: 3,
      reads: [left.path, right.path],
      // Parameters may exclude each other.
      mayBeRefused: true,
      verify: (call) =>
        verifyWidest(knowledge, async (start) => {
          const [{ page: all }] = await call(start);
          const values = all === undefined ? undefined : valuesFor(knowledge, pair, all.items);
          const [one, other, together] = values === undefined ? [] : (inputsFor(knowledge, pair, values, start) ?? []);
          if (values === undefined || one === undefined || other === undefined || together === undefined) return [];
          const alone = (await call(one, other)).map(itemsOf);
          // Each of them alone has to select elements by exactly this value.
          const doesChoose = pair.every((filter, index) => {
            const items = alone[index] ?? [];
            return items.length > 0 && items.every((item) => lets(operation, filter, item, values[index]) !== false);
          });
          if (!doesChoose) return [];
          const [{ page: both }] = await call(together);
          return both === undefined ? [] : problemsOf(knowledge, pair, values, both.items);
        }),
    };
  }
}

/** Returns pairs of filters by different members, pairs of the first filters first. */
function pairsOf(filters: readonly InferredFilter[]): readonly Pair[] {
  const ordered = [...filters.filter((one) => !isBound(one)), ...filters.filter(isBound)];
  const pairs = ordered.flatMap((left, index) =>
    ordered.slice(index + 1).map((right, further) => ({ pair: [left, right] as const, rank: 2 * index + further })),
  );
  return pairs
    .filter(({ pair: [left, right] }) => left.path.join() !== right.path.join())
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ pair }) => pair);
}

/** Returns values for which some elements match only the first filter and others only the second. */
function valuesFor(
  knowledge: Knowledge,
  pair: Pair,
  items: readonly unknown[],
): readonly [unknown, unknown] | undefined {
  const [lefts, rights] = pair.map((filter) => candidatesOf(knowledge, filter, items));
  const all = (lefts ?? []).flatMap((left) => (rights ?? []).map((right) => [left, right] as const));
  const isDistinctive = (values: readonly [unknown, unknown], wanted: readonly [boolean, boolean]): boolean =>
    items.some((item) =>
      pair.every((filter, index) => lets(knowledge.operation, filter, item, values[index]) === wanted[index]),
    );
  const distinctive = all.filter(
    (values) => isDistinctive(values, [true, false]) && isDistinctive(values, [false, true]),
  );
  return distinctive.find((values) => isDistinctive(values, [true, true])) ?? distinctive[0];
}

/** Returns values that a filter accepts; for a bound, the middle of the values of the elements. */
function candidatesOf(knowledge: Knowledge, filter: InferredFilter, items: readonly unknown[]): readonly unknown[] {
  const { defaultOf } = knowledge;
  const { parameter } = filter;
  if (!isBound(filter))
    return valuesToCallFor(knowledge, filter, items)
      .filter((value) => value !== false && !Array.isArray(value))
      .slice(0, mostValues);
  const middle = valueAmong(filter, items);
  return middle !== undefined && middle !== defaultOf(parameter) && isCallableWith(knowledge, filter, middle)
    ? [middle]
    : [];
}

/** Returns inputs with the first value, the second one and both; undefined where no input can have both. */
function inputsFor(
  { valid }: Knowledge,
  pair: Pair,
  values: readonly unknown[],
  start: Input,
): readonly Input[] | undefined {
  const given = pair.map(({ parameter, given: give }, index) => ({ [parameter.property]: give(values[index]) }));
  const both = mergedOf(given[0] ?? {}, given[1] ?? {});
  if (both === undefined) return undefined;
  const together = withMembers(start, both);
  if (!pair.every(({ parameter: { property }, parameter }) => valid(parameter, together[property]))) return undefined;
  return [...given.map((input) => withMembers(start, input)), together];
}

/** Merges two objects; returns undefined where both have a value for one name. */
function mergedOf(left: Input, right: Input): Input | undefined {
  const merged: Record<string, unknown> = { ...left };
  for (const [name, value] of Object.entries(right)) {
    const before = left[name];
    const areObjects = isRecord(before) && isRecord(value);
    merged[name] = !Object.hasOwn(left, name) ? value : areObjects ? mergedOf(before, value) : undefined;
    if (merged[name] === undefined) return undefined;
  }
  return merged;
}

function problemsOf(
  knowledge: Knowledge,
  pair: Pair,
  values: readonly [unknown, unknown],
  found: readonly unknown[],
): readonly Problem[] {
  const names = pair.map(({ name }) => name);
  return pair.flatMap((filter, index) => {
    const wrong = found.filter((item) => lets(knowledge.operation, filter, item, values[index]) === false);
    const message = `there are elements that ${filter.name} does not let through where ${names[1 - index]} is given too`;
    const problems = elementProblems(message, filter, wrong, found);
    return problems.map((one) => ({ ...one, isUnsure: filter.isOfPart === true }));
  });
}
