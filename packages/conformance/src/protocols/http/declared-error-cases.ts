import type { PlannedCase } from "../../contract/planned-case.ts";
import { type DeclaredFailure, planDeclaredErrors } from "../../properties/declared-error.ts";
import type { SuiteFailure, SuiteHttpOperation } from "../../suite/suite.ts";
import { withPlace } from "../../suite/with-place.ts";
import { caseOf, type HttpContext, wellObserved } from "./http-context.ts";
import { failedCall } from "./failed-call.ts";
import { failureText } from "./failure-text.ts";
import { queryParametersOf } from "./parameter-roles.ts";
import { baseInputOf } from "./relation-base.ts";

/** Triggers the failures of an operation whose examples say what they are for. */
export function planDeclared(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const base = baseInputOf(context, operation);
  if (base === undefined) return [];
  const others = [...context.operations.values()].filter((one) => one !== operation).flatMap((one) => one.failures);
  // What many operations show is of no one of them.
  const shared = new Set(others.flatMap(textsOf));
  const failures = operation.failures.flatMap((failure): readonly DeclaredFailure[] => {
    const { status: code, place } = failure;
    const words = textsOf(failure).filter((text) => !shared.has(text));
    const isOfInput = code === 400 || code === 409 || code === 422;
    return isOfInput && words.length > 0 ? [{ code, text: `status ${code}`, words, ...withPlace(place) }] : [];
  });
  const cases = planDeclaredErrors({
    parameters: queryParametersOf(operation),
    types: context.types,
    failures,
    base,
    good: wellObserved(context, operation.name).map(({ input }) => input),
    call: async (play, input) => await failedCall(context, operation, play, input),
  });
  return [...cases].map((one) => caseOf(context, operation, { ...one, group: "negative" }));
}

/** The messages that the examples of a failure's bodies have. */
function textsOf({ contents }: SuiteFailure): readonly string[] {
  return contents.flatMap(({ examples = [] }) => examples.map(failureText).filter((text) => text !== undefined));
}
