import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** Order of a flipping process. */
export interface FlipOrder {
  /** Directory of an index of regtest. */
  readonly directory: string;
  readonly forkHeight: number;
  /** Serialized blocks of each branch, upward, in hex. */
  readonly branches: readonly (readonly string[])[];
}

/** Runs a process that reorganizes an index again and again, and kills it `milliseconds` after its first commit. */
export async function killFlipping(order: FlipOrder, milliseconds: number): Promise<void> {
  const program = fileURLToPath(new URL("./flipping-process.ts", import.meta.url));
  const child = fork(program, { execArgv: ["--conditions=source"], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const ended = once(child, "exit");
  child.send(order);
  await once(child, "message");
  await sleep(milliseconds);
  child.kill("SIGKILL");
  await ended;
}
