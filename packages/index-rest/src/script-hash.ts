import { hashScript, type Network, scriptOfAddress, toHex } from "@nodewright/bitcoin-primitives";
import { ServiceError } from "@nodewright/runtime";

/** Script hash of the script that an address stands for. Throws `invalid_input` with Esplora's text for what is no such address. */
export function scriptHashOfAddress(address: string, network: Network): string {
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
