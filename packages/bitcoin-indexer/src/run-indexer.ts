import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { getSystemErrorName } from "node:util";
import { displayHash, parseBlock } from "@nodewright/bitcoin-primitives";
import { explainBadBlock } from "./chain/bad-block.ts";
import { type ChainUpdate, type HeaderEntry, planChainUpdate } from "./chain/chain-update.ts";
import { type ChainState, connectBlock, emptyChain, extendChain, medianTimeReach } from "./chain/connect-block.ts";
import type { ConnectedBlock } from "./chain/connected-block.ts";
import { HeaderWork } from "./chain/header-work.ts";
import { SpendableOutputs } from "./chain/spendable-outputs.ts";
import { verifyBlock } from "./chain/verify-block.ts";
import { IndexerError, isIndexerError } from "./indexer-error.ts";
import type { IndexerEvent } from "./indexer-event.ts";
import { ProgressReporter } from "./progress-reporter.ts";
import type { BlockSource, KnownChain, SourceBlock, SourceHeader } from "./source/block-source.ts";
import type { IndexStore } from "./store/index-store.ts";

/** When a batch is committed, whichever comes first. */
export interface BatchLimits {
  readonly blocks: number;
  /** Transactions, inputs and outputs: what rows are made of. */
  readonly items: number;
  /** Of blocks: they are held in memory until then. */
  readonly bytes: number;
}

export interface RunIndexerOptions {
  readonly store: IndexStore;
  readonly source: BlockSource;
  readonly onEvent?: ((event: IndexerEvent) => void) | undefined;
  /** Aborted: the blocks that are connected are committed, and `runIndexer` returns. */
  readonly signal?: AbortSignal | undefined;
  readonly batchLimits?: BatchLimits | undefined;
}

/** Small enough that a batch takes well under a second, within which an indexer must be able to stop. */
const defaultBatchLimits: BatchLimits = { blocks: 1_000, items: 50_000, bytes: 16_000_000 };

/** Longest time without looking at signals and messages. */
const turnMilliseconds = 50;

const firstRetryMilliseconds = 500;
const longestRetryMilliseconds = 30_000;

/**
 * Indexes what a source has and goes on as it grows; does not close store or source.
 *
 * Returns when `signal` is aborted, or when a source that never changes is indexed whole. Failures that may pass are tried again with
 * growing pauses, and told as `stalled`; others are told as `failed` and thrown as `IndexerError`. Whatever happens, the store holds
 * every block up to the last good one, and running again goes on there.
 */
export async function runIndexer(options: RunIndexerOptions): Promise<void> {
  await new Indexer(options).run();
}

class Indexer {
  readonly #store: IndexStore;
  readonly #source: BlockSource;
  readonly #signal: AbortSignal;
  readonly #limits: BatchLimits;
  readonly #progress: ProgressReporter;
  readonly #headerWork: HeaderWork;
  #outputs: SpendableOutputs;
  #lastTurn = 0;

  constructor({ store, source, onEvent, signal, batchLimits }: RunIndexerOptions) {
    this.#store = store;
    this.#source = source;
    this.#signal = signal ?? new AbortController().signal;
    this.#limits = batchLimits ?? defaultBatchLimits;
    this.#progress = new ProgressReporter(onEvent ?? (() => undefined));
    this.#headerWork = new HeaderWork(store.network);
    this.#outputs = this.#freshOutputs();
  }

