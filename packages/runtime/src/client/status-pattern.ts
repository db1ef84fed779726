import type { FailureFacts, StatusPattern } from "../operations/operation.ts";

/**
 * Returns the document's possible patterns for a status, the narrowest first (OpenAPI 3.1, section 4.8.16). A success is `default` where an
 * operation has no other response; a failure may always be.
 */
export function patternsOf(status: number): readonly (StatusPattern | string)[] {
  return [status, `${Math.floor(status / 100)}XX`, ...(isSuccessStatus(status) ? ["default"] : [])];
}

/** Returns the failure that the document describes for a status. */
export function findFailure(failures: readonly FailureFacts[], status: number): FailureFacts | undefined {
  for (const pattern of new Set([...patternsOf(status), "default"])) {
    const found = failures.find((failure) => failure.status === pattern);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whether a status is of the class 2xx (RFC 9110, section 15.3). */
export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}
