import {
  displayHash,
  hashScript,
  parseTransaction,
  type Transaction,
  type TransactionId,
} from "@nodewright/bitcoin-primitives";
import { bytesKey } from "../chain/bytes-key.ts";
import { isUnspendable } from "../chain/unspendable.ts";
import type { PreviousOutput } from "../query/chain-queries.ts";
import type { Environment } from "../store/environment.ts";
import { scriptPrefixLength } from "../store/layout.ts";
import { FeeRateSizes } from "./fee-rate-sizes.ts";
import {
  mempoolHistories,
  mempoolIds,
  mempoolSpends,
  mempoolSummaries,
  mempoolTransactionHeads,
  type MempoolTransactionRow,
  mempoolTransactions,
} from "./mempool-layout.ts";
import { type ScriptEffect, ScriptSums } from "./script-sums.ts";

/** An unconfirmed transaction as far as it is kept in memory; the tables hold the rest. */
export interface UnconfirmedTransaction {
  readonly id: TransactionId;
  /** Grows in the order of arrival. */
  readonly number: number;
  /** Satoshi. */
  readonly fee: number;
  /** Virtual bytes. */
  readonly virtualSize: number;
  /** The last listing by the node that named it. */
  listing: number;
  /** Unconfirmed transactions whose outputs it spends; `undefined` for none, as for most. */
  parents: Set<UnconfirmedTransaction> | undefined;
  /** Unconfirmed transactions that spend its outputs. */
  children: Set<UnconfirmedTransaction> | undefined;
}

/** A transaction that is to enter the mempool. */
export interface Candidate {
  readonly id: TransactionId;
  readonly transaction: Transaction;
  /** When it was first seen, seconds since 1970. */
  readonly time: number;
  /** The one that it had when it was in the mempool before. */
  readonly number?: number | undefined;
}

/** A transaction that was taken out and may come in again. */
export interface SuspendedTransaction {
  readonly candidate: Candidate;
  /** The outputs of the chain that it spends. */
  readonly chainOutputs: ChainOutputs;
  readonly listing: number;
}

/** What became of a candidate. */
export type Verdict =
  | { readonly kind: "entered"; readonly entry: UnconfirmedTransaction }
  /** It may enter when the transaction `for` has arrived or left. */
  | { readonly kind: "waits"; readonly for: TransactionId }
  /** It never may. */
  | { readonly kind: "refused" };

/** Outputs of the best chain that are not spent there, by `outpointKey`. */
export type ChainOutputs = ReadonlyMap<string, PreviousOutput>;

/** Consensus: no output, and no sum of outputs, is above all coins there will ever be, in satoshi. */
const maximumMoney = 2_100_000_000_000_000n;

const refused: Verdict = { kind: "refused" };

/**
 * The transactions of the mempool, in memory as far as their relations need it and in tables for readers.
 *
 * Holds at any time what could be confirmed together: every input spends an output of the chain or of another transaction here, and no
 * output is spent twice. Whatever is changed by one call of `change` is seen by readers at once, with its sums.
 */
export class MempoolState {
  readonly #environment: Environment;
  readonly #transactions = new Map<TransactionId, UnconfirmedTransaction>();
  readonly #feeRateSizes = new FeeRateSizes();
  readonly #scriptSums = new ScriptSums();
  #nextNumber = 0;
  #virtualSize = 0;
  #totalFee = 0;
  #isBroken = false;

  /** `environment` has the tables of the mempool, empty. */
  constructor(environment: Environment) {
    this.#environment = environment;
  }

  get size(): number {
    return this.#transactions.size;
  }

  /** Virtual bytes of all transactions. */
  get virtualSize(): number {
    return this.#virtualSize;
  }

  /** True when a change has failed: memory and tables differ, and nothing may be changed any more. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  get(id: TransactionId): UnconfirmedTransaction | undefined {
    return this.#transactions.get(id);
  }

  /** In no order that matters. Changes while it is walked are allowed. */
  transactions(): Iterable<UnconfirmedTransaction> {
    return this.#transactions.values();
  }

