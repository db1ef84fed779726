import { isRecord } from "@nodewright/api-model";
import { memberOf } from "../compare/member-facts.ts";
import { declaredName } from "../inference/declared-names.ts";
import { heightIn, parentHashIn } from "../inference/chain-names.ts";
import type { Lookup } from "../inference/lookups.ts";
import { isValueOf } from "../types/violations.ts";
import type { CrossCheck, CrossProperty, Related } from "./cross-property.ts";
import { inputOf } from "./embedded.ts";
import type { Operation, OperationDescription } from "./operation.ts";
import type { CalledResult, Problem, ResponseProperty } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** The parent that an object names by its hash is there, one place below it. */
export const parentProperty: CrossProperty = { name: "parent", rule: propertyRules.parent, checks };

/** A parent within an object of the same type is one place below it. */
export const parentWithinProperty: ResponseProperty = { rule: propertyRules.parent, inspect };

function* checks({ lookups }: Related): Generator<CrossCheck> {
  const seen = new Set<Operation>();
  for (const lookup of lookups) {
    const known = lookup.operation.known.find(({ value }) => isChild(lookup, value));
    if (known === undefined || seen.has(lookup.operation)) continue;
    seen.add(lookup.operation);
    const { operation } = lookup;
    yield {
      operation,
      name: "parent",
      expected: "the parent, one place below",
      guess: `what ${operation.origin} names as parent is taken to be found by ${lookup.parameter.name}, one place below`,
      inputs: [known.input],
      verify: async (call) => {
        const [{ value }] = await call(operation, known.input);
        if (!isChild(lookup, value)) return [];
        const [parent] = await call(operation, inputOf(lookup, parentHashIn(value)));
        return parent.isAbsent === true ? [{ message: "the parent is not there" }] : placeProblems(value, parent.value);
      },
    };
  }
}

/** Whether an object names a parent that can be looked up, and is not the first of its chain. */
function isChild({ operation, parameter }: Lookup<Operation>, value: unknown): boolean {
  const parent = parentHashIn(value);
  const height = heightIn(value);
  return (
    parent !== undefined &&
    height !== undefined &&
    height > 0n &&
    isValueOf(parameter.type, parent, operation.types, "request")
  );
}

function placeProblems(child: unknown, parent: unknown): readonly Problem[] {
  const [own, before] = [heightIn(child), heightIn(parent)];
  if (own === undefined || before === undefined || before === own - 1n) return [];
  return [{ message: "the parent is not one place below its child", detail: `${before} is the parent of ${own}` }];
}

function inspect({ result, types }: OperationDescription, { result: { value } }: CalledResult): readonly Problem[] {
  const parent = isRecord(value) ? value["parent"] : undefined;
  const own = declaredName(result, types);
  const isOfSame = own !== undefined && own === declaredName(memberOf(result, "parent", types)?.type, types);
  return isOfSame ? placeProblems(value, parent).map((one) => ({ ...one, pointer: "/parent" })) : [];
}
