import { opcodes } from "./opcode.ts";
import { scriptNumber } from "./script-number.ts";
import { isPushOnly, type ScriptOperation, scriptOperations } from "./script-reader.ts";

/** Type of a scriptPubKey, in the names of Esplora's `scriptpubkey_type`. */
export type EsploraScriptType =
  | "empty"
  | "op_return"
  | "p2pk"
  | "p2pkh"
  | "p2sh"
  | "v0_p2wpkh"
  | "v0_p2wsh"
  | "v1_p2tr"
  | "unknown";

/** Type of a scriptPubKey, in the names of Bitcoin Core's `scriptPubKey.type`. */
export type CoreScriptType =
  | "nonstandard"
  | "anchor"
  | "pubkey"
  | "pubkeyhash"
  | "scripthash"
  | "multisig"
  | "nulldata"
  | "witness_v0_keyhash"
  | "witness_v0_scripthash"
  | "witness_v1_taproot"
  | "witness_unknown";

/** Both names. The two differ in what is standard: Esplora does not support bare multisig, nor check a public key. */
export interface ScriptType {
  readonly esplora: EsploraScriptType;
  readonly core: CoreScriptType;
}

/** A version and 2 to 40 bytes whose meaning it defines (BIP 141). */
export interface WitnessProgram {
  /** Version, 0 to 16. */
  readonly version: number;
  readonly program: Uint8Array;
}

/** Maximum size in bytes of a script that can be run. */
const maximumScriptSize = 10_000;
/** Maximum number of keys of OP_CHECKMULTISIG. */
const maximumMultisigKeys = 20;
/** Maximum length: two numbers of at most 2 bytes, 20 keys of 65 bytes each after an opcode and a length of 4 bytes, the opcode. */
const maximumMultisigLength = 2 + maximumMultisigKeys * 70 + 2 + 1;

/** Returns the type of a scriptPubKey. */
export function scriptType(scriptPubKey: Uint8Array): ScriptType {
  return { esplora: esploraScriptType(scriptPubKey), core: coreScriptType(scriptPubKey) };
}

/** Returns the witness program of a scriptPubKey (BIP 141); `undefined` when it has none. */
export function witnessProgramOf(scriptPubKey: Uint8Array): WitnessProgram | undefined {
  const [opcode = 0, length = 0] = scriptPubKey;
  if (scriptPubKey.length < 4 || scriptPubKey.length > 42 || scriptPubKey.length !== length + 2) return undefined;
  if (opcode !== opcodes.OP_0 && (opcode < opcodes.OP_1 || opcode > opcodes.OP_16)) return undefined;
  return {
    version: opcode === opcodes.OP_0 ? 0 : opcode - opcodes.OP_RESERVED,
    program: scriptPubKey.subarray(2),
  };
}

/** Returns the hash in `OP_DUP OP_HASH160 <20 bytes> OP_EQUALVERIFY OP_CHECKSIG`. */
export function publicKeyHashOf(script: Uint8Array): Uint8Array | undefined {
  const matches =
    script.length === 25 &&
    script[0] === opcodes.OP_DUP &&
    script[1] === opcodes.OP_HASH160 &&
    script[2] === 20 &&
    script[23] === opcodes.OP_EQUALVERIFY &&
    script[24] === opcodes.OP_CHECKSIG;
  return matches ? script.subarray(3, 23) : undefined;
}

/** Returns the hash in `OP_HASH160 <20 bytes> OP_EQUAL` (BIP 16). */
export function scriptHashOf(script: Uint8Array): Uint8Array | undefined {
  const matches =
    script.length === 23 && script[0] === opcodes.OP_HASH160 && script[1] === 20 && script[22] === opcodes.OP_EQUAL;
  return matches ? script.subarray(2, 22) : undefined;
}

/** Returns the bytes in place of a public key in `<33 or 65 bytes> OP_CHECKSIG`, whether or not they are one. */
export function publicKeyOf(script: Uint8Array): Uint8Array | undefined {
  const matches =
    (script.length === 35 || script.length === 67) &&
    script[0] === script.length - 2 &&
    script[script.length - 1] === opcodes.OP_CHECKSIG;
  return matches ? script.subarray(1, -1) : undefined;
}

