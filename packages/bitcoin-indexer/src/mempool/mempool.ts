import {
  type Block,
  displayHash,
  type Outpoint,
  parseTransaction,
  type Transaction,
  type TransactionId,
} from "@nodewright/bitcoin-primitives";
import type { Environment } from "../store/environment.ts";
import {
  type Candidate,
  type ChainOutputs,
  MempoolState,
  outpointKey,
  type UnconfirmedTransaction,
} from "./mempool-state.ts";

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

/** A transaction that the node lists and that is not asked for again before a later listing. */
interface RefusedTransaction {
  listing: number;
  readonly untilListing: number;
}

/** Bounds of what is kept of candidates that wait: a node that lies can name any number of them. */
const maximumWaiting = 10_000;
const maximumWaitingBytes = 32_000_000;

/** Of disconnected blocks: the rest comes from the node's list. */
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
  readonly #refused = new Map<TransactionId, RefusedTransaction>();
  /** Candidates that must be looked up on the new chain. */
  readonly #returned = new Map<TransactionId, Candidate>();
  #returnedBytes = 0;
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

  /** True when a change of the chain means nothing to it. */
  get isIdle(): boolean {
    return this.size === 0 && this.#waiting.size === 0 && this.#returned.size === 0;
  }

  /** In no order that matters. Changes while it is walked are allowed. */
  transactions(): Iterable<UnconfirmedTransaction> {
    return this.#state.transactions();
  }

  /** Begins to hear what the node lists. */
  startListing(): void {
    this.#listing += 1;
  }

  /** Notes that the node lists a transaction; true when it must be fetched. */
  noteListed(id: TransactionId): boolean {
    const known = this.#state.get(id) ?? this.#waiting.get(id);
    if (known !== undefined) {
      known.listing = this.#listing;
      return false;
    }
    const refused = this.#refused.get(id);
    if (refused !== undefined) {
      refused.listing = this.#listing;
      return refused.untilListing <= this.#listing;
    }
    return !this.#returned.has(id);
  }

  /** Ends the listing: forgets what waited or was refused and is not listed, and gives the transactions that are to leave. */
  finishListing(): readonly UnconfirmedTransaction[] {
    for (const [id, { listing }] of this.#refused) if (listing < this.#listing) this.#refused.delete(id);
    for (const [id, { listing }] of this.#waiting) if (listing < this.#listing) this.#stopWaiting(id);
    const leaving: UnconfirmedTransaction[] = [];
    for (const transaction of this.#state.transactions()) {
      if (transaction.listing < this.#listing) leaving.push(transaction);
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
    const own = new Set(candidates.map(({ id }) => id));
    const outpoints = new Map<string, Outpoint>();
    for (const { transaction } of candidates) {
      for (const { previousOutput } of transaction.inputs) {
        const id = displayHash(previousOutput.txid);
        if (!own.has(id) && this.#state.get(id) === undefined)
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
  apply(
    leaving: readonly UnconfirmedTransaction[],
    candidates: readonly Candidate[],
    chainOutputs: ChainOutputs,
  ): void {
    this.#state.change(() => {
      const gone: TransactionId[] = [];
      for (const transaction of leaving) gone.push(...this.#evict(transaction));
      const offered: OfferedCandidate[] = gone.flatMap((id) => this.#takeWaitingFor(id));
      for (const candidate of candidates) offered.push({ candidate, chainOutputs });
      for (const each of offered) this.#offer(each);
    });
  }

  /**
   * Follows the chain by a block that is on it no more: what it confirmed is unconfirmed again, and what spends its outputs must be
   * looked at anew. From the old tip downward, before anything is connected.
   *
   * `time`, seconds since 1970, is when its transactions are seen as unconfirmed.
   */
  disconnect({ transactions }: Block, time: number): void {
    this.#leaveChain();
    this.#state.change(() => {
      for (const { txid, outputs, bytes, isCoinbase } of transactions) {
        for (const vout of outputs.keys()) {
          const spender = this.#state.spenderOf(txid, vout);
          if (spender === undefined) continue;
          for (const { candidate } of this.#state.suspend(spender)) this.#return(candidate);
        }
        // A copy: a view would keep the whole block in memory.
        if (!isCoinbase) {
          this.#return({ id: displayHash(txid), transaction: parseTransaction(Buffer.from(bytes)), time });
        }
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

  /** Lets a candidate in, and those that waited for it. */
  #offer(first: OfferedCandidate): void {
    const offered = [first];
    for (let next = offered.pop(); next !== undefined; next = offered.pop()) {
      const { candidate, chainOutputs } = next;
      const verdict = this.#state.enter(candidate, chainOutputs, this.#listing);
      if (verdict.kind === "entered") {
        this.#stopWaiting(candidate.id);
        this.#refused.delete(candidate.id);
        offered.push(...this.#takeWaitingFor(candidate.id));
      } else if (verdict.kind === "waits") this.#wait(candidate, chainOutputs, verdict.for);
      else this.#refuse(candidate.id, listingsUntilRefusedIsAsked);
    }
  }

  /** Gives the ids that left. What stands on it and is listed nevertheless waits for it to come back. */
  #evict(transaction: UnconfirmedTransaction): readonly TransactionId[] {
    // It may have left with its parents, or been confirmed, since it was seen to be missing.
    if (this.#state.get(transaction.id) !== transaction || transaction.listing === this.#listing) return [];
    if (transaction.children === undefined) {
      this.#state.remove(transaction);
      return [transaction.id];
    }
    const suspended = this.#state.suspend(transaction);
    for (const { candidate, chainOutputs, listing } of suspended) {
      if (listing === this.#listing) this.#wait(candidate, chainOutputs, transaction.id);
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
    this.#refused.delete(id);
    this.#waiting.set(id, { candidate, chainOutputs, waitsFor, listing: this.#listing });
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
    this.#refused.set(id, { listing: this.#listing, untilListing: this.#listing + listings });
  }

  /** What waits was looked up on another chain. */
  #leaveChain(): void {
    for (const { candidate } of this.#waiting.values()) this.#return(candidate);
    this.#waiting.clear();
    this.#waitingFor.clear();
    this.#waitingBytes = 0;
  }

  #confirm(transactions: readonly Transaction[], height: number): void {
    const confirmed = new Set<UnconfirmedTransaction>();
    const others: Transaction[] = [];
    for (const transaction of transactions) {
      const id = displayHash(transaction.txid);
      this.#forgetReturned(id);
      const unconfirmed = this.#state.get(id);
      if (unconfirmed !== undefined) confirmed.add(unconfirmed);
      else if (!transaction.isCoinbase) others.push(transaction);
    }
    this.#state.confirm(confirmed, height);
    for (const { inputs } of others) {
      for (const { previousOutput } of inputs) {
        const conflicting = this.#state.spenderOf(previousOutput.txid, previousOutput.vout);
        if (conflicting !== undefined) this.#state.remove(conflicting);
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
