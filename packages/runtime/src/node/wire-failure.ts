import { ServiceError } from "../errors/service-error.ts";
import { isWireError } from "../wire/wire-error.ts";

/** Converts an unreadable part of a request to the client's mistake; any other error is returned unchanged. */
export function serviceErrorOfWire(error: unknown): unknown {
  if (!isWireError(error)) return error;
  const code = error.kind === "too-large" ? "too_large" : "invalid_request";
  return new ServiceError(code, error.message, { cause: error });
}
