import { parentPort, workerData } from "node:worker_threads";
import { realKeys } from "./real-keys.ts";
import { ScriptBook } from "./script-book.ts";
import { type SigningTask, signTransaction } from "./sign-transaction.ts";

/** Signs batches of tasks, each answered by the signed transactions in the same order. */
const { seed, scripts, hotScripts } = workerData as { seed: number; scripts: number; hotScripts: number };
const book = new ScriptBook({ seed, scripts, hotScripts, keys: realKeys(seed) });

parentPort?.on("message", (tasks: readonly SigningTask[]) => {
  parentPort?.postMessage(tasks.map((task) => signTransaction(task, book, seed)));
});
