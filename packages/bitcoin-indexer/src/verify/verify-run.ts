import { setImmediate as nextTimeSlice } from "node:timers/promises";
import type { OptionalIndexName } from "../optional/optional-progress.ts";
import type { IndexDamage } from "./index-damage.ts";

/** Progress of a verification. */
export interface VerifyProgress {
  /**
   * Phase: `pages` of the tables, `blocks` of the block files, `rebuild` of the tables from the blocks, `rows` of both compared. An
   * optional index has only `pages` and `rows`.
   */
  readonly phase: "pages" | "blocks" | "rebuild" | "rows";
  /** Optional index; absent for the main index. */
  readonly index?: OptionalIndexName;
  readonly done: number;
  readonly total: number;
}

export interface VerifyRunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: VerifyProgress) => void) | undefined;
  /** Callback for each damaged place when it is found. */
  readonly onDamage?: ((damage: IndexDamage) => void) | undefined;
}

/** Maximum time in milliseconds without handling signals and messages. */
const turnMilliseconds = 50;

/** Reporter of the damage of one index and of the progress of its verification. */
export class VerifyRun {
  readonly signal: AbortSignal;
  readonly #options: VerifyRunOptions;
  readonly #index: { readonly index?: OptionalIndexName };
  #damaged = 0;
  #turnStarted = 0;

  /** Creates the run. `index`: absent for the main index. */
  constructor(options: VerifyRunOptions, index?: OptionalIndexName) {
    this.signal = options.signal ?? new AbortController().signal;
    this.#options = options;
    this.#index = index === undefined ? {} : { index };
  }

  /** Number of damaged places that were reported. */
  get damaged(): number {
    return this.#damaged;
  }

  report(damage: IndexDamage): void {
    this.#damaged += 1;
    this.#options.onDamage?.({ ...this.#index, ...damage });
  }

  reportProgress(progress: VerifyProgress): void {
    this.#options.onProgress?.({ ...this.#index, ...progress });
  }

  /** Yields to signals, messages and timers. Throws when the signal is aborted. */
  async takeTurn(progress: VerifyProgress): Promise<void> {
    if (performance.now() - this.#turnStarted < turnMilliseconds) return;
    this.reportProgress(progress);
    await nextTimeSlice();
    this.signal.throwIfAborted();
    this.#turnStarted = performance.now();
  }
}
