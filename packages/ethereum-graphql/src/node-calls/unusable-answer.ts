import { ServiceError } from "@nodewright/runtime";

/** What a request fails with when the node answered what it must not: `The node answered <what>`. */
export function unusableAnswer(what: string): ServiceError {
  return new ServiceError("upstream_unavailable", `The node answered ${what}`);
}

/** As `unusableAnswer`, where the answer has not the form of its method. */
export function notUnderstood(method: string): ServiceError {
  return unusableAnswer(`${method} with something that cannot be understood`);
}

/** What a request fails with when the chain changed while it was read. */
export function reorganised(): ServiceError {
  return new ServiceError("upstream_unavailable", "The chain was reorganised while it was read; ask again");
}
