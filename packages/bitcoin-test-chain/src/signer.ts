import type { TransactionOutput } from "@nodewright/bitcoin-primitives";
import { Random } from "./random.ts";
import type { ScriptBook } from "./script-book.ts";
import { createTransactionSigner, type SigningTask } from "./sign-transaction.ts";
import { finishTransaction, type SignedTransaction } from "./signed-transaction.ts";
import { arbitrarySignatures } from "./signatures.ts";
import { SigningWorkers } from "./signing-workers.ts";
import type { TransactionPlan } from "./transaction-plan.ts";

/** Signer that converts plans to transactions. */
export interface Signer {
  /** Signs in the order of the plans, each of which follows those that it spends; their ids are set. */
  sign(plans: readonly TransactionPlan[]): Promise<readonly SignedTransaction[]>;
  close(): Promise<void>;
}

/** Creates a signer that inserts bytes of the right length. They are never verified, and generated as fast as they can be written. */
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
        const { version, locktime } = plan;
        const signed = finishTransaction({ version, locktime, inputs, outputs: outputsOf(plan, book) });
        plan.name.reveal(signed.txid);
        return signed;
      });
    },
    async close() {},
  };
}

export interface RealSignerOptions {
  readonly book: ScriptBook;
  readonly seed: number;
  /** Number of threads; 0 signs in the calling thread. */
  readonly workers: number;
}

/** Batch size below which sending to a thread is not worth it. */
const minimumBatch = 8;

/** Creates a signer whose signatures nodes accept. */
export function createRealSigner({ book, seed, workers: count }: RealSignerOptions): Signer {
  const { size: scripts, hotScripts } = book;
  const workers = count === 0 ? undefined : new SigningWorkers({ count, seed, scripts, hotScripts });
  const signHere = createTransactionSigner(book, seed);
  const signBatch = async (tasks: readonly SigningTask[]) =>
    workers === undefined || tasks.length < minimumBatch ? tasks.map(signHere) : await workers.sign(tasks);
  return {
    async sign(plans) {
      const signed = new Map<TransactionPlan, SignedTransaction>();
      let waiting = plans;
      // A transaction is signed when the ids of those that it spends are known: generation by generation.
      while (waiting.length > 0) {
        const ready = waiting.filter(({ inputs }) => inputs.every(({ coin }) => coin.origin.isKnown));
        if (ready.length === 0) throw new Error("A transaction is signed before one that it spends");
        const batch = await signBatch(ready.map((plan) => taskOf(plan, book)));
        for (const [index, plan] of ready.entries()) {
          const transaction = batch[index];
          if (transaction === undefined) throw new Error("A signer returned too few transactions");
          signed.set(plan, transaction);
        }
        for (const plan of ready) plan.name.reveal(requireSigned(signed, plan).txid);
        waiting = waiting.filter((plan) => !signed.has(plan));
      }
      return plans.map((plan) => requireSigned(signed, plan));
    },
    close: async () => await workers?.close(),
  };
}

function requireSigned(signed: ReadonlyMap<TransactionPlan, SignedTransaction>, plan: TransactionPlan) {
  const transaction = signed.get(plan);
  if (transaction === undefined) throw new Error("A transaction was not signed");
  return transaction;
}

function taskOf(plan: TransactionPlan, book: ScriptBook): SigningTask {
  return {
    version: plan.version,
    locktime: plan.locktime,
    inputs: plan.inputs.map(({ coin, sequence }) => ({
      txid: coin.origin.txid,
      vout: coin.vout,
      sequence,
      script: coin.script,
      value: coin.value,
    })),
    outputs: outputsOf(plan, book),
  };
}

function outputsOf(plan: TransactionPlan, book: ScriptBook): readonly TransactionOutput[] {
  return plan.outputs.map((output) => ({
    value: output.value,
    scriptPubKey: output.kind === "script" ? book.lock(output.script).scriptPubKey : output.scriptPubKey,
  }));
}
