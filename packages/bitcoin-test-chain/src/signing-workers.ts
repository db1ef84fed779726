import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { SigningTask } from "./sign-transaction.ts";
import type { SignedTransaction } from "./signed-transaction.ts";

export interface SigningWorkersOptions {
  readonly count: number;
  readonly seed: number;
  readonly scripts: number;
  readonly hotScripts: number;
}

const isSource = import.meta.url.endsWith(".ts");

/** Threads that sign. The order of results, and every byte, is the same with any number of them. */
export class SigningWorkers {
  readonly #workers: readonly Worker[];

  constructor({ count, ...workerData }: SigningWorkersOptions) {
    // From the sources, or from their compiled output.
    const program = isSource
      ? new URL("./signing-worker.ts", import.meta.url)
      : new URL("./signing-worker.js", import.meta.url);
    const execArgv = isSource ? ["--conditions=source"] : [];
    this.#workers = Array.from({ length: count }, () => new Worker(program, { workerData, execArgv }));
    for (const worker of this.#workers) worker.unref();
  }

  async sign(tasks: readonly SigningTask[]): Promise<readonly SignedTransaction[]> {
    const share = Math.ceil(tasks.length / this.#workers.length);
    const parts = this.#workers.map((worker, index) =>
      callWorker(worker, tasks.slice(index * share, (index + 1) * share)),
    );
    return (await Promise.all(parts)).flat();
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

async function callWorker(worker: Worker, tasks: readonly SigningTask[]): Promise<readonly SignedTransaction[]> {
  if (tasks.length === 0) return [];
  // During a wait, the thread keeps the process alive.
  worker.ref();
  worker.postMessage(tasks);
  // Fails when the worker does: `once` listens for "error" too.
  const [response] = (await once(worker, "message")) as [readonly SignedTransaction[]];
  worker.unref();
  return response;
}
