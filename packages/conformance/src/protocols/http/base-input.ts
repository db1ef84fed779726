import { listOf } from "../../compare/list-of.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { type HttpContext, wellObserved } from "./http-context.ts";
import { type Input, requestOf } from "./http-request.ts";

/** Returns the required part of a successful input, else an example of the description; `undefined` without both. */
export function baseInputOf(context: HttpContext, operation: SuiteHttpOperation): Input | undefined {
  const lengths = wellObserved(context, operation.name).map(({ input, checked }) => ({
    input,
    length: listOf(checked.value)?.items.length ?? 0,
  }));
  const [best] = lengths.toSorted((left, right) => right.length - left.length);
  if (best === undefined) return bareInputOf(operation);
  const kept = operation.parameters.filter(({ required }) => required).map(({ property }) => property);
  const names = operation.body === undefined ? kept : [...kept, "body", "contentType"];
  return Object.fromEntries(
    names.flatMap((name) => (best.input[name] === undefined ? [] : [[name, best.input[name]]])),
  );
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