  /** Runs `action`, which may call the methods below, and commits what it did. */
  change(action: () => void): void {
    if (this.#isBroken) throw new Error("The mempool's tables can't be changed any more");
    try {
      this.#environment.write(() => {
        action();
        this.#scriptSums.write(this.#environment);
        this.#environment.put(mempoolSummaries, [], {
          count: this.size,
          virtualSize: this.#virtualSize,
          totalFee: BigInt(this.#totalFee),
          feeHistogram: this.#feeRateSizes.histogram(),
        });
      });
    } catch (reason) {
      this.#isBroken = true;
      throw reason;
    }
  }

  /** Lets a candidate in if what it spends is there: in `chainOutputs` or among the transactions. */
  enter({ id, transaction, time, number }: Candidate, chainOutputs: ChainOutputs, listing: number): Verdict {
    const known = this.#transactions.get(id);
    if (known !== undefined) return { kind: "entered", entry: known };
    if (!isPlausible(transaction)) return refused;
    const parents = new Set<UnconfirmedTransaction>();
    const previousOutputs: PreviousOutput[] = [];
    for (const { previousOutput } of transaction.inputs) {
      const parent = this.#transactions.get(displayHash(previousOutput.txid));
      const output =
        parent === undefined
          ? chainOutputs.get(outpointKey(previousOutput))
          : this.#outputOf(parent, previousOutput.vout);
      if (output === undefined) {
        return parent === undefined ? { kind: "waits", for: displayHash(previousOutput.txid) } : refused;
      }
      if (parent !== undefined) parents.add(parent);
      previousOutputs.push(output);
      const spend = this.#environment.get(mempoolSpends, previousOutput.txid, previousOutput.vout);
      if (spend !== undefined) return { kind: "waits", for: this.#transactionAt(spend.number).id };
    }
    const value = previousOutputs.reduce((sum, output) => sum + output.value, 0n);
    const fee = value - paidValue(transaction);
    if (fee < 0n || value > maximumMoney) return refused;
    const row: MempoolTransactionRow = {
      txid: transaction.txid,
      time,
      fee: Number(fee),
      virtualSize: transaction.virtualSize,
      value: Number(value),
      previousOutputs,
      bytes: transaction.bytes,
    };
    return { kind: "entered", entry: this.#add(id, transaction, row, number ?? this.#takeNumber(), parents, listing) };
  }

  /** Takes a transaction and all that stand on it out. */
  remove(transaction: UnconfirmedTransaction): void {
    for (const each of withDescendants(transaction)) {
      this.#removeRows(each, this.#row(each));
      this.#unlink(each);
    }
  }

  /** The same, and gives what is needed to let them in again. */
  suspend(transaction: UnconfirmedTransaction): readonly SuspendedTransaction[] {
    const suspended = withDescendants(transaction).map(({ id, number, listing }) => {
      const row = this.#row({ number });
      const parsed = parseTransaction(row.bytes);
      const candidate = { id, transaction: parsed, time: row.time, number };
      return { candidate, chainOutputs: chainOutputsOf(parsed, row), listing };
    });
    this.remove(transaction);
    return suspended;
  }

  /** Takes transactions out that a block at `height` has confirmed; what spends their outputs stays. */
  confirm(transactions: ReadonlySet<UnconfirmedTransaction>, height: number): void {
    for (const transaction of transactions) {
      const row = this.#row(transaction);
      for (const child of transaction.children ?? []) {
        if (!transactions.has(child)) this.#raisePreviousOutputs(child, row.txid, height);
      }
      this.#removeRows(transaction, row);
      this.#unlink(transaction);
    }
  }

  /** The transaction that spends an output. */
  spenderOf(txid: Uint8Array, vout: number): UnconfirmedTransaction | undefined {
    const spend = this.#environment.get(mempoolSpends, txid, vout);
    return spend === undefined ? undefined : this.#transactionAt(spend.number);
  }

  #add(
    id: TransactionId,
    transaction: Transaction,
    row: MempoolTransactionRow,
    number: number,
    parents: Set<UnconfirmedTransaction>,
    listing: number,
  ): UnconfirmedTransaction {
    const { fee, virtualSize } = row;
    const entry: UnconfirmedTransaction = {
      id,
      number,
      fee,
      virtualSize,
      listing,
      parents: parents.size === 0 ? undefined : parents,
      children: undefined,
    };
    for (const parent of parents) {
      parent.children ??= new Set();
      parent.children.add(entry);
    }
    this.#transactions.set(id, entry);
    this.#count(entry, 1);
    this.#environment.put(mempoolIds, [Buffer.from(id, "hex")], number);
    this.#environment.put(mempoolTransactions, [number], row);
    for (const [vin, { previousOutput }] of transaction.inputs.entries()) {
      this.#environment.put(mempoolSpends, [previousOutput.txid, previousOutput.vout], { number, vin });
    }
    for (const effect of scriptEffects(transaction, row.previousOutputs)) {
      this.#environment.put(mempoolHistories, [effect.scriptHash, number], effect);
      this.#scriptSums.add(effect, 1);
    }
    return entry;
  }

  #removeRows(entry: UnconfirmedTransaction, row: MempoolTransactionRow): void {
    const transaction = parseTransaction(row.bytes);
    this.#environment.remove(mempoolIds, Buffer.from(entry.id, "hex"));
    this.#environment.remove(mempoolTransactions, entry.number);
    for (const { previousOutput } of transaction.inputs) {
      this.#environment.remove(mempoolSpends, previousOutput.txid, previousOutput.vout);
    }
    for (const effect of scriptEffects(transaction, row.previousOutputs)) {
      this.#environment.remove(mempoolHistories, effect.scriptHash, entry.number);
      this.#scriptSums.add(effect, -1);
    }
  }

  #unlink(entry: UnconfirmedTransaction): void {
    this.#transactions.delete(entry.id);
    this.#count(entry, -1);
    for (const parent of entry.parents ?? []) {
      parent.children?.delete(entry);
      if (parent.children?.size === 0) parent.children = undefined;
    }
    for (const child of entry.children ?? []) {
      child.parents?.delete(entry);
      if (child.parents?.size === 0) child.parents = undefined;
    }
  }

  #raisePreviousOutputs(child: UnconfirmedTransaction, txid: Uint8Array, height: number): void {
    const row = this.#row(child);
    const { inputs } = parseTransaction(row.bytes);
    const key = bytesKey(txid);
    const previousOutputs = row.previousOutputs.map((output, vin) => {
      const input = inputs[vin];
      return input !== undefined && bytesKey(input.previousOutput.txid) === key ? { ...output, height } : output;
    });
    this.#environment.put(mempoolTransactions, [child.number], { ...row, previousOutputs });
  }

  #outputOf(parent: UnconfirmedTransaction, vout: number): PreviousOutput | undefined {
    const output = parseTransaction(this.#row(parent).bytes).outputs[vout];
    if (output === undefined || isUnspendable(output.scriptPubKey)) return undefined;
    return { value: output.value, scriptPubKey: output.scriptPubKey, height: unconfirmedHeight, isCoinbase: false };
  }

  #row({ number }: { readonly number: number }): MempoolTransactionRow {
    const row = this.#environment.get(mempoolTransactions, number);
    if (row === undefined) throw new Error(`The mempool has no transaction ${number}`);
    return row;
  }

  #transactionAt(number: number): UnconfirmedTransaction {
    const head = this.#environment.get(mempoolTransactionHeads, number);
    const transaction = head === undefined ? undefined : this.#transactions.get(displayHash(head.txid));
    if (transaction === undefined) throw new Error(`The mempool has no transaction ${number}`);
    return transaction;
  }

  #takeNumber(): number {
    this.#nextNumber += 1;
    return this.#nextNumber - 1;
  }

  #count({ fee, virtualSize }: UnconfirmedTransaction, sign: 1 | -1): void {
    this.#virtualSize += sign * virtualSize;
    this.#totalFee += sign * fee;
    this.#feeRateSizes.add(fee / virtualSize, sign * virtualSize);
  }
}

