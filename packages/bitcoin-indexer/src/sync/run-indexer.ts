import { setImmediate as nextTimeSlice, setTimeout as sleep } from "node:timers/promises";
import { displayHash, parseBlock } from "@nodewright/bitcoin-primitives";
import { type BulkLimits, type BulkTarget, defaultBulkLimits } from "../bulk/bulk-target.ts";
import type { BulkAdvance, FillIndexOptions } from "../bulk/fill-index.ts";
import type { LoadedChainOptions } from "../bulk/loaded-chain.ts";
import { explainBadBlock } from "../chain/bad-block.ts";
import { type ChainUpdate, type HeaderEntry, planChainUpdate, workOf } from "../chain/chain-update.ts";
import { type ChainState, connectBlock, emptyChain, extendChain, medianTimeReach } from "../chain/connect-block.ts";
import { HeaderWork } from "../chain/header-work.ts";
import { type FindUnspentOutputs, SpendableOutputs } from "../chain/spendable-outputs.ts";
import { verifyBlock } from "../chain/verify-block.ts";
import { IndexerError, isIndexerError } from "../basics/indexer-error.ts";
import type { IndexerEvent } from "./indexer-event.ts";
import { storeFailure, systemErrorName } from "../basics/store-failure.ts";
import { ProgressReporter } from "./progress-reporter.ts";
import type { BlockSource, KnownChain, SourceBlock, SourceChain, SourceHeader } from "../source/block-source.ts";
import type { ChainInFiles } from "../source/chain-in-files.ts";
import { maximumReorganisation } from "../source/fork-height.ts";
import type { IndexStore, PlacedBlock, StoreChange } from "../engine/index-store.ts";

/** Limits at which a batch is committed, whichever is reached first. */
export interface BatchLimits {
  readonly blocks: number;
  /** Transactions, inputs and outputs, from which rows are derived. */
  readonly items: number;
  /** Bytes of blocks, which are held in memory until then. */
  readonly bytes: number;
}

/** Options of the indexing loop. */
export interface RunIndexerOptions {
  readonly store: IndexStore;
  readonly source: BlockSource;
  readonly onEvent?: ((event: IndexerEvent) => void) | undefined;
  /**
   * Callback for each `commit` that takes the blocks above `forkHeight` off the best chain. It runs `commit` once, after its own work that
   * must be done before readers see the other chain. `switchHeight`: height of the first block with which that has more work than the chain
   * that it replaces, of its last block if it has as much, and absent if it has less, as after blocks were declared invalid.
   */
  readonly reorganise?:
    | ((forkHeight: number, commit: () => Promise<void>, switchHeight?: number) => Promise<void>)
    | undefined;
  /**
   * Signal for the end: the blocks that are connected one by one are committed, those of a round in bulk discarded, and `runIndexer`
   * returns.
   */
  readonly signal?: AbortSignal | undefined;
  readonly batchLimits?: BatchLimits | undefined;
  /** Limits of filling an empty index in bulk, where they differ from those that suit most machines. */
  readonly bulkLimits?: Partial<BulkLimits> | undefined;
}

/** Limits small enough that a batch takes well under a second, within which an indexer must be able to stop. */
const defaultBatchLimits: BatchLimits = { blocks: 1_000, items: 50_000, bytes: 16_000_000 };

/** Limits of rounds in which an index is extended in bulk: the fewer rounds, the fewer repeated writes. */
const defaultRoundLimits: Omit<BatchLimits, "blocks"> = { items: 300_000, bytes: 64_000_000 };

/** Factor by which the blocks must exceed those that fill an empty index to be worth the start of threads where it is only extended. */
const extensionFactor = 4;

/** Consensus: maximum bytes of a block. */
const maximumBlockLength = 4_000_000;

/** Maximum time in milliseconds without handling signals and messages. */
const turnMilliseconds = 50;

const firstRetryMilliseconds = 500;
/**
 * Maximum retry delay in milliseconds: btcd contradicts itself for seconds while it reorganizes, and the index must not lag much longer
 * than that.
 */
const maximumRetryMilliseconds = 5_000;

/**
 * Indexes the blocks of a source and continues as it grows. Does not close store or source.
 *
 * Returns when `signal` is aborted, or when a source that never changes is indexed completely. Temporary failures, such as a full disk, are
 * retried with growing pauses, and reported as `stalled`. Others are reported as `failed`: an invalid part of a source that changes is read
 * again when it has changed, the rest is thrown as `IndexerError`. In any case, the store contains every block up to the last good one, and
 * another run continues there.
 */
