import {
  type CoreScriptType,
  publicKeyOf,
  scriptOperations,
  toHex,
  witnessProgramOf,
} from "@nodewright/bitcoin-primitives";
import { isOnCurve } from "./curve.ts";
import { descriptorChecksum } from "./descriptor-checksum.ts";

/** The opcode below that which pushes 1. */
const opcodeBelowOne = 0x50;

/**
 * The output descriptor, with its checksum, that Bitcoin Core infers for a script about which nothing else is known: `pk`, `multi`
 * and `rawtr` show their keys, other scripts with an address are `addr`, the rest is `raw`. `type` and `address` are the script's own.
 */
export function renderDescriptor(script: Uint8Array, type: CoreScriptType, address: string | undefined): string {
  const plain = address === undefined ? `raw(${toHex(script)})` : `addr(${address})`;
  const descriptor = keyDescriptor(script, type) ?? plain;
  return `${descriptor}#${descriptorChecksum(descriptor)}`;
}

function keyDescriptor(script: Uint8Array, type: CoreScriptType): string | undefined {
  switch (type) {
    case "pubkey": {
      const key = publicKeyOf(script);
      return key !== undefined && isPlainKey(key) ? `pk(${toHex(key)})` : undefined;
    }
    case "multisig":
      return multisigDescriptor(script);
    case "witness_v1_taproot": {
      const key = witnessProgramOf(script)?.program;
      return key !== undefined && isOnCurve(key) ? `rawtr(${toHex(key)})` : undefined;
    }
    default:
      return undefined;
  }
}

/** `multi(<required>,<keys…>)` of what is known to be a multisignature script. */
function multisigDescriptor(script: Uint8Array): string | undefined {
  const operations = [...scriptOperations(script)];
  const [first] = operations;
  const keys = operations.slice(1, -2).map(({ data }) => data ?? new Uint8Array());
  if (first === undefined || !keys.every(isPlainKey)) return undefined;
  const required = first.data?.[0] ?? first.opcode - opcodeBelowOne;
  return `multi(${[required, ...keys.map(toHex)].join(",")})`;
}

/** False for the hybrid form of a public key, which descriptors don't have. */
function isPlainKey(key: Uint8Array): boolean {
  return key[0] === 2 || key[0] === 3 || key[0] === 4;
}
