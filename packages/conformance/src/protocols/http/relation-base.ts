import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { listOf } from "../../compare/list-of.ts";
import { type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import type { Input } from "./http-request.ts";

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

/** The elements of the list that an answer is about. */
function itemsOf(observation: Observation): readonly unknown[] {
  return listOf(observation.judged.value)?.items ?? [];
}

function richness(observation: Observation): number {
  return itemsOf(observation).length;
}
