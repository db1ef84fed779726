import {
  concatBytes,
  doubleSha256,
  serializeTransaction,
  type TransactionContent,
  type TransactionIdBytes,
  type TransactionOutput,
} from "@nodewright/bitcoin-primitives";
import { SigHash, Transaction } from "@scure/btc-signer";
import { signECDSA, signSchnorr, taprootTweakPrivKey } from "@scure/btc-signer/utils.js";
import type { Lock } from "./lock.ts";
import { privateKeyOf } from "./real-keys.ts";
import type { ScriptBook } from "./script-book.ts";
import type { Signatures } from "./signatures.ts";
import { finishTransaction, type SignedTransaction } from "./signed-transaction.ts";

/** Transaction to sign: plain values, so that it can be sent to a worker. */
export interface SigningTask {
  readonly version: number;
  readonly locktime: number;
  readonly inputs: readonly SigningInput[];
  readonly outputs: readonly TransactionOutput[];
}

interface SigningInput {
  readonly txid: TransactionIdBytes;
  readonly vout: number;
  readonly sequence: number;
  /** Number of the script that the spent output pays to. */
  readonly script: number;
  /** Value of the spent output in satoshi. */
  readonly value: bigint;
}

const noBytes: Uint8Array = new Uint8Array(0);
/** Auxiliary randomness of BIP 340: zeros, so that the same chain has the same signatures. */
const noRandomness: Uint8Array = new Uint8Array(32);
const permissiveOptions = {
  allowUnknownInputs: true,
  allowUnknownOutputs: true,
  allowUnknownVersion: true,
  disableScriptCheck: true,
} as const;

/** Function that signs every input of a task. */
export type SignTransaction = (task: SigningTask) => SignedTransaction;

/** Creates a deterministic signer with the keys of a chain: RFC 6979; BIP 340 without auxiliary randomness. */
export function createTransactionSigner(book: ScriptBook, seed: number): SignTransaction {
  const keys = new PrivateKeys(seed);
  return (task) => signTransaction(task, book, keys);
}

/** Private keys by their numbers. */
class PrivateKeys {
  readonly #seed: number;
  readonly #tweaked = new Map<number, Uint8Array>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  get(number: number): Uint8Array {
    return privateKeyOf(this.#seed, number);
  }

  /** Returns the tweaked private key (BIP 341) without a script tree; cached, since it costs half of a signature. */
  tweaked(number: number): Uint8Array {
    const known = this.#tweaked.get(number);
    if (known !== undefined) return known;
    const tweaked = taprootTweakPrivKey(this.get(number));
    this.#tweaked.set(number, tweaked);
    return tweaked;
  }
}

function signTransaction(task: SigningTask, book: ScriptBook, keys: PrivateKeys): SignedTransaction {
  const locks = task.inputs.map(({ script }) => book.lock(script));
  const unsigned: TransactionContent = {
    version: task.version,
    locktime: task.locktime,
    inputs: task.inputs.map(({ txid, vout, sequence }) => ({
      previousOutput: { txid, vout },
      scriptSig: noBytes,
      sequence,
      witness: [],
    })),
    outputs: task.outputs,
  };
  const digests = new TransactionDigests(unsigned, task, locks);
  return finishTransaction({
    ...unsigned,
    inputs: unsigned.inputs.map((input, index) => ({
      ...input,
      ...locks[index]?.unlock(signaturesOf(digests, index, keys)),
    })),
  });
}

function signaturesOf(digests: TransactionDigests, index: number, keys: PrivateKeys): Signatures {
  const ecdsa = (digest: Uint8Array, key: number) =>
    concatBytes(signECDSA(digest, keys.get(key)), Uint8Array.of(SigHash.ALL));
  return {
    legacy: (key, script) => ecdsa(digests.legacy(index, script), key),
    witness: (key, scriptCode) => ecdsa(digests.witness(index, scriptCode), key),
    taprootKey: (key) => signSchnorr(digests.taproot(index), keys.tweaked(key), noRandomness),
    taprootLeaf: (key, leaf) => signSchnorr(digests.taproot(index, leaf), keys.get(key), noRandomness),
  };
}

/** Signature hashes (sighash) of one transaction. */
class TransactionDigests {
  readonly #unsigned: TransactionContent;
  readonly #values: bigint[];
  readonly #scripts: Uint8Array[];
  #transaction: Transaction | undefined;

  constructor(unsigned: TransactionContent, task: SigningTask, locks: readonly Lock[]) {
    this.#unsigned = unsigned;
    this.#values = task.inputs.map(({ value }) => value);
    this.#scripts = locks.map(({ scriptPubKey }) => scriptPubKey);
  }

  /** Returns the legacy digest with SIGHASH_ALL, which the signing library computes only internally. */
  legacy(index: number, script: Uint8Array): Uint8Array {
    const inputs = this.#unsigned.inputs.map((input, position) =>
      position === index ? { ...input, scriptSig: script } : input,
    );
    const hashType = Uint8Array.of(SigHash.ALL, 0, 0, 0);
    return doubleSha256(concatBytes(serializeTransaction({ ...this.#unsigned, inputs }), hashType));
  }

  /** Returns the digest of BIP 143. */
  witness(index: number, scriptCode: Uint8Array): Uint8Array {
    return this.#library().preimageWitnessV0(index, scriptCode, SigHash.ALL, this.#values[index] ?? 0n);
  }

  /** Returns the digest of BIP 341 for the key path; with a leaf, that of BIP 342 for the script path. */
  taproot(index: number, leaf?: Uint8Array): Uint8Array {
    return this.#library().preimageWitnessV1(index, this.#scripts, SigHash.DEFAULT, this.#values, undefined, leaf);
  }

  /** Returns the library's transaction. Only transactions with witnesses need it. */
  #library(): Transaction {
    this.#transaction ??= Transaction.fromRaw(serializeTransaction(this.#unsigned), permissiveOptions);
    return this.#transaction;
  }
}
