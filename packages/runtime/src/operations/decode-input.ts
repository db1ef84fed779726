import type { ParameterFacts, ValueFacts } from "./operation.ts";
import type { ServiceError } from "../errors/service-error.ts";
import type { Violation } from "../errors/violation.ts";

/** Part of an operation that its input needs. */
export interface InputFacts {
  readonly parameters: readonly ParameterFacts[];
  readonly body?: { readonly required: boolean };
  readonly input: ValueFacts<unknown>;
}

type WireInput = Readonly<Record<string, unknown>>;

/** Validates a wire value and converts it for a handler. Throws the result of `refuse` for the violations. */
export function decodeInput(
  operation: InputFacts,
  wire: WireInput,
  refuse: (violations: readonly Violation[]) => ServiceError,
): unknown {
  const { input } = operation;
  if (!input.is(wire)) throw refuse(inputViolations(operation, wire));
  if (input.decode === undefined) return wire;
  try {
    return input.decode(wire);
  } catch (error) {
    // A schema can't express that an amount has at most 8 decimals; the codec checks it.
    if (error instanceof RangeError) throw refuse([{ pointer: "", keyword: "format", message: error.message }]);
    throw error;
  }
}

/**
 * Returns the violations of an input. JSON Schema reports a missing member at its object; here it is reported at the place of the member,
 * so that each violation of an input leads to a parameter or the body.
 */
export function inputViolations(operation: InputFacts, wire: WireInput): readonly Violation[] {
  const violations = operation.input.violationsOf(wire);
  const others = violations.filter(({ pointer, keyword }) => pointer !== "" || keyword !== "required");
  if (others.length === violations.length) return violations;
  return [...missingProperties(operation, wire).map(missing), ...others];
}

function missingProperties({ parameters, body }: InputFacts, wire: WireInput): readonly string[] {
  const required = parameters.filter((facts) => facts.required).map(({ property }) => property);
  return [...required, ...(body?.required === true ? ["body"] : [])].filter((property) => wire[property] === undefined);
}

function missing(property: string): Violation {
  return { pointer: `/${property}`, keyword: "required", message: "is missing" };
}
