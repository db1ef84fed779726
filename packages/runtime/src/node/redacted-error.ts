import type { FastifyRequest } from "fastify";
import { ServiceError } from "../errors/service-error.ts";
import type { PluginOptions } from "./plugin-options.ts";

/** Returns the error as the client of a request sees it: with the message that `redactMessage` returns for it. */
export function redactedError(
  error: ServiceError,
  request: FastifyRequest,
  { redactMessage }: Pick<PluginOptions<never>, "redactMessage">,
): ServiceError {
  if (redactMessage === undefined) return error;
  const { code, message, details, rpcCode, retryAfterSeconds } = error;
  const redacted = redactMessage(message, request);
  if (redacted === message) return error;
  return new ServiceError(code, redacted, { details, rpcCode, retryAfterSeconds, cause: error });
}