export async function runIndexer(options: RunIndexerOptions): Promise<void> {
  await new Indexer(options).run();
}

class Indexer {
  readonly #store: IndexStore;
  readonly #source: BlockSource;
  readonly #signal: AbortSignal;
  readonly #limits: BatchLimits;
  readonly #roundLimits: Omit<BatchLimits, "blocks">;
  readonly #bulkLimits: Partial<BulkLimits> | undefined;
  readonly #reorganise: NonNullable<RunIndexerOptions["reorganise"]>;
  readonly #progress: ProgressReporter;
  readonly #headerWork: HeaderWork;
  #outputs: SpendableOutputs;
  /** Lookup in the store, or in the open change of a reorganization. */
  #find: FindUnspentOutputs;
  #lastTurn = 0;
  #retryMilliseconds = firstRetryMilliseconds;

  constructor({ store, source, onEvent, reorganise, signal, batchLimits, bulkLimits }: RunIndexerOptions) {
    this.#store = store;
    this.#source = source;
    this.#signal = signal ?? new AbortController().signal;
    this.#limits = batchLimits ?? defaultBatchLimits;
    this.#roundLimits = batchLimits ?? defaultRoundLimits;
    this.#bulkLimits = bulkLimits;
    this.#reorganise = reorganise ?? ((_forkHeight, commit) => commit());
    this.#progress = new ProgressReporter(onEvent ?? (() => undefined));
    this.#headerWork = new HeaderWork(store.network);
    this.#find = (outpoints) => this.#store.findUnspentOutputs(outpoints);
    this.#outputs = new SpendableOutputs((outpoints) => this.#find(outpoints));
  }

