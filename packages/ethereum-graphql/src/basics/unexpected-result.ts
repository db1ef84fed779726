import { ServiceError } from "@nodewright/runtime";

/** Creates the failure of a request to which the node returned an invalid response: `The node returned <what>`. */
export function unexpectedResult(what: string): ServiceError {
  return new ServiceError("upstream_unavailable", `The node returned ${what}`);
}

/** Creates the same as `unexpectedResult`, where the result does not have the form of its method. */
export function notUnderstood(method: string): ServiceError {
  return unexpectedResult(`an invalid response to ${method}`);
}

/** Creates the failure of a request during which the chain changed. */
export function reorganised(): ServiceError {
  return new ServiceError("upstream_unavailable", "The chain was reorganized during the request; try again");
}