  async run(): Promise<void> {
    let retryMilliseconds = firstRetryMilliseconds;
    while (!this.#signal.aborted) {
      try {
        const hasMore = await this.#advance();
        retryMilliseconds = firstRetryMilliseconds;
        if (hasMore) continue;
        this.#progress.report("ready");
        if (this.#source.changed === undefined) return;
        await this.#source.changed(this.#signal);
      } catch (reason) {
        if (this.#signal.aborted) break;
        this.#outputs = this.#freshOutputs();
        // A source that never changes gives the same answer again.
        const mayPass = isIndexerError(reason) && reason.retry && this.#source.changed !== undefined;
        if (!mayPass) throw this.#fail(reason);
        this.#progress.report("stalled", reason);
        await sleep(retryMilliseconds, undefined, { signal: this.#signal }).catch(() => undefined);
        retryMilliseconds = Math.min(retryMilliseconds * 2, longestRetryMilliseconds);
      }
    }
    this.#progress.report("stopped");
  }

  /** What the system refuses is told in one sentence; what is a mistake of ours is thrown as it is, for its stack. */
  #fail(reason: unknown): unknown {
    const failure = isIndexerError(reason) ? reason : storeFailure(reason);
    this.#progress.report("failed", failure);
    return systemErrorName(reason) === undefined ? reason : failure;
  }

  /** One round: asks the source, plans, applies. False when there is nothing to do. */
  async #advance(): Promise<boolean> {
    const tip = await this.#store.tip();
    this.#progress.start(tip.height);
    const known: KnownChain = { height: tip.height, hashAt: (height) => this.#hashAt(height) };
    const chain = await this.#source.chain(known, this.#signal);
    this.#progress.aim(chain.height);
    const first = chain.headers[0];
    if (first === undefined) return false;
    const top = await this.#store.headers(first.height - 1, tip.height);
    const update = planChainUpdate(
      top.map((header) => this.#entryOf(header)),
      chain.headers.map((header) => this.#sourceEntryOf(header)),
    );
    if (update === undefined) {
      throw new IndexerError("bad-block", `${this.#source.name} gave headers that stand on no known block.`, {
        retry: true,
      });
    }
    if (update.connect.length === 0) return false;
    await this.#apply(update, first.height - 1);
    return true;
  }

  /** The order of the failures matters: good blocks before a bad one are kept, unless they only make a reorganisation possible. */
  async #apply(update: ChainUpdate<Entry>, forkHeight: number): Promise<void> {
    const disconnect = await this.#disconnect(update.disconnect, forkHeight);
    const headers = update.connect.map(({ source }) => source);
    const pending = new PendingUpdate(await this.#stateAt(forkHeight), disconnect);
    try {
      let index = 0;
      for await (const sourceBlock of this.#source.blocks(headers, this.#signal)) {
        const header = headers[index];
        if (header === undefined) break;
        index += 1;
        await this.#connect(pending, sourceBlock, header);
        if (pending.exceeds(this.#limits)) await this.#commit(pending);
        await this.#takeTurn();
        if (this.#signal.aborted) break;
      }
    } finally {
      await this.#commit(pending);
    }
  }

  async #disconnect(entries: readonly HeaderEntry[], forkHeight: number): Promise<readonly ConnectedBlock[]> {
    if (entries.length === 0) return [];
    this.#outputs = this.#freshOutputs();
    const blocks: ConnectedBlock[] = [];
    for (let height = forkHeight + entries.length; height > forkHeight; height -= 1) {
      const block = await this.#store.connectedBlock(height);
      this.#outputs.disconnect(block);
      blocks.push(block);
    }
    return blocks;
  }

  async #connect(
    pending: PendingUpdate,
    { bytes, origin }: SourceBlock,
    { hash, height }: SourceHeader,
  ): Promise<void> {
    try {
      const block = parseBlock(bytes);
      verifyBlock(block, { hash, previousHash: pending.state.hash }, this.#headerWork);
      await this.#outputs.fetch(block);
      pending.add(connectBlock(block, pending.state, this.#outputs, this.#headerWork));
    } catch (reason) {
      throw explainBadBlock(reason, origin, height, this.#store.network);
    }
  }

  async #commit(pending: PendingUpdate): Promise<void> {
    if (!pending.isWorthMore || pending.connect.length === 0) return;
    const { disconnect, connect, bytes, transactions } = pending;
    await this.#store.apply({ disconnect, connect });
    this.#outputs.settle();
    this.#progress.advance({ height: pending.state.height, blocks: connect.length, transactions, bytes });
    pending.clear();
  }

  /** Lets signals, messages and timers be seen. */
  async #takeTurn(): Promise<void> {
    const now = performance.now();
    if (now - this.#lastTurn < turnMilliseconds) return;
    await nextTurn();
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
    return new SpendableOutputs((outpoints) => this.#store.findUnspentOutputs(outpoints));
  }
}

/** A header that knows where it came from. */
interface Entry extends HeaderEntry {
  readonly source: SourceHeader;
}

/** Blocks that are verified and not yet committed. */
class PendingUpdate {
  disconnect: readonly ConnectedBlock[];
  connect: ConnectedBlock[] = [];
  /** The chain with `connect`. */
  state: ChainState;
  bytes = 0;
  transactions = 0;
  #items = 0;
  readonly #replacedWork: bigint;

  constructor(state: ChainState, disconnect: readonly ConnectedBlock[]) {
    this.state = state;
    this.disconnect = disconnect;
    this.#replacedWork = disconnect[0]?.chainWork ?? 0n;
  }

  /** Whether the chain has more work than the one it replaces: before that, it must not be seen. */
  get isWorthMore(): boolean {
    return this.state.chainWork > this.#replacedWork;
  }

  add(connected: ConnectedBlock): void {
    const { block } = connected;
    this.connect.push(connected);
    this.state = extendChain(this.state, connected);
    this.bytes += block.size;
    this.transactions += block.transactions.length;
    for (const { inputs, outputs } of block.transactions) this.#items += 1 + inputs.length + outputs.length;
  }

  exceeds({ blocks, items, bytes }: BatchLimits): boolean {
    return this.connect.length >= blocks || this.#items >= items || this.bytes >= bytes;
  }

  clear(): void {
    this.disconnect = [];
    this.connect = [];
    this.bytes = 0;
    this.transactions = 0;
    this.#items = 0;
  }
}

function storeFailure(cause: unknown): IndexerError {
  const name = systemErrorName(cause);
  const code = name === undefined ? "" : ` (${name})`;
  return new IndexerError(
    "directory-unusable",
    `The index can't be written${code}: check the free space and the permissions of its data directory.`,
    { cause },
  );
}

/** For example `ENOSPC`: Node gives it as text, LMDB as its positive number or as a negative one of its own. */
function systemErrorName(reason: unknown): string | undefined {
  if (isIndexerError(reason) || !(reason instanceof Error) || !("code" in reason)) return undefined;
  const { code } = reason;
  return typeof code === "number" && code > 0 ? getSystemErrorName(-code) : String(code);
}
