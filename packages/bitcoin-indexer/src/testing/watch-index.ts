import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Order of a watching process. */
export interface WatchOrder {
  /** Directory of an index of regtest. */
  readonly directory: string;
  /** Transactions for each of two branches that are on it alone. */
  readonly branches: readonly (readonly string[])[];
  /** Hash of a script that transactions of both branches pay. */
  readonly scriptHash: string;
  readonly forkHeight: number;
  /** Number of blocks of the longer branch. */
  readonly depth: number;
}

/** Report of a watching process. */
export interface WatchReport {
  readonly rounds: number;
  /** Number of different blocks that were the tip. */
  readonly tips: number;
  /** Sentences about results that no single chain gives. */
  readonly mixtures: readonly string[];
}

/** Runs a process that reads an index while `action` changes it, and returns its report. */
export async function watchIndex(order: WatchOrder, action: () => Promise<void>): Promise<WatchReport> {
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
