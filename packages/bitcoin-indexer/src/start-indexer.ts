import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { IndexerEvent } from "./indexer-event.ts";
import type { IndexerConfiguration } from "./source-configuration.ts";

export interface StartIndexerOptions extends IndexerConfiguration {
  readonly onEvent?: ((event: IndexerEvent) => void) | undefined;
}

/** An indexer in a process of its own. */
export interface IndexerProcess {
  /** The last event; `undefined` before the first. */
  readonly lastEvent: IndexerEvent | undefined;
  /** Of the process that indexes now; `undefined` when there is none. */
  readonly pid: number | undefined;
  /** Resolves when the indexer has ended for good: it had nothing more to do, has failed, or was stopped. */
  readonly ended: Promise<void>;
  /** Ends it at the next batch, and by force when that takes too long; what it has indexed stays. */
  stop(): Promise<void>;
}

/** After which a process that was asked to stop is killed; the index bears that. */
const stopMilliseconds = 1_500;

const firstRestartMilliseconds = 500;
const longestRestartMilliseconds = 30_000;

/** Starts an indexer in a process of its own, and starts it again should it die. */
export function startIndexer(options: StartIndexerOptions): IndexerProcess {
  return new SupervisedIndexer(options);
}

class SupervisedIndexer implements IndexerProcess {
  readonly ended: Promise<void>;
  readonly #configuration: IndexerConfiguration;
  readonly #onEvent: (event: IndexerEvent) => void;
  readonly #stopping = new AbortController();
  #child: ChildProcess | undefined;
  #lastEvent: IndexerEvent | undefined;

  constructor({ onEvent, directory, network, source }: StartIndexerOptions) {
    this.#configuration = { directory, network, source };
    this.#onEvent = onEvent ?? (() => undefined);
    this.ended = this.#supervise();
  }

  get lastEvent(): IndexerEvent | undefined {
    return this.#lastEvent;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const child = this.#child;
    child?.kill("SIGTERM");
    const force = setTimeout(() => child?.kill("SIGKILL"), stopMilliseconds);
    await this.ended;
    clearTimeout(force);
  }

  async #supervise(): Promise<void> {
    for (let pause = firstRestartMilliseconds; ; pause = Math.min(pause * 2, longestRestartMilliseconds)) {
      const heightBefore = this.#lastEvent?.height;
      const isDone = await this.#runOnce();
      if (isDone || this.#stopping.signal.aborted) return;
      if (this.#lastEvent?.height !== heightBefore) pause = firstRestartMilliseconds;
      await this.#pause(pause);
      if (this.#stopping.signal.aborted) return;
    }
  }

  /** False when the process died and may be started again. */
  async #runOnce(): Promise<boolean> {
    const child = forkIndexer();
    this.#child = child;
    child.on("message", (event: IndexerEvent) => this.#tell(event));
    child.send(this.#configuration, () => undefined);
    // Asked to stop while the process was made.
    if (this.#stopping.signal.aborted) child.kill("SIGTERM");
    const cause = await deathOf(child);
    this.#child = undefined;
    if (cause === undefined || this.#lastEvent?.state === "failed" || this.#stopping.signal.aborted) return true;
    this.#tellDeath(cause);
    return false;
  }

  #tell(event: IndexerEvent): void {
    this.#lastEvent = event;
    this.#onEvent(event);
  }

  #tellDeath(cause: string): void {
    const nothing = { height: -1, targetHeight: -1, blocks: 0, transactions: 0, bytes: 0, megabytesPerSecond: 0 };
    this.#tell({
      ...(this.#lastEvent ?? nothing),
      state: "stalled",
      reason: `The indexer process ended unexpectedly (${cause}); it is started again and goes on where it was.`,
    });
  }

  async #pause(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#stopping.signal.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

function forkIndexer(): ChildProcess {
  // From the sources, or from what was compiled of them.
  const isSource = import.meta.url.endsWith(".ts");
  const entry = new URL(isSource ? "./indexer-process.ts" : "./indexer-process.js", import.meta.url);
  return fork(fileURLToPath(entry), {
    execArgv: isSource ? ["--conditions=source"] : [],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

/** What ended a process; `undefined` when it ended as it should. */
async function deathOf(child: ChildProcess): Promise<string | undefined> {
  try {
    const [code, signal]: (number | NodeJS.Signals | null)[] = await once(child, "exit");
    return code === 0 ? undefined : String(signal ?? `exit code ${code}`);
  } catch (reason) {
    // The process could not be made.
    return reason instanceof Error && "code" in reason ? String(reason.code) : "no process";
  }
}
