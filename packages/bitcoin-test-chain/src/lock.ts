import { hash160, serializeTransaction, sha256 } from "@nodewright/bitcoin-primitives";
import { type Keys, seededHash } from "./keys.ts";
import { opcode, scriptNumberOf, scriptOf } from "./script-bytes.ts";
import { type InnerKind, type ScriptForm, type ScriptKind, scriptKinds } from "./script-kind.ts";
import { type InputUnlocking, placeholderSignatures, type Signatures } from "./signatures.ts";

/** A scriptPubKey and the data that spends outputs that pay to it. */
export interface Lock {
  readonly kind: ScriptKind;
  readonly scriptPubKey: Uint8Array;
  /** Whether outputs are spent; false for those that never are. */
  readonly isSpendable: boolean;
  /** Minimum locktime, a height, of a transaction that spends it (BIP 65); 0 when it may have any. */
  readonly locktime: number;
  /** Minimum depth in blocks before an output is spent (BIP 68, 112); 0 when it may be spent in its own block. */
  readonly relativeLock: number;
  /** Weight units of an input that spends it, with signatures of the maximum length. */
  readonly inputWeight: number;
  /** Signature operation cost (BIP 141) of an output for its block; `inputSigopCost` is that of an input. */
  readonly outputSigopCost: number;
  readonly inputSigopCost: number;
  unlock(signatures: Signatures): InputUnlocking;
}

/** Height of absolute timelocks: reached before the first coinbase can be spent. */
const timelockHeight = 100;
const relativeLockBlocks = 1;
/** Number of keys of one script, which have consecutive numbers. */
const keysPerScript = 4;
/** Cost of a signature operation outside of witnesses (BIP 141). */
const sigopCost = 4;
/** Number of operations for an OP_CHECKMULTISIG whose number of keys is not examined. */
const multisigSigops = 20;

/** A lock without its derived values. */
interface Condition {
  readonly scriptPubKey: Uint8Array;
  readonly isSpendable?: false;
  readonly inner?: InnerKind;
  readonly outputSigops?: number;
  readonly inputSigopCost?: number;
  unlock(signatures: Signatures): InputUnlocking;
}

/** Returns the lock at `number` in the scripts of a chain. */
export function createLock(kind: ScriptKind, number: number, seed: number, keys: Keys): Lock {
  const condition = conditionOf(scriptKinds[kind].script, { number, seed, keys });
  return {
    kind,
    scriptPubKey: condition.scriptPubKey,
    isSpendable: condition.isSpendable ?? true,
    locktime: condition.inner === "absolute-timelock" ? timelockHeight : 0,
    relativeLock: condition.inner === "relative-timelock" ? relativeLockBlocks : 0,
    inputWeight: inputWeightOf(condition.unlock(placeholderSignatures)),
    outputSigopCost: (condition.outputSigops ?? 0) * sigopCost,
    inputSigopCost: condition.inputSigopCost ?? 0,
    unlock: condition.unlock,
  };
}

/** Owner of a script. */
interface Owner {
  readonly number: number;
  readonly seed: number;
  readonly keys: Keys;
}

const noBytes: Uint8Array = new Uint8Array(0);

