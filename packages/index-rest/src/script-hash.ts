import {
  type AddressProblem,
  hashScript,
  type Network,
  type NetworkName,
  scriptOfAddress,
  toHex,
} from "@nodewright/bitcoin-primitives";
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
      throw new ServiceError("invalid_input", textOfProblem(address, result.problem));
  }
}

/** In bytes. */
const longestBase58Address = 50;

/**
 * What electrs responds to a malformed address: the message of rust-bitcoin's `ParseError`, whose reader takes whatever is no
 * bech32 address for a base58 one, and refuses that for its length before it decodes it.
 */
function textOfProblem(address: string, problem: AddressProblem): string {
  if (problem === "unknown-human-readable-part") return "tried to parse an unknown hrp";
  if (Buffer.byteLength(address) > longestBase58Address) return "legacy address base58 string";
  if (problem === "bad-length") return "legacy address base58 data";
  if (problem === "unknown-prefix") return "legacy address base58 prefix";
  return "base58 error";
}
