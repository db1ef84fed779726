import {
  type Block,
  displayHash,
  hashLength,
  type Outpoint,
  parseTransaction,
  type Transaction,
  type TransactionId,
  wireHash,
} from "@nodewright/bitcoin-primitives";
import { bytesKey } from "../chain/bytes-key.ts";
import type { PreviousOutput } from "../chain/connected-block.ts";
import type { Environment } from "../store/environment.ts";
import {
  type Candidate,
  type ChainOutputs,
  MempoolState,
  outpointKey,
  type UnconfirmedTransactions,
} from "./mempool-state.ts";
import { noSlot, type Slot, TxidTable } from "./txid-table.ts";

/** A candidate, and the chain's outputs that it spends. */
interface OfferedCandidate {
  readonly candidate: Candidate;
  /** Outputs of the chain that the mempool follows. */
  readonly chainOutputs: ChainOutputs;
}

/** A candidate that can't enter before another transaction has arrived or left. */
interface WaitingCandidate extends OfferedCandidate {
  readonly waitsFor: TransactionId;
  listing: number;
}

/** A transaction of a block that is no longer on the best chain. */
export interface DisconnectedTransaction {
  readonly transaction: Transaction;
  /** Previous outputs, one for each input, in order; `undefined` for the input of a coinbase. */
  readonly previousOutputs: readonly (PreviousOutput | undefined)[];
}

/** A transaction that is to leave, if it still has this number. */
export interface LeavingTransaction {
  readonly slot: Slot;
  readonly number: number;
}

/** Limits of waiting candidates: a dishonest node can list any number of them. */
const maximumWaiting = 10_000;
const maximumWaitingBytes = 32_000_000;

/** Number of refused transactions that are remembered: a node can list arbitrarily many. */
const maximumRefused = 1_000_000;

/** Limits of transactions of disconnected blocks between two listings: the rest comes from the node's list. */
const maximumReturned = 20_000;
const maximumReturnedBytes = 32_000_000;

/** Numbers of listings after which a transaction is requested again that the node did not have, and one that was refused here. */
const missingRetryListings = 3;
const refusedRetryListings = 60;

/**
 * Mempool that follows a node's list and the chain of the index.
 *
 * It knows neither node nor clock: its methods receive what was listed, what was fetched and which blocks came and went, and it decides
 * which transactions enter, wait and leave. The chain is authoritative: a transaction enters only when every output that it spends exists
 * and is unspent.
 */
export class Mempool {
  readonly #state: MempoolState;
  readonly #waiting = new Map<TransactionId, WaitingCandidate>();
  /** Ids of waiting candidates by the id that they wait for. */
  readonly #waitingFor = new Map<TransactionId, Set<TransactionId>>();
  /** Transactions that the node listed and that are not requested again before the listing with their number. */
  readonly #refused = new TxidTable();
  /** Candidates that must be looked up on the new chain. */
  readonly #returned = new Map<TransactionId, Candidate>();
  #returnedBytes = 0;
  /** Bytes and number of the transactions that disconnected blocks returned since the last listing began. */
  #restored = { count: 0, bytes: 0 };
  #waitingBytes = 0;
  #listing = 0;

  /** Creates the mempool. `environment` has its empty tables. */
  constructor(environment: Environment) {
    this.#state = new MempoolState(environment);
  }

  get size(): number {
    return this.#state.size;
  }

  /** Virtual bytes of all transactions. */
  get virtualSize(): number {
    return this.#state.virtualSize;
  }

  /** Number of transactions that the node lists and that are not shown, because their inputs do not exist or they are invalid. */
  get leftOut(): number {
    return this.#waiting.size + this.#refused.size;
  }

  /** Whether a change has failed: the tables must be created anew. */
  get isBroken(): boolean {
    return this.#state.isBroken;
  }

  /** Whether new blocks on its chain do not affect it. */
  get isIdle(): boolean {
    return this.size === 0 && this.#waiting.size === 0 && this.#returned.size === 0;
  }

  get transactions(): UnconfirmedTransactions {
    return this.#state;
  }

