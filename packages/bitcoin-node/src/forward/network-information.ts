import type { LocalAddress, NetworkInformation, NetworkKind } from "@nodewright/bitcoin-api/types";
import type { BitcoinNodeContext, NodeIdentity } from "../context/context.ts";
import { callNode, getSoftware } from "./call-node.ts";
import {
  findAmount,
  findBoolean,
  findInteger,
  findText,
  getList,
  getRecord,
  isRecord,
  listTexts,
  listWarnings,
  type NodeRecord,
} from "./node-response.ts";
import { namesOfServices, renderServices } from "./services.ts";

const method = "getnetworkinfo";

const greatestInt32 = 2_147_483_647;

/** Default relay fee in satoshi for each 1,000 virtual bytes: the minimum that nodes relay without other settings. */
export const defaultRelayFee = 1_000n;

/** Returns the state of the node in its network; the service's own where there is no node. */
export async function getNetworkInformation(context: BitcoinNodeContext): Promise<NetworkInformation> {
  if (context.upstream === undefined) return withoutNode(context.identity);
  const { kind } = await getSoftware(context, method);
  return kind === "btcd" ? await callBtcd(context) : await callCore(context);
}

function withoutNode({ version, protocolVersion }: NodeIdentity): NetworkInformation {
  return {
    version,
    subversion: subversionOf("nodewright", version),
    protocolversion: protocolVersion,
    ...noServices,
    localrelay: false,
    timeoffset: 0,
    networkactive: false,
    connections: 0,
    connections_in: 0,
    connections_out: 0,
    networks: [],
    relayfee: defaultRelayFee,
    incrementalfee: defaultRelayFee,
    localaddresses: [],
    warnings: [],
  };
}

const noServices: Pick<NetworkInformation, "localservices" | "localservicesnames"> = {
  localservices: renderServices(0n),
  localservicesnames: namesOfServices(0n),
};

/**
 * Queries btcd: it describes itself in getinfo, and its connections in getpeerinfo. A replacement costs the relay fee for the new size
 * there.
 */
async function callBtcd(context: BitcoinNodeContext): Promise<NetworkInformation> {
  const information = getRecord(await callNode(context, { method, nodeMethod: "getinfo" }), method);
  const peers = getList(await callNode(context, { method, nodeMethod: "getpeerinfo" }), method);
  const inbound = peers.filter((peer) => isRecord(peer) && peer["inbound"] === true).length;
  const version = count(information["version"]);
  const relayFee = findAmount(information["relayfee"]) ?? defaultRelayFee;
  return {
    version,
    subversion: subversionOf("btcd", version),
    protocolversion: count(information["protocolversion"]),
    ...noServices,
    localrelay: true,
    timeoffset: findInteger(information["timeoffset"], Number.MIN_SAFE_INTEGER) ?? 0,
    networkactive: true,
    connections: peers.length,
    connections_in: inbound,
    connections_out: peers.length - inbound,
    networks: [],
    relayfee: relayFee,
    incrementalfee: relayFee,
    localaddresses: [],
    warnings: listWarnings(information["errors"]),
  };
}

async function callCore(context: BitcoinNodeContext): Promise<NetworkInformation> {
  const result = getRecord(await callNode(context, { method }), method);
  const connections = count(result["connections"]);
  const inbound = findInteger(result["connections_in"], 0, greatestInt32) ?? 0;
  const relayFee = findAmount(result["relayfee"]) ?? defaultRelayFee;
  const showsPlaces = !context.isShared;
  return {
    version: count(result["version"]),
    subversion: findText(result["subversion"]) ?? "",
    protocolversion: count(result["protocolversion"]),
    ...servicesOf(result),
    localrelay: findBoolean(result["localrelay"]) ?? true,
    timeoffset: findInteger(result["timeoffset"], Number.MIN_SAFE_INTEGER) ?? 0,
    networkactive: findBoolean(result["networkactive"]) ?? true,
    connections,
    connections_in: inbound,
    connections_out: findInteger(result["connections_out"], 0, greatestInt32) ?? Math.max(0, connections - inbound),
    networks: getList(result["networks"] ?? null, method).map((kind) => networkKind(kind, showsPlaces)),
    relayfee: relayFee,
    incrementalfee: findAmount(result["incrementalfee"]) ?? relayFee,
    localaddresses: showsPlaces ? getList(result["localaddresses"] ?? null, method).map(localAddress) : [],
    warnings: listWarnings(result["warnings"]),
  };
}

function servicesOf(result: NodeRecord): Pick<NetworkInformation, "localservices" | "localservicesnames"> {
  const text = findText(result["localservices"]) ?? "";
  if (!/^[0-9a-f]{1,16}$/i.test(text)) return noServices;
  const bits = BigInt(`0x${text}`);
  const names = listTexts(result["localservicesnames"]);
  return { localservices: renderServices(bits), localservicesnames: names.length > 0 ? names : namesOfServices(bits) };
}

function networkKind(value: unknown, showsProxy: boolean): NetworkKind {
  const kind = getRecord(value, method);
  return {
    name: findText(kind["name"]) ?? "",
    limited: findBoolean(kind["limited"]) ?? false,
    reachable: findBoolean(kind["reachable"]) ?? false,
    proxy: (showsProxy ? findText(kind["proxy"]) : undefined) ?? "",
    proxy_randomize_credentials: findBoolean(kind["proxy_randomize_credentials"]) ?? false,
  };
}

function localAddress(value: unknown): LocalAddress {
  const place = getRecord(value, method);
  return {
    address: findText(place["address"]) ?? "",
    port: findInteger(place["port"], 0, 65_535) ?? 0,
    score: findInteger(place["score"], -greatestInt32, greatestInt32) ?? 0,
  };
}

/** Returns a BIP 14 user agent, from a version with two digits for each part after the first: btcd's 260200 becomes `/btcd:0.26.2/`. */
function subversionOf(name: string, version: number): string {
  const parts = [Math.floor(version / 1_000_000), Math.floor(version / 10_000) % 100, Math.floor(version / 100) % 100];
  const [first = 0, ...rest] = name === "btcd" ? parts : [Math.floor(version / 10_000), parts[2] ?? 0, version % 100];
  return `/${name}:${[first, ...rest].join(".")}/`;
}

function count(value: unknown): number {
  return findInteger(value, 0, greatestInt32) ?? 0;
}
