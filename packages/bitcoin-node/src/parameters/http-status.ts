import type { ServiceError } from "@nodewright/runtime";

const statusOfUnknownMethod = 404;
const statusOfInvalidRequest = 400;
const statusOfOtherErrors = 500;

/**
 * Returns the HTTP status of a response that is one error, for the generated server's `httpStatus`. Clients of JSON-RPC 2.0 get the status
 * of the table of errors. Clients of older versions get Bitcoin Core's, unless the table has a status other than 200.
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
