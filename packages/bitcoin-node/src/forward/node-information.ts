import type { Upstream } from "@nodewright/upstream";
import type { BitcoinNodeContext } from "../context/context.ts";
import { requestNode } from "./call-node.ts";
import {
  findAmount,
  findInteger,
  findProse,
  findText,
  isRecord,
  listWarnings,
  type NodeRecord,
} from "./node-response.ts";
import { defaultRelayFee } from "./network-information.ts";
import { identifyNode } from "./node-software.ts";

/** Part of getinfo that only the node knows. */
export interface NodeFacts {
  readonly version: number;
  readonly protocolversion: number;
  readonly timeoffset: number;
  readonly connections: number;
  readonly proxy: string;
  /** Satoshi for each 1,000 virtual bytes. */
  readonly relayfee: bigint;
  readonly errors: string;
}

const method = "getinfo";

/** Milliseconds to wait for the node: a request for the short state does not wait for a node that hangs. */
const timeoutMilliseconds = 3_000;

const greatestInt32 = 2_147_483_647;

/** Fetches the node's part of getinfo, by its getnetworkinfo where it has no getinfo; the service's own when there is no response. */
export async function findNodeFacts(context: BitcoinNodeContext): Promise<NodeFacts> {
  const { identity, upstream, isShared } = context;
  const own: NodeFacts = {
    version: identity.version,
    protocolversion: identity.protocolVersion,
    timeoffset: 0,
    connections: 0,
    proxy: "",
    relayfee: defaultRelayFee,
    errors: "",
  };
  if (upstream === undefined) return own;
  const result = await fetchFacts(context, upstream);
  if (result === undefined) return own;
  return {
    version: findInteger(result["version"], 0, greatestInt32) ?? own.version,
    protocolversion: findInteger(result["protocolversion"], 0, greatestInt32) ?? own.protocolversion,
    timeoffset: findInteger(result["timeoffset"], Number.MIN_SAFE_INTEGER) ?? 0,
    connections: findInteger(result["connections"], 0, greatestInt32) ?? 0,
    proxy: isShared ? "" : proxyOf(result),
    relayfee: findAmount(result["relayfee"]) ?? own.relayfee,
    errors: findProse(result["errors"]) ?? listWarnings(result["warnings"]).join("; "),
  };
}

/** Fetches the facts; `undefined` when the node refuses or returns no usable result. */
async function fetchFacts(context: BitcoinNodeContext, upstream: Upstream): Promise<NodeRecord | undefined> {
  try {
    const software = await soon(identifyNode(upstream));
    if (software === undefined) return undefined;
    const nodeMethod = software.kind === "btcd" ? "getinfo" : "getnetworkinfo";
    const response = await requestNode(context, { method, nodeMethod, timeoutMilliseconds: timeoutMilliseconds });
    return response.ok && isRecord(response.result) ? response.result : undefined;
  } catch {
    return undefined;
  }
}

/** Resolves a promise, unless that takes too long. */
async function soon<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  const patience = Promise.withResolvers<undefined>();
  const timer = setTimeout(patience.resolve, timeoutMilliseconds, undefined);
  try {
    return await Promise.race([promise, patience.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the proxy: getinfo contains one; getnetworkinfo one for each network. */
function proxyOf(result: NodeRecord): string {
  const kinds = Array.isArray(result["networks"]) ? result["networks"].filter(isRecord) : [];
  const proxies = kinds.map((kind) => findText(kind["proxy"]) ?? "");
  return findText(result["proxy"]) ?? proxies.find((proxy) => proxy !== "") ?? "";
}
