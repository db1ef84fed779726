import { isUpstreamRpcError, type Upstream, sharedUpstreamOf, warmingUp } from "@nodewright/upstream";
import { isRecord } from "./node-response.ts";

/** Software of a node, which decides the form of its parameters, fields and errors. */
export interface NodeSoftware {
  /** Kind: `core` for Bitcoin Core and for all software that is not identified as another. */
  readonly kind: "btcd" | "core";
  /** Version as in getnetworkinfo, 310000 for 31.0; 0 when the node does not report it. */
  readonly version: number;
}

/** Cache of identified nodes; an entry is dropped when the node was unavailable, because another may replace it afterwards. */
const known = new WeakMap<Upstream, Promise<NodeSoftware>>();

/** Returns the node's software. Throws the upstream's failure when the node gives no response. */
export function identifyNode(upstream: Upstream): Promise<NodeSoftware> {
  // Other callers wait for the same result, so it must not be aborted with the first client.
  const shared = sharedUpstreamOf(upstream);
  const earlier = known.get(shared);
  if (earlier !== undefined) return earlier;
  const found = fetchSoftware(shared).catch((reason: unknown) => {
    forgetNode(shared);
    throw reason;
  });
  known.set(shared, found);
  return found;
}

/** Drops the cached software. Called when the node gave no response: the next call identifies it again. */
export function forgetNode(upstream: Upstream): void {
  known.delete(sharedUpstreamOf(upstream));
}

/** Identifies the software. btcd has no getnetworkinfo, and Bitcoin Core no `version`. */
async function fetchSoftware(upstream: Upstream): Promise<NodeSoftware> {
  const network = await callUnlessRefused(upstream, "getnetworkinfo");
  if (isRecord(network)) {
    const version = Number.isSafeInteger(network["version"]) ? Number(network["version"]) : 0;
    const kind = /btcd/i.test(String(network["subversion"])) ? "btcd" : "core";
    return { kind, version };
  }
  const versions = await callUnlessRefused(upstream, "version");
  return { kind: isRecord(versions) && "btcdjsonrpcapi" in versions ? "btcd" : "core", version: 0 };
}

async function callUnlessRefused(upstream: Upstream, method: string): Promise<unknown> {
  try {
    return await upstream.call(method);
  } catch (reason) {
    if (isUpstreamRpcError(reason) && reason.code !== warmingUp) return undefined;
    throw reason;
  }
}
