import type { UpstreamRpcError } from "@nodewright/upstream";

/** What a node's error answer is about, where that is no fault of the caller. */
export type NodeTrouble = "slow" | "unwell";

/** Internal and parse error. */
const internalCodes: ReadonlySet<number> = new Set([-32_603, -32_700]);

/** Limit exceeded (EIP-1474), and what those who sell calls put there for too many of them. */
const busyCodes: ReadonlySet<number> = new Set([-32_005, -32_007, -32_029, 429]);

/** What clients, and gateways before them, say of themselves under whatever code. */
const unwell =
  /^(?:internal|server) error$|method handler crashed|goroutine [0-9]|\bpanic\b|rate ?limit|too many requests|(?:daily|second|monthly) request|request (?:count|limit)|compute units|service (?:is )?(?:temporarily )?unavailable/i;

/** How programs in Go and Rust report what the system refuses them, and geth that it can't look up transactions yet. */
const systemFailure =
  /^(?:open|stat|mkdir|read|write|rename|remove) (?:[a-z]:|~|\.{1,2})?[/\\]\S|^(?:dial|read|write) (?:tcp|udp|unix)\b|^lookup \S+ on |\(os error \d+\)$|^transaction indexing is in progress/i;

/** `eth_getLogs` of those who bound it by its results or its range: the caller has asked for too much. */
const asksTooMuch = /more than [0-9,]+ (?:results|logs)|block range|range .*(?:large|wide|limit)|response size/i;

/** Geth's code for a call that took longer than its servers may. */
const timedOutCode = -32_002;

/** Undefined for an error that is about what was asked. */
export function troubleOf(error: UpstreamRpcError): NodeTrouble | undefined {
  return internalCodes.has(error.code) ? "unwell" : troubleWhateverCode(error);
}

/** As `troubleOf`, of calls that some clients refuse with the code of an internal error. */
export function troubleWhateverCode({ code, message }: UpstreamRpcError): NodeTrouble | undefined {
  if (code === timedOutCode && /timed out/i.test(message)) return "slow";
  if (unwell.test(message) || systemFailure.test(message)) return "unwell";
  return busyCodes.has(code) && !asksTooMuch.test(message) ? "unwell" : undefined;
}
