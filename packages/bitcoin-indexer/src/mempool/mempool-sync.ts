import { setImmediate as nextTimeSlice, setTimeout as sleep } from "node:timers/promises";
import {
  type BlockHash,
  displayHash,
  hashLength,
  parseBlock,
  type TransactionId,
} from "@nodewright/bitcoin-primitives";
import type { ListingUpstream } from "@nodewright/upstream";
import { isIndexerError } from "../basics/indexer-error.ts";
import type { BlockRecord } from "../query/chain-queries.ts";
import type { PreviousOutput } from "../chain/connected-block.ts";
import { feeEstimateTargets } from "../query/mempool-queries.ts";
import { assertSpace } from "../basics/store-failure.ts";
import { completeFeeEstimates, FeeEstimator } from "./fee-estimator.ts";
import { type LeavingTransaction, Mempool } from "./mempool.ts";
import type { MempoolChain } from "./mempool-chain.ts";
import { hasPublishedMempool, MempoolEnvironment } from "./mempool-directory.ts";
import { mempoolFeeEstimates } from "../store/mempool-layout.ts";
import { MempoolNode } from "./mempool-node.ts";
import type { MempoolProgress } from "./mempool-progress.ts";
import { type Candidate, outpointKey } from "./mempool-state.ts";

export interface MempoolSyncOptions {
  /** Data directory of the index; its lock is held. */
  readonly dataDirectory: string;
  readonly chain: MempoolChain;
  /** Upstream node. It is not closed. */
  readonly upstream: ListingUpstream;
  readonly onProgress?: ((progress: MempoolProgress) => void) | undefined;
  /** Milliseconds between two refreshes of a mempool that is listed quickly. */
  readonly pollMilliseconds?: number | undefined;
  /** Milliseconds between two rounds of fee estimates. */
  readonly estimateMilliseconds?: number | undefined;
}

const defaultPollMilliseconds = 1_000;
const defaultEstimateMilliseconds = 60_000;

/** Maximum fraction of the time for a long list. */
const listingShare = 1 / 5;
const maximumPauseMilliseconds = 10_000;

const firstRetryMilliseconds = 500;
const maximumRetryMilliseconds = 30_000;

/** Maximum transactions of one request and one change: few enough that a change takes tens of milliseconds. */
const maximumTransactionsPerChange = 500;
/** Target for the serialized bytes in one response. */
const wantedBytesPerRequest = 2_000_000;

/** Maximum number of listed ids that are read: a node has no more in the memory of its mempool. */
const maximumListed = 1_000_000;

/**
 * Synchronizer of the mempool's tables with a node and with the index's chain, until `signal` is aborted.
 *
 * It refreshes about once a second, and at once after the chain has changed. A failure of the node leaves the tables unchanged and is
 * retried with growing pauses. Never throws.
 */
export class MempoolSync {
  readonly #options: MempoolSyncOptions;
  readonly #estimator: FeeEstimator;
  #wakeUp: () => void = () => undefined;
  #isWoken = false;
  #tables: MempoolEnvironment | undefined;
  #mempool: Mempool | undefined;
  /** Block on which the mempool is based. */
  #tip: { readonly hash: BlockHash; readonly height: number } | undefined;
  #following: Promise<void> = Promise.resolve();
  #estimatedAt = Number.NEGATIVE_INFINITY;
  #bytesPerTransaction = 1_000;
  #refreshMilliseconds = -1;

  constructor(options: MempoolSyncOptions) {
    this.#options = options;
    this.#estimator = new FeeEstimator(options.chain);
  }

