import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** A child process that is started again when it dies. */
export interface SupervisedProcess {
  /** Ends the child for good: asks, then kills. Resolves when it is gone. */
  stop(): Promise<void>;
}

export interface SupervisionOptions {
  start(): ChildProcess;
  /** Told of each end that nobody asked for. The child is started again after `delayMilliseconds`, if that is given. */
  onDeath(death: ChildDeath): void;
  /** Asked at each end that nobody asked for; the default is to start again always. */
  startsAgain?(): boolean;
  /** Before the first repetition; doubled with each, up to `longestDelayMilliseconds`. */
  readonly firstDelayMilliseconds?: number;
}

export interface ChildDeath {
  /** For a person: `exit code 3`, `signal SIGKILL`, `could not be started (ENOENT)`. */
  readonly how: string;
  readonly delayMilliseconds?: number;
}

const defaultFirstDelayMilliseconds = 500;
const longestDelayMilliseconds = 30_000;
/** A child that lived so long is taken to have been well: its next death is the first again. */
const healthyMilliseconds = 60_000;
/** Between asking and killing: a stop of the whole service takes less than two seconds. */
const graceMilliseconds = 1_000;

/** Starts a child process and keeps it running until it is stopped. */
export function superviseProcess(options: SupervisionOptions): SupervisedProcess {
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  const run = async (): Promise<void> => {
    let deaths = 0;
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      child = options.start();
      const how = await endOf(child);
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > healthyMilliseconds) deaths = 0;
      if (options.startsAgain?.() === false) {
        options.onDeath({ how });
        return;
      }
      const delayMilliseconds = delayAfter(deaths, options.firstDelayMilliseconds ?? defaultFirstDelayMilliseconds);
      deaths += 1;
      options.onDeath({ how, delayMilliseconds });
      await sleep(delayMilliseconds, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const ended = run();
  return {
    async stop() {
      stopping.abort();
      if (child !== undefined) await endProcess(child);
      await ended;
    },
  };
}

/** Asks a child to end, kills it if it does not, and waits until it is gone. */
async function endProcess(child: ChildProcess, grace: number = graceMilliseconds): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = endOf(child);
  child.kill("SIGTERM");
  const killer = setTimeout(() => child.kill("SIGKILL"), grace);
  await ended;
  clearTimeout(killer);
}

function delayAfter(deaths: number, first: number): number {
  return Math.min(first * 2 ** deaths, longestDelayMilliseconds);
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve(`could not be started (${error.code ?? error.message})`);
    });
  });
}
