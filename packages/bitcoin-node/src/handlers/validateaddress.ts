import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { ValidAddress } from "@nodewright/bitcoin-api/types";
import { type CoreScriptType, scriptType, toHex, witnessProgramOf } from "@nodewright/bitcoin-primitives";
import type { BitcoinNodeContext } from "../context/context.ts";
import { readAddress } from "../parameters/read-address.ts";

/** Bitcoin Core's `isscript` of an address by type, where it knows no more about its script. */
const isScript: Partial<Readonly<Record<CoreScriptType, boolean>>> = {
  pubkeyhash: false,
  scripthash: true,
  witness_v0_keyhash: false,
  witness_v0_scripthash: true,
  witness_v1_taproot: true,
  anchor: true,
};

/** Returns whether an address is valid, and its script. */
export const validateaddress: BitcoinHandler<"validateaddress", BitcoinNodeContext> = ({ address }, { index }) => {
  const reading = readAddress(address, index.network);
  if (reading.kind === "problem") {
    return { isvalid: false, error_locations: [...reading.locations], error: reading.message };
  }
  const { scriptPubKey } = reading;
  const type = scriptType(scriptPubKey).core;
  const isscript = isScript[type];
  return {
    isvalid: true,
    address: reading.address,
    scriptPubKey: toHex(scriptPubKey),
    ...(isscript === undefined ? {} : { isscript }),
    // Bitcoin Core reports neither version nor bytes of the anchor's program.
    ...(type === "anchor" ? { iswitness: true } : witnessFacts(scriptPubKey)),
  };
};

function witnessFacts(script: Uint8Array): Pick<ValidAddress, "iswitness" | "witness_version" | "witness_program"> {
  const witness = witnessProgramOf(script);
  if (witness === undefined) return { iswitness: false };
  return { iswitness: true, witness_version: witness.version, witness_program: toHex(witness.program) };
}
