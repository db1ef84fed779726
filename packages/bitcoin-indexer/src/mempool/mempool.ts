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
import type { PreviousOutput } from "../query/chain-queries.ts";
import type { Environment } from "../store/environment.ts";
import {
  type Candidate,
  type ChainOutputs,
  MempoolState,
  outpointKey,
  type UnconfirmedTransactions,
} from "./mempool-state.ts";
import { noSlot, type Slot, TxidTable } from "./txid-table.ts";

/** A candidate, and what the chain has of what it spends. */
interface OfferedCandidate {
  readonly candidate: Candidate;
  /** As of the chain that the mempool is on. */
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
  /** One for each input, in order; `undefined` for the input of a coinbase. */
  readonly previousOutputs: readonly (PreviousOutput | undefined)[];
}

/** A transaction that is to leave, if it is still the one that had this number. */
export interface LeavingTransaction {
  readonly slot: Slot;
  readonly number: number;
}

/** Bounds of what is kept of candidates that wait: a node that lies can name any number of them. */
const maximumWaiting = 10_000;
const maximumWaitingBytes = 32_000_000;

/** Refused transactions that are remembered: a node can list as many as it likes. */
const maximumRefused = 1_000_000;

/** Of disconnected blocks between two listings: the rest comes from the node's list. */
const maximumReturned = 20_000;
const maximumReturnedBytes = 32_000_000;

/** Listings after which a transaction is asked for again: that the node did not have, and that it gave wrong. */
const listingsUntilMissingIsAsked = 3;
const listingsUntilRefusedIsAsked = 60;

/**
 * Keeps a mempool in step with what a node lists and with the chain that the index is on.
 *
 * Knows neither node nor clock: it is told what was listed, what was fetched and which blocks came and went, and decides what enters,
 * waits and leaves. What the chain says counts: a transaction enters only when every output that it spends exists and is unspent.
 */
export class Mempool {
  readonly #state: MempoolState;
  readonly #waiting = new Map<TransactionId, WaitingCandidate>();
  /** Ids of waiting candidates by what they wait for. */
  readonly #waitingFor = new Map<TransactionId, Set<TransactionId>>();
  /** Listed by the node and not asked for again before the listing that is their number. */
  readonly #refused = new TxidTable();
  /** Candidates that must be looked up on the new chain. */
  readonly #returned = new Map<TransactionId, Candidate>();
  #returnedBytes = 0;
  /** Bytes and number of the transactions that disconnected blocks gave back since the last listing began. */
  #restored = { count: 0, bytes: 0 };
  #waitingBytes = 0;
  #listing = 0;

  /** `environment` has the tables of the mempool, empty. */
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

  /** Transactions that the node lists and that are not shown, because what they spend does not exist or they are wrong. */
  get leftOut(): number {
    return this.#waiting.size + this.#refused.size;
  }

  /** True when a change has failed: the tables must be made anew. */
  get isBroken(): boolean {
    return this.#state.isBroken;
  }

  /** True when new blocks on its chain mean nothing to it. */
  get isIdle(): boolean {
    return this.size === 0 && this.#waiting.size === 0 && this.#returned.size === 0;
  }

  get transactions(): UnconfirmedTransactions {
    return this.#state;
  }

  /** Begins to hear what the node lists. */
  startListing(): void {
    this.#listing += 1;
    this.#restored = { count: 0, bytes: 0 };
  }

  /** Notes that the node lists the transaction whose txid, in wire order, begins at `offset`; true when it must be fetched. */
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

  /** Ends the listing: forgets what waited or was refused and is not listed, and gives the transactions that are to leave. */
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

  /** Says that the node listed a transaction and then had it no more. */
  noteMissing(id: TransactionId): void {
    this.#refuse(id, listingsUntilMissingIsAsked);
  }

  /** Says that the node gave something else than the transaction. */
  noteWrong(id: TransactionId): void {
    this.#refuse(id, listingsUntilRefusedIsAsked);
  }

  /** The outputs of candidates that only the chain may have, each once. */
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
   * One change that readers see at once: takes transactions out that the node lists no more, and lets candidates in.
   *
   * `chainOutputs` has what `outpointsOf` named, as far as the chain that the mempool is on has it unspent.
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
   * Follows the chain by a block that is on it no more. In one change, what the block confirmed is unconfirmed again, and what spends its
   * outputs stands on these or leaves. From the old tip downward, before anything is connected.
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
        // A copy: a view would keep the whole block in memory.
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

  /** Follows the chain by a new block: what it confirms leaves, and so does what can never be confirmed any more. */
  connect({ transactions }: Block, height: number): void {
    this.#leaveChain();
    if (this.size === 0 && this.#returned.size === 0) return;
    this.#state.change(() => this.#confirm(transactions, height));
  }

  /** Takes at most `limit` candidates that are to be looked up on the chain as it is now. */
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

  /** Lets a candidate in, and those that waited for it. */
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
      else this.#refuse(candidate.id, listingsUntilRefusedIsAsked);
    }
  }

  /** Gives the ids that left. What stands on it and is listed nevertheless waits for it to come back. */
  #evict({ slot, number }: LeavingTransaction): readonly TransactionId[] {
    // It may have left with its parents, or been confirmed, since it was seen to be missing.
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
      this.#refuse(id, listingsUntilRefusedIsAsked);
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

  /** Those that may go on because a transaction has arrived or left. */
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

  /** What waits was looked up on another chain. */
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

/** The previous outputs of a transaction that are not of the transactions `gone`, by their outpoints. */
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

/** Of what was looked up for many candidates that which one of them spends: the rest need not be kept as long as it waits. */
function ownOutputs({ inputs }: Transaction, chainOutputs: ChainOutputs): ChainOutputs {
  const own = new Map<string, PreviousOutput>();
  for (const { previousOutput } of inputs) {
    const key = outpointKey(previousOutput);
    const output = chainOutputs.get(key);
    // A copy: a view would keep the transaction that made it.
    if (output !== undefined) own.set(key, { ...output, scriptPubKey: Buffer.from(output.scriptPubKey) });
  }
  return own;
}