/** Returns whether the output can never be spent: Bitcoin Core's rule for its UTXO set. */
export function isUnspendable(scriptPubKey: Uint8Array): boolean {
  return scriptPubKey[0] === opcodes.OP_RETURN || scriptPubKey.length > maximumScriptSize;
}

function esploraScriptType(script: Uint8Array): EsploraScriptType {
  const first = script[0];
  if (first === undefined) return "empty";
  if (first === opcodes.OP_RETURN) return "op_return";
  if (publicKeyOf(script) !== undefined) return "p2pk";
  if (publicKeyHashOf(script) !== undefined) return "p2pkh";
  if (scriptHashOf(script) !== undefined) return "p2sh";
  const witness = witnessProgramOf(script);
  if (witness?.version === 0 && witness.program.length === 20) return "v0_p2wpkh";
  if (witness?.version === 0 && witness.program.length === 32) return "v0_p2wsh";
  if (witness?.version === 1 && witness.program.length === 32) return "v1_p2tr";
  return "unknown";
}

function coreScriptType(script: Uint8Array): CoreScriptType {
  if (scriptHashOf(script) !== undefined) return "scripthash";
  const witness = witnessProgramOf(script);
  if (witness !== undefined) return coreWitnessType(witness);
  if (script[0] === opcodes.OP_RETURN && isPushOnly(script.subarray(1))) return "nulldata";
  const publicKey = publicKeyOf(script);
  if (publicKey !== undefined && looksLikePublicKey(publicKey)) return "pubkey";
  if (publicKeyHashOf(script) !== undefined) return "pubkeyhash";
  return isMultisig(script) ? "multisig" : "nonstandard";
}

function coreWitnessType({ version, program }: WitnessProgram): CoreScriptType {
  if (version === 0) {
    if (program.length === 20) return "witness_v0_keyhash";
    return program.length === 32 ? "witness_v0_scripthash" : "nonstandard";
  }
  if (version === 1 && program.length === 32) return "witness_v1_taproot";
  if (version === 1 && program.length === 2 && program[0] === 0x4e && program[1] === 0x73) return "anchor";
  return "witness_unknown";
}

/** Returns whether the first byte matches the length. Whether the point is on the curve is not checked. */
function looksLikePublicKey(bytes: Uint8Array): boolean {
  const first = bytes[0];
  if (first === 2 || first === 3) return bytes.length === 33;
  return (first === 4 || first === 6 || first === 7) && bytes.length === 65;
}

/**
 * Returns whether a script is `<required> <keys…> <number of keys> OP_CHECKMULTISIG`, the numbers in their shortest form; the keys may be
 * pushed by any opcode.
 */
function isMultisig(script: Uint8Array): boolean {
  if (script[script.length - 1] !== opcodes.OP_CHECKMULTISIG || script.length > maximumMultisigLength) return false;
  const operations = [...scriptOperations(script)];
  const [first] = operations;
  const [last, check] = operations.slice(-2);
  const keys = operations.slice(1, -2);
  if (first === undefined || last === undefined) return false;
  // The last byte may also be the end of a push.
  if (check?.opcode !== opcodes.OP_CHECKMULTISIG) return false;
  const required = keyCount(first);
  const total = keyCount(last);
  return (
    required <= total &&
    total === keys.length &&
    keys.every((key) => key.data !== undefined && looksLikePublicKey(key.data))
  );
}

/** Returns the number from 1 to 20 that an operation pushes in its shortest form; NaN for another operation. */
function keyCount({ opcode, data }: ScriptOperation): number {
  if (opcode >= opcodes.OP_1 && opcode <= opcodes.OP_16) return opcode - opcodes.OP_RESERVED;
  // 17 to 20 have no opcode of their own; smaller numbers are not in their shortest form as data.
  if (data === undefined || opcode !== 1) return Number.NaN;
  const count = scriptNumber(data);
  return count > 16 && count <= maximumMultisigKeys ? count : Number.NaN;
}
