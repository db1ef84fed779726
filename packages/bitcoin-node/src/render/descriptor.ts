import { type CoreScriptType, publicKeyOf, toHex, witnessProgramOf } from "@nodewright/bitcoin-primitives";
import { isOnCurve } from "../descriptor/curve.ts";
import { descriptorChecksum } from "../descriptor/descriptor-checksum.ts";
import { inferDescriptor } from "../descriptor/infer-descriptor.ts";
import { renderWithChecksum } from "../descriptor/render-descriptor.ts";

/**
 * Renders the output descriptor, with its checksum, that Bitcoin Core infers for a script without other knowledge: `pk`, `multi` and
 * `rawtr` show their keys, other scripts with an address are `addr`, the rest is `raw`. `type` and `address` are the script's own.
 *
 * The same as `inferDescriptor` without knowledge, which the thousands of outputs of a block can skip.
 */
export function renderDescriptor(script: Uint8Array, type: CoreScriptType, address: string | undefined): string {
  if (type === "multisig") return renderWithChecksum(inferDescriptor({ script, type, address }));
  const text = keyDescriptor(script, type) ?? (address === undefined ? `raw(${toHex(script)})` : `addr(${address})`);
  return `${text}#${descriptorChecksum(text)}`;
}

function keyDescriptor(script: Uint8Array, type: CoreScriptType): string | undefined {
  if (type === "witness_v1_taproot") {
    const key = witnessProgramOf(script)?.program;
    return key !== undefined && isOnCurve(key) ? `rawtr(${toHex(key)})` : undefined;
  }
  const key = type === "pubkey" ? publicKeyOf(script) : undefined;
  return key !== undefined && isPlain(key) ? `pk(${toHex(key)})` : undefined;
}

/** Returns false for the hybrid form of a public key, which descriptors don't allow. */
function isPlain(key: Uint8Array): boolean {
  return key[0] === 2 || key[0] === 3 || key[0] === 4;
}