/** Of outputs of unconfirmed transactions. */
const unconfirmedHeight = -1;

/** Key of an outpoint in `ChainOutputs`. */
export function outpointKey({ txid, vout }: { readonly txid: Uint8Array; readonly vout: number }): string {
  return `${bytesKey(txid)}${vout}`;
}

interface MutableScriptEffect extends ScriptEffect {
  readonly funded: { readonly vout: number; readonly value: bigint }[];
  readonly spent: { readonly txid: Uint8Array; readonly vout: number; readonly value: bigint }[];
}

function scriptEffects(transaction: Transaction, previousOutputs: readonly PreviousOutput[]): Iterable<ScriptEffect> {
  const effects = new Map<string, MutableScriptEffect>();
  const effectOn = (scriptPubKey: Uint8Array): MutableScriptEffect => {
    const script = bytesKey(scriptPubKey);
    let effect = effects.get(script);
    if (effect === undefined) {
      const scriptHash = hashScript(scriptPubKey).subarray(0, scriptPrefixLength);
      effect = { scriptHash, scriptHashText: bytesKey(scriptHash), funded: [], spent: [] };
      effects.set(script, effect);
    }
    return effect;
  };
  for (const [vin, { value, scriptPubKey }] of previousOutputs.entries()) {
    const input = transaction.inputs[vin];
    if (input !== undefined) effectOn(scriptPubKey).spent.push({ ...input.previousOutput, value });
  }
  for (const [vout, { value, scriptPubKey }] of transaction.outputs.entries()) {
    if (!isUnspendable(scriptPubKey)) effectOn(scriptPubKey).funded.push({ vout, value });
  }
  return effects.values();
}

