/**
 * Program of a thread that scans batches: it is started with the memory and the mask, and responds to each order once its slot is filled.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { BatchMemory } from "./batch-memory.ts";
import { type BatchOrder, BatchScanner } from "./scan-batch.ts";

/** Start data of a thread. */
export interface ScanWorkerData {
  readonly memory: BatchMemory;
  readonly mask: Uint8Array;
}

const { memory, mask } = workerData as ScanWorkerData;
const scanner = new BatchScanner(memory, mask);

parentPort?.on("message", (order: BatchOrder) => {
  scanner.scan(order);
  parentPort?.postMessage(order.slot);
});
