import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Task of a process that watches an index. */
export interface WatchTask {
  /** Directory of an index of regtest. */
  readonly directory: string;
  /** Transactions that are only on one of two branches, for each branch. */
  readonly branches: readonly (readonly string[])[];
  /** Hash of a script that transactions of both branches pay. */
  readonly scriptHash: string;
  readonly forkHeight: number;
  /** Number of blocks of the longer branch. */
  readonly depth: number;
}

/** Report of a process that watches an index. */
export interface WatchReport {
  readonly rounds: number;
  /** Number of different blocks that were the tip. */
  readonly tips: number;
  /** Descriptions of results that mix two chains. */
  readonly inconsistencies: readonly string[];
}

/** Runs a process that reads an index while `action` changes it, and returns its report. */
export async function watchIndex(order: WatchTask, action: () => Promise<void>): Promise<WatchReport> {
  const program = fileURLToPath(new URL("./watching-process.ts", import.meta.url));
  const child = fork(program, { execArgv: ["--conditions=source"], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  try {
    child.send(order);
    await once(child, "message");
    await action();
    child.send("report");
    const [report] = await once(child, "message");
    return report;
  } finally {
    child.kill();
  }
}
