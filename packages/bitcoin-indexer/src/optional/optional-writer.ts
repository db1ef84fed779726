import { setImmediate as nextTimeSlice } from "node:timers/promises";
import { type BlockHash, displayHash } from "@nodewright/bitcoin-primitives";
import type { BlockRecord, ChainQueries } from "../query/chain-queries.ts";
import { Environment } from "../store/environment.ts";
import { assertSpace } from "../basics/store-failure.ts";
import { indexedBlock } from "./indexed-block.ts";
import { finishOptionalDirectory, optionalDirectory, prepareOptionalDirectory } from "./optional-directory.ts";
import { type OptionalIndexKind, type OptionalRow, type OptionalTables, optionalTables } from "./optional-table.ts";

/** Position of an optional index relative to the main one. */
export interface OptionalStanding {
  /** Height; -1 while the index has no block. */
  readonly height: number;
  /** Height of the main index; -1 while it has no block. */
  readonly targetHeight: number;
  /** Whether the index has every block of the main one. */
  readonly isLevel: boolean;
}

/** Limits at which a batch is committed, whichever is reached first. */
export interface OptionalBatchLimits {
  readonly blocks: number;
  readonly milliseconds: number;
  /** Bytes of rows, which are held in memory until then. */
  readonly bytes: number;
}

const defaultLimits: OptionalBatchLimits = { blocks: 2_000, milliseconds: 1_000, bytes: 2_000_000 };

/** Number of rows of disconnected blocks in one transaction. */
const disconnectedAtOnce = 500;

/** Maximum time in milliseconds without handling signals and messages, as far as blocks are small. */
const turnMilliseconds = 50;

/** An encoded row. */
interface WrittenRow {
  readonly height: number;
  readonly bytes: Buffer;
}

/**
 * Writer of one optional index, a batch at a time: rows and their tip are committed together, so that the index always matches some block's
 * chain, however the process ends. The caller ensures that there is one writer for each data directory.
 */
export class OptionalIndexWriter<Row extends OptionalRow> {
  readonly #kind: OptionalIndexKind<Row>;
  readonly #tables: OptionalTables<Row>;
  readonly #environment: Environment;
  readonly #limits: OptionalBatchLimits;
  #lastTurn = 0;

  /** Opens the index. Throws `IndexerError` when the directory can't be used. */
  constructor(dataDirectory: string, kind: OptionalIndexKind<Row>, limits: OptionalBatchLimits = defaultLimits) {
    const directory = optionalDirectory(dataDirectory, kind.name);
    this.#kind = kind;
    this.#tables = optionalTables(kind);
    this.#limits = limits;
    prepareOptionalDirectory(directory, kind);
    assertSpace(directory.path);
    this.#environment = new Environment(directory.rows, "write", { tables: this.#tables.all });
    if (this.#environment.get(this.#tables.tips) === undefined) this.#commitTip(-1, () => undefined);
    finishOptionalDirectory(directory);
    this.#environment.forgetDeadReaders();
  }

  /** Advances the index towards the main one, by one batch. If `signal` is aborted, the work so far is kept. */
  async advance(chain: ChainQueries, signal: AbortSignal): Promise<OptionalStanding> {
    const tip = await chain.tip();
    if (tip === undefined) return { height: this.#height(), targetHeight: -1, isLevel: false };
    const fork = await this.#forkHeight(chain, tip.height);
    if (fork < Math.min(this.#height(), tip.height)) this.#disconnectTo(fork);
    // A main index that is being rebuilt lags for a while: rows above it are valid, and wait.
    else if (this.#height() < tip.height) await this.#connect(chain, tip.height, signal);
    const height = this.#height();
    return { height, targetHeight: tip.height, isLevel: this.#hashAt(tip.height) === tip.hash };
  }

  async close(): Promise<void> {
    await this.#environment.close();
  }

  /** Returns the highest height, up to `most`, at which both have the same block; -1 if they have none in common. */
  async #forkHeight(chain: ChainQueries, most: number): Promise<number> {
    for (let height = Math.min(this.#height(), most); height >= 0; height -= 1) {
      const block = await chain.blockByHeight(height);
      if (block !== undefined && this.#hashAt(height) === block.hash) return height;
    }
    return -1;
  }

  /** Disconnects rows down to `fork`, the highest first, and not all at once: a reorganization may be of any length. */
  #disconnectTo(fork: number): void {
    const top = this.#height();
    const next = Math.max(fork, top - disconnectedAtOnce);
    const { best, stale } = this.#tables;
    this.#commitTip(next, () => {
      for (let height = top; height > next; height -= 1) {
        const row = this.#rowAt(height);
        this.#environment.put(stale, [row.hash], row);
        this.#environment.remove(best, height);
      }
    });
  }

  async #connect(chain: ChainQueries, target: number, signal: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    const rows: WrittenRow[] = [];
    let bytes = 0;
    let height = this.#height();
    let below = height < 0 ? undefined : this.#rowAt(height);
    const isFull = (): boolean =>
      rows.length >= this.#limits.blocks ||
      bytes >= this.#limits.bytes ||
      performance.now() - startedAt >= this.#limits.milliseconds;
    while (height < target && !signal.aborted && !isFull()) {
      const block = await chain.blockByHeight(height + 1);
      // The chain may have been reorganized since the last one.
      if (block === undefined || block.previousHash !== (below && displayHash(below.hash))) break;
      below = await this.#rowOf(chain, block, below);
      height += 1;
      const written = this.#tables.best.encode(below, height);
      bytes += written.length;
      rows.push({ height, bytes: written });
      await this.#takeTurn();
    }
    if (rows.length > 0) this.#write(rows, height);
  }

  /** Yields to signals, messages and the other optional index. */
  async #takeTurn(): Promise<void> {
    if (performance.now() - this.#lastTurn < turnMilliseconds) return;
    await nextTimeSlice();
    this.#lastTurn = performance.now();
  }

  /** Returns the row of a block. One that was on the best chain before already has its row. */
  async #rowOf(chain: ChainQueries, block: BlockRecord, below: Row | undefined): Promise<Row> {
    const read = indexedBlock(chain, block);
    return this.#environment.get(this.#tables.stale, read.hash) ?? (await this.#kind.rowOf(read, below));
  }

  #write(rows: readonly WrittenRow[], height: number): void {
    const { best } = this.#tables;
    this.#commitTip(height, () => {
      for (const row of rows) this.#environment.putBytes(best, best.key(row.height), row.bytes, false);
    });
  }

  #commitTip(height: number, change: () => void): void {
    this.#environment.write(() => {
      change();
      this.#environment.put(this.#tables.tips, [], height);
    });
  }

  #height(): number {
    return this.#environment.get(this.#tables.tips) ?? -1;
  }

  #hashAt(height: number): BlockHash | undefined {
    const row = height > this.#height() ? undefined : this.#environment.get(this.#tables.best, height);
    return row && displayHash(row.hash);
  }

  #rowAt(height: number): Row {
    const row = this.#environment.get(this.#tables.best, height);
    if (row === undefined) throw new Error(`The ${this.#kind.title} have no row at height ${height}`);
    return row;
  }
}
