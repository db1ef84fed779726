import type { FailureFacts, StatusPattern } from "../operation.ts";

/**
 * What a document may call a status, the narrowest first (OpenAPI 3.1, section 4.8.16). A success is `default` where an operation
 * has no other answer; a failure may be at any time.
 */
export function patternsOf(status: number): readonly (StatusPattern | string)[] {
  const isSuccess = status >= 200 && status < 300;
  return [status, `${Math.floor(status / 100)}XX`, ...(isSuccess ? ["default"] : [])];
}

/** The failure that the document describes for a status. */
export function findFailure(failures: readonly FailureFacts[], status: number): FailureFacts | undefined {
  for (const pattern of new Set([...patternsOf(status), "default"])) {
    const found = failures.find((failure) => failure.status === pattern);
    if (found !== undefined) return found;
  }
  return undefined;
}
