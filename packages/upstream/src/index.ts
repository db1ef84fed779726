export type { UpstreamCredentials } from "./credentials.ts";
export { createHttpUpstream } from "./http-upstream.ts";
export type { HttpUpstreamOptions } from "./http-upstream.ts";
export type { Upstream, UpstreamCall, UpstreamCallOptions, UpstreamResult, UpstreamTotals } from "./upstream.ts";
export { isUpstreamRpcError, UpstreamRpcError } from "./upstream-rpc-error.ts";
