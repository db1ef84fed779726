import {
  displayHash,
  hashScript,
  parseTransaction,
  type Transaction,
  type TransactionId,
} from "@nodewright/bitcoin-primitives";
import { bytesKey } from "../chain/bytes-key.ts";
import { isUnspendable } from "../chain/unspendable.ts";
import type { PreviousOutput } from "../chain/connected-block.ts";
import type { Environment } from "../store/environment.ts";
import { scriptPrefixLength } from "../store/layout.ts";
import { FeeRateSizes } from "./fee-rate-sizes.ts";
import {
  mempoolChanges,
  mempoolHistories,
  mempoolIds,
  mempoolSpends,
  mempoolSummaries,
  mempoolTransactionHeads,
  type MempoolTransactionRow,
  mempoolTransactions,
} from "../store/mempool-layout.ts";
import { Relations } from "./relations.ts";
import { type ScriptEffect, ScriptSums } from "../store/script-sums.ts";
import { grown, noSlot, type Slot, TxidTable } from "./txid-table.ts";

/** Unconfirmed transactions as their slots, with their fees and relations. */
export interface UnconfirmedTransactions {
  /** Iterates in no particular order. Changes during the iteration are allowed. */
  slots(): Iterable<Slot>;
  /** Returns the fee in satoshi. */
  feeOf(slot: Slot): number;
  /** Returns the size in virtual bytes. */
  virtualSizeOf(slot: Slot): number;
  /** Unconfirmed transactions whose outputs it spends. */
  readonly parents: Relations;
  /** Unconfirmed transactions that spend its outputs. */
  readonly children: Relations;
}

/** A transaction that is to enter the mempool. */
export interface Candidate {
  readonly id: TransactionId;
  readonly transaction: Transaction;
  /** Time when it was first seen, in seconds since 1970. */
  readonly time: number;
  /** Height of the best block when it was first seen. */
  readonly height: number;
  /** Number that it had when it was in the mempool before. */
  readonly number?: number | undefined;
}

/** A transaction that was removed and may enter again. */
export interface SuspendedTransaction {
  readonly candidate: Candidate;
  /** Outputs of the chain that it spends. */
  readonly chainOutputs: ChainOutputs;
  readonly listing: number;
}

/** Outcome for a candidate. */
export type Verdict =
  | { readonly kind: "entered" }
  /** It may enter when the transaction `for` has arrived or left. */
  | { readonly kind: "waits"; readonly for: TransactionId }
  /** It may never enter. */
  | { readonly kind: "refused" };

/** Unspent outputs of the best chain, by `outpointKey`. */
export type ChainOutputs = ReadonlyMap<string, PreviousOutput>;

/** Consensus: maximum of an output and of a sum of outputs, the total supply, in satoshi. */
const maximumMoney = 2_100_000_000_000_000n;

const entered: Verdict = { kind: "entered" };
const refused: Verdict = { kind: "refused" };

/**
 * Transactions of the mempool, in memory as far as their relations need it and in tables for readers.
 *
 * At any time its transactions could be confirmed together: every input spends an output of the chain or of another transaction here, and
 * no output is spent twice. Readers see all changes of one call of `change` at once, with its sums.
 */
export class MempoolState implements UnconfirmedTransactions {
  readonly parents: Relations = new Relations();
  readonly children: Relations = new Relations();
  readonly #environment: Environment;
  /** Numbers grow in the order of arrival; listings are the latest in which the node listed a transaction. */
  readonly #table = new TxidTable();
  #fees = new Float64Array(0);
  #virtualSizes = new Uint32Array(0);
  readonly #feeRateSizes = new FeeRateSizes();
  readonly #scriptSums = new ScriptSums();
  #nextNumber = 0;
  #changes = 0;
  #virtualSize = 0;
  #totalFee = 0;
  #isBroken = false;

  /** Creates the state. `environment` has the empty tables of the mempool. */
  constructor(environment: Environment) {
    this.#environment = environment;
  }

  get size(): number {
    return this.#table.size;
  }

  /** Virtual bytes of all transactions. */
  get virtualSize(): number {
    return this.#virtualSize;
  }

  /** Whether a change has failed: memory and tables differ, and no further changes are allowed. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Returns the slot of the transaction whose txid, in wire order, begins at `offset`; or `noSlot`. */
  find(txid: Uint8Array, offset = 0): Slot {
    return this.#table.find(txid, offset);
  }

  slots(): Iterable<Slot> {
    return this.#table.slots();
  }

  feeOf(slot: Slot): number {
    return this.#fees[slot] ?? 0;
  }

  virtualSizeOf(slot: Slot): number {
    return this.#virtualSizes[slot] ?? 0;
  }

