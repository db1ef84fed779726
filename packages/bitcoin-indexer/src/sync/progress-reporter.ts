import type { IndexerError } from "../basics/indexer-error.ts";
import type { IndexerEvent, IndexerState } from "./indexer-event.ts";

/** Milliseconds between two events of mere progress. */
const pauseMilliseconds = 250;

/** Content of a batch. */
interface Advance {
  readonly height: number;
  readonly blocks: number;
  readonly transactions: number;
  readonly bytes: number;
}

/** Reporter that converts an indexer's steps to events: every change of state at once, mere progress periodically. */
export class ProgressReporter {
  readonly #onEvent: (event: IndexerEvent) => void;
  readonly #startedAt = performance.now();
  #reportedAt = 0;
  #reported: { readonly state: IndexerState; readonly reason?: string | undefined } | undefined;
  #height = -1;
  #targetHeight = -1;
  #blocks = 0;
  #transactions = 0;
  #bytes = 0;

  constructor(onEvent: (event: IndexerEvent) => void) {
    this.#onEvent = onEvent;
  }

  /** Records the height of the index before a round. */
  start(height: number): void {
    this.#height = height;
  }

  /** Records the height of the source. */
  aim(height: number): void {
    this.#targetHeight = height;
    // Trouble is over when a block is indexed, not at the retry.
    if (height > this.#height && !this.#hasTrouble()) this.report("indexing");
  }

  advance({ height, blocks, transactions, bytes }: Advance): void {
    this.#height = height;
    this.#blocks += blocks;
    this.#transactions += transactions;
    this.#bytes += bytes;
    if (this.#hasTrouble() || performance.now() - this.#reportedAt >= pauseMilliseconds) this.#send("indexing");
  }

  /** Reports a state unless it is the one that was reported last, at the same height and for the same reason. */
  report(state: IndexerState, error?: IndexerError): void {
    const isSame = this.#reported?.state === state && this.#reported.reason === error?.message;
    if (isSame && state !== "ready") return;
    this.#send(state, error);
  }

  #hasTrouble(): boolean {
    return this.#reported?.state === "stalled" || this.#reported?.state === "failed";
  }

  #send(state: IndexerState, error?: IndexerError): void {
    this.#reported = { state, reason: error?.message };
    this.#reportedAt = performance.now();
    const seconds = (this.#reportedAt - this.#startedAt) / 1_000;
    const left = this.#targetHeight - this.#height;
    this.#onEvent({
      state,
      height: this.#height,
      targetHeight: this.#targetHeight,
      blocks: this.#blocks,
      transactions: this.#transactions,
      bytes: this.#bytes,
      megabytesPerSecond: seconds === 0 ? 0 : this.#bytes / 1_000_000 / seconds,
      ...(this.#blocks > 0 && left > 0 ? { secondsLeft: (left * seconds) / this.#blocks } : {}),
      ...(error === undefined ? {} : { reason: error.message }),
      ...(error?.place === undefined ? {} : { place: error.place }),
    });
  }
}
