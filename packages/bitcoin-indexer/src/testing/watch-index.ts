import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What a watching process looks at. */
export interface WatchOrder {
  /** Of an index of regtest. */
  readonly directory: string;
  /** For each of two branches, transactions that are on it alone. */
  readonly branches: readonly (readonly string[])[];
  /** A script that transactions of both branches pay. */
  readonly scriptHash: string;
  readonly forkHeight: number;
  /** Blocks of the longer branch. */
  readonly depth: number;
}

/** What it has seen. */
export interface WatchReport {
  readonly rounds: number;
  /** Different blocks that were the tip. */
  readonly tips: number;
  /** Sentences about answers that no single chain gives. */
  readonly mixtures: readonly string[];
}

/** Reads an index in a process of its own while `action` changes it, and gives what that process has seen. */
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
