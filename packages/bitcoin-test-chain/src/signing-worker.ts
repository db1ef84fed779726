import { parentPort, workerData } from "node:worker_threads";
import { realKeys } from "./real-keys.ts";
import { ScriptBook } from "./script-book.ts";
import { createTransactionSigner, type SigningTask } from "./sign-transaction.ts";

/** Signs batches of tasks, and responds to each with the signed transactions in the same order. */
const { seed, scripts, hotScripts } = workerData as { seed: number; scripts: number; hotScripts: number };
const book = new ScriptBook({ seed, scripts, hotScripts, keys: realKeys(seed) });
const sign = createTransactionSigner(book, seed);

parentPort?.on("message", (tasks: readonly SigningTask[]) => {
  parentPort?.postMessage(tasks.map(sign));
});
