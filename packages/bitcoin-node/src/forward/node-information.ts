import type { Upstream } from "@nodewright/upstream";
import type { BitcoinNodeContext } from "../context.ts";
import { askNode } from "./call-node.ts";
import {
  findAmount,
  findInteger,
  findProse,
  findText,
  isRecord,
  listWarnings,
  type NodeRecord,
} from "./node-answer.ts";
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
const patienceMilliseconds = 3_000;

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
  const answer = await askFacts(context, upstream);
  if (answer === undefined) return own;
  return {
    version: findInteger(answer["version"], 0, greatestInt32) ?? own.version,
    protocolversion: findInteger(answer["protocolversion"], 0, greatestInt32) ?? own.protocolversion,
    timeoffset: findInteger(answer["timeoffset"], Number.MIN_SAFE_INTEGER) ?? 0,
    connections: findInteger(answer["connections"], 0, greatestInt32) ?? 0,
    proxy: isShared ? "" : proxyOf(answer),
    relayfee: findAmount(answer["relayfee"]) ?? own.relayfee,
    errors: findProse(answer["errors"]) ?? listWarnings(answer["warnings"]).join("; "),
  };
}

/** Fetches the facts; `undefined` when the node refuses or returns no usable result. */
async function askFacts(context: BitcoinNodeContext, upstream: Upstream): Promise<NodeRecord | undefined> {
  try {
    const software = await soon(identifyNode(upstream));
    if (software === undefined) return undefined;
    const nodeMethod = software.kind === "btcd" ? "getinfo" : "getnetworkinfo";
    const answer = await askNode(context, { method, nodeMethod, timeoutMilliseconds: patienceMilliseconds });
    return answer.ok && isRecord(answer.result) ? answer.result : undefined;
  } catch {
    return undefined;
  }
}

/** Resolves a promise, unless that takes too long. */
async function soon<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  const patience = Promise.withResolvers<undefined>();
  const timer = setTimeout(patience.resolve, patienceMilliseconds, undefined);
  try {
    return await Promise.race([promise, patience.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the proxy: getinfo contains one; getnetworkinfo one for each network. */
function proxyOf(answer: NodeRecord): string {
  const kinds = Array.isArray(answer["networks"]) ? answer["networks"].filter(isRecord) : [];
  const proxies = kinds.map((kind) => findText(kind["proxy"]) ?? "");
  return findText(answer["proxy"]) ?? proxies.find((proxy) => proxy !== "") ?? "";
}
