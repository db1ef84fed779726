import {
  doubleSha256,
  type HashBytes,
  serializeTransaction,
  type TransactionContent,
  type TransactionIdBytes,
} from "@nodewright/bitcoin-primitives";
import { Random } from "./random.ts";
import type { ScriptBook } from "./script-book.ts";
import { arbitrarySignatures } from "./signatures.ts";
import type { TransactionPlan } from "./transaction-plan.ts";

export interface SignedTransaction {
  /** With witnesses. */
  readonly bytes: Uint8Array;
  readonly txid: TransactionIdBytes;
  readonly wtxid: HashBytes;
}

/** Makes transactions of plans. */
export interface Signer {
  /** In the order of the plans, each of which is behind those that it spends; their names are revealed. */
  sign(plans: readonly TransactionPlan[]): Promise<readonly SignedTransaction[]>;
  close(): Promise<void>;
}

/** Fills in bytes of the right length. Verified by nobody, made as fast as they can be written. */
export function createPlaceholderSigner(book: ScriptBook, seed: number): Signer {
  const random = new Random(`signatures/${seed}`);
  const signatures = arbitrarySignatures((length) => random.bytes(length));
  return {
    async sign(plans) {
      return plans.map((plan) => {
        const inputs = plan.inputs.map(({ coin, sequence }) => ({
          previousOutput: { txid: coin.origin.txid, vout: coin.vout },
          sequence,
          ...book.lock(coin.script).unlock(signatures),
        }));
        const signed = finishTransaction({ ...unsignedOf(plan, book), inputs });
        plan.name.reveal(signed.txid);
        return signed;
      });
    },
    async close() {},
  };
}

/** A plan as a transaction without scriptSigs and witnesses; the transactions that it spends are signed. */
export function unsignedOf(plan: TransactionPlan, book: ScriptBook): TransactionContent {
  return {
    version: plan.version,
    locktime: plan.locktime,
    inputs: plan.inputs.map(({ coin, sequence }) => ({
      previousOutput: { txid: coin.origin.txid, vout: coin.vout },
      scriptSig: new Uint8Array(0),
      sequence,
      witness: [],
    })),
    outputs: plan.outputs.map((output) => ({
      value: output.value,
      scriptPubKey: output.kind === "script" ? book.lock(output.script).scriptPubKey : output.scriptPubKey,
    })),
  };
}

/** The bytes of a transaction and its two names. */
export function finishTransaction(transaction: TransactionContent): SignedTransaction {
  const bytes = serializeTransaction(transaction);
  const hasWitness = transaction.inputs.some(({ witness }) => witness.length > 0);
  const txid = doubleSha256(hasWitness ? serializeTransaction(transaction, { witness: false }) : bytes);
  return { bytes, txid, wtxid: hasWitness ? doubleSha256(bytes) : txid };
}
