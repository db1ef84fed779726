import { BlockList, isIPv4, isIPv6 } from "node:net";

/** Bitcoin Core's names of the networks of an address. */
export type NetworkKindName = "ipv4" | "ipv6" | "onion" | "i2p" | "cjdns" | "not_publicly_routable";

/** Networks that can be requested. */
export const routableKinds: ReadonlySet<string> = new Set<NetworkKindName>(["ipv4", "ipv6", "onion", "i2p", "cjdns"]);

/** Addresses that are useless outside a local network, by the RFCs that Bitcoin Core follows. */
const unroutable = new BlockList();
for (const [address, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["255.255.255.255", 32],
] as const) {
  unroutable.addSubnet(address, prefix, "ipv4");
}
for (const [address, prefix] of [
  ["::", 128],
  ["::1", 128],
  ["2001:10::", 28],
  ["2001:20::", 28],
  ["2001:db8::", 32],
  ["fc00::", 7],
  ["fe80::", 64],
] as const) {
  unroutable.addSubnet(address, prefix, "ipv6");
}

/** Returns the network of an address, with or without a port. */
export function networkKindOf(address: string): NetworkKindName {
  const host = hostOf(address);
  if (host.endsWith(".onion")) return "onion";
  if (host.endsWith(".b32.i2p")) return "i2p";
  if (isIPv4(host)) return unroutable.check(host, "ipv4") ? "not_publicly_routable" : "ipv4";
  if (isIPv6(host)) return unroutable.check(host, "ipv6") ? "not_publicly_routable" : "ipv6";
  return "not_publicly_routable";
}

function hostOf(address: string): string {
  const bracketed = /^\[(.*)\](?::\d+)?$/.exec(address)?.[1];
  if (bracketed !== undefined) return bracketed;
  // More than one colon means an IPv6 address without a port.
  return /^[^:]*:\d+$/.test(address) ? address.slice(0, address.lastIndexOf(":")) : address;
}
