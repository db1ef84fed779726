import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { DecodedScript, WitnessForm } from "@nodewright/bitcoin-api/types";
import { addressOfScript, fromHex, type Network, scriptType } from "@nodewright/bitcoin-primitives";
import type { BitcoinNodeContext } from "../context/context.ts";
import { inferDescriptor } from "../descriptor/infer-descriptor.ts";
import { renderWithChecksum } from "../descriptor/render-descriptor.ts";
import { ScriptKnowledge } from "../descriptor/script-knowledge.ts";
import { isLongScript, renderLongScript } from "../render/long-scripts.ts";
import { hexProblem } from "../parameters/parameter-problems.ts";
import { renderScriptPubKey } from "../render/script.ts";
import { findWrapping, scriptHashScript } from "../descriptor/script-wrapping.ts";

/** Decodes a script, and returns how it could be paid by its hash. */
export const decodescript: BitcoinHandler<"decodescript", BitcoinNodeContext> = ({ hexstring }, { index }) => {
  const script = fromHex(hexstring);
  if (script === undefined) throw hexProblem("argument", hexstring);
  return isLongScript(script) ? renderLong(script) : renderScript(script, index.network);
};

/** Renders a long script. None of this length could be spent if it were paid by its hash. */
async function renderLong(script: Uint8Array): Promise<DecodedScript> {
  const { hex: _, ...plain } = await renderLongScript(script);
  return plain;
}

function renderScript(script: Uint8Array, network: Network): DecodedScript {
  const { hex: _, ...plain } = renderScriptPubKey(script, network);
  const wrapping = findWrapping(script, plain.type);
  if (wrapping === undefined) return plain;
  const { witnessScript } = wrapping;
  const segwit = witnessScript === undefined ? {} : { segwit: renderWitness(witnessScript, script, network) };
  return { ...plain, p2sh: hashAddress(script, network), ...segwit };
}

/**
 * Renders the program that pays a script or its key. Its descriptor describes parts of the script that the program itself doesn't contain.
 */
function renderWitness(program: Uint8Array, script: Uint8Array, network: Network): WitnessForm {
  const plain = renderScriptPubKey(program, network);
  const knowledge = new ScriptKnowledge();
  knowledge.addScript(script);
  const inferred = inferDescriptor(
    { script: program, type: scriptType(program).core, address: plain.address },
    knowledge,
  );
  return { ...plain, desc: renderWithChecksum(inferred), "p2sh-segwit": hashAddress(program, network) };
}

function hashAddress(script: Uint8Array, network: Network): string {
  const address = addressOfScript(scriptHashScript(script), network);
  if (address === undefined) throw new Error("A script's hash has no address");
  return address;
}