  /** Signals that the chain may have changed: the mempool follows at once, also during a call to the node. */
  wake(): void {
    this.#isWoken = true;
    this.#wakeUp();
    // Its failure is handled by the next round.
    if (this.#mempool !== undefined) this.#follow(this.#mempool).catch(() => undefined);
  }

  /**
   * Runs `commit`, with which the best chain's blocks above `forkHeight` become stale. Their transactions are added to the mempool before
   * readers see the other chain, in which they may be missing, and those that it confirms are removed right after. Throws what `commit`
   * throws.
   *
   * They have the height at which Bitcoin Core returns them to its mempool: when it switches to a better chain, after the first block with
   * which that is better (`switchHeight`); when blocks are declared invalid, after each of these was disconnected.
   */
  async reorganise(forkHeight: number, commit: () => Promise<void>, switchHeight?: number): Promise<void> {
    const mempool = this.#mempool;
    const before = this.#following;
    const work = async (): Promise<void> => {
      await before.catch(() => undefined);
      // A mempool that fails is created anew by the next round; the chain does not wait for it.
      if (mempool !== undefined) await this.#followDown(mempool, forkHeight, switchHeight).catch(() => undefined);
      await commit();
    };
    const done = work();
    this.#following = done.catch(() => undefined);
    // It waits until `done`.
    if (mempool !== undefined) this.#follow(mempool).catch(() => undefined);
    await done;
  }

  async run(signal: AbortSignal): Promise<void> {
    const node = new MempoolNode(this.#options.upstream, signal);
    let retryMilliseconds = firstRetryMilliseconds;
    while (!signal.aborted) {
      try {
        const pause = await this.#round(node);
        retryMilliseconds = firstRetryMilliseconds;
        await this.#pause(pause, signal);
      } catch (reason) {
        if (signal.aborted) break;
        await this.#fail(reason);
        this.#isWoken = false;
        await this.#sleep(retryMilliseconds, signal);
        retryMilliseconds = Math.min(retryMilliseconds * 2, maximumRetryMilliseconds);
      }
    }
    await this.#following.catch(() => undefined);
    await this.#closeTables();
  }

  /** Runs one refresh and returns the milliseconds until the next. */
  async #round(node: MempoolNode): Promise<number> {
    const pollMilliseconds = this.#options.pollMilliseconds ?? defaultPollMilliseconds;
    this.#isWoken = false;
    const mempool = await this.#openMempool();
    await this.#follow(mempool);
    // Checked before as well: a long list would be read for nothing while the index catches up.
    if (!(await this.#isAtBlock(await node.bestBlockHash()))) return this.#wait(mempool, pollMilliseconds);
    await this.#offerReturned(mempool);
    const startedAt = performance.now();
    const wanted = await readList(mempool, node);
    if (!(await this.#isAtBlock(await node.bestBlockHash()))) return this.#wait(mempool, pollMilliseconds);
    const listedMilliseconds = performance.now() - startedAt;
    await this.#exchange(mempool, node, wanted);
    this.#tables?.publish();
    this.#refreshMilliseconds = performance.now() - startedAt;
    await this.#estimateFees(mempool, node);
    this.#notify(mempool, "following");
    const pause = listedMilliseconds / listingShare - listedMilliseconds;
    return Math.min(Math.max(pollMilliseconds, pause), Math.max(pollMilliseconds, maximumPauseMilliseconds));
  }

  /** Removes transactions that left the node's mempool and adds new ones, in one change if there are few. */
  async #exchange(mempool: Mempool, node: MempoolNode, wanted: TxidList): Promise<void> {
    const leaving = mempool.finishListing();
    let left = 0;
    let nextBatch = this.#fetch(mempool, node, wanted, 0);
    for (let start = 0; start < wanted.length || left < leaving.length; ) {
      const candidates = await nextBatch.candidates;
      start = nextBatch.end;
      // The next transactions are fetched while these are written. Their failure is handled when they are needed.
      nextBatch = this.#fetch(mempool, node, wanted, start);
      nextBatch.candidates.catch(() => undefined);
      await this.#apply(mempool, leaving.slice(left, left + maximumTransactionsPerChange), candidates);
      left += maximumTransactionsPerChange;
      await nextTimeSlice();
    }
  }

  #fetch(
    mempool: Mempool,
    node: MempoolNode,
    wanted: TxidList,
    start: number,
  ): { readonly end: number; readonly candidates: Promise<readonly Candidate[]> } {
    const fitting = Math.floor(wantedBytesPerRequest / this.#bytesPerTransaction);
    const count = Math.max(1, Math.min(maximumTransactionsPerChange, fitting));
    const ids = wanted.ids(start, start + count);
    return { end: start + ids.length, candidates: this.#readCandidates(mempool, node, ids) };
  }

  async #readCandidates(
    mempool: Mempool,
    node: MempoolNode,
    ids: readonly TransactionId[],
  ): Promise<readonly Candidate[]> {
    if (ids.length === 0) return [];
    const candidates: Candidate[] = [];
    let bytes = 0;
    for (const fetched of await node.transactions(ids)) {
      if (fetched.kind === "missing") mempool.noteMissing(fetched.id);
      else if (fetched.kind === "wrong") mempool.noteInvalid(fetched.id);
      else {
        bytes += fetched.transaction.size;
        const height = this.#tip?.height ?? 0;
        candidates.push({ id: fetched.id, transaction: fetched.transaction, time: secondsNow(), height });
      }
    }
    this.#bytesPerTransaction = Math.max(bytes / ids.length, this.#bytesPerTransaction * 0.9);
    return candidates;
  }

  /** Adds transactions that the chain returned, or that waited for one of them. */
  async #offerReturned(mempool: Mempool): Promise<void> {
    for (;;) {
      const candidates = mempool.takeReturned(maximumTransactionsPerChange);
      if (candidates.length === 0) return;
      await this.#apply(mempool, [], candidates);
      await nextTimeSlice();
    }
  }

  async #apply(
    mempool: Mempool,
    leaving: readonly LeavingTransaction[],
    candidates: readonly Candidate[],
  ): Promise<void> {
    for (;;) {
      await this.#follow(mempool);
      const outpoints = mempool.outpointsOf(candidates);
      const outputs = await this.#options.chain.unspentOutputsAt(outpoints);
      // Outputs of a chain other than the mempool's may be spent there.
      if (!(await this.#isAtBlock((await this.#options.chain.tip())?.hash))) continue;
      const chainOutputs = new Map<string, PreviousOutput>();
      for (const [index, output] of outputs.entries()) {
        const outpoint = outpoints[index];
        if (outpoint !== undefined && output !== undefined) chainOutputs.set(outpointKey(outpoint), output);
      }
      mempool.apply(leaving, candidates, chainOutputs);
      return;
    }
  }

  async #isAtBlock(hash: BlockHash | undefined): Promise<boolean> {
    await this.#following;
    return this.#tip?.hash === hash;
  }

  /** Follows the chain, one call at a time. */
  async #follow(mempool: Mempool): Promise<void> {
    const before = this.#following.catch(() => undefined);
    this.#following = before.then(async () => {
      while (await this.#followOnce(mempool));
    });
    await this.#following;
  }

  /** Follows one step. Returns false when the mempool is at the chain's tip. */
  async #followOnce(mempool: Mempool): Promise<boolean> {
    const { chain } = this.#options;
    const tip = await chain.tip();
    if (tip?.hash === this.#tip?.hash) return false;
    if (tip === undefined || this.#tip === undefined) {
      this.#tip = tip;
      return true;
    }
    const record = await chain.blockByHash(this.#tip.hash);
    if (record === undefined) throw new Error("The index does not know a block that it had");
    if (!record.onBestChain) await this.#disconnect(mempool, record);
    else if (mempool.isIdle) this.#tip = tip;
    else await this.#connect(mempool, await chain.blockByHeight(record.height + 1));
    return true;
  }

  /** Follows the chain down to the block at `height`, before readers see that chain. */
  async #followDown(mempool: Mempool, height: number, switchHeight: number | undefined): Promise<void> {
    while (await this.#followOnce(mempool));
    while (this.#tip !== undefined && this.#tip.height > height) {
      const record = await this.#options.chain.blockByHash(this.#tip.hash);
      if (record === undefined) throw new Error("The index does not know a block that it had");
      await this.#disconnect(mempool, record, switchHeight);
    }
  }

  async #connect(mempool: Mempool, record: BlockRecord | undefined): Promise<void> {
    const bytes = record && (await this.#options.chain.rawBlock(record.hash));
    // Gone again, or on another branch: the next check notices it.
    if (record === undefined || bytes === undefined || record.previousHash !== this.#tip?.hash) return;
    mempool.connect(parseBlock(bytes), record.height);
    this.#tip = record;
  }

  async #disconnect(mempool: Mempool, record: BlockRecord, switchHeight?: number): Promise<void> {
    const { previousHash, height, hash, transactionCount } = record;
    const transactions = await this.#options.chain.blockTransactions(hash, 0, transactionCount);
    if (transactions === undefined || previousHash === undefined) throw new Error("The index has lost a stale block");
    mempool.disconnect(transactions, secondsNow(), switchHeight ?? height - 1);
    this.#tip = { hash: previousHash, height: height - 1 };
  }

  async #estimateFees(mempool: Mempool, node: MempoolNode): Promise<void> {
    const now = performance.now();
    if (now - this.#estimatedAt < (this.#options.estimateMilliseconds ?? defaultEstimateMilliseconds)) return;
    const given = await node.feeEstimates();
    const isComplete = given.size === feeEstimateTargets.length;
    const own = isComplete ? [] : await this.#estimator.estimate(mempool.transactions);
    const environment = this.#tables?.environment;
    environment?.write(() => environment.put(mempoolFeeEstimates, [], completeFeeEstimates(given, own)));
    this.#estimatedAt = now;
  }

  async #openMempool(): Promise<Mempool> {
    if (this.#mempool !== undefined && !this.#mempool.isBroken) return this.#mempool;
    await this.#closeTables();
    const { dataDirectory } = this.#options;
    assertSpace(dataDirectory);
    this.#tables = new MempoolEnvironment(dataDirectory);
    this.#mempool = new Mempool(this.#tables.environment);
    this.#tip = undefined;
    this.#estimatedAt = Number.NEGATIVE_INFINITY;
    // Readers' existing tables are better than nothing until there is a complete set again.
    if (!hasPublishedMempool(dataDirectory)) this.#tables.publish();
    return this.#mempool;
  }

  async #closeTables(): Promise<void> {
    const tables = this.#tables;
    this.#tables = undefined;
    this.#mempool = undefined;
    await tables?.close();
  }

  /** Handles a failure. One that is not the node's makes the tables doubtful: they are created anew. */
  async #fail(reason: unknown): Promise<void> {
    const isOfNode = isIndexerError(reason);
    const message = isOfNode
      ? reason.message
      : "The mempool's tables can't be written: check the free space of the data directory. Making them anew.";
    this.#notify(this.#mempool, "stalled", message);
    if (isOfNode) return;
    await this.#following.catch(() => undefined);
    await this.#closeTables().catch(() => undefined);
  }

