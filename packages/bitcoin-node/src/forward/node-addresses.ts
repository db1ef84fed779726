import type { NodeAddress } from "@nodewright/bitcoin-api/types";
import type { BitcoinNodeContext } from "../context/context.ts";
import { rpcError } from "../parameters/rpc-error.ts";
import { callNode, getSoftware } from "./call-node.ts";
import { networkKindOf, routableKinds } from "./network-kind.ts";
import {
  findInteger,
  findText,
  getList,
  getRecord,
  getText,
  type NodeRecord,
  unreadableResult,
} from "./node-response.ts";

const method = "getnodeaddresses";

/** Maximum count that btcd accepts. */
const allAddresses = 2_147_483_647;
/** Maximum length of a name that is echoed completely. */
const echoedLength = 100;

/** Returns addresses of other nodes that the node knows, at most `count` of them, 0 for all. Throws -8 for an unknown network. */
export async function getNodeAddresses(
  count: number,
  network: string | undefined,
  context: BitcoinNodeContext,
): Promise<readonly NodeAddress[]> {
  if (network !== undefined && !routableKinds.has(network)) {
    throw rpcError("invalidParameter", `Network not recognized: ${network.slice(0, echoedLength)}`);
  }
  const { kind } = await getSoftware(context, method);
  if (kind === "core") return await callMethod([count, ...(network === undefined ? [] : [network])], context);
  // btcd does not filter by network: all are requested, and those of others dropped.
  const found = await callMethod([network === undefined && count > 0 ? count : allAddresses], context);
  const wanted = network === undefined ? found : found.filter((address) => address.network === network);
  return count === 0 ? wanted : wanted.slice(0, count);
}

async function callMethod(params: readonly unknown[], context: BitcoinNodeContext): Promise<readonly NodeAddress[]> {
  const addresses = getList(await callNode(context, { method, params }), method);
  return addresses.map((address) => renderAddress(getRecord(address, method)));
}

function renderAddress(value: NodeRecord): NodeAddress {
  const address = getText(value["address"], method);
  const port = findInteger(value["port"], 0, 65_535);
  if (port === undefined) throw unreadableResult(method);
  return {
    time: findInteger(value["time"]) ?? 0,
    services: servicesOf(value["services"]),
    address,
    port,
    network: findText(value["network"]) ?? networkKindOf(address),
  };
}

/** Reads services. Bits above 2^53 are rounded off in transit; none has a meaning. */
function servicesOf(value: unknown): bigint {
  if (typeof value === "bigint") return BigInt.asUintN(64, value);
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? BigInt.asUintN(64, BigInt(value)) : 0n;
}
