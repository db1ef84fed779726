import { parseBlockHeader, toHex } from "@nodewright/bitcoin-primitives";
import { HeaderWork } from "../chain/header-work.ts";
import { medianTimeReach } from "../chain/connect-block.ts";
import { IndexerError } from "../basics/indexer-error.ts";
import type { ChainInFiles } from "../source/chain-in-files.ts";
import type { Environment, WriteTransaction } from "../store/environment.ts";
import { blocks, staleBlocks, type TipRow, tips } from "../store/layout.ts";
import { blockColumn } from "./batch-memory.ts";
import { BlockCopier } from "./block-copier.ts";
import { replaceOutputs } from "../store/replaced-outputs.ts";
import { BatchCursor, BlockJoiner } from "./block-joiner.ts";
import { BlockPlacer } from "./block-placer.ts";
import { type BulkLimits, defaultBulkLimits } from "./bulk-target.ts";
import { ChainBatches } from "./chain-batches.ts";
import type { ExtensionTarget } from "./extension-target.ts";
import type { BulkAdvance } from "./fill-index.ts";
import { GrownOutputs } from "./grown-outputs.ts";
import { createSorters } from "./joined-rows.ts";
import { RoundRows } from "./round-rows.ts";
import { ScanPool, type ScannedBatch } from "./scan-pool.ts";

export interface ExtendIndexOptions {
  readonly target: ExtensionTarget;
  /** Chain on top of the tip. */
  readonly chain: ChainInFiles;
  readonly signal: AbortSignal;
  readonly limits?: Partial<BulkLimits> | undefined;
  /** Limits at which a round is committed: like those of a batch of blocks, but checked between two batches of blocks. */
  readonly roundLimits: { readonly items: number; readonly bytes: number };
  readonly onAdvance: (advance: BulkAdvance) => void;
}

/**
 * Size in bytes of a small index. A round holds each page of the tables in memory that it changes: of a smaller index at most all of them,
 * of a larger one as many as it has items, and more.
 */
const smallIndex = 256_000_000;
const itemsInLargeIndex = 50_000;

/**
 * Extends an index by the blocks of a chain in files, in rounds, each of them one transaction: readers see one after the other.
 *
 * Ends at the chain's end, below the first block that is bad or was on the best chain before, or when `signal` is aborted, which also ends
 * the current round. Committed rounds stay in any case.
 */
export async function extendIndex(options: ExtendIndexOptions): Promise<void> {
  const extender = new IndexExtender(options);
  try {
    await extender.run();
  } finally {
    await extender.close();
  }
}

class IndexExtender {
  readonly #target: ExtensionTarget;
  readonly #environment: Environment;
  readonly #chain: ChainInFiles;
  readonly #signal: AbortSignal;
  readonly #roundLimits: ExtendIndexOptions["roundLimits"];
  readonly #onAdvance: (advance: BulkAdvance) => void;
  readonly #batches: ChainBatches;
  readonly #pool: ScanPool;
  readonly #copier: BlockCopier;
  readonly #placer: BlockPlacer;
  readonly #sorters = createSorters(Number.POSITIVE_INFINITY);
  readonly #outputs: GrownOutputs;
  readonly #joiner: BlockJoiner;
  readonly #rows: RoundRows;
  #isSmall: boolean;
  #tip: TipRow;
  #transaction: WriteTransaction | undefined;
  /** Bytes of blocks in this round. */
  #bytes = 0;

  constructor({ target, chain, signal, limits, roundLimits, onAdvance }: ExtendIndexOptions) {
    const { environment, blocksInPlace, addressesOf } = target;
    const { batchBytes, threads } = { ...defaultBulkLimits, ...limits };
    this.#target = target;
    this.#environment = environment;
    this.#chain = chain;
    this.#signal = signal;
    this.#roundLimits = roundLimits;
    this.#onAdvance = onAdvance;
    this.#tip = target.tip;
    this.#isSmall = target.size < smallIndex;
    this.#batches = new ChainBatches(chain, batchBytes);
    this.#pool = new ScanPool(threads, chain.mask);
    this.#copier = new BlockCopier(target.blocksDirectory, this.#tip.blocksEnd);
    this.#placer = new BlockPlacer({ environment, copier: this.#copier, blocksInPlace, mask: chain.mask });
    this.#outputs = new GrownOutputs(
      environment,
      target.transactions,
      this.#sorters.unspent,
      this.#tip.nextTransactionNumber,
    );
    const headerWork = new HeaderWork(target.network);
    const parts = { environment, unspent: this.#outputs, sorters: this.#sorters, headerWork, addressesOf };
    this.#joiner = new BlockJoiner(parts, stateOf(environment, this.#tip));
    this.#rows = new RoundRows(environment);
  }

