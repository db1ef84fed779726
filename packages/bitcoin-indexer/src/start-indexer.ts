import type { ChildProcess } from "node:child_process";
import { forkProgram } from "./process/fork-program.ts";
import type { IndexerEvent } from "./sync/indexer-event.ts";
import type { IndexerMessage } from "./indexer-message.ts";
import type { MempoolProgress } from "./mempool/mempool-progress.ts";
import type { OptionalIndexSelection, OptionalProgress } from "./optional/optional-progress.ts";
import { type OptionalIndexesProcess, prepareOptionalIndexes } from "./optional/start-optional-indexes.ts";
import { type IndexerConfiguration, repairHintOf } from "./source-configuration.ts";
import type { ReportRepair } from "./sync/repair-blocks.ts";
import {
  type ChildDeath,
  type ChildEnd,
  type SupervisedProcess,
  superviseProcess,
} from "./process/supervised-process.ts";

/** Options of an indexer in a process of its own. */
export interface StartIndexerOptions extends IndexerConfiguration {
  /** Optional indexes that are kept next to the main one, in a process of their own, once there is a main one. */
  readonly optional?: OptionalIndexSelection | undefined;
  readonly onOptional?: ((progress: OptionalProgress) => void) | undefined;
  readonly onEvent?: ((event: IndexerEvent) => void) | undefined;
  /** Callback for each refresh of the mempool, also a failed one. */
  readonly onMempool?: ((progress: MempoolProgress) => void) | undefined;
  /** Callback for the outcome of repairing each damaged block. */
  readonly onRepair?: ReportRepair | undefined;
}

/** An indexer in a process of its own. */
export interface IndexerProcess {
  /** Last event; `undefined` before the first. */
  readonly lastEvent: IndexerEvent | undefined;
  /** State of the mempool; `undefined` before its first refresh, and always without a node. */
  readonly mempool: MempoolProgress | undefined;
  /** States of the optional indexes, each as it was reported last. */
  readonly optional: readonly OptionalProgress[];
  /**
   * Time of the node's last usable response to the indexer, in milliseconds since 1970; `undefined` before that, and always without a node.
   */
  readonly respondedAt: number | undefined;
  /** Process ID of the current indexer process; `undefined` while no process runs. */
  readonly pid: number | undefined;
  /** Resolves when the indexer has ended permanently: it had nothing more to do, has failed, or was stopped. */
  readonly ended: Promise<void>;
  /** Ends it at the next batch, and by force when that takes too long. Indexed blocks stay. */
  stop(): Promise<void>;
}

/**
 * Starts an indexer in a process of its own, and restarts it when it dies, which is reported as `stalled`.
 *
 * It ends with this process, however that ends. Its configuration is sent as a message: it may contain credentials, and every user of the
 * machine sees arguments.
 */
export function startIndexer(options: StartIndexerOptions): IndexerProcess {
  return new SupervisedIndexer(options);
}

class SupervisedIndexer implements IndexerProcess {
  readonly #configuration: IndexerConfiguration;
  readonly #onEvent: (event: IndexerEvent) => void;
  readonly #onMempool: (progress: MempoolProgress) => void;
  readonly #onRepair: ReportRepair;
  readonly #process: SupervisedProcess;
  readonly #optional: OptionalIndexesProcess | undefined;
  #mempool: MempoolProgress | undefined;
  #lastEvent: IndexerEvent | undefined;
  #heightAtDeath: number | undefined;
  #respondedAt: number | undefined;

  constructor({ onEvent, onMempool, onRepair, optional, onOptional, ...configuration }: StartIndexerOptions) {
    this.#configuration = configuration;
    this.#onEvent = onEvent ?? (() => undefined);
    this.#onMempool = onMempool ?? (() => undefined);
    this.#onRepair = onRepair ?? (() => undefined);
    this.#process = superviseProcess({
      start: () => this.#fork(),
      startsAgain: (end) => this.#startsAgain(end),
      hasAdvanced: () => this.#hasAdvanced(),
      onDeath: (death) => this.#reportExit(death),
    });
    if (optional?.blockFilters !== true && optional?.coinStatistics !== true) return;
    const { directory, network } = configuration;
    const repairHint = repairHintOf(configuration.source);
    const onProgress = onOptional ?? (() => undefined);
    const indexes = prepareOptionalIndexes({ ...optional, directory, network, repairHint, onProgress });
    this.#optional = indexes;
    void this.#process.ended.then(() => indexes.reportComplete());
  }

  get lastEvent(): IndexerEvent | undefined {
    return this.#lastEvent;
  }

  get mempool(): MempoolProgress | undefined {
    return this.#mempool;
  }

  get optional(): readonly OptionalProgress[] {
    return this.#optional?.progress ?? [];
  }

  get respondedAt(): number | undefined {
    return this.#respondedAt;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get ended(): Promise<void> {
    return this.#process.ended;
  }

  async stop(): Promise<void> {
    await Promise.all([this.#process.stop(), this.#optional?.stop()]);
  }

  #fork(): ChildProcess {
    const child = forkProgram("./indexer-process", import.meta.url);
    // A process that could not be created has no channel. The channel of others may break at once; their end is reported in any case.
    if (child.pid === undefined) return child;
    child.on("message", (message: IndexerMessage) => {
      if ("mempool" in message) this.#reportMempool(message.mempool);
      else if ("repair" in message) this.#onRepair(message.repair);
      else if ("respondedAt" in message) this.#respondedAt = message.respondedAt;
      else this.#notify(message);
    });
    child.send(this.#configuration, () => undefined);
    return child;
  }

  /** Returns whether the indexer restarts. One that has indexed everything, or has met a permanent failure, has ended for good. */
  #startsAgain({ succeeded, wasKilled }: ChildEnd): boolean {
    const state = this.#lastEvent?.state;
    return wasKilled || (state !== "failed" && !(succeeded && state === "ready"));
  }

  #hasAdvanced(): boolean {
    const height = this.#lastEvent?.height;
    const hasAdvanced = this.#heightAtDeath !== height;
    this.#heightAtDeath = height;
    return hasAdvanced;
  }

  #reportExit({ how, delayMilliseconds }: ChildDeath): void {
    if (delayMilliseconds === undefined) return;
    // It has reported itself why it could not start.
    if (this.#lastEvent?.state === "stalled" && how === "exit code 1") return;
    // LMDB's lock files are mapped into memory.
    const hint = how === "signal SIGBUS" ? ", as it does when its disk is full" : "";
    const nothing = { height: -1, targetHeight: -1, blocks: 0, transactions: 0, bytes: 0, megabytesPerSecond: 0 };
    this.#notify({
      ...(this.#lastEvent ?? nothing),
      state: "stalled",
      reason: `The indexer's process has ended (${how}${hint}); starting it again in ${delayMilliseconds / 1_000} s.`,
    });
  }

  #reportMempool(progress: MempoolProgress): void {
    this.#mempool = progress;
    this.#onMempool(progress);
  }

  #notify(event: IndexerEvent): void {
    this.#lastEvent = event;
    // While blocks are indexed in bulk they use all resources.
    if (event.state !== "indexing") this.#optional?.reportChanged();
    this.#onEvent(event);
  }
}