  async run(): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        const hasMore = await this.#advance();
        this.#retryMilliseconds = firstRetryMilliseconds;
        if (hasMore) continue;
        if (this.#source.changed === undefined) return;
        await this.#source.changed(this.#signal);
      } catch (reason) {
        if (this.#signal.aborted) break;
        this.#outputs = this.#freshOutputs();
        await this.#recover(reason);
      }
    }
    this.#progress.report("stopped");
  }

  /** Waits until a retry may succeed, or throws a permanent failure. */
  async #recover(reason: unknown): Promise<void> {
    const failure = this.#passingFailure(reason);
    if (failure !== undefined) {
      this.#progress.report("stalled", failure);
      await sleep(this.#retryMilliseconds, undefined, { signal: this.#signal }).catch(() => undefined);
      this.#retryMilliseconds = Math.min(this.#retryMilliseconds * 2, maximumRetryMilliseconds);
      return;
    }
    if (!isIndexerError(reason) || this.#source.changed === undefined) throw this.#fail(reason);
    if (await this.#source.turnElsewhere?.(reason)) {
      this.#progress.report("stalled", reason);
      return;
    }
    this.#progress.report("failed", reason);
    await this.#source.changed(this.#signal).catch((failed: unknown) => {
      if (!isIndexerError(failed) && !this.#signal.aborted) throw failed;
    });
  }

  /** Returns the failure, if a later retry may help. */
  #passingFailure(reason: unknown): IndexerError | undefined {
    // A source that never changes returns the same again.
    if (isIndexerError(reason)) return reason.retry && this.#source.changed !== undefined ? reason : undefined;
    const failure = storeFailure(reason);
    return failure.retry ? failure : undefined;
  }

  /** Returns an error of the system as one sentence; a bug of ours is returned as it is, for its stack. */
  #fail(reason: unknown): unknown {
    const failure = isIndexerError(reason) ? reason : storeFailure(reason);
    this.#progress.report("failed", failure);
    return systemErrorName(reason) === undefined ? reason : failure;
  }

  /** Runs one round: queries the source, plans, applies. Returns false when there is nothing to do. */
  async #advance(): Promise<boolean> {
    const tip = await this.#store.tip();
    this.#progress.start(tip.height);
    const known: KnownChain = { height: tip.height, hashAt: (height) => this.#hashAt(height) };
    const chain = await this.#source.chain(known, this.#signal);
    this.#progress.aim(chain.height);
    const first = chain.headers[0];
    const forkHeight = first === undefined ? Math.min(chain.height, tip.height) : first.height - 1;
    if (first !== undefined && tip.height === -1 && (await this.#fillInBulk(chain))) return true;
    if (tip.height - forkHeight > maximumReorganisation) {
      return (await this.#waitForConfirmation(chain)) ?? this.#rest(chain.height, tooDeep);
    }
    const top = await this.#store.headers(forkHeight, tip.height);
    const update = planChainUpdate(
      top.map((header) => this.#entryOf(header)),
      chain.headers.map((header) => this.#sourceEntryOf(header)),
    );
    if (update === undefined) {
      throw new IndexerError("bad-block", `${this.#source.name} gave headers whose previous block is unknown.`, {
        retry: true,
      });
    }
    if (update.disconnect.length === 0 && update.connect.length === 0) return this.#rest(chain.height);
    if (!update.hasMoreWork) {
      if (await this.#source.turnElsewhere?.()) return true;
      if (this.#source.confirmChain === undefined) return this.#rest(chain.height, provenByWork);
      const hasMore = await this.#waitForConfirmation(chain);
      if (hasMore !== undefined) return hasMore;
    }
    if (update.disconnect.length === 0 && (await this.#extendInBulk(chain))) return true;
    await this.#apply(update, forkHeight);
    return true;
  }

  /** Returns the result of a round whose chain the source does not confirm; `undefined` when it does, or has no confirmation. */
  async #waitForConfirmation({ height }: SourceChain): Promise<boolean | undefined> {
    const confirmation = await this.#source.confirmChain?.(this.#signal);
    if (confirmation === undefined || confirmation.isConfirmed) return undefined;
    return confirmation.reason === undefined || this.#rest(height, confirmation.reason);
  }

  /** Reports that there is nothing to do; `reason` describes, as a clause, why the source's chain of this height is not followed. */
  #rest(sourceHeight: number, reason?: string): false {
    const note =
      reason !== undefined && this.#source.changed !== undefined
        ? new IndexerError(
            "source-behind",
            `The chain of ${this.#source.name}, whose best block is at height ${sourceHeight}, has no more work than the index's ` +
              `and is not followed: ${reason}.`,
          )
        : undefined;
    this.#progress.report("ready", note);
    return false;
  }

  /** Fills the index in bulk. Returns false when there is nothing that can be filled in bulk, or the first block is bad. */
  async #fillInBulk(chain: SourceChain): Promise<boolean> {
    const target = this.#store.bulk;
    if (target === undefined || !this.#mayBeBulk()) return false;
    // Loaded only where it is used: it includes a compiler of its own.
    const { fillIndex, minimumOf } = await import("../bulk/fill-index.ts");
    const place = { network: target.network, directory: target.blocksDirectory };
    const isDone = await this.#withFiles(chain, place, minimumOf(target, this.#bulkLimits), (files) =>
      this.#fillFrom(files, target, fillIndex),
    );
    return isDone === true;
  }

  /** Extends the index in bulk. Returns false when nothing was done: there is too little, or it can't be done this way. */
  async #extendInBulk(chain: SourceChain): Promise<boolean> {
    const target = this.#store.extension;
    if (target === undefined || !this.#mayBeBulk()) return false;
    const { height, blocksEnd } = target.tip;
    const minimum = (this.#bulkLimits?.minimumBytes ?? defaultBulkLimits.minimumBytes) * extensionFactor;
    if ((chain.height - height) * maximumBlockLength < minimum) return false;
    const { extendIndex } = await import("../bulk/extend-index.ts");
    const base = { height, hashAt: (at: number) => this.#hashAt(at), end: blocksEnd };
    const place = { network: target.network, directory: target.blocksDirectory, base };
    let hasAdvanced = false;
    const onAdvance = (advance: BulkAdvance): void => {
      hasAdvanced = true;
      this.#progress.advance(advance);
    };
    try {
      const options = {
        target,
        signal: this.#signal,
        limits: this.#bulkLimits,
        roundLimits: this.#roundLimits,
        onAdvance,
      };
      await this.#withFiles(chain, place, minimum, (files) => extendIndex({ ...options, chain: files }));
    } finally {
      target.finish();
      this.#outputs = this.#freshOutputs();
    }
    return hasAdvanced || this.#signal.aborted;
  }

  #mayBeBulk(): boolean {
    return this.#source.inFiles?.() !== undefined || this.#source.isRemote === true;
  }

  /** Runs `action` on the source's chain in files, into which it is loaded where it is not in files; `undefined` when it is too short. */
  async #withFiles<Result>(
    chain: SourceChain,
    place: Pick<LoadedChainOptions, "network" | "directory" | "base">,
    minimumBytes: number,
    action: (files: ChainInFiles) => Promise<Result>,
  ): Promise<Result | undefined> {
    const files = this.#source.inFiles?.();
    if (files !== undefined) {
      const { isWorthBulk } = await import("../bulk/fill-index.ts");
      return isWorthBulk(files, place.base?.height ?? -1, minimumBytes) ? await action(files) : undefined;
    }
    const { loadChain } = await import("../bulk/load-chain.ts");
    const options = { source: this.#source, chain, minimumBytes, limits: this.#bulkLimits, signal: this.#signal };
    const loaded = await loadChain({ ...place, ...options });
    if (loaded === undefined) return undefined;
    try {
      return await action(loaded);
    } finally {
      await loaded.close();
    }
  }

  async #fillFrom(chain: ChainInFiles, target: BulkTarget, fillIndex: FillIndex): Promise<boolean> {
    let isComplete = false;
    try {
      const onAdvance = (advance: BulkAdvance): void => this.#progress.advance(advance);
      isComplete = await fillIndex({ target, chain, signal: this.#signal, limits: this.#bulkLimits, onAdvance });
    } finally {
      // Readers do not see the reported progress.
      if (!isComplete) this.#progress.start(-1);
    }
    return isComplete || this.#signal.aborted;
  }

  /**
   * Applies an update. The order of the failures matters: good blocks before a bad one are kept, unless they only make a reorganization
   * possible.
   */
  async #apply(update: ChainUpdate<Entry>, forkHeight: number): Promise<void> {
    const headers = update.connect.map(({ source }) => source);
    const pending = await this.#begin(update, forkHeight);
    try {
      try {
        let index = 0;
        for await (const sourceBlock of this.#source.blocks(headers, this.#signal)) {
          const header = headers[index];
          if (header === undefined) break;
          index += 1;
          await this.#connect(pending, sourceBlock, header);
          if (pending.exceeds(this.#limits)) await this.#write(pending);
          await this.#takeTurn();
          if (this.#signal.aborted) break;
        }
      } finally {
        await this.#write(pending);
      }
    } finally {
      if (pending.change !== undefined) await this.#cancel(pending.change);
    }
  }

  /** Disconnects the blocks that leave the best chain, invisible to readers until the other chain has more work or is complete. */
  async #begin(update: ChainUpdate<Entry>, forkHeight: number): Promise<PendingUpdate> {
    if (update.disconnect.length === 0) return new PendingUpdate(await this.#stateAt(forkHeight), 0n);
    const [state, replaced] = await Promise.all([
      this.#stateAt(forkHeight),
      this.#stateAt(forkHeight + update.disconnect.length),
    ]);
    const change = await this.#store.change(forkHeight, this.#signal);
    this.#outputs = this.#freshOutputs();
    this.#find = (outpoints) => change.findUnspentOutputs(outpoints);
    const complete = state.chainWork + workOf(update.connect);
    const hiddenWork = complete > replaced.chainWork ? replaced.chainWork : complete - 1n;
    return new PendingUpdate(state, hiddenWork, { change, isLighter: complete < replaced.chainWork });
  }

  async #connect(
    pending: PendingUpdate,
    { bytes, origin, location }: SourceBlock,
    { hash, height }: SourceHeader,
  ): Promise<void> {
    try {
      const block = parseBlock(bytes);
      verifyBlock(block, { hash, previousHash: pending.state.hash }, this.#headerWork);
      await this.#outputs.fetch(block);
      const connected = connectBlock(block, pending.state, this.#outputs, this.#headerWork);
      pending.add({ ...connected, location });
    } catch (reason) {
      throw explainBadBlock(reason, origin, height, this.#store.network);
    }
  }

  /** Writes verified blocks, and commits them as soon as the chain with them may be visible. */
  async #write(pending: PendingUpdate): Promise<void> {
    const { connect, forkHeight } = pending;
    if ((connect.length === 0 && pending.change === undefined) || pending.isBroken) return;
    pending.isBroken = true;
    const change = pending.change ?? (await this.#store.change(forkHeight));
    pending.change = change;
    await change.connect(connect);
    pending.written();
    this.#outputs.settle();
    if (pending.mayBeSeen) await this.#commit(pending, change);
    pending.isBroken = false;
  }

  async #commit(pending: PendingUpdate, change: StoreChange): Promise<void> {
    const { state, forkHeight, disconnects, switchHeight } = pending;
    if (disconnects) await this.#reorganise(forkHeight, () => change.commit(), switchHeight);
    else await change.commit();
    this.#progress.advance({ height: state.height, ...pending.uncommitted });
    pending.committed();
    // From now on the store itself reports its content.
    this.#find = (outpoints) => this.#store.findUnspentOutputs(outpoints);
  }

  async #cancel(change: StoreChange): Promise<void> {
    this.#outputs = this.#freshOutputs();
    await change.cancel();
  }

  /** Yields to signals, messages and timers. */
  async #takeTurn(): Promise<void> {
    const now = performance.now();
    if (now - this.#lastTurn < turnMilliseconds) return;
    await nextTimeSlice();
    this.#lastTurn = performance.now();
  }

  async #stateAt(height: number): Promise<ChainState> {
    const headers = await this.#store.headers(height - medianTimeReach + 1, height);
    const last = headers.at(-1);
    if (last === undefined) return emptyChain;
    return {
      height,
      hash: last.header.hash,
      chainWork: last.chainWork,
      times: headers.map(({ header }) => header.time),
      nextTransactionNumber: last.nextTransactionNumber,
    };
  }

  async #hashAt(height: number): Promise<string | undefined> {
    const [stored] = await this.#store.headers(height, height);
    return stored === undefined ? undefined : displayHash(stored.header.hash);
  }

  #entryOf({ hash, header }: Pick<SourceHeader, "hash" | "header">): HeaderEntry {
    return { hash, previousHash: displayHash(header.previousHash), work: this.#headerWork.workOf(header.bits) };
  }

  #sourceEntryOf(source: SourceHeader): Entry {
    return { ...this.#entryOf(source), source };
  }

  #freshOutputs(): SpendableOutputs {
    this.#find = (outpoints) => this.#store.findUnspentOutputs(outpoints);
    return new SpendableOutputs((outpoints) => this.#find(outpoints));
  }
}

const tooDeep = `it leaves more than ${maximumReorganisation} blocks; if it is to be served, delete the data directory to index anew`;
const provenByWork = "it is followed when it has more work";

type FillIndex = (options: FillIndexOptions) => Promise<boolean>;

/** A header with its origin. */
interface Entry extends HeaderEntry {
  readonly source: SourceHeader;
}

/** Blocks that are verified and not yet committed. */
class PendingUpdate {
  /** Verified blocks that are not yet written. */
  connect: PlacedBlock[] = [];
  /** State of the chain including `connect`. */
  state: ChainState;
  /** Change that is open while something is written and not committed, and in a reorganization from the start. */
  change: StoreChange | undefined;
  /** Whether the next commit takes blocks off the best chain. */
  disconnects: boolean;
  /** Height that `RunIndexerOptions.reorganise` receives. */
  switchHeight: number | undefined;
  /** Whether a write has failed: nothing more may be written. */
  isBroken = false;
  /** Content of the next commit. */
  uncommitted: { readonly blocks: number; readonly transactions: number; readonly bytes: number } = nothing;
  /** Height of the tip below everything uncommitted. */
  forkHeight: number;
  #items = 0;
  #bytes = 0;
  #hiddenWork: bigint;
  readonly #isLighter: boolean;

  /**
   * Creates the update. The chain is hidden from readers until it has more work than `hiddenWork`. `reorganisation`: absent when no block
   * is disconnected.
   */
  constructor(
    state: ChainState,
    hiddenWork: bigint,
    reorganisation?: { readonly change: StoreChange; readonly isLighter: boolean },
  ) {
    this.state = state;
    this.forkHeight = state.height;
    this.change = reorganisation?.change;
    this.disconnects = reorganisation !== undefined;
    this.#isLighter = reorganisation?.isLighter === true;
    this.#hiddenWork = hiddenWork;
  }

  get mayBeSeen(): boolean {
    return this.state.chainWork > this.#hiddenWork;
  }

  add(connected: PlacedBlock): void {
    const { block } = connected;
    const { blocks, transactions, bytes } = this.uncommitted;
    this.connect.push(connected);
    this.state = extendChain(this.state, connected);
    if (this.mayBeSeen && !this.#isLighter) this.switchHeight ??= this.state.height;
    this.uncommitted = {
      blocks: blocks + 1,
      transactions: transactions + block.transactions.length,
      bytes: bytes + block.size,
    };
    this.#bytes += block.size;
    for (const { inputs, outputs } of block.transactions) this.#items += 1 + inputs.length + outputs.length;
  }

  exceeds({ blocks, items, bytes }: BatchLimits): boolean {
    return this.connect.length >= blocks || this.#items >= items || this.#bytes >= bytes;
  }

  written(): void {
    this.connect = [];
    this.#bytes = 0;
    this.#items = 0;
  }

  committed(): void {
    this.change = undefined;
    this.disconnects = false;
    this.forkHeight = this.state.height;
    this.uncommitted = nothing;
    this.#hiddenWork = 0n;
  }
}

const nothing = { blocks: 0, transactions: 0, bytes: 0 };
