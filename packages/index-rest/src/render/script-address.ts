import { addressOfScript, type Network, type NetworkName } from "@nodewright/bitcoin-primitives";

/** Above it all are forgotten. What has an address has at most 42 bytes, so this bounds the memory too. */
const mostRemembered = 10_000;
const longestScript = 42;

/** Addresses by scriptPubKey in hex. A script stands in every transaction of its history, and its address is dear to make. */
const remembered = new Map<NetworkName, Map<string, string | undefined>>();

/** The address of a scriptPubKey, which is given in bytes and in hex; `undefined` when it has none. */
export function findAddress(scriptPubKey: Uint8Array, hex: string, network: Network): string | undefined {
  if (scriptPubKey.length > longestScript) return undefined;
  const addresses = rememberedOf(network.name);
  const known = addresses.get(hex);
  if (known !== undefined || addresses.has(hex)) return known;
  const address = addressOfScript(scriptPubKey, network);
  if (addresses.size >= mostRemembered) addresses.clear();
  addresses.set(hex, address);
  return address;
}

function rememberedOf(name: NetworkName): Map<string, string | undefined> {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const addresses = new Map<string, string | undefined>();
  remembered.set(name, addresses);
  return addresses;
}
