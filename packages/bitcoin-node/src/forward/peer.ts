import type { Peer } from "@nodewright/bitcoin-api/types";
import { networkKindOf } from "./network-kind.ts";
import {
  findAmount,
  findBoolean,
  findInteger,
  findNumber,
  findText,
  listTexts,
  isRecord,
  type NodeRecord,
  present,
  unreadableResult,
} from "./node-response.ts";
import { namesOfServices, renderServices } from "./services.ts";

const method = "getpeerinfo";

/** Upper bound of heights and other counts. */
const greatestInt32 = 2_147_483_647;
const microsecondsPerSecond = 1_000_000;

/**
 * Renders a peer as Bitcoin Core reports it, from the result of either node. The node's own addresses are omitted unless they may be
 * revealed.
 */
export function renderPeer(peer: NodeRecord, showsOwnAddresses: boolean): Peer {
  const id = findInteger(peer["id"]);
  const addr = findText(peer["addr"]);
  if (id === undefined || addr === undefined) throw unreadableResult(method);
  const own = showsOwnAddresses ? peer : {};
  return {
    id,
    addr,
    ...present({ addrbind: findText(own["addrbind"]), addrlocal: findText(own["addrlocal"]) }),
    network: findText(peer["network"]) ?? networkKindOf(addr),
    ...present({ mapped_as: findInteger(peer["mapped_as"]) }),
    ...services(peer),
    relaytxes: findBoolean(peer["relaytxes"]) ?? true,
    ...present({
      last_inv_sequence: findInteger(peer["last_inv_sequence"]),
      inv_to_send: findInteger(peer["inv_to_send"]),
    }),
    lastsend: count(peer["lastsend"]),
    lastrecv: count(peer["lastrecv"]),
    ...present({
      last_transaction: findInteger(peer["last_transaction"]),
      last_block: findInteger(peer["last_block"]),
    }),
    bytessent: count(peer["bytessent"]),
    bytesrecv: count(peer["bytesrecv"]),
    conntime: count(peer["conntime"]),
    timeoffset: findInteger(peer["timeoffset"], Number.MIN_SAFE_INTEGER) ?? 0,
    ...pings(peer),
    version: count(peer["version"]),
    subver: findText(peer["subver"]) ?? "",
    inbound: findBoolean(peer["inbound"]) ?? false,
    ...relaying(peer),
    minfeefilter: isOfBtcd(peer) ? BigInt(count(peer["feefilter"])) : (findAmount(peer["minfeefilter"]) ?? 0n),
    ...traffic(peer),
    transport_protocol_type: transportOf(peer),
    ...present({ session_id: findText(peer["session_id"]) }),
  };
}

/** Returns whether the peer is in btcd's form. */
function isOfBtcd(peer: NodeRecord): boolean {
  return typeof peer["syncnode"] === "boolean";
}

/** Returns the services. btcd writes the number in decimal digits, and no names. */
function services(peer: NodeRecord): Pick<Peer, "services" | "servicesnames"> {
  const text = findText(peer["services"]) ?? "";
  const isDecimal = isOfBtcd(peer);
  if (!(isDecimal ? /^\d{1,20}$/ : /^[0-9a-f]{1,16}$/i).test(text)) {
    return { services: renderServices(0n), servicesnames: [] };
  }
  const bits = BigInt(isDecimal ? text : `0x${text}`);
  const names = listTexts(peer["servicesnames"]);
  return { services: renderServices(bits), servicesnames: names.length > 0 ? names : namesOfServices(bits) };
}

/** Returns the pings in seconds; btcd counts microseconds, and has 0 before the first ping came back. */
function pings(peer: NodeRecord): Pick<Peer, "pingtime" | "minping" | "pingwait"> {
  const divisor = isOfBtcd(peer) ? microsecondsPerSecond : 1;
  const seconds = (name: string): number | undefined => {
    const value = findNumber(peer[name]);
    return value === undefined || value < 0 || (isOfBtcd(peer) && value === 0) ? undefined : value / divisor;
  };
  return present({ pingtime: seconds("pingtime"), minping: seconds("minping"), pingwait: seconds("pingwait") });
}

function relaying(peer: NodeRecord) {
  const height = (name: string): number | undefined => findInteger(peer[name], -1, greatestInt32);
  const heights = peer["inflight"];
  return present({
    bip152_hb_to: findBoolean(peer["bip152_hb_to"]),
    bip152_hb_from: findBoolean(peer["bip152_hb_from"]),
    startingheight: height("startingheight"),
    presynced_headers: height("presynced_headers"),
    synced_headers: height("synced_headers"),
    synced_blocks: height("synced_blocks"),
    inflight: Array.isArray(heights)
      ? heights.filter((value: unknown): value is number => findInteger(value, 0, greatestInt32) !== undefined)
      : undefined,
    addr_relay_enabled: findBoolean(peer["addr_relay_enabled"]),
    addr_processed: findInteger(peer["addr_processed"]),
    addr_rate_limited: findInteger(peer["addr_rate_limited"]),
    permissions: Array.isArray(peer["permissions"]) ? listTexts(peer["permissions"]) : undefined,
  });
}

function traffic(peer: NodeRecord): Pick<Peer, "bytessent_per_msg" | "bytesrecv_per_msg" | "connection_type"> {
  return present({
    bytessent_per_msg: countsByName(peer["bytessent_per_msg"]),
    bytesrecv_per_msg: countsByName(peer["bytesrecv_per_msg"]),
    connection_type: findText(peer["connection_type"]),
  });
}

function transportOf(peer: NodeRecord): string {
  const isEncrypted = findBoolean(peer["v2_connection"]) ?? false;
  return findText(peer["transport_protocol_type"]) ?? (isEncrypted ? "v2" : "v1");
}

function countsByName(value: unknown): Readonly<Record<string, number>> | undefined {
  if (!isRecord(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, count(member)]));
}

function count(value: unknown): number {
  return findInteger(value) ?? 0;
}
