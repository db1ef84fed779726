import type { HttpOperation, ParameterFacts } from "../operations/operation.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { Violation } from "../errors/violation.ts";

/**
 * Maximum numbers of reported violations in the message and in the details: a request of many small mistakes must not get a larger
 * response.
 */
const reportedMistakes = { sentences: 10, details: 100 } as const;

/**
 * Creates the 400 for an invalid input: the message that the document defines for the first invalid parameter, otherwise a sentence about
 * each violation.
 */
export function invalidInputError(operation: HttpOperation, violations: readonly Violation[]): ServiceError {
  const parameters = new Map(operation.parameters.map((facts) => [facts.property, facts]));
  const [first] = operation.parameters.filter((facts) => violations.some((one) => propertyOf(one) === facts.property));
  const message = first?.invalidMessage ?? sentences(violations, parameters).join("; ");
  return new ServiceError("invalid_input", message, {
    details: { violations: violations.slice(0, reportedMistakes.details) },
  });
}

/** Returns the property of the input that a violation is in. */
function propertyOf(violation: Violation): string {
  const [, property = ""] = violation.pointer.split("/");
  return property.replaceAll("~1", "/").replaceAll("~0", "~");
}

function sentences(
  violations: readonly Violation[],
  parameters: ReadonlyMap<string, ParameterFacts>,
): readonly string[] {
  const reported = violations.slice(0, reportedMistakes.sentences).map((violation) => sentence(violation, parameters));
  const others = violations.length - reported.length;
  return others === 0 ? reported : [...reported, `and ${others} more`];
}

function sentence(violation: Violation, parameters: ReadonlyMap<string, ParameterFacts>): string {
  const property = propertyOf(violation);
  const facts = parameters.get(property);
  const inner = violation.pointer.slice(property.length + 1);
  if (facts === undefined) {
    const place = property === "body" ? `The body${inner === "" ? "" : ` at ${inner}`}` : "The request";
    return `${place} ${violation.message}`;
  }
  return `The ${facts.location} parameter ${facts.name}${inner === "" ? "" : ` at ${inner}`} ${violation.message}`;
}