function conditionOf(script: ScriptForm, owner: Owner): Condition {
  const { number, seed, keys } = owner;
  const key = number * keysPerScript;
  switch (script.form) {
    case "bare":
      return bare(script.inner, owner, script.isUncompressed ?? false);
    case "p2sh":
      return payToScriptHash(script.inner, owner);
    case "p2wsh":
      return payToWitnessScriptHash(script.inner, owner);
    case "p2sh-p2wsh":
      return nested(payToWitnessScriptHash(script.inner, owner));
    case "p2wpkh":
      return payToWitnessPublicKeyHash(owner);
    case "p2sh-p2wpkh":
      return nested(payToWitnessPublicKeyHash(owner));
    case "p2tr-key-path": {
      const { outputKey } = keys.taproot(key, []);
      return {
        scriptPubKey: scriptOf(opcode.OP_1, outputKey),
        unlock: (signatures) => ({ scriptSig: noBytes, witness: [signatures.taprootKey(key)] }),
      };
    }
    case "p2tr-script-path": {
      const leaf = scriptOf(keys.xOnly(key + 1), opcode.OP_CHECKSIG);
      const other = scriptOf(keys.xOnly(key + 2), opcode.OP_CHECKSIG);
      return taprootScriptPath(owner, [leaf, other], (signatures) => [signatures.taprootLeaf(key + 1, leaf)]);
    }
    case "p2tr-multisig": {
      const leaf = scriptOf(
        keys.xOnly(key + 1),
        opcode.OP_CHECKSIG,
        keys.xOnly(key + 2),
        opcode.OP_CHECKSIGADD,
        keys.xOnly(key + 3),
        opcode.OP_CHECKSIGADD,
        opcode.OP_2,
        opcode.OP_NUMEQUAL,
      );
      // The last signature is of the first key; the one of the third key is omitted.
      return taprootScriptPath(owner, [leaf], (signatures) => [
        noBytes,
        signatures.taprootLeaf(key + 2, leaf),
        signatures.taprootLeaf(key + 1, leaf),
      ]);
    }
    case "non-standard-push":
      return anyoneCanSpend(scriptOf(seededHash(seed, "push", number).subarray(0, 8), opcode.OP_DROP, opcode.OP_1));
    case "non-standard-sum": {
      const sum = scriptNumberOf(1_000 + number);
      const rest = scriptNumberOf(number + 900);
      return anyoneCanSpend(scriptOf(scriptNumberOf(100), opcode.OP_ADD, sum, opcode.OP_NUMEQUAL), scriptOf(rest));
    }
    case "unknown-witness": {
      const hash = seededHash(seed, "witness", number);
      const version = 2 + (number % 15);
      const program = Buffer.concat([Uint8Array.of(1), hash, hash]).subarray(0, 2 + (number % 39));
      // Shorter programs would repeat in a long chain.
      const longEnough = program.length < 8 ? Buffer.concat([program, hash]).subarray(0, 8) : program;
      return anyoneCanSpend(scriptOf(opcode.OP_RESERVED + version, longEnough));
    }
    case "anchor":
      return anyoneCanSpend(scriptOf(opcode.OP_1, Uint8Array.of(0x4e, 0x73)));
    case "empty":
      return anyoneCanSpend(noBytes, scriptOf(opcode.OP_1));
    case "unspendable":
      return {
        ...anyoneCanSpend(scriptOf(opcode.OP_RESERVED, seededHash(seed, "unspendable", number).subarray(0, 12))),
        isSpendable: false,
      };
  }
}

function anyoneCanSpend(scriptPubKey: Uint8Array, scriptSig: Uint8Array = noBytes): Condition {
  return { scriptPubKey, unlock: () => ({ scriptSig, witness: [] }) };
}

function bare(inner: InnerKind, owner: Owner, isUncompressed: boolean): Condition {
  const { script, satisfy } = innerCondition(inner, owner, isUncompressed);
  return {
    scriptPubKey: script,
    inner,
    outputSigops: inner === "multisig" ? multisigSigops : 1,
    unlock: (signatures) => ({
      scriptSig: scriptOf(...satisfy((key) => signatures.legacy(key, script))),
      witness: [],
    }),
  };
}

function payToScriptHash(inner: InnerKind, owner: Owner): Condition {
  const { script, satisfy, sigops } = innerCondition(inner, owner, false);
  return {
    scriptPubKey: scriptOf(opcode.OP_HASH160, hash160(script), opcode.OP_EQUAL),
    inner,
    inputSigopCost: sigops * sigopCost,
    unlock: (signatures) => ({
      scriptSig: scriptOf(...satisfy((key) => signatures.legacy(key, script)), script),
      witness: [],
    }),
  };
}

function payToWitnessScriptHash(inner: InnerKind, owner: Owner): Condition {
  const { script, satisfy, sigops } = innerCondition(inner, owner, false);
  return {
    scriptPubKey: scriptOf(opcode.OP_0, sha256(script)),
    inner,
    inputSigopCost: sigops,
    unlock: (signatures) => ({
      scriptSig: noBytes,
      witness: [...satisfy((key) => signatures.witness(key, script)), script],
    }),
  };
}

function payToWitnessPublicKeyHash({ number, keys }: Owner): Condition {
  const key = number * keysPerScript;
  const publicKey = keys.compressed(key);
  // BIP 143: the signed script is that of P2PKH.
  const scriptCode = publicKeyHashScript(publicKey);
  return {
    scriptPubKey: scriptOf(opcode.OP_0, hash160(publicKey)),
    inputSigopCost: 1,
    unlock: (signatures) => ({ scriptSig: noBytes, witness: [signatures.witness(key, scriptCode), publicKey] }),
  };
}

/** Returns a witness program inside the hash of P2SH. */
function nested(condition: Condition): Condition {
  const { scriptPubKey: program, unlock } = condition;
  return {
    ...condition,
    scriptPubKey: scriptOf(opcode.OP_HASH160, hash160(program), opcode.OP_EQUAL),
    unlock: (signatures) => ({ scriptSig: scriptOf(program), witness: unlock(signatures).witness }),
  };
}

