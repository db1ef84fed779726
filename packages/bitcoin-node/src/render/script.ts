import type { ScriptPubKey, ScriptSig } from "@nodewright/bitcoin-api/types";
import { addressOfScript, type Network, renderCoreAsm, scriptType, toHex } from "@nodewright/bitcoin-primitives";
import { renderDescriptor } from "./descriptor.ts";

/** Renders a scriptPubKey with Bitcoin Core's members, in its order. */
export function renderScriptPubKey(script: Uint8Array, network: Network): ScriptPubKey {
  const type = scriptType(script).core;
  const address = addressOfScript(script, network);
  return {
    asm: renderCoreAsm(script),
    desc: renderDescriptor(script, type, address),
    hex: toHex(script),
    ...(address === undefined ? {} : { address }),
    type,
  };
}

/** Renders a scriptSig, with the hash types of its signatures spelled out. */
export function renderScriptSig(script: Uint8Array): ScriptSig {
  return { asm: renderCoreAsm(script, { signatures: true }), hex: toHex(script) };
}
