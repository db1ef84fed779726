export type { UpstreamCredentials } from "./credentials.ts";
export { createHttpUpstream } from "./http-upstream.ts";
export type { HttpUpstreamOptions } from "./http-upstream.ts";
export type { ListedString } from "./list-scanner.ts";
export type {
  ListingUpstream,
  Upstream,
  UpstreamCall,
  UpstreamCallOptions,
  UpstreamResult,
  UpstreamTotals,
} from "./upstream.ts";
export { isUpstreamRpcError, UpstreamRpcError } from "./upstream-rpc-error.ts";
