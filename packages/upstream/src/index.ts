export { sizeOf } from "./response-cache.ts";
export type { CircuitBreakerOptions, BreakerState } from "./circuit-breaker.ts";
export type { UpstreamCredentials } from "./credentials.ts";
export { createGuardedUpstream } from "./guarded-upstream.ts";
export type { GuardedUpstream, GuardedUpstreamOptions, UpstreamNodeReport } from "./guarded-upstream.ts";
export type { Head, HeadChange, NodeStanding } from "./node-standing.ts";
export type { HeadTrackerOptions } from "./head-tracker.ts";
export { createHttpUpstream } from "./http-upstream.ts";
export type { HttpUpstream, HttpUpstreamOptions } from "./http-upstream.ts";
export type { ListedString } from "./list-scanner.ts";
export { describeUncertainty } from "./method-kind.ts";
export { sharedUpstreamOf, withCallerSignal } from "./caller-signal.ts";
export type {
  ListingUpstream,
  Upstream,
  UpstreamCall,
  UpstreamCallOptions,
  UpstreamResult,
  UpstreamTotals,
} from "./upstream.ts";
export { unavailableCodes, methodNotFound, warmingUp } from "./next-attempt.ts";
export { mayHaveArrived } from "./upstream-failure.ts";
export { publicNodeText } from "./public-node-text.ts";
export { isUpstreamRpcError, UpstreamRpcError } from "./upstream-rpc-error.ts";
export { createResponseHold, type ResponseHold } from "./response-budget.ts";
