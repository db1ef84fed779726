import {
  concatBytes,
  type CoreScriptType,
  hash160,
  isUnspendable,
  publicKeyHashOf,
  publicKeyOf,
  scriptOperations,
  sha256,
} from "@nodewright/bitcoin-primitives";

/** Ways in which a script is paid by its hash. */
export interface ScriptWrapping {
  /** Program that pays the script, or its key (BIP 141); absent where witness programs can't contain it. */
  readonly witnessScript: Uint8Array | undefined;
}

const opcodeZero = 0x00;
const opcodeHash160 = 0xa9;
const opcodeEqual = 0x87;
/** OP_NOP10, the last opcode of scripts before tapscript. */
const highestOpcode = 0xb9;
/** Maximum bytes of a push; a longer one makes a script fail. */
const maximumElementSize = 520;

/** Types whose scripts may be paid by their hash. */
const wrappable: ReadonlySet<CoreScriptType> = new Set([
  "multisig",
  "nonstandard",
  "pubkey",
  "pubkeyhash",
  "witness_v0_keyhash",
  "witness_v0_scripthash",
]);

/**
 * Returns how a script can be paid by its hash, as Bitcoin Core's decodescript decides it; `undefined` for a script that is useless inside
 * a hash: one that has a hash around it, data, taproot, and one that can't be run before tapscript.
 */
export function findWrapping(script: Uint8Array, type: CoreScriptType): ScriptWrapping | undefined {
  if (!wrappable.has(type) || isUnspendable(script) || !isRunnable(script)) return undefined;
  return { witnessScript: witnessScriptOf(script, type) };
}

/** Returns the scriptPubKey that pays the hash of a script (BIP 16). */
export function scriptHashScript(script: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(opcodeHash160, 20), hash160(script), Uint8Array.of(opcodeEqual));
}

/** Returns the scriptPubKey of a program of version 0, the hash of a key or of a script (BIP 141). */
export function witnessProgramScript(program: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(opcodeZero, program.length), program);
}

/** Returns whether all operations exist in scripts before tapscript, and none is a success opcode of tapscript (BIP 342). */
function isRunnable(script: Uint8Array): boolean {
  for (const { opcode, data, cutOff } of scriptOperations(script)) {
    if (cutOff !== undefined || opcode > highestOpcode || isSuccess(opcode)) return false;
    if (data !== undefined && data.length > maximumElementSize) return false;
  }
  return true;
}

/** Returns whether an opcode is in BIP 342's list, as far as the opcodes before tapscript go. */
function isSuccess(opcode: number): boolean {
  if (opcode === 80 || opcode === 98 || opcode === 137 || opcode === 138) return true;
  return (
    (opcode >= 126 && opcode <= 129) ||
    (opcode >= 131 && opcode <= 134) ||
    opcode === 141 ||
    opcode === 142 ||
    (opcode >= 149 && opcode <= 153)
  );
}

function witnessScriptOf(script: Uint8Array, type: CoreScriptType): Uint8Array | undefined {
  switch (type) {
    case "pubkey": {
      const key = publicKeyOf(script);
      return key !== undefined && isCompressed(key) ? witnessProgramScript(hash160(key)) : undefined;
    }
    case "pubkeyhash": {
      const keyHash = publicKeyHashOf(script);
      return keyHash === undefined ? undefined : witnessProgramScript(keyHash);
    }
    case "multisig": {
      const keys = [...scriptOperations(script)].slice(1, -2);
      return keys.every(({ data }) => data !== undefined && isCompressed(data))
        ? witnessProgramScript(sha256(script))
        : undefined;
    }
    case "nonstandard":
      return witnessProgramScript(sha256(script));
    default:
      return undefined;
  }
}

/** Returns whether a key is compressed. BIP 143: witness programs accept no other key. */
function isCompressed(key: Uint8Array): boolean {
  return key.length === 33;
}
