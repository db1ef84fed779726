import type { UpstreamRpcError } from "@nodewright/upstream";

/** Kind of a node's error response that the caller did not cause. */
export type NodeTrouble = "slow" | "unwell";

/** Error codes of internal and parse errors. */
const internalCodes: ReadonlySet<number> = new Set([-32_603, -32_700]);

/** Error codes for an exceeded limit (EIP-1474), and those of providers for too many calls. */
const busyCodes: ReadonlySet<number> = new Set([-32_005, -32_007, -32_029, 429]);

/** Messages of clients and their gateways about themselves, under any code. */
const unwell =
  /^(?:internal|server) error$|method handler crashed|goroutine [0-9]|\bpanic\b|rate ?limit|too many requests|(?:daily|second|monthly) request|request (?:count|limit)|compute units|service (?:is )?(?:temporarily )?unavailable/i;

/** Messages of Go and Rust programs for failed system calls, and geth's that it can't look up transactions yet. */
const systemFailure =
  /^(?:open|stat|mkdir|read|write|rename|remove) (?:[a-z]:|~|\.{1,2})?[/\\]\S|^(?:dial|read|write) (?:tcp|udp|unix)\b|^lookup \S+ on |\(os error \d+\)$|^transaction indexing is in progress/i;

/** Messages of providers that bound `eth_getLogs` by its results or its range: the client has requested too much. */
const requestsTooMuch = /more than [0-9,]+ (?:results|logs)|block range|range .*(?:large|wide|limit)|response size/i;

/** Geth's code for a call that took longer than its server allows. */
const timedOutCode = -32_002;

/** Returns the kind of trouble; undefined for an error that is about the request. */
export function troubleOf(error: UpstreamRpcError): NodeTrouble | undefined {
  return internalCodes.has(error.code) ? "unwell" : troubleWhateverCode(error);
}

/** Returns the same as `troubleOf`, for calls that some clients refuse with the code of an internal error. */
export function troubleWhateverCode({ code, message }: UpstreamRpcError): NodeTrouble | undefined {
  if (code === timedOutCode && /timed out/i.test(message)) return "slow";
  if (unwell.test(message) || systemFailure.test(message)) return "unwell";
  return busyCodes.has(code) && !requestsTooMuch.test(message) ? "unwell" : undefined;
}
