import { hashScript, type Network, type NetworkName, scriptOfAddress, toHex } from "@nodewright/bitcoin-primitives";
import { ServiceError } from "@nodewright/runtime";

/** Above it all are forgotten. */
const mostRemembered = 10_000;

/** Script hashes by address: it is dear to read, and its checksum to prove. */
const remembered = new Map<NetworkName, Map<string, string>>();

/** Script hash of the script that an address stands for. Throws `invalid_input` with Esplora's text for what is no such address. */
export function scriptHashOfAddress(address: string, network: Network): string {
  const hashes = rememberedOf(network.name);
  const known = hashes.get(address);
  if (known !== undefined) return known;
  const scriptHash = readAddress(address, network);
  if (hashes.size >= mostRemembered) hashes.clear();
  hashes.set(address, scriptHash);
  return scriptHash;
}

function rememberedOf(name: NetworkName): Map<string, string> {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const hashes = new Map<string, string>();
  remembered.set(name, hashes);
  return hashes;
}

function readAddress(address: string, network: Network): string {
  const result = scriptOfAddress(address, network);
  switch (result.kind) {
    case "script":
      return toHex(hashScript(result.scriptPubKey));
    case "wrong-network":
      throw new ServiceError("invalid_input", "Address on invalid network");
    case "invalid":
      // Esplora reads what is no bech32 as base58, so this is its text for every other mistake.
      throw new ServiceError("invalid_input", "base58 error");
  }
}
