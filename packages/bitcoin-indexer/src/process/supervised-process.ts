import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** A child process that is restarted when it dies. */
export interface SupervisedProcess {
  /** Process ID of the current child; `undefined` while no child runs. */
  readonly pid: number | undefined;
  /** Resolves when the child has ended permanently. */
  readonly ended: Promise<void>;
  /** Ends the child permanently: first by a request, then by a kill. Resolves when it is gone. */
  stop(): Promise<void>;
}

/** Options for supervising a child process. */
export interface SupervisionOptions {
  start(): ChildProcess;
  /** Callback for each unexpected end. The child is restarted after `delayMilliseconds`, if that is given. */
  onDeath(death: ChildDeath): void;
  /** Decides at each unexpected end whether the child restarts; by default always. */
  startsAgain?(end: ChildEnd): boolean;
  /** Returns before each restart whether the child made progress before it died, so that this death counts as the first. */
  hasAdvanced?(): boolean;
  /** Delay before the first restart in milliseconds; doubled with each, up to `longestDelayMilliseconds`. */
  readonly firstDelayMilliseconds?: number;
}

/** How a child process ended. */
export interface ChildEnd {
  /** Description for a person: `exit code 3`, `signal SIGKILL`, `could not be started (ENOENT)`. */
  readonly how: string;
  /** Whether it ended by itself, with exit code 0. */
  readonly succeeded: boolean;
  /** Whether it was killed from outside. */
  readonly wasKilled: boolean;
}

/** An unexpected end of a child process, and the delay before its restart in milliseconds, if it restarts. */
export interface ChildDeath {
  /** Description as in `ChildEnd`. */
  readonly how: string;
  readonly delayMilliseconds?: number;
}

const defaultFirstDelayMilliseconds = 500;
const maximumDelayMilliseconds = 30_000;
/** Lifetime in milliseconds after which a child counts as healthy: its next death is the first again. */
const healthyMilliseconds = 60_000;
/** Milliseconds between request and kill: the supervisor must itself be gone within two seconds. */
const graceMilliseconds = 1_000;

/** Starts a child process and keeps it running until it is stopped. */
export function superviseProcess(options: SupervisionOptions): SupervisedProcess {
  return new Supervision(options);
}

class Supervision implements SupervisedProcess {
  readonly ended: Promise<void>;
  readonly #options: SupervisionOptions;
  readonly #stopping = new AbortController();
  #child: ChildProcess | undefined;
  #deaths = 0;

  constructor(options: SupervisionOptions) {
    this.#options = options;
    this.ended = this.#run();
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const child = this.#child;
    child?.kill("SIGTERM");
    const killer = setTimeout(() => child?.kill("SIGKILL"), graceMilliseconds);
    await this.ended;
    clearTimeout(killer);
  }

  async #run(): Promise<void> {
    const { startsAgain, onDeath } = this.#options;
    while (!this.#stopping.signal.aborted) {
      const startedAt = performance.now();
      const end = await this.#runOnce();
      if (this.#stopping.signal.aborted) return;
      if (startsAgain?.(end) === false) {
        onDeath({ how: end.how });
        return;
      }
      const delayMilliseconds = this.#delayAfter(performance.now() - startedAt);
      onDeath({ how: end.how, delayMilliseconds });
      await sleep(delayMilliseconds, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
  }

  async #runOnce(): Promise<ChildEnd> {
    try {
      this.#child = this.#options.start();
      return await endOf(this.#child);
    } catch (error) {
      return notStarted(error);
    } finally {
      this.#child = undefined;
    }
  }

  /** Counts a death after this lifetime and returns the restart delay. */
  #delayAfter(livedMilliseconds: number): number {
    if (livedMilliseconds > healthyMilliseconds || this.#options.hasAdvanced?.() === true) this.#deaths = 0;
    const first = this.#options.firstDelayMilliseconds ?? defaultFirstDelayMilliseconds;
    const delay = Math.min(first * 2 ** this.#deaths, maximumDelayMilliseconds);
    this.#deaths += 1;
    return delay;
  }
}

/** Waits until a child is gone and everything that it has sent is received. */
function endOf(child: ChildProcess): Promise<ChildEnd> {
  return new Promise((resolve) => {
    child.once("close", (code, signal) => {
      resolve({
        how: signal === null ? `exit code ${code}` : `signal ${signal}`,
        succeeded: code === 0,
        wasKilled: signal !== null,
      });
    });
    child.on("error", (error) => {
      if (child.pid === undefined) resolve(notStarted(error));
    });
  });
}

function notStarted(error: unknown): ChildEnd {
  const reason = error instanceof Error && "code" in error ? String(error.code) : "no process";
  return { how: `could not be started (${reason})`, succeeded: false, wasKilled: false };
}