function taprootScriptPath(
  { number, keys }: Owner,
  leaves: readonly [Uint8Array, ...Uint8Array[]],
  satisfy: (signatures: Signatures) => readonly Uint8Array[],
): Condition {
  const { outputKey, controlBlock } = keys.taproot(number * keysPerScript, leaves);
  return {
    scriptPubKey: scriptOf(opcode.OP_1, outputKey),
    unlock: (signatures) => ({ scriptSig: noBytes, witness: [...satisfy(signatures), leaves[0], controlBlock] }),
  };
}

interface InnerCondition {
  readonly script: Uint8Array;
  readonly sigops: number;
  /** Returns the initial stack of the script, the top last. */
  satisfy(sign: (key: number) => Uint8Array): readonly Uint8Array[];
}

function innerCondition(inner: InnerKind, { number, seed, keys }: Owner, isUncompressed: boolean): InnerCondition {
  const key = number * keysPerScript;
  const publicKey = isUncompressed ? keys.uncompressed(key) : keys.compressed(key);
  const checkKey = [publicKey, opcode.OP_CHECKSIG] as const;
  switch (inner) {
    case "public-key":
      return { script: scriptOf(...checkKey), sigops: 1, satisfy: (sign) => [sign(key)] };
    case "public-key-hash":
      return { script: publicKeyHashScript(publicKey), sigops: 1, satisfy: (sign) => [sign(key), publicKey] };
    case "multisig": {
      const publicKeys = [publicKey, keys.compressed(key + 1), keys.compressed(key + 2)];
      return {
        script: scriptOf(opcode.OP_2, ...publicKeys, opcode.OP_3, opcode.OP_CHECKMULTISIG),
        sigops: 3,
        // OP_CHECKMULTISIG takes one element too many off the stack (BIP 147: an empty one).
        satisfy: (sign) => [noBytes, sign(key), sign(key + 2)],
      };
    }
    case "hash-lock": {
      const secret = seededHash(seed, "secret", number);
      const script = scriptOf(opcode.OP_SHA256, sha256(secret), opcode.OP_EQUALVERIFY, ...checkKey);
      return { script, sigops: 1, satisfy: (sign) => [sign(key), secret] };
    }
    case "absolute-timelock": {
      const height = scriptNumberOf(timelockHeight);
      const script = scriptOf(height, opcode.OP_CHECKLOCKTIMEVERIFY, opcode.OP_DROP, ...checkKey);
      return { script, sigops: 1, satisfy: (sign) => [sign(key)] };
    }
    case "relative-timelock": {
      const blocks = scriptNumberOf(relativeLockBlocks);
      const script = scriptOf(blocks, opcode.OP_CHECKSEQUENCEVERIFY, opcode.OP_DROP, ...checkKey);
      return { script, sigops: 1, satisfy: (sign) => [sign(key)] };
    }
    case "either": {
      const other = keys.compressed(key + 1);
      const script = scriptOf(opcode.OP_IF, publicKey, opcode.OP_ELSE, other, opcode.OP_ENDIF, opcode.OP_CHECKSIG);
      const isFirst = number % 2 === 0;
      const branch = isFirst ? Uint8Array.of(1) : noBytes;
      return { script, sigops: 1, satisfy: (sign) => [sign(isFirst ? key : key + 1), branch] };
    }
  }
}

function publicKeyHashScript(publicKey: Uint8Array): Uint8Array {
  return scriptOf(opcode.OP_DUP, opcode.OP_HASH160, hash160(publicKey), opcode.OP_EQUALVERIFY, opcode.OP_CHECKSIG);
}

/** Bytes of a transaction with one input without scripts, whose witness may be counted. */
const emptyTransactionLength = 4 + 1 + 41 + 1 + 4;

function inputWeightOf({ scriptSig, witness }: InputUnlocking): number {
  const input = { previousOutput: { txid: new Uint8Array(32), vout: 0 }, scriptSig, sequence: 0 };
  const stripped = serializeTransaction({
    version: 2,
    inputs: [{ ...input, witness: [] }],
    outputs: [],
    locktime: 0,
  }).length;
  const whole = serializeTransaction({ version: 2, inputs: [{ ...input, witness }], outputs: [], locktime: 0 }).length;
  // An input without a witness still has one byte for its count; marker and flag belong to the transaction.
  const witnessLength = witness.length === 0 ? 1 : whole - stripped - 2;
  return 4 * (stripped - emptyTransactionLength + 41) + witnessLength;
}