  async run(): Promise<void> {
    let next = this.#tip.height + 1;
    if (!(await this.#reaches(next)) || !this.#standsOnTip()) return;
    for (;;) {
      while (next <= this.#chain.height && this.#pool.hasCapacity) {
        next = this.#batches.order(this.#pool, next, this.#chain.height);
      }
      if (this.#pool.isIdle) {
        if (await this.#reaches(next)) continue;
        break;
      }
      const batch = await this.#pool.take();
      if (!(await this.#joinBatch(batch))) return;
      this.#pool.release();
      if (this.#signal.aborted) return;
      if (this.#isRoundFull()) await this.#commit();
    }
    await this.#commit();
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#transaction?.cancel();
    this.#copier.close();
  }

  /**
   * Returns whether there is, or will be, a block at this height. Waits until that is known, and commits the current state when it cannot
   * be determined.
   */
  async #reaches(height: number): Promise<boolean> {
    if (height <= this.#chain.height) return true;
    try {
      return (await this.#chain.growth?.reaches(height)) === true;
    } catch (reason) {
      if (!this.#signal.aborted) await this.#commit();
      throw reason;
    }
  }

  #standsOnTip(): boolean {
    const { previousHash } = parseBlockHeader(this.#chain.blockAt(this.#tip.height + 1).header);
    return toHex(previousHash) === this.#joiner.chain.hash;
  }

  /**
   * Joins a batch. Returns false when a block can't be joined this way; the blocks joined below it in this round are then left to the code
   * that finds out why.
   */
  async #joinBatch(batch: ScannedBatch): Promise<boolean> {
    this.#transaction ??= this.#environment.begin();
    const { words, bytes } = batch;
    const cursor = new BatchCursor(batch);
    for (let block = cursor.next(); block !== undefined; block = cursor.next()) {
      const height = this.#joiner.chain.height + 1;
      const file = this.#chain.blockAt(height);
      if (this.#environment.has(staleBlocks, file.hash)) return false;
      this.#outputs.arena.reserve(BlockJoiner.wordsFor(words, block));
      const address = words[block + blockColumn.address] ?? 0;
      const isGood = this.#joiner.join(cursor, block, file, () => this.#placer.place(bytes, address, file));
      if (!isGood) {
        await this.#checkAgain(height);
        return false;
      }
      this.#bytes += file.length;
    }
    this.#copier.flush();
    this.#chain.growth?.taken(this.#joiner.chain.height);
    return true;
  }

  async #checkAgain(height: number): Promise<void> {
    if ((await this.#chain.growth?.discardIfDoubtful(height)) !== true) return;
    throw new IndexerError("bad-block", `Block ${height} came damaged from its source. Trying again.`, { retry: true });
  }

  #isRoundFull(): boolean {
    const items = this.#sorters.scripts.length + this.#sorters.numbers.length;
    const most = this.#isSmall ? this.#roundLimits.items : Math.min(this.#roundLimits.items, itemsInLargeIndex);
    return items >= most || this.#bytes >= this.#roundLimits.bytes;
  }

  async #commit(): Promise<void> {
    const transaction = this.#transaction;
    const { height, nextTransactionNumber } = this.#joiner.chain;
    if (transaction === undefined || height === this.#tip.height) return;
    this.#copier.sync();
    this.#chain.growth?.sync();
    this.#joiner.writeOpenRows();
    this.#outputs.addRows();
    const { removed } = this.#outputs;
    await this.#rows.write(this.#sorters, removed, this.#tip.nextTransactionNumber, this.#signal);
    const before = this.#tip;
    for (const key of this.#rows.repeatedKeys()) {
      replaceOutputs(this.#environment, this.#target.transactions, key, before.nextTransactionNumber);
    }
    const tip = {
      ...before,
      height,
      nextTransactionNumber,
      blocksEnd: this.#blocksEnd(height),
      changes: before.changes + 1,
    };
    this.#environment.put(tips, [], tip);
    await transaction.commit();
    this.#transaction = undefined;
    this.#tip = tip;
    this.#outputs.settle(nextTransactionNumber);
    await this.#target.settle(tip);
    this.#isSmall = this.#target.size < smallIndex;
    const transactions = nextTransactionNumber - before.nextTransactionNumber;
    this.#onAdvance({ height, blocks: height - before.height, transactions, bytes: this.#bytes });
    this.#bytes = 0;
  }

  #blocksEnd(height: number): TipRow["blocksEnd"] {
    if (this.#chain.growth === undefined) return this.#copier.end;
    const { position, length } = this.#chain.blockAt(height);
    return position === undefined ? this.#copier.end : { file: position.file, offset: position.offset + length };
  }
}

/** Returns the state on which the next block builds. */
function stateOf(
  environment: Environment,
  { height, nextTransactionNumber }: TipRow,
): ConstructorParameters<typeof BlockJoiner>[1] {
  const times: number[] = [];
  for (let below = Math.max(0, height - medianTimeReach + 1); below <= height; below += 1) {
    const row = environment.get(blocks, below);
    if (row !== undefined) times.push(parseBlockHeader(row.header).time);
  }
  const top = environment.get(blocks, height);
  if (top === undefined) throw new Error(`No block at height ${height}`);
  return { height, hash: toHex(top.hash), nextTransactionNumber, chainWork: top.chainWork.toString(), times };
}
