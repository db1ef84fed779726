import { ServiceError } from "@nodewright/runtime";

/** Creates the error of a request for which the node returned an invalid result: `The node returned <what>`. */
export function unexpectedResult(what: string): ServiceError {
  return new ServiceError("upstream_unavailable", `The node returned ${what}`);
}

/** Creates the error of a request for which the result of a method does not have its specified type. */
export function invalidResponse(method: string): ServiceError {
  return unexpectedResult(`an invalid response to ${method}`);
}

/** Creates the error of a request during which the chain was reorganized. */
export function reorganised(): ServiceError {
  return new ServiceError("upstream_unavailable", "The chain was reorganized during the request; try again");
}
