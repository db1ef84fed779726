import { ServiceError } from "@nodewright/runtime";

/** Creates the failure of a request to which the node returned an invalid response: `The node answered <what>`. */
export function unusableAnswer(what: string): ServiceError {
  return new ServiceError("upstream_unavailable", `The node answered ${what}`);
}

/** Creates the same as `unusableAnswer`, where the result does not have the form of its method. */
export function notUnderstood(method: string): ServiceError {
  return unusableAnswer(`${method} with something that cannot be understood`);
}

/** Creates the failure of a request during which the chain changed. */
export function reorganised(): ServiceError {
  return new ServiceError("upstream_unavailable", "The chain was reorganised while it was read; ask again");
}