  #wait(mempool: Mempool, pause: number): number {
    this.#notify(mempool, "waiting");
    return pause;
  }

  #notify(mempool: Mempool | undefined, state: MempoolProgress["state"], reason?: string): void {
    this.#options.onProgress?.({
      state,
      transactions: mempool?.size ?? 0,
      virtualSize: mempool?.virtualSize ?? 0,
      leftOut: mempool?.leftOut ?? 0,
      refreshMilliseconds: this.#refreshMilliseconds,
      ...(reason === undefined ? {} : { reason }),
    });
  }

  async #pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#isWoken) await this.#sleep(milliseconds, signal);
  }

  /** Sleeps until the time is over, or `wake` is called. */
  async #sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wakeUp = resolve;
    });
    const ending = new AbortController();
    const over = sleep(milliseconds, undefined, { signal: AbortSignal.any([signal, ending.signal]) });
    await Promise.race([woken, over.catch(() => undefined)]);
    ending.abort();
    this.#wakeUp = () => undefined;
  }
}

/** Passes the listed txids to the mempool while they arrive, and returns those that must be fetched. */
async function readList(mempool: Mempool, node: MempoolNode): Promise<TxidList> {
  const wanted = new TxidList();
  let listed = 0;
  mempool.startListing();
  await node.listIds((txid) => {
    listed += 1;
    if (listed <= maximumListed && mempool.noteListed(txid)) wanted.add(txid);
  });
  return wanted;
}

/** List of txids in 32 bytes each. */
class TxidList {
  #bytes = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(txid: Uint8Array): void {
    const start = this.#length * hashLength;
    if (start === this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(1_024 * hashLength, start * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(txid, start);
    this.#length += 1;
  }

  /** Returns the ids, each once. */
  ids(start: number, end: number): readonly TransactionId[] {
    const ids = new Set<TransactionId>();
    for (let index = start; index < Math.min(end, this.#length); index += 1) {
      ids.add(displayHash(this.#bytes.subarray(index * hashLength, (index + 1) * hashLength)));
    }
    return [...ids];
  }
}

function secondsNow(): number {
  return Math.floor(Date.now() / 1_000);
}
