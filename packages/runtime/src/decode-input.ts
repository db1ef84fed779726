import type { ValueFacts } from "./operation.ts";
import type { ServiceError } from "./service-error.ts";
import type { Violation } from "./violation.ts";

/** Validates a wire value and turns it into what a handler gets. Throws what `refuse` makes of the violations. */
export function decodeInput<Value>(
  facts: ValueFacts<Value>,
  wire: unknown,
  refuse: (violations: readonly Violation[]) => ServiceError,
): unknown {
  if (!facts.is(wire)) throw refuse(facts.violationsOf(wire));
  if (facts.decode === undefined) return wire;
  try {
    return facts.decode(wire);
  } catch (error) {
    // A schema can't say that an amount has at most 8 decimals; the codec can.
    if (error instanceof RangeError) throw refuse([{ pointer: "", keyword: "format", message: error.message }]);
    throw error;
  }
}
