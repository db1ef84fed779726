import type { FastifyRequest } from "fastify";
import type { AnyOperation, ValueFacts } from "../operations/operation.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { Violation } from "../errors/violation.ts";
import { defaultResponseValidation, type PluginOptions } from "./plugin-options.ts";

/** Validator of responses against the types of their operations. */
export interface ResponseCheck {
  /** Whether responses are validated at all. */
  readonly isOn: boolean;
  /**
   * Validates a response. `wire` is called only where responses are validated. Throws `ServiceError` `internal` where the options require
   * it.
   */
  assert(operation: CheckedOperation, wire: () => unknown, request: FastifyRequest): void;
}

type CheckedOperation = AnyOperation & { readonly output: ValueFacts<unknown> };

export function createResponseCheck<Context>(options: PluginOptions<Context>): ResponseCheck {
  const mode = options.validateResponses ?? defaultResponseValidation();
  if (mode === "off") return { isOn: false, assert: () => undefined };
  return {
    isOn: true,
    assert(operation, wire, request) {
      const value = wire();
      if (operation.output.is(value)) return;
      const violations = operation.output.violationsOf(value);
      if (mode === "throw") throw mismatch(operation.name, violations);
      if (options.onInvalidResponse !== undefined) options.onInvalidResponse(operation, violations, request);
      else request.log.warn({ violations }, `The response of ${operation.name} does not match its document`);
    },
  };
}

/** Creates the error for a mismatch, which is our mistake: the violations are for the log, not for the client. */
function mismatch(name: string, violations: readonly Violation[]): ServiceError {
  const reasons = violations.map(({ pointer, message }) => `${pointer}: ${message}`).join("; ");
  return new ServiceError("internal", "Internal error", {
    cause: new Error(`The response of ${name} does not match its document: ${reasons}`),
  });
}
