import type { ServiceError } from "@nodewright/runtime";

const statusOfUnknownMethod = 404;
const statusOfInvalidRequest = 400;
const statusOfOtherErrors = 500;

/**
 * HTTP status of an answer that is one error, for the generated server's `httpStatus`. Callers of JSON-RPC 2.0 get the status of the
 * table of errors. Callers of older versions get what Bitcoin Core gives them, unless the table has a status that is no 200.
 */
export function legacyHttpStatus(error: ServiceError, version: string | undefined): number | undefined {
  if (version === "2.0" || error.rpcHttpStatus !== 200) return undefined;
  switch (error.rpcCode) {
    case -32601:
      return statusOfUnknownMethod;
    case -32600:
      return statusOfInvalidRequest;
    default:
      return statusOfOtherErrors;
  }
}
