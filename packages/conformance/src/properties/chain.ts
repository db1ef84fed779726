import { isRecord } from "@nodewright/api-model";
import { memberOf } from "../compare/member-facts.ts";
import { heightIn, heightOf, isHeadName, isHeightName, parentHashIn } from "../inference/chain-names.ts";
import { declaredName } from "../inference/declared-names.ts";
import type { Parameter } from "../inference/list-roles.ts";
import type { Lookup } from "../inference/lookups.ts";
import { isValueOf, kebabCase } from "@nodewright/api-values";
import { inputOf } from "./embedded.ts";
import type { Input, Operation, OperationDescription } from "./operation.ts";
import type { CalledResult, CrossCheck, CrossProperty, Problem, Related, ResponseProperty } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** Property that there is an object at the last height that is reported, and none far above it. */
export const headProperty: CrossProperty = { name: "head", rule: propertyRules.head, checks: headChecks };

/** Number of blocks that a head may be behind while new blocks arrive. */
const largestLag = 3n;

function* headChecks({ operations }: Related): Generator<CrossCheck> {
  const operation = operations.find((one) => heightParameterOf(one) !== undefined);
  const parameter = operation && heightParameterOf(operation);
  if (operation === undefined || parameter === undefined) return;
  for (const head of operations) {
    const isHead = isHeadName(head.origin ?? head.name) || isHeadName(head.name);
    const isKnown = head.known.some(({ value }) => heightReported(value) !== undefined);
    if (!isHead || !isKnown || head === operation || head.parameters.some(({ required }) => required)) continue;
    yield {
      operation: head,
      name: `head-of-${kebabCase(operation.name)}`,
      expected: `a height at which ${operation.origin} finds something, and nothing far above it`,
      guess: `${head.origin} is taken to report the last height of what ${operation.origin} finds, as names say`,
      inputs: [{}],
      verify: async (call) => {
        const [{ value: reported }] = await call(head, {});
        const height = heightReported(reported);
        if (height === undefined) return [];
        const [at, beyond] = [height, height + largestLag].map((one) => inputAt(operation, parameter, one));
        if (at === undefined || beyond === undefined) return [];
        const [here, above] = await call(operation, at, beyond);
        const detail = `it is ${height}`;
        if (above.value !== undefined)
          return [{ message: `it is far below heights at which ${operation.origin} finds something`, detail }];
        return here.isAbsent === true
          ? [{ message: `${operation.origin} finds nothing at the height that is reported`, detail }]
          : [];
      },
    };
  }
}

/** Returns a height that is the result itself, or a member of it. */
function heightReported(value: unknown): bigint | undefined {
  return heightOf(value) ?? heightIn(value);
}

/** Returns the parameter that alone identifies an object by its height, if a call with it has found an object. */
function heightParameterOf({ parameters, known }: Operation): Parameter | undefined {
  const parameter = parameters.find(({ name }) => isHeightName(name));
  if (parameter === undefined || parameters.some((one) => one !== parameter && one.required)) return undefined;
  const isFound = known.some(({ input, value }) => heightOf(input[parameter.property]) !== undefined && value !== null);
  return isFound ? parameter : undefined;
}

function inputAt({ types }: Operation, { property, type }: Parameter, height: bigint): Input | undefined {
  const spellings = [`0x${height.toString(16)}`, Number(height), String(height)];
  const value = spellings.find((one) => isValueOf(type, one, types, "request"));
  return value === undefined ? undefined : { [property]: value };
}

/** Property that the parent that an object refers to by its hash exists, one height below it. */
export const parentProperty: CrossProperty = { name: "parent", rule: propertyRules.parent, checks: parentChecks };

/** Property that a parent within an object of the same type is one height below it. */
export const parentWithinProperty: ResponseProperty = { rule: propertyRules.parent, inspect };

function* parentChecks({ lookups }: Related): Generator<CrossCheck> {
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

/** Whether an object has a parent that can be looked up, and is not the first of its chain. */
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
