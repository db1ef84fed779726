import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { ValidAddress } from "@nodewright/bitcoin-api/types";
import {
  type AddressResult,
  addressOfScript,
  type CoreScriptType,
  scriptOfAddress,
  scriptType,
  toHex,
  witnessProgramOf,
} from "@nodewright/bitcoin-primitives";
import type { BitcoinNodeContext } from "../context.ts";

/** What Bitcoin Core says of an address whose script it does not know any better. */
const isScript: Partial<Readonly<Record<CoreScriptType, boolean>>> = {
  pubkeyhash: false,
  scripthash: true,
  witness_v0_keyhash: false,
  witness_v0_scripthash: true,
  witness_v1_taproot: true,
  anchor: true,
};

/** Whether an address is valid, and what it pays. */
export const validateaddress: BitcoinHandler<"validateaddress", BitcoinNodeContext> = ({ address }, { index }) => {
  const result = scriptOfAddress(address, index.network);
  if (result.kind !== "script") return { isvalid: false, error_locations: [], error: renderProblem(result) };
  const { scriptPubKey } = result;
  const isscript = isScript[scriptType(scriptPubKey).core];
  return {
    isvalid: true,
    address: addressOfScript(scriptPubKey, index.network) ?? address,
    scriptPubKey: toHex(scriptPubKey),
    ...(isscript === undefined ? {} : { isscript }),
    ...witnessFacts(scriptPubKey),
  };
};

function witnessFacts(script: Uint8Array): Pick<ValidAddress, "iswitness" | "witness_version" | "witness_program"> {
  const witness = witnessProgramOf(script);
  if (witness === undefined) return { iswitness: false };
  return { iswitness: true, witness_version: witness.version, witness_program: toHex(witness.program) };
}

function renderProblem(result: Exclude<AddressResult, { kind: "script" }>): string {
  if (result.kind === "wrong-network") return "The address is of another network.";
  switch (result.problem) {
    case "bad-checksum":
      return "Invalid checksum";
    case "bad-length":
      return "Invalid length of the address";
    case "unknown-prefix":
      return "Invalid or unsupported Base58-encoded address.";
    case "bad-witness-program":
      return "Invalid or unsupported witness program";
    case "malformed":
      return "Invalid or unsupported Segwit (Bech32) or Base58 encoding.";
  }
}
