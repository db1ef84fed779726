import { setImmediate as nextTurn } from "node:timers/promises";
import { type BlockHash, displayHash } from "@nodewright/bitcoin-primitives";
import type { BlockRecord, ChainQueries } from "../query/chain-queries.ts";
import { Environment } from "../store/environment.ts";
import { assertRoom } from "../store-failure.ts";
import { indexedBlock } from "./indexed-block.ts";
import { finishOptionalDirectory, optionalDirectory, prepareOptionalDirectory } from "./optional-directory.ts";
import { type OptionalIndexKind, type OptionalRow, type OptionalTables, optionalTables } from "./optional-table.ts";

/** How an optional index stands to the main one. */
export interface OptionalStanding {
  /** -1 while the index has no block. */
  readonly height: number;
  /** Of the main index; -1 while it has no block. */
  readonly targetHeight: number;
  /** Whether the index has every block of the main one. */
  readonly isLevel: boolean;
}

/** When a batch is committed, whichever comes first. */
export interface OptionalBatchLimits {
  readonly blocks: number;
  readonly milliseconds: number;
  /** Of rows: they are held in memory until then. */
  readonly bytes: number;
}

const defaultLimits: OptionalBatchLimits = { blocks: 2_000, milliseconds: 1_000, bytes: 2_000_000 };

/** Rows of blocks that went off the best chain, in one transaction. */
const disconnectedAtOnce = 500;

/** Longest time without looking at signals and messages, as far as blocks are small. */
const turnMilliseconds = 50;

/** A row that is spelled. */
interface WrittenRow {
  readonly height: number;
  readonly bytes: Buffer;
}

/**
 * Writes one optional index, a batch at a time: rows and the tip that they reach are committed together, so that whatever ends the
 * process leaves an index of some block's chain. One writer for each data directory, which the caller sees to.
 */
export class OptionalIndexWriter<Row extends OptionalRow> {
  readonly #kind: OptionalIndexKind<Row>;
  readonly #tables: OptionalTables<Row>;
  readonly #environment: Environment;
  readonly #limits: OptionalBatchLimits;
  #lastTurn = 0;

  /** Throws `IndexerError` when the directory can't be used. */
  constructor(dataDirectory: string, kind: OptionalIndexKind<Row>, limits: OptionalBatchLimits = defaultLimits) {
    const directory = optionalDirectory(dataDirectory, kind.name);
    this.#kind = kind;
    this.#tables = optionalTables(kind);
    this.#limits = limits;
    prepareOptionalDirectory(directory, kind);
    assertRoom(directory.path);
    this.#environment = new Environment(directory.rows, "write", { tables: this.#tables.all });
    if (this.#environment.get(this.#tables.tips) === undefined) this.#commitTip(-1, () => undefined);
    finishOptionalDirectory(directory);
    this.#environment.forgetDeadReaders();
  }

  /** Brings the index nearer to the main one, by one batch. `signal` aborted: what is done until then is kept. */
  async advance(chain: ChainQueries, signal: AbortSignal): Promise<OptionalStanding> {
    const tip = await chain.tip();
    if (tip === undefined) return { height: this.#height(), targetHeight: -1, isLevel: false };
    const fork = await this.#forkHeight(chain, tip.height);
    if (fork < Math.min(this.#height(), tip.height)) this.#disconnectTo(fork);
    // A main index that is made anew is behind for a while: what stands above it is right, and waits.
    else if (this.#height() < tip.height) await this.#connect(chain, tip.height, signal);
    const height = this.#height();
    return { height, targetHeight: tip.height, isLevel: this.#hashAt(tip.height) === tip.hash };
  }

  async close(): Promise<void> {
    await this.#environment.close();
  }

  /** The highest height, up to `most`, at which both have the same block; -1 when there is none. */
  async #forkHeight(chain: ChainQueries, most: number): Promise<number> {
    for (let height = Math.min(this.#height(), most); height >= 0; height -= 1) {
      const block = await chain.blockByHeight(height);
      if (block !== undefined && this.#hashAt(height) === block.hash) return height;
    }
    return -1;
  }

  /** The highest rows first, and not all at once: a reorganisation may be of any length. */
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
      // The chain may have been reorganised since the last one.
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

  /** Lets signals and messages be seen, and the other optional index go on. */
  async #takeTurn(): Promise<void> {
    if (performance.now() - this.#lastTurn < turnMilliseconds) return;
    await nextTurn();
    this.#lastTurn = performance.now();
  }

  /** One that was on the best chain before has its row. */
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
