import { isUpstreamRpcError, type Upstream, upstreamBehind, warmingUp } from "@nodewright/upstream";
import { isRecord } from "./node-answer.ts";

/** What a node runs: its parameters, fields and errors are spelled accordingly. */
export interface NodeSoftware {
  /** `core` for Bitcoin Core and for everything that is not known to be another. */
  readonly kind: "btcd" | "core";
  /** As getnetworkinfo numbers it, 310000 for 31.0; 0 when the node does not say. */
  readonly version: number;
}

/** Found out once; forgotten when the node was away, because another may stand in its place afterwards. */
const known = new WeakMap<Upstream, Promise<NodeSoftware>>();

/** Says what the node runs. Throws what the upstream throws when the node gives no answer. */
export function identifyNode(upstream: Upstream): Promise<NodeSoftware> {
  // Others wait for the same answer, which is therefore not to end with the caller who asks first.
  const shared = upstreamBehind(upstream);
  const earlier = known.get(shared);
  if (earlier !== undefined) return earlier;
  const found = askSoftware(shared).catch((reason: unknown) => {
    forgetNode(shared);
    throw reason;
  });
  known.set(shared, found);
  return found;
}

/** To be called when the node gave no answer: the next call finds out anew what it runs. */
export function forgetNode(upstream: Upstream): void {
  known.delete(upstreamBehind(upstream));
}

/** btcd has no getnetworkinfo, and Bitcoin Core no `version`. */
async function askSoftware(upstream: Upstream): Promise<NodeSoftware> {
  const network = await askUnlessRefused(upstream, "getnetworkinfo");
  if (isRecord(network)) {
    const version = Number.isSafeInteger(network["version"]) ? Number(network["version"]) : 0;
    const kind = /btcd/i.test(String(network["subversion"])) ? "btcd" : "core";
    return { kind, version };
  }
  const versions = await askUnlessRefused(upstream, "version");
  return { kind: isRecord(versions) && "btcdjsonrpcapi" in versions ? "btcd" : "core", version: 0 };
}

async function askUnlessRefused(upstream: Upstream, method: string): Promise<unknown> {
  try {
    return await upstream.call(method);
  } catch (reason) {
    if (isUpstreamRpcError(reason) && reason.code !== warmingUp) return undefined;
    throw reason;
  }
}
