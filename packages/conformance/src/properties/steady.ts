import type { Difference } from "../compare/differences.ts";
import { isTime } from "../compare/value-order.ts";
import { NoValue } from "./attempt.ts";
import type { Operation, Steadiness } from "./operation.ts";
import type { Check, Knowledge, Problem, Property } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/**
 * Property that the same call returns the same again: the complete result if it never changes, else members that neither increase nor come
 * and go.
 */
export const steadyProperty: Property = { name: "steady", rule: propertyRules.steadyGuessed, checks };

/** Number of repetitions of a call: values that may change need more to show that they change back. */
const repeats: Readonly<Record<Steadiness, number>> = { declared: 2, guessed: 2, usual: 3 };

const guesses: Readonly<Record<Steadiness, { readonly guess?: string }>> = {
  declared: {},
  guessed: { guess: "what is called for by a hash is taken for what never changes" },
  usual: { guess: "what comes back to what it was, or is another text in each call, is taken not to have changed" },
};

function* checks(knowledge: Knowledge): Generator<Check> {
  const { operation } = knowledge;
  const found = steadiest(operation);
  if (found === undefined) return;
  const { steadiness, input, value: earlier } = found;
  yield {
    ...guesses[steadiness],
    name: "same-again",
    rule: steadiness === "declared" ? propertyRules.steady : propertyRules.steadyGuessed,
    expected: steadiness === "usual" ? "the same as before, but for what moves" : "the same as before",
    inputs: [input],
    furtherCalls: repeats[steadiness] - 1,
    isRepeated: true,
    verify: async (call) => {
      // An object that does not exist yet may appear.
      const values: unknown[] = earlier === undefined || earlier === null ? [] : [earlier];
      try {
        for (let round = 0; round < repeats[steadiness]; round += 1) values.push((await call(input))[0].value);
      } catch (reason) {
        if (!(reason instanceof NoValue) || steadiness === "usual" || values.length === 0) throw reason;
        return [{ message: "a call that had a result has none when it is made again" }];
      }
      return steadiness === "usual" ? alternationProblems(knowledge, values) : changeProblems(knowledge, values);
    },
  };
}

/**
 * Returns a call that had a value: one that never changes if there is any, else the one with the longest list and the fewest parameters.
 */
function steadiest(
  operation: Operation,
): (Operation["known"][number] & { readonly steadiness: Steadiness }) | undefined {
  const order: readonly Steadiness[] = ["declared", "guessed", "usual"];
  return operation.known
    .flatMap((one) => {
      const steadiness = operation.steadiness(one.input);
      const isLeftOut = operation.isByChance === true && steadiness !== "declared";
      return steadiness === undefined || isLeftOut ? [] : [{ ...one, steadiness }];
    })
    .toSorted(
      (left, right) =>
        order.indexOf(left.steadiness) - order.indexOf(right.steadiness) ||
        (right.page?.items.length ?? 0) - (left.page?.items.length ?? 0) ||
        Object.keys(left.input).length - Object.keys(right.input).length,
    )[0];
}

function changeProblems({ differencesOf }: Knowledge, [first, ...others]: readonly unknown[]): readonly Problem[] {
  const [difference] = others.flatMap((other) => differencesOf(first, other));
  return difference === undefined ? [] : [problemOf(difference, "changes between two calls with the same parameters")];
}

/** Returns problems of values that change back, and of strings that differ in each call. */
function alternationProblems({ differencesOf }: Knowledge, values: readonly unknown[]): readonly Problem[] {
  for (const [index, first] of values.entries()) {
    const later = values.slice(index + 1);
    const turn = later.findIndex((value) => differencesOf(first, value).length > 0);
    const [difference] = turn === -1 ? [] : differencesOf(first, later[turn]);
    if (difference !== undefined && later.slice(turn + 1).some((value) => differencesOf(first, value).length === 0))
      return [problemOf(difference, "changes and changes back between calls with the same parameters")];
  }
  const isText = ({ expected, actual, kind }: Difference): boolean =>
    kind === "value" && [expected, actual].every((value) => typeof value === "string" && !isTime(value));
  const [turns = [], ...others] = values
    .slice(1)
    .map((value, index) => differencesOf(values[index], value).filter(isText));
  const restless = turns.find(({ pointer }) => others.every((some) => some.some((one) => one.pointer === pointer)));
  return restless === undefined ? [] : [problemOf(restless, "changes with each call with the same parameters")];
}

function problemOf({ steady, pointer, detail }: Difference, how: string): Problem {
  const place = steady === "" ? "the result" : `the result at ${steady}`;
  return { message: `${place} ${how}`, detail: `${pointer} ${detail}`.trim(), pointer: steady };
}
