import {
  type AddressProblem,
  hashScript,
  type Network,
  type NetworkName,
  scriptOfAddress,
  toHex,
} from "@nodewright/bitcoin-primitives";
import { ServiceError } from "@nodewright/runtime";

/** Number of entries above which the cache is cleared. */
const maximumEntries = 10_000;

/** Cached script hashes by address: it is expensive to decode, and its checksum to verify. */
const remembered = new Map<NetworkName, Map<string, string>>();

/** Returns the script hash of an address. Throws `invalid_input` with Esplora's text for an invalid address. */
export function scriptHashOfAddress(address: string, network: Network): string {
  const hashes = rememberedOf(network.name);
  const known = hashes.get(address);
  if (known !== undefined) return known;
  const scriptHash = readAddress(address, network);
  if (hashes.size >= maximumEntries) hashes.clear();
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
      throw new ServiceError("invalid_input", textOfProblem(address, result.problem));
  }
}

/** Maximum length in bytes. */
const maximumBase58AddressLength = 50;

/**
 * Returns electrs's response to a malformed address: the message of rust-bitcoin's `ParseError`, whose parser takes everything that is not
 * a bech32 address for a base58 one, and rejects that for its length before it decodes it.
 */
function textOfProblem(address: string, problem: AddressProblem): string {
  if (problem === "unknown-human-readable-part") return "tried to parse an unknown hrp";
  if (Buffer.byteLength(address) > maximumBase58AddressLength) return "legacy address base58 string";
  if (problem === "bad-length") return "legacy address base58 data";
  if (problem === "unknown-prefix") return "legacy address base58 prefix";
  return "base58 error";
}
