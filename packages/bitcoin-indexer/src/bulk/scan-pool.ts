import { Worker } from "node:worker_threads";
import { type BatchMemory, createBatchMemory } from "./batch-memory.ts";
import { type BatchOrder, BatchScanner } from "./scan-batch.ts";
import type { ScanWorkerData } from "./scan-worker.ts";

/** Slots of each thread: one that is joined, one that waits, one that is filled, and one so that no thread waits. */
const slotsPerThread = 4;

/** A batch with its present or future slot. */
export interface PendingBatch {
  readonly slot: number;
  readonly firstHeight: number;
  readonly count: number;
}

interface Thread {
  /** Undefined where the ordering thread scans the batches itself. */
  readonly worker: Worker | undefined;
  readonly scanner: BatchScanner | undefined;
  readonly memory: BatchMemory;
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  readonly free: number[];
}

/** A scanned batch with its location. */
export interface ScannedBatch extends PendingBatch {
  readonly memory: BatchMemory;
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
}

/** Pool of threads that read and scan blocks, batch by batch. The batches are returned in chain order. */
export class ScanPool {
  readonly #threads: readonly Thread[];
  /** Batches in chain order. */
  readonly #pending: {
    readonly batch: PendingBatch;
    readonly thread: Thread;
    readonly order: BatchOrder;
    isScanned: boolean;
  }[] = [];
  #wake: (() => void) | undefined;
  #failure: unknown;
  #next = 0;

  /** Starts the threads. Without threads, batches are scanned when they are taken. */
  constructor(threads: number, mask: Uint8Array) {
    this.#threads = threads === 0 ? [scanningHere(mask)] : Array.from({ length: threads }, () => this.#start(mask));
  }

  /** Whether another batch can be ordered now. */
  get hasCapacity(): boolean {
    return this.#threadOf(this.#next).free.length > 0;
  }

  get isIdle(): boolean {
    return this.#pending.length === 0;
  }

  /** Orders the scan of the next batch of the chain. There must be a free slot. */
  order(firstHeight: number, count: number, order: Omit<BatchOrder, "slot">): void {
    const thread = this.#threadOf(this.#next);
    const slot = thread.free.pop();
    if (slot === undefined) throw new Error("No slot is free");
    this.#next += 1;
    const whole = { ...order, slot };
    this.#pending.push({ batch: { slot, firstHeight, count }, thread, order: whole, isScanned: false });
    thread.worker?.postMessage(whole);
  }

  /** Returns the lowest ordered batch. It stays in its slot until `release`. */
  async take(): Promise<ScannedBatch> {
    const first = this.#pending[0];
    if (first === undefined) throw new Error("No batch was ordered");
    const { scanner } = first.thread;
    if (scanner !== undefined && !first.isScanned) {
      scanner.scan(first.order);
      first.isScanned = true;
    }
    while (!first.isScanned) {
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const { memory, bytes, words } = first.thread;
    return { ...first.batch, memory, bytes, words };
  }

  /** Releases the batch that `take` returned. */
  release(): void {
    const first = this.#pending.shift();
    first?.thread.free.push(first.batch.slot);
  }

  async close(): Promise<void> {
    for (const { scanner } of this.#threads) scanner?.close();
    await Promise.all(this.#threads.map(({ worker }) => worker?.terminate()));
  }

  #threadOf(order: number): Thread {
    const thread = this.#threads[order % this.#threads.length];
    if (thread === undefined) throw new Error("No thread");
    return thread;
  }

  #start(mask: Uint8Array): Thread {
    const memory = createBatchMemory(slotsPerThread);
    const worker = createWorker({ memory, mask });
    const thread = threadOf(memory, worker, undefined);
    worker.on("message", (slot: number) => {
      const scanned = this.#pending.find((item) => item.thread === thread && item.batch.slot === slot);
      if (scanned !== undefined) scanned.isScanned = true;
      this.#wake?.();
    });
    worker.on("error", (reason) => {
      this.#failure = reason;
      this.#wake?.();
    });
    return thread;
  }
}

function scanningHere(mask: Uint8Array): Thread {
  const memory = createBatchMemory(1);
  return threadOf(memory, undefined, new BatchScanner(memory, mask));
}

function threadOf(memory: BatchMemory, worker: Worker | undefined, scanner: BatchScanner | undefined): Thread {
  return {
    worker,
    scanner,
    memory,
    bytes: new Uint8Array(memory.memory.buffer),
    words: new Uint32Array(memory.memory.buffer),
    free: Array.from(memory.slots.keys()),
  };
}

function createWorker(workerData: ScanWorkerData): Worker {
  // From the sources, or from their compiled output.
  const isSource = import.meta.url.endsWith(".ts");
  const program = new URL(isSource ? "./scan-worker.ts" : "./scan-worker.js", import.meta.url);
  return new Worker(program, { workerData, execArgv: isSource ? ["--conditions=source"] : [] });
}