  idOf(slot: Slot): TransactionId {
    return displayHash(this.#table.txidOf(slot));
  }

  numberOf(slot: Slot): number {
    return this.#table.numberOf(slot);
  }

  /** Returns whether the transaction with this number is still there. */
  isStill(slot: Slot, number: number): boolean {
    return this.#table.isStill(slot, number);
  }

  listingOf(slot: Slot): number {
    return this.#table.listingOf(slot);
  }

  setListing(slot: Slot, listing: number): void {
    this.#table.setListing(slot, listing);
  }

  /** Runs `action`, which may call the methods below, and commits its changes. */
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
        this.#changes += 1;
        this.#environment.put(mempoolChanges, [], this.#changes);
      });
    } catch (reason) {
      this.#isBroken = true;
      throw reason;
    }
  }

  /** Adds a candidate if its inputs exist: in `chainOutputs` or among the transactions. */
  enter({ transaction, time, height, number }: Candidate, chainOutputs: ChainOutputs, listing: number): Verdict {
    if (this.find(transaction.txid) !== noSlot) return entered;
    if (!isPlausible(transaction)) return refused;
    const parents = new Set<Slot>();
    const previousOutputs: PreviousOutput[] = [];
    for (const { previousOutput } of transaction.inputs) {
      const parent = this.find(previousOutput.txid);
      const output =
        parent === noSlot ? chainOutputs.get(outpointKey(previousOutput)) : this.#outputOf(parent, previousOutput.vout);
      if (output === undefined) {
        return parent === noSlot ? { kind: "waits", for: displayHash(previousOutput.txid) } : refused;
      }
      if (parent !== noSlot) parents.add(parent);
      previousOutputs.push(output);
      const spender = this.spenderOf(previousOutput.txid, previousOutput.vout);
      if (spender !== noSlot) return { kind: "waits", for: this.idOf(spender) };
    }
    const value = previousOutputs.reduce((sum, output) => sum + output.value, 0n);
    const fee = value - paidValue(transaction);
    if (fee < 0n || value > maximumMoney) return refused;
    const row: MempoolTransactionRow = {
      txid: transaction.txid,
      time,
      height,
      fee: Number(fee),
      virtualSize: transaction.virtualSize,
      value: Number(value),
      previousOutputs,
      bytes: transaction.bytes,
    };
    this.#add(transaction, row, number, parents, listing);
    return entered;
  }

  /** Removes a transaction and all its descendants. */
  remove(slot: Slot): void {
    for (const each of this.#withDescendants(slot)) this.#removeOne(each, this.#row(each));
  }

  /** Removes them as well, and returns what is needed to add them again; parents before their children. */
  suspend(slot: Slot): readonly SuspendedTransaction[] {
    const suspended = this.#withDescendants(slot).map((each) => {
      const row = this.#row(each);
      const transaction = parseTransaction(row.bytes);
      const { time, height } = row;
      const candidate = { id: this.idOf(each), transaction, time, height, number: this.numberOf(each) };
      return { candidate, chainOutputs: chainOutputsOf(transaction, row), listing: this.listingOf(each) };
    });
    this.remove(slot);
    return suspended;
  }

  /** Removes transactions that a block at `height` has confirmed. Transactions that spend their outputs stay. */
  confirm(confirmed: ReadonlySet<Slot>, height: number): void {
    for (const slot of confirmed) {
      const row = this.#row(slot);
      for (const child of this.children.of(slot)) {
        if (!confirmed.has(child)) this.#raisePreviousOutputs(child, row.txid, height);
      }
      this.#removeOne(slot, row);
    }
  }

  /** Returns the transaction that spends an output, or `noSlot`. */
  spenderOf(txid: Uint8Array, vout: number): Slot {
    const spend = this.#environment.get(mempoolSpends, txid, vout);
    if (spend === undefined) return noSlot;
    const head = this.#environment.get(mempoolTransactionHeads, spend.number);
    const slot = head === undefined ? noSlot : this.find(head.txid);
    if (slot === noSlot) throw new Error(`The mempool has no transaction ${spend.number}`);
    return slot;
  }

  #add(
    transaction: Transaction,
    row: MempoolTransactionRow,
    givenNumber: number | undefined,
    parents: ReadonlySet<Slot>,
    listing: number,
  ): void {
    const number = givenNumber ?? this.#takeNumber();
    const slot = this.#table.add(row.txid, number, listing);
    this.#keepFacts(slot, row);
    for (const parent of parents) {
      this.parents.add(slot, parent);
      this.children.add(parent, slot);
    }
    this.#count(slot, 1);
    this.#environment.put(mempoolIds, [displayOrder(row.txid)], number);
    // A new number is above all others: pages are filled completely, where those of others are half empty.
    const isNew = givenNumber === undefined;
    const key = mempoolTransactions.key(number);
    this.#environment.putBytes(mempoolTransactions, key, mempoolTransactions.encode(row), isNew);
    for (const [vin, { previousOutput }] of transaction.inputs.entries()) {
      this.#environment.put(mempoolSpends, [previousOutput.txid, previousOutput.vout], { number, vin });
    }
    for (const effect of scriptEffects(transaction, row.previousOutputs)) {
      this.#environment.put(mempoolHistories, [effect.scriptHash, number], effect);
      this.#scriptSums.add(effect, 1);
    }
  }

  #keepFacts(slot: Slot, { fee, virtualSize }: MempoolTransactionRow): void {
    const { capacity } = this.#table;
    if (this.#fees.length < capacity) {
      this.#fees = grown(this.#fees, new Float64Array(capacity));
      this.#virtualSizes = grown(this.#virtualSizes, new Uint32Array(capacity));
    }
    this.#fees[slot] = fee;
    this.#virtualSizes[slot] = virtualSize;
  }

  #removeOne(slot: Slot, row: MempoolTransactionRow): void {
    const transaction = parseTransaction(row.bytes);
    const number = this.numberOf(slot);
    this.#environment.remove(mempoolIds, displayOrder(row.txid));
    this.#environment.remove(mempoolTransactions, number);
    for (const { previousOutput } of transaction.inputs) {
      this.#environment.remove(mempoolSpends, previousOutput.txid, previousOutput.vout);
    }
    for (const effect of scriptEffects(transaction, row.previousOutputs)) {
      this.#environment.remove(mempoolHistories, effect.scriptHash, number);
      this.#scriptSums.add(effect, -1);
    }
    this.#count(slot, -1);
    this.#unlink(slot);
  }

  #unlink(slot: Slot): void {
    for (const parent of this.parents.of(slot)) this.children.remove(parent, slot);
    for (const child of this.children.of(slot)) this.parents.remove(child, slot);
    this.parents.forget(slot);
    this.children.forget(slot);
    this.#table.delete(slot);
  }

  #raisePreviousOutputs(child: Slot, txid: Uint8Array, height: number): void {
    const row = this.#row(child);
    const { inputs } = parseTransaction(row.bytes);
    const key = bytesKey(txid);
    const previousOutputs = row.previousOutputs.map((output, vin) => {
      const input = inputs[vin];
      return input !== undefined && bytesKey(input.previousOutput.txid) === key ? { ...output, height } : output;
    });
    this.#environment.put(mempoolTransactions, [this.numberOf(child)], { ...row, previousOutputs });
  }

  #outputOf(parent: Slot, vout: number): PreviousOutput | undefined {
    const output = parseTransaction(this.#row(parent).bytes).outputs[vout];
    if (output === undefined || isUnspendable(output.scriptPubKey)) return undefined;
    return { value: output.value, scriptPubKey: output.scriptPubKey, height: unconfirmedHeight, isCoinbase: false };
  }

  #row(slot: Slot): MempoolTransactionRow {
    const number = this.numberOf(slot);
    const row = this.#environment.get(mempoolTransactions, number);
    if (row === undefined) throw new Error(`The mempool has no transaction ${number}`);
    return row;
  }

  #takeNumber(): number {
    this.#nextNumber += 1;
    return this.#nextNumber - 1;
  }

  #count(slot: Slot, sign: 1 | -1): void {
    const fee = this.feeOf(slot);
    const virtualSize = this.virtualSizeOf(slot);
    this.#virtualSize += sign * virtualSize;
    this.#totalFee += sign * fee;
    this.#feeRateSizes.add(fee / virtualSize, sign * virtualSize);
  }

  /** Returns a transaction and its descendants, parents before their children. */
  #withDescendants(first: Slot): readonly Slot[] {
    if (!this.children.has(first)) return [first];
    const found = new Set<Slot>();
    // Children are finished before their parents, so the order is reversed.
    const finished: Slot[] = [];
    const path: { readonly slot: Slot; readonly children: Iterator<Slot> }[] = [];
    const visit = (slot: Slot): void => {
      found.add(slot);
      path.push({ slot, children: this.children.of(slot)[Symbol.iterator]() });
    };
    visit(first);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { done, value } = step.children.next();
      if (done === true) {
        finished.push(step.slot);
        path.pop();
      } else if (!found.has(value)) visit(value);
    }
    return finished.reverse();
  }
}

/** Height of outputs of unconfirmed transactions. */
const unconfirmedHeight = -1;

/** Returns the key of an outpoint in `ChainOutputs`. */
export function outpointKey({ txid, vout }: { readonly txid: Uint8Array; readonly vout: number }): string {
  return `${bytesKey(txid)}${vout}`;
}

interface MutableScriptEffect extends ScriptEffect {
  readonly funded: { readonly vout: number; readonly value: bigint }[];
  readonly spent: { readonly vin: number; readonly value: bigint }[];
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
    effectOn(scriptPubKey).spent.push({ vin, value });
  }
  for (const [vout, { value, scriptPubKey }] of transaction.outputs.entries()) {
    if (!isUnspendable(scriptPubKey)) effectOn(scriptPubKey).funded.push({ vout, value });
  }
  return effects.values();
}

/** Returns whether a transaction passes the checks that do not need its spent outputs: an honest node has none that fails. */
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

function displayOrder(txid: Uint8Array): Buffer {
  return Buffer.from(txid).reverse();
}
