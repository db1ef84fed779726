import type { Block, Outpoint, Transaction } from "@nodewright/bitcoin-primitives";
import type { SpentOutput } from "./connected-block.ts";
import { bytesKey } from "./bytes-key.ts";
import { isUnspendable } from "./unspendable.ts";

/** Function that looks up unspent outputs in the store, as of its last commit; `undefined` for one that does not exist. */
export type FindUnspentOutputs = (outpoints: readonly Outpoint[]) => Promise<readonly (SpentOutput | undefined)[]>;

/** A transaction whose outputs are kept; `undefined` in place of one that is spent or unspendable. */
interface RecentTransaction {
  readonly outputs: (SpentOutput | undefined)[];
  /** Number of outputs that are still unspent. */
  unspent: number;
}

/** Number of outputs of recent transactions that are kept after a commit, each some 200 bytes. */
const maximumRecentOutputs = 300_000;

/**
 * Outputs that the next block may spend: those of the store, with the changes that are not yet committed.
 *
 * It keeps the outputs of recent transactions, which most inputs spend, so that few are looked up in the store.
 */
export class SpendableOutputs {
  readonly #find: FindUnspentOutputs;
  /** Recent transactions by txid, oldest first. */
  readonly #recent = new Map<string, RecentTransaction>();
  /** Outputs that differ from `#find`, or were fetched from it, by outpoint; `undefined` for an output that no longer exists. */
  readonly #known = new Map<string, SpentOutput | undefined>();
  /** Txids in `#recent` without unspent outputs. */
  #exhausted: string[] = [];
  #recentOutputs = 0;

  constructor(find: FindUnspentOutputs) {
    this.#find = find;
  }

  /** Fetches from the store what a block will `take`. */
  async fetch(block: Block): Promise<void> {
    const missing = this.#missingOutputs(block);
    if (missing.length === 0) return;
    const found = await this.#find(missing);
    for (const [index, output] of found.entries()) {
      const outpoint = missing[index];
      if (outpoint !== undefined && output !== undefined) {
        this.#known.set(outpointKey(bytesKey(outpoint.txid), outpoint.vout), output);
      }
    }
  }

  /** Spends an output; returns `undefined` when it does not exist. */
  take(outpoint: Outpoint): SpentOutput | undefined {
    const txid = bytesKey(outpoint.txid);
    const recent = this.#recent.get(txid);
    if (recent !== undefined) {
      const output = recent.outputs[outpoint.vout];
      if (output !== undefined) {
        recent.outputs[outpoint.vout] = undefined;
        recent.unspent -= 1;
        this.#recentOutputs -= 1;
        if (recent.unspent === 0) this.#exhausted.push(txid);
      }
      return output;
    }
    const key = outpointKey(txid, outpoint.vout);
    const output = this.#known.get(key);
    if (output !== undefined) this.#known.set(key, undefined);
    return output;
  }

  /** Adds a transaction's outputs as spendable. */
  add(transaction: Transaction, transactionNumber: number, height: number, isCoinbase: boolean): void {
    const outputs = transaction.outputs.map(({ value, scriptPubKey }): SpentOutput | undefined => {
      if (isUnspendable(scriptPubKey)) return undefined;
      // A copy: a view would keep the complete block in memory.
      return { transactionNumber, height, isCoinbase, value, scriptPubKey: Buffer.from(scriptPubKey) };
    });
    const unspent = outputs.reduce((count, output) => (output === undefined ? count : count + 1), 0);
    const txid = bytesKey(transaction.txid);
    this.#recent.set(txid, { outputs, unspent });
    this.#recentOutputs += unspent;
    if (unspent === 0) this.#exhausted.push(txid);
  }

  /** Records that the store now contains everything that was taken and added. */
  settle(): void {
    this.#known.clear();
    for (const txid of this.#exhausted) this.#recent.delete(txid);
    this.#exhausted = [];
    for (const [txid, { unspent }] of this.#recent) {
      if (this.#recentOutputs <= maximumRecentOutputs) return;
      this.#recent.delete(txid);
      this.#recentOutputs -= unspent;
    }
  }

  #missingOutputs(block: Block): Outpoint[] {
    if (block.transactions.length < 2) return [];
    const own = new Set(block.transactions.map((transaction) => bytesKey(transaction.txid)));
    const missing: Outpoint[] = [];
    for (const { inputs } of block.transactions.slice(1)) {
      for (const { previousOutput } of inputs) {
        const txid = bytesKey(previousOutput.txid);
        if (this.#recent.has(txid) || own.has(txid)) continue;
        if (!this.#known.has(outpointKey(txid, previousOutput.vout))) missing.push(previousOutput);
      }
    }
    return missing;
  }
}

function outpointKey(txid: string, vout: number): string {
  return `${txid}${vout}`;
}
