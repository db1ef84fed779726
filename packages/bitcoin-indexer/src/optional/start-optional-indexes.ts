import type { ChildProcess } from "node:child_process";
import { forkProgram } from "../process/fork-program.ts";
import { type ChildDeath, type SupervisedProcess, superviseProcess } from "../process/supervised-process.ts";
import type { MessageFromOptional, MessageToOptional, OptionalConfiguration } from "./optional-message.ts";
import type { OptionalIndexName, OptionalProgress } from "./optional-progress.ts";

export interface StartOptionalIndexesOptions extends Omit<OptionalConfiguration, "kind"> {
  onProgress(progress: OptionalProgress): void;
}

/** Process that keeps optional indexes. */
export interface OptionalIndexesProcess {
  /** Last report of each index; those without a report are missing. */
  readonly progress: readonly OptionalProgress[];
  /** Process ID of the current process; `undefined` while no process runs. */
  readonly pid: number | undefined;
  /** Signals that the main index has changed. The first signal starts the process. */
  reportChanged(): void;
  /** Signals that the main index has changed for the last time: the process ends when it has all of it. */
  reportComplete(): void;
  stop(): Promise<void>;
}

/** Prepares a process for the selected indexes. It is started with the first notification of a change. */
export function prepareOptionalIndexes(options: StartOptionalIndexesOptions): OptionalIndexesProcess {
  return new SupervisedOptionalIndexes(options);
}

class SupervisedOptionalIndexes implements OptionalIndexesProcess {
  readonly #configuration: OptionalConfiguration;
  readonly #onProgress: (progress: OptionalProgress) => void;
  readonly #progress = new Map<OptionalIndexName, OptionalProgress>();
  #process: SupervisedProcess | undefined;
  #child: ChildProcess | undefined;
  #isComplete = false;
  #isStopped = false;
  #heightsAtDeath: string | undefined;

  constructor({ onProgress, ...configuration }: StartOptionalIndexesOptions) {
    this.#configuration = { kind: "configuration", ...configuration };
    this.#onProgress = onProgress;
  }

  get progress(): readonly OptionalProgress[] {
    return [...this.#progress.values()];
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  reportChanged(): void {
    if (this.#isStopped) return;
    this.#process ??= superviseProcess({
      start: () => this.#fork(),
      startsAgain: ({ succeeded }) => !succeeded && !this.#hasFailed(),
      hasAdvanced: () => this.#hasAdvanced(),
      onDeath: (death) => this.#reportExit(death),
    });
    this.#send({ kind: "changed" });
  }

  reportComplete(): void {
    this.#isComplete = true;
    this.#send({ kind: "complete" });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#process?.stop();
  }

  #fork(): ChildProcess {
    const child = forkProgram("../optional-process", import.meta.url);
    this.#child = child;
    // A process that could not be created has no channel. The channel of others may break at once; their end is reported in any case.
    if (child.pid === undefined) return child;
    child.on("message", (progress: MessageFromOptional) => this.#notify(progress));
    this.#send(this.#configuration);
    if (this.#isComplete) this.#send({ kind: "complete" });
    return child;
  }

  #send(message: MessageToOptional): void {
    if (this.#child?.connected === true) this.#child.send(message, () => undefined);
  }

  /** Returns whether all indexes have reported that they can't continue. */
  #hasFailed(): boolean {
    return this.progress.length > 0 && this.progress.every(({ state }) => state === "failed");
  }

  #hasAdvanced(): boolean {
    const heights = this.progress.map(({ height }) => height).join();
    const hasAdvanced = this.#heightsAtDeath !== heights;
    this.#heightsAtDeath = heights;
    return hasAdvanced;
  }

  #reportExit({ how, delayMilliseconds }: ChildDeath): void {
    if (delayMilliseconds === undefined) return;
    const { blockFilters, coinStatistics } = this.#configuration;
    const chosen: OptionalIndexName[] = [];
    if (blockFilters === true) chosen.push("block-filters");
    if (coinStatistics === true) chosen.push("coin-statistics");
    for (const index of chosen) {
      const last = this.#progress.get(index);
      // It has reported itself why it could not start.
      if (last?.state === "failed" || (last?.state === "stalled" && how === "exit code 1")) continue;
      this.#notify({
        index,
        state: "stalled",
        height: last?.height ?? -1,
        targetHeight: last?.targetHeight ?? -1,
        reason: `The process of the optional indexes has ended (${how}); starting it again in ${delayMilliseconds / 1_000} s.`,
      });
    }
  }

  #notify(progress: OptionalProgress): void {
    this.#progress.set(progress.index, progress);
    this.#onProgress(progress);
  }
}
