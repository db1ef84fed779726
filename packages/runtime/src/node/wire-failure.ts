import { ServiceError } from "../service-error.ts";
import { isWireError } from "../wire/wire-error.ts";

/** What can't be read of a request is the caller's mistake; anything else stays what it is. */
export function serviceErrorOfWire(error: unknown): unknown {
  if (!isWireError(error)) return error;
  const code = error.kind === "too-large" ? "too_large" : "invalid_request";
  return new ServiceError(code, error.message, { cause: error });
}
