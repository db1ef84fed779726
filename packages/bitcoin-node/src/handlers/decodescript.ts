import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { DecodedScript, WitnessForm } from "@nodewright/bitcoin-api/types";
import { addressOfScript, fromHex, type Network } from "@nodewright/bitcoin-primitives";
import type { BitcoinNodeContext } from "../context.ts";
import { hexProblem } from "../parameter-problems.ts";
import { renderScriptPubKey } from "../render/script.ts";
import { findWrapping, scriptHashScript } from "../script-wrapping.ts";

/** Reads a script, and tells how it could be paid by its hash. */
export const decodescript: BitcoinHandler<"decodescript", BitcoinNodeContext> = ({ hexstring }, { index }) => {
  const script = fromHex(hexstring);
  if (script === undefined) throw hexProblem("argument", hexstring);
  return renderScript(script, index.network);
};

function renderScript(script: Uint8Array, network: Network): DecodedScript {
  const { hex: _, ...plain } = renderScriptPubKey(script, network);
  const wrapping = findWrapping(script, plain.type);
  if (wrapping === undefined) return plain;
  const { witnessScript } = wrapping;
  const segwit = witnessScript === undefined ? {} : { segwit: renderWitness(witnessScript, network) };
  return { ...plain, p2sh: hashAddress(script, network), ...segwit };
}

function renderWitness(witnessScript: Uint8Array, network: Network): WitnessForm {
  return {
    ...renderScriptPubKey(witnessScript, network),
    "p2sh-segwit": hashAddress(witnessScript, network),
  };
}

function hashAddress(script: Uint8Array, network: Network): string {
  const address = addressOfScript(scriptHashScript(script), network);
  if (address === undefined) throw new Error("A script's hash has no address");
  return address;
}
