import { setImmediate as nextTimeSlice, setTimeout as sleep } from "node:timers/promises";
import { type IndexerError, isIndexerError } from "../basics/indexer-error.ts";
import type { ChainQueries } from "../query/chain-queries.ts";
import { storeFailure } from "../basics/store-failure.ts";
import type { OptionalProgress } from "./optional-progress.ts";
import type { OptionalIndexKind, OptionalRow } from "./optional-table.ts";
import { type OptionalBatchLimits, OptionalIndexWriter, type OptionalStanding } from "./optional-writer.ts";

export interface FollowOptions<Row extends OptionalRow> {
  /** Data directory of the main index. */
  readonly dataDirectory: string;
  readonly kind: OptionalIndexKind<Row>;
  readonly chain: ChainQueries;
  readonly signal: AbortSignal;
  readonly limits?: OptionalBatchLimits | undefined;
  /** Resolves when the main index may have changed, or the signal is aborted. */
  changed(signal: AbortSignal): Promise<void>;
  /** Returns whether the main index has changed for the last time. */
  isComplete(): boolean;
  onProgress(progress: OptionalProgress): void;
}

const firstRetryMilliseconds = 500;
const maximumRetryMilliseconds = 30_000;

/** Milliseconds between two messages of mere progress. */
const pauseMilliseconds = 250;

/**
 * Builds an optional index and keeps it level with the main one.
 *
 * Returns when `signal` is aborted, when the main index has changed for the last time and this one has all of it, or when it can't
 * continue, which is reported as `failed`. A temporary failure, such as a full disk, is reported as `stalled` and retried with growing
 * pauses.
 */
export async function followMainIndex<Row extends OptionalRow>(options: FollowOptions<Row>): Promise<void> {
  await new Follower(options).run();
}

class Follower<Row extends OptionalRow> {
  readonly #options: FollowOptions<Row>;
  #writer: OptionalIndexWriter<Row> | undefined;
  #standing: OptionalStanding = { height: -1, targetHeight: -1, isLevel: false };
  #reported: OptionalProgress | undefined;
  #reportedAt = 0;
  #retryMilliseconds = firstRetryMilliseconds;

  constructor(options: FollowOptions<Row>) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    try {
      while (!signal.aborted) {
        try {
          if (await this.#advance()) return;
        } catch (reason) {
          if (signal.aborted || !(await this.#recover(reason))) return;
        }
      }
    } finally {
      await this.#writer?.close();
    }
  }

  /** Runs one batch, or waits for changes. Returns true when nothing more can come. */
  async #advance(): Promise<boolean> {
    const { dataDirectory, kind, chain, signal, limits, changed, isComplete } = this.#options;
    // Read before: changes after this are handled in the next round.
    const wasComplete = isComplete();
    this.#writer ??= new OptionalIndexWriter(dataDirectory, kind, limits);
    const before = this.#standing.height;
    this.#standing = await this.#writer.advance(chain, signal);
    this.#retryMilliseconds = firstRetryMilliseconds;
    const { isLevel, height, targetHeight } = this.#standing;
    this.#notify({ index: kind.name, state: isLevel ? "ready" : "indexing", height, targetHeight });
    if (isLevel && wasComplete) return true;
    if (isLevel || height === before) await changed(signal);
    else await nextTimeSlice();
    return false;
  }

  /** Waits until a retry may succeed. Returns false when it never will. */
  async #recover(reason: unknown): Promise<boolean> {
    const failure: IndexerError = isIndexerError(reason) ? reason : storeFailure(reason);
    // The stack of a bug of ours should be visible.
    if (!failure.retry && !isIndexerError(reason)) console.error(reason);
    const { height, targetHeight } = this.#standing;
    const state = failure.retry ? "stalled" : "failed";
    this.#notify({ index: this.#options.kind.name, state, height, targetHeight, reason: failure.message });
    if (!failure.retry) return false;
    await this.#writer?.close();
    this.#writer = undefined;
    await sleep(this.#retryMilliseconds, undefined, { signal: this.#options.signal }).catch(() => undefined);
    this.#retryMilliseconds = Math.min(this.#retryMilliseconds * 2, maximumRetryMilliseconds);
    return true;
  }

  /** Reports changes of state at once, and mere progress periodically. */
  #notify(progress: OptionalProgress): void {
    const reported = this.#reported;
    const isSame = reported?.state === progress.state && reported.reason === progress.reason;
    const hasMoved = reported?.height !== progress.height || reported.targetHeight !== progress.targetHeight;
    const now = performance.now();
    if (isSame && (!hasMoved || (progress.state === "indexing" && now - this.#reportedAt < pauseMilliseconds))) return;
    this.#reported = progress;
    this.#reportedAt = now;
    this.#options.onProgress(progress);
  }
}