  /** Begins a listing of the node. */
  startListing(): void {
    this.#listing += 1;
    this.#restored = { count: 0, bytes: 0 };
  }

  /** Records that the node lists the transaction whose txid, in wire order, begins at `offset`. Returns true when it must be fetched. */
  noteListed(txid: Uint8Array, offset = 0): boolean {
    const slot = this.#state.find(txid, offset);
    if (slot !== noSlot) {
      this.#state.setListing(slot, this.#listing);
      return false;
    }
    const refused = this.#refused.find(txid, offset);
    if (refused !== noSlot) {
      this.#refused.setListing(refused, this.#listing);
      return this.#refused.numberOf(refused) <= this.#listing;
    }
    if (this.#waiting.size === 0 && this.#returned.size === 0) return true;
    const id = displayHash(txid.subarray(offset, offset + hashLength));
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) waiting.listing = this.#listing;
    return waiting === undefined && !this.#returned.has(id);
  }

  /** Ends the listing: drops waiting and refused transactions that are not listed, and returns the transactions that are to leave. */
  finishListing(): LeavingTransaction[] {
    for (const slot of this.#refused.slots()) {
      if (this.#refused.listingOf(slot) < this.#listing) this.#refused.delete(slot);
    }
    for (const [id, { listing }] of this.#waiting) if (listing < this.#listing) this.#stopWaiting(id);
    const leaving: LeavingTransaction[] = [];
    for (const slot of this.#state.slots()) {
      if (this.#state.listingOf(slot) < this.#listing) leaving.push({ slot, number: this.#state.numberOf(slot) });
    }
    return leaving;
  }

  /** Records that the node listed a transaction and no longer had it. */
  noteMissing(id: TransactionId): void {
    this.#refuse(id, missingRetryListings);
  }

  /** Records that the node returned something other than the transaction. */
  noteInvalid(id: TransactionId): void {
    this.#refuse(id, refusedRetryListings);
  }

  /** Returns the outputs of candidates that only the chain may have, each once. */
  outpointsOf(candidates: readonly Candidate[]): readonly Outpoint[] {
    const own = new Set(candidates.map(({ transaction }) => bytesKey(transaction.txid)));
    const outpoints = new Map<string, Outpoint>();
    for (const { transaction } of candidates) {
      for (const { previousOutput } of transaction.inputs) {
        if (own.has(bytesKey(previousOutput.txid)) || this.#state.find(previousOutput.txid) !== noSlot) continue;
        outpoints.set(outpointKey(previousOutput), previousOutput);
      }
    }
    return [...outpoints.values()];
  }

  /**
   * Makes one change that readers see at once: removes transactions that the node no longer lists, and adds candidates.
   *
   * `chainOutputs` contains the outputs of `outpointsOf`, as far as they are unspent on the mempool's chain.
   */
  apply(leaving: readonly LeavingTransaction[], candidates: readonly Candidate[], chainOutputs: ChainOutputs): void {
    this.#state.change(() => {
      const gone: TransactionId[] = [];
      for (const transaction of leaving) gone.push(...this.#evict(transaction));
      const offered: OfferedCandidate[] = gone.flatMap((id) => this.#takeWaitingFor(id));
      for (const candidate of candidates) offered.push({ candidate, chainOutputs });
      for (const each of offered) this.#offer(each);
    });
  }

  /**
   * Follows the chain when a block leaves it. In one change, the transactions of the block are unconfirmed again, and those that spend
   * their outputs depend on these or leave. From the old tip downward, before anything is connected.
   *
   * `transactions` are those of the block, in order; `time`, seconds since 1970, and `height`, of the best block then, are when they are
   * seen as unconfirmed.
   */
  disconnect(transactions: readonly DisconnectedTransaction[], time: number, height: number): void {
    this.#leaveChain();
    const gone = new Set(transactions.map(({ transaction }) => bytesKey(transaction.txid)));
    this.#state.change(() => {
      const spenders: OfferedCandidate[] = [];
      for (const { transaction } of transactions) {
        for (const vout of transaction.outputs.keys()) {
          const spender = this.#state.spenderOf(transaction.txid, vout);
          if (spender !== noSlot) spenders.push(...this.#state.suspend(spender));
        }
      }
      for (const { transaction, previousOutputs } of transactions) {
        if (transaction.isCoinbase || !this.#mayRestore(transaction)) continue;
        // A copy: a view would keep the complete block in memory.
        const copy = parseTransaction(Buffer.from(transaction.bytes));
        const candidate = { id: displayHash(copy.txid), transaction: copy, time, height };
        this.#offer({ candidate, chainOutputs: outputsBelow(copy, previousOutputs, gone) });
      }
      for (const { candidate, chainOutputs } of spenders) {
        const { inputs } = candidate.transaction;
        const outputs = inputs.map(({ previousOutput }) => chainOutputs.get(outpointKey(previousOutput)));
        this.#offer({ candidate, chainOutputs: outputsBelow(candidate.transaction, outputs, gone) });
      }
    });
  }

  /** Follows the chain by a new block: confirmed transactions leave, and so do those that can never be confirmed any more. */
  connect({ transactions }: Block, height: number): void {
    this.#leaveChain();
    if (this.size === 0 && this.#returned.size === 0) return;
    this.#state.change(() => this.#confirm(transactions, height));
  }

  /** Takes at most `limit` candidates that must be looked up on the current chain. */
  takeReturned(limit: number): readonly Candidate[] {
    const taken: Candidate[] = [];
    for (const candidate of this.#returned.values()) {
      if (taken.length >= limit) break;
      taken.push(candidate);
    }
    for (const { id } of taken) this.#forgetReturned(id);
    return taken;
  }

  #mayRestore({ size }: Transaction): boolean {
    const { count, bytes } = this.#restored;
    if (count >= maximumReturned || bytes >= maximumReturnedBytes) return false;
    this.#restored = { count: count + 1, bytes: bytes + size };
    return true;
  }

  /** Adds a candidate, and those that waited for it. */
  #offer(first: OfferedCandidate): void {
    const offered = [first];
    for (let next = offered.pop(); next !== undefined; next = offered.pop()) {
      const { candidate, chainOutputs } = next;
      const verdict = this.#state.enter(candidate, chainOutputs, this.#listing);
      if (verdict.kind === "entered") {
        this.#stopWaiting(candidate.id);
        this.#allow(candidate.id);
        offered.push(...this.#takeWaitingFor(candidate.id));
      } else if (verdict.kind === "waits") this.#wait(candidate, chainOutputs, verdict.for);
      else this.#refuse(candidate.id, refusedRetryListings);
    }
  }

  /** Returns the ids that left. Descendants that are still listed wait for it to come back. */
  #evict({ slot, number }: LeavingTransaction): readonly TransactionId[] {
    // It may have left with its parents, or been confirmed, since it was found to be missing.
    if (!this.#state.isStill(slot, number) || this.#state.listingOf(slot) === this.#listing) return [];
    const id = this.#state.idOf(slot);
    if (!this.#state.children.has(slot)) {
      this.#state.remove(slot);
      return [id];
    }
    const suspended = this.#state.suspend(slot);
    for (const { candidate, chainOutputs, listing } of suspended) {
      if (listing === this.#listing) this.#wait(candidate, chainOutputs, id);
    }
    return suspended.map(({ candidate }) => candidate.id);
  }

  #wait(candidate: Candidate, chainOutputs: ChainOutputs, waitsFor: TransactionId): void {
    const { id, transaction } = candidate;
    this.#stopWaiting(id);
    const isFull = this.#waiting.size >= maximumWaiting || this.#waitingBytes >= maximumWaitingBytes;
    if (isFull) {
      this.#refuse(id, refusedRetryListings);
      return;
    }
    this.#allow(id);
    const own = ownOutputs(transaction, chainOutputs);
    this.#waiting.set(id, { candidate, chainOutputs: own, waitsFor, listing: this.#listing });
    this.#waitingBytes += transaction.size;
    const others = this.#waitingFor.get(waitsFor);
    if (others === undefined) this.#waitingFor.set(waitsFor, new Set([id]));
    else others.add(id);
  }

  #stopWaiting(id: TransactionId): WaitingCandidate | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(id);
    this.#waitingBytes -= waiting.candidate.transaction.size;
    const others = this.#waitingFor.get(waiting.waitsFor);
    others?.delete(id);
    if (others?.size === 0) this.#waitingFor.delete(waiting.waitsFor);
    return waiting;
  }

  /** Takes the candidates that may proceed because a transaction has arrived or left. */
  #takeWaitingFor(id: TransactionId): readonly WaitingCandidate[] {
    const ids = [...(this.#waitingFor.get(id) ?? [])];
    return ids.map((waiting) => this.#stopWaiting(waiting)).filter((waiting) => waiting !== undefined);
  }

  #refuse(id: TransactionId, listings: number): void {
    const txid = wireHash(id);
    if (txid === undefined) return;
    const until = this.#listing + listings;
    const slot = this.#refused.find(txid);
    if (slot !== noSlot) {
      this.#refused.setNumber(slot, until);
      this.#refused.setListing(slot, this.#listing);
    } else if (this.#refused.size < maximumRefused) this.#refused.add(txid, until, this.#listing);
  }

  #allow(id: TransactionId): void {
    if (this.#refused.size === 0) return;
    const txid = wireHash(id);
    const slot = txid === undefined ? noSlot : this.#refused.find(txid);
    if (slot !== noSlot) this.#refused.delete(slot);
  }

  /** Drops waiting candidates, which were looked up on another chain. */
  #leaveChain(): void {
    for (const { candidate } of this.#waiting.values()) this.#return(candidate);
    this.#waiting.clear();
    this.#waitingFor.clear();
    this.#waitingBytes = 0;
  }

  #confirm(transactions: readonly Transaction[], height: number): void {
    const confirmed = new Set<Slot>();
    const others: Transaction[] = [];
    for (const transaction of transactions) {
      if (this.#returned.size > 0) this.#forgetReturned(displayHash(transaction.txid));
      const unconfirmed = this.#state.find(transaction.txid);
      if (unconfirmed !== noSlot) confirmed.add(unconfirmed);
      else if (!transaction.isCoinbase) others.push(transaction);
    }
    this.#state.confirm(confirmed, height);
    for (const { inputs } of others) {
      for (const { previousOutput } of inputs) {
        const conflicting = this.#state.spenderOf(previousOutput.txid, previousOutput.vout);
        if (conflicting !== noSlot) this.#state.remove(conflicting);
      }
    }
  }

  #return(candidate: Candidate): void {
    const { id, transaction } = candidate;
    if (this.#returned.has(id)) return;
    if (this.#returned.size >= maximumReturned || this.#returnedBytes >= maximumReturnedBytes) return;
    this.#returned.set(id, candidate);
    this.#returnedBytes += transaction.size;
  }

  #forgetReturned(id: TransactionId): void {
    const candidate = this.#returned.get(id);
    if (candidate === undefined) return;
    this.#returned.delete(id);
    this.#returnedBytes -= candidate.transaction.size;
  }
}

/** Returns the previous outputs of a transaction that are not of the transactions `gone`, by their outpoints. */
function outputsBelow(
  { inputs }: Transaction,
  previousOutputs: readonly (PreviousOutput | undefined)[],
  gone: ReadonlySet<string>,
): ChainOutputs {
  const outputs = new Map<string, PreviousOutput>();
  for (const [vin, { previousOutput }] of inputs.entries()) {
    const output = previousOutputs[vin];
    if (output !== undefined && !gone.has(bytesKey(previousOutput.txid)))
      outputs.set(outpointKey(previousOutput), output);
  }
  return outputs;
}

/** Returns the outputs that one of many candidates spends: the rest need not be retained as long as it waits. */
function ownOutputs({ inputs }: Transaction, chainOutputs: ChainOutputs): ChainOutputs {
  const own = new Map<string, PreviousOutput>();
  for (const { previousOutput } of inputs) {
    const key = outpointKey(previousOutput);
    const output = chainOutputs.get(key);
    // A copy: a view would retain the transaction that created it.
    if (output !== undefined) own.set(key, { ...output, scriptPubKey: Buffer.from(output.scriptPubKey) });
  }
  return own;
}
