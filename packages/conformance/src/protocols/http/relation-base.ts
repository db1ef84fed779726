import type { CasePlay } from "../../contract/planned-case.ts";
import { isSameValue } from "../../compare/differences.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import type { Bound, SuiteType, SuiteTypes } from "../../suite/suite-type.ts";
import { armsOf } from "../../compare/member-facts.ts";
import { isWellFormed } from "../../compare/text-formats.ts";
import { violationsOf } from "../../types/violations.ts";
import { ask, findObservation, type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import type { Input } from "./http-request.ts";
import { identifierOf, identityOf, listOf } from "../../compare/list-of.ts";
import { listTypeOf } from "./operation-shape.ts";

/** An input that is known to be good, without what is optional; undefined when nothing good was seen. */
export function baseInputOf(context: HttpContext, operation: SuiteHttpOperation): Input | undefined {
  const observed = wellObserved(context, operation.name);
  const best = observed.toSorted((left, right) => richness(right) - richness(left))[0];
  return best === undefined ? undefined : withoutOptional(operation, best.input);
}

/** Distinct good inputs without what is optional, those with the longest answers first. */
export function baseInputsOf(context: HttpContext, operation: SuiteHttpOperation): readonly Input[] {
  const observed = wellObserved(context, operation.name).toSorted((left, right) => richness(right) - richness(left));
  const found = new Map<string, Input>();
  for (const { input } of observed) {
    const bare = withoutOptional(operation, input);
    const key = JSON.stringify(bare, (_name, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
    if (!found.has(key)) found.set(key, bare);
  }
  return [...found.values()];
}

/** Only the required parameters of an input, and a body that is required. */
function withoutOptional(operation: SuiteHttpOperation, input: Input): Input {
  const kept = operation.parameters.filter(({ required }) => required).map(({ property }) => property);
  const names = operation.body === undefined ? kept : [...kept, "body", "contentType"];
  return Object.fromEntries(names.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])));
}

/** What was answered to an input; asked now when it never was. Skips the case where the answer is no success. */
export async function observe(
  context: HttpContext,
  play: CasePlay,
  operation: SuiteHttpOperation,
  input: Input,
): Promise<Observation> {
  const known = findObservation(context, operation, input);
  if (known !== undefined && known.judged.kind === "success") return known;
  return observeNow(context, play, operation, input);
}

/** What is answered to an input. Skips the case where that is no success: other cases tell why. */
export async function observeNow(
  context: HttpContext,
  play: CasePlay,
  operation: SuiteHttpOperation,
  input: Input,
): Promise<Observation> {
  const observation = await ask(context, play, operation, input);
  if (observation.judged.kind !== "success") play.skip("What it would be compared with is not answered");
  return observation;
}

/** The elements of the list that an answer is about. */
export function itemsOf(observation: Observation): readonly unknown[] {
  return listOf(observation.judged.value)?.items ?? [];
}

/** Whether two lists have the same elements in the same order, told by their identifiers where they have them. */
export function isSameList(
  context: HttpContext,
  operation: SuiteHttpOperation,
  left: readonly unknown[],
  right: readonly unknown[],
): boolean {
  if (left.length !== right.length) return false;
  const identifier = identifierOf([...left, ...right]);
  const element = listTypeOf(operation, context.types)?.element;
  return left.every((item, index) => {
    const identity = identityOf(item, identifier);
    if (identity !== undefined) return identity === identityOf(right[index], identifier);
    return isSameValue(element, item, right[index], context.types);
  });
}

/** Whether an element is in a list. */
export function isIn(
  context: HttpContext,
  operation: SuiteHttpOperation,
  item: unknown,
  items: readonly unknown[],
): boolean {
  return items.some((other) => isSameList(context, operation, [item], [other]));
}

/** The first value of a parameter that is of its type and of the formats in it. */
export function firstValid({ type }: SuiteParameter, values: readonly unknown[], types: SuiteTypes): unknown {
  return values.find(
    (value) => violationsOf(type, value, types, "request").length === 0 && isWellFormed(type, value, types),
  );
}

/** The least and the greatest integer of a type, where they are documented. */
export function integerBounds(
  type: SuiteType,
  types: SuiteTypes,
): { readonly minimum: number | undefined; readonly maximum: number | undefined } {
  for (const arm of armsOf(type, types)) {
    if (arm.kind !== "number") continue;
    const above = numberOf(arm.exclusiveMinimum);
    const below = numberOf(arm.exclusiveMaximum);
    return {
      minimum: numberOf(arm.minimum) ?? (above === undefined ? undefined : Math.floor(above) + 1),
      maximum: numberOf(arm.maximum) ?? (below === undefined ? undefined : Math.ceil(below) - 1),
    };
  }
  return { minimum: undefined, maximum: undefined };
}

/** What a parameter is when it is left out, where the description says so. */
export function defaultOf(parameter: SuiteParameter, types: SuiteTypes): unknown {
  if (parameter.default !== undefined) return parameter.default;
  if (parameter.type.default !== undefined) return parameter.type.default;
  return armsOf(parameter.type, types).find((arm) => arm.default !== undefined)?.default;
}

function numberOf(bound: Bound | undefined): number | undefined {
  return bound === undefined ? undefined : Number(bound);
}

function richness(observation: Observation): number {
  return itemsOf(observation).length;
}