/** What can be told without knowing what it spends: a node that is not lying has none that fails. */
function isPlausible({ inputs, outputs, isCoinbase }: Transaction): boolean {
  if (isCoinbase || inputs.length === 0 || outputs.length === 0) return false;
  if (new Set(inputs.map(({ previousOutput }) => outpointKey(previousOutput))).size < inputs.length) return false;
  return outputs.every(({ value }) => value >= 0n && value <= maximumMoney);
}

function paidValue({ outputs }: Transaction): bigint {
  return outputs.reduce((sum, { value }) => sum + value, 0n);
}

function chainOutputsOf({ inputs }: Transaction, { previousOutputs }: MempoolTransactionRow): ChainOutputs {
  const outputs = new Map<string, PreviousOutput>();
  for (const [vin, output] of previousOutputs.entries()) {
    const input = inputs[vin];
    if (input !== undefined && output.height !== unconfirmedHeight)
      outputs.set(outpointKey(input.previousOutput), output);
  }
  return outputs;
}

/** Parents before their children. */
function withDescendants(transaction: UnconfirmedTransaction): readonly UnconfirmedTransaction[] {
  const found = new Set<UnconfirmedTransaction>();
  // Children are finished before their parents; the reverse of that order is the one asked for.
  const finished: UnconfirmedTransaction[] = [];
  const path: { readonly transaction: UnconfirmedTransaction; readonly children: Iterator<UnconfirmedTransaction> }[] =
    [];
  const visit = (each: UnconfirmedTransaction): void => {
    found.add(each);
    path.push({ transaction: each, children: (each.children ?? new Set<UnconfirmedTransaction>()).values() });
  };
  visit(transaction);
  for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
    const { done, value } = step.children.next();
    if (done === true) {
      finished.push(step.transaction);
      path.pop();
    } else if (!found.has(value)) visit(value);
  }
  return finished.reverse();
}
