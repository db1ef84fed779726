import { listOf } from "../../compare/list-of.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { findObservation, type HttpContext, wellObserved } from "./http-context.ts";
import { type Input, requestOf } from "./http-request.ts";

/** Input with which an operation is called, and its required part. */
interface BaseInput {
  readonly base: Input | undefined;
  readonly bare: Input | undefined;
}

/**
 * Returns the required part of a successful input, else an example of the description; `undefined` without both. Where the target refuses
 * the required part alone, one of several optional parameters may be needed: the base is then the complete input.
 */
export function baseInputOf(context: HttpContext, operation: SuiteHttpOperation): BaseInput {
  const lengths = wellObserved(context, operation.name).map(({ input, checked }) => ({
    input,
    length: listOf(checked.value)?.items.length ?? 0,
  }));
  const [best] = lengths.toSorted((left, right) => right.length - left.length);
  if (best === undefined) {
    const bare = bareInputOf(operation);
    return { base: bare, bare };
  }
  const kept = operation.parameters.filter(({ required }) => required).map(({ property }) => property);
  const names = operation.body === undefined ? kept : [...kept, "body", "contentType"];
  const bare = Object.fromEntries(
    names.flatMap((name) => (best.input[name] === undefined ? [] : [[name, best.input[name]]])),
  );
  const status = findObservation(context, operation, bare)?.checked.response.status;
  return { base: status === 400 || status === 422 ? best.input : bare, bare };
}

/** Returns an input of required parameters only, with values of the description's examples; `undefined` when these are incomplete. */
export function bareInputOf(operation: SuiteHttpOperation): Input | undefined {
  const input: Record<string, unknown> = {};
  for (const parameter of operation.parameters) {
    if (!parameter.required) continue;
    const { type } = parameter;
    const shown = [...(parameter.examples ?? []), ...(type.examples ?? [])];
    const value = shown[0] ?? type.default ?? (type.kind === "enumeration" ? type.values[0] : undefined);
    if (value === undefined) return undefined;
    input[parameter.property] = value;
  }
  if (operation.body?.required === true) {
    const [content] = operation.body.contents;
    const value = content?.examples?.[0] ?? content?.type.examples?.[0];
    if (value === undefined) return undefined;
    input["body"] = value;
  }
  return requestOf(operation, input) === undefined ? undefined : input;
}
