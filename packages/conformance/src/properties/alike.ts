import { isEqualJson, isRecord } from "@nodewright/api-model";
import { type Difference, differences } from "../compare/differences.ts";
import { identifierOf, identityOf, listOf } from "../compare/list-of.ts";
import { plainName } from "../compare/volatile-names.ts";
import { findListType } from "../inference/list-roles.ts";
import { isOwnIdentifier } from "../inference/name-meaning.ts";
import { withPlace } from "../suite/with-place.ts";
import type { Input, Operation } from "./operation.ts";
import type { CrossCheck, CrossOutcome, CrossProperty, Problem, Related } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** Property that an object is the same in each result of an operation, on any page and for any identifier in the call. */
export const alikeProperty: CrossProperty = { name: "alike", rule: propertyRules.steadyGuessed, checks };

/** Names of parameters that change which members are returned; they do not identify the object. */
const shapingName =
  /^(?:fields?|select|include|expand|embed|with|view|projection|format|lang|language|locale|currency|units?|verbose|verbosity|detail|full)/;

function* checks({ operations }: Related): Generator<CrossCheck> {
  for (const operation of operations) {
    const pair = operation.isByChance === true ? undefined : differentIn(operation);
    if (pair === undefined) continue;
    const { identifier, identity, inputs } = pair;
    const problems = (difference: Difference | undefined): readonly Problem[] => {
      if (difference === undefined) return [];
      const { steady, pointer, detail, place } = difference;
      const message = `${steady} is another in different results about the same object`;
      return [{ message, detail: `${pointer} ${detail}`, object: identity, pointer: steady, ...withPlace(place) }];
    };
    yield {
      operation,
      name: "alike",
      expected: "the same object in every result that has it",
      guess: `${identifier} is taken for the identifier of ${operation.typeNames ?? "objects"}`,
      inputs,
      verify: async (call) => {
        if (pair.cameBack !== undefined) return problems(pair.cameBack);
        const [left, right] = (await call(operation, ...inputs)).map((outcome) => objectIn(operation, outcome, pair));
        return left === undefined || right === undefined ? [] : problems(differenceOf(operation, left, right));
      },
    };
  }
}

interface Pair {
  readonly identifier: string;
  readonly identity: string;
  readonly inputs: readonly Input[];
  /** Difference that a later result reverts; undefined where the object may have changed between the results. */
  readonly cameBack: Difference | undefined;
}

/** Returns two inputs whose results differ in an object that both contain. */
function differentIn(operation: Operation): Pair | undefined {
  const known = operation.known.filter(
    ({ input }) => !Object.keys(input).some((name) => shapingName.test(plainName(name))),
  );
  const identifier = identifierOf(known.flatMap(({ value }) => objectsIn(operation, value)));
  if (identifier === undefined || !isOwnIdentifier(operation.typeNames ?? "", identifier)) return undefined;
  const seen = known.flatMap(({ input, value }) =>
    objectsIn(operation, value).map((object) => ({ input, object, identity: identityOf(object, identifier) ?? "" })),
  );
  const pairs = [...Map.groupBy(seen, (one) => one.identity)].flatMap(
    ([identity, [first, ...others]]): readonly Pair[] => {
      const differs = ({ object }: (typeof seen)[number]): Difference | undefined =>
        differenceOf(operation, first?.object, object);
      const other = others.find((one) => differs(one) !== undefined);
      if (first === undefined || other === undefined) return [];
      const difference = differs(other);
      const isBack = others.slice(others.indexOf(other)).some((one) => differs(one) === undefined);
      // A number may go up and down.
      const cameBack = isBack && typeof difference?.expected !== "number" ? difference : undefined;
      return [{ identifier, identity, inputs: [first.input, other.input], cameBack }];
    },
  );
  return (
    pairs.find(({ cameBack }) => cameBack !== undefined) ??
    pairs.find(({ inputs: [one, other] }) => !isEqualJson(one, other))
  );
}

/** Returns the elements of a list, or the object that the result is. */
function objectsIn({ isOfOne }: Operation, value: unknown): readonly unknown[] {
  return isOfOne === true ? [value].filter(isRecord) : (listOf(value)?.items ?? [value].filter(isRecord));
}

function objectIn(operation: Operation, { value }: CrossOutcome, { identifier, identity }: Pair): unknown {
  return objectsIn(operation, value).find((object) => identityOf(object, identifier) === identity);
}

/** Returns the first difference of two objects. Ignores lengths of lists within them, which may be excerpts of different lengths. */
function differenceOf({ result, types, isOfOne }: Operation, left: unknown, right: unknown): Difference | undefined {
  const type = (isOfOne === true ? undefined : findListType(result, types)?.element) ?? result;
  const found = differences(type, left, right, types, { namesExtra: true, skipsUnnamed: true });
  return found.find(({ kind }) => kind === "value" || kind === "kind");
}
