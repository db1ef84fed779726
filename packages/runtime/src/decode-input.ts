import type { ParameterFacts, ValueFacts } from "./operation.ts";
import type { ServiceError } from "./service-error.ts";
import type { Violation } from "./violation.ts";

/** As much of an operation as its input needs. */
export interface InputFacts {
  readonly parameters: readonly ParameterFacts[];
  readonly body?: { readonly required: boolean };
  readonly input: ValueFacts<unknown>;
}

type WireInput = Readonly<Record<string, unknown>>;

/** Validates a wire value and turns it into what a handler gets. Throws what `refuse` makes of the violations. */
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
    // A schema can't say that an amount has at most 8 decimals; the codec can.
    if (error instanceof RangeError) throw refuse([{ pointer: "", keyword: "format", message: error.message }]);
    throw error;
  }
}

/**
 * What is wrong with an input. JSON Schema reports a missing member at the object that lacks it; here it is reported at the place of
 * the member, so that each violation of an input leads to a parameter or the body.
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
