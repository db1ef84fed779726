import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** A child process that is started again when it dies. */
export interface SupervisedProcess {
  /** Of the child that runs now; `undefined` when there is none. */
  readonly pid: number | undefined;
  /** Resolves when the child has ended for good. */
  readonly ended: Promise<void>;
  /** Ends the child for good: asks, then kills. Resolves when it is gone. */
  stop(): Promise<void>;
}

export interface SupervisionOptions {
  start(): ChildProcess;
  /** Told of each end that nobody asked for. The child is started again after `delayMilliseconds`, if that is given. */
  onDeath(death: ChildDeath): void;
  /** Asked at each end that nobody asked for; the default is to start again always. */
  startsAgain?(end: ChildEnd): boolean;
  /** Asked before each repetition: whether the child did something before it died, so that this death counts as the first. */
  hasAdvanced?(): boolean;
  /** Before the first repetition; doubled with each, up to `longestDelayMilliseconds`. */
  readonly firstDelayMilliseconds?: number;
}

export interface ChildEnd {
  /** For a person: `exit code 3`, `signal SIGKILL`, `could not be started (ENOENT)`. */
  readonly how: string;
  /** Whether it ended by itself, with exit code 0. */
  readonly succeeded: boolean;
  /** Whether somebody else ended it. */
  readonly wasKilled: boolean;
}

export interface ChildDeath {
  /** As in `ChildEnd`. */
  readonly how: string;
  readonly delayMilliseconds?: number;
}

const defaultFirstDelayMilliseconds = 500;
const longestDelayMilliseconds = 30_000;
/** A child that lived so long is taken to have been well: its next death is the first again. */
const healthyMilliseconds = 60_000;
/** Between asking and killing: whoever supervises is to be gone within two seconds itself. */
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

  /** Counts a death, of a child that lived so long. */
  #delayAfter(livedMilliseconds: number): number {
    if (livedMilliseconds > healthyMilliseconds || this.#options.hasAdvanced?.() === true) this.#deaths = 0;
    const first = this.#options.firstDelayMilliseconds ?? defaultFirstDelayMilliseconds;
    const delay = Math.min(first * 2 ** this.#deaths, longestDelayMilliseconds);
    this.#deaths += 1;
    return delay;
  }
}

/** Waits until a child is gone and all that it has sent is received. */
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
