import type { FastifyRequest } from "fastify";
import type { AnyOperation, ValueFacts } from "../operation.ts";
import { ServiceError } from "../service-error.ts";
import type { Violation } from "../violation.ts";
import { defaultAnswerValidation, type PluginOptions } from "./plugin-options.ts";

/** Validator of responses against the types of their operations. */
export interface AnswerCheck {
  /** Whether responses are validated at all. */
  readonly isOn: boolean;
  /**
   * Validates a response. `wire` is called only where responses are validated. Throws `ServiceError` `internal` where the options require
   * it.
   */
  assert(operation: CheckedOperation, wire: () => unknown, request: FastifyRequest): void;
}

type CheckedOperation = AnyOperation & { readonly output: ValueFacts<unknown> };

export function createAnswerCheck<Context>(options: PluginOptions<Context>): AnswerCheck {
  const mode = options.validateAnswers ?? defaultAnswerValidation();
  if (mode === "off") return { isOn: false, assert: () => undefined };
  return {
    isOn: true,
    assert(operation, wire, request) {
      const value = wire();
      if (operation.output.is(value)) return;
      const violations = operation.output.violationsOf(value);
      if (mode === "throw") throw mismatch(operation.name, violations);
      if (options.onInvalidAnswer !== undefined) options.onInvalidAnswer(operation, violations, request);
      else request.log.warn({ violations }, `The answer of ${operation.name} does not match its document`);
    },
  };
}

/** Creates the error for a mismatch, which is our mistake: the violations are for the log, not for the client. */
function mismatch(name: string, violations: readonly Violation[]): ServiceError {
  const reasons = violations.map(({ pointer, message }) => `${pointer}: ${message}`).join("; ");
  return new ServiceError("internal", "Internal error", {
    cause: new Error(`The answer of ${name} does not match its document: ${reasons}`),
  });
}
