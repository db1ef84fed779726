import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

/** A node run for a test. */
export interface NodeProgram {
  readonly pid: number;
  /** Ends it and waits until it is gone. May be called more than once. */
  stop(): Promise<void>;
}

export interface NodeProgramOptions {
  readonly path: string;
  readonly parameters: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Where it runs when not here. */
  readonly workingDirectory?: string;
  /** Asked again and again until it answers true. */
  isReady(): Promise<boolean>;
}

const startMilliseconds = 30_000;
const graceMilliseconds = 10_000;

/** Runs a node and waits until it is ready. Throws with what it printed when it does not become so; nothing is left over then. */
export async function startNodeProgram(options: NodeProgramOptions): Promise<NodeProgram> {
  const child = spawn(options.path, options.parameters, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...options.environment },
    cwd: options.workingDirectory,
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed = (printed + text).slice(-4_000)));
  const ended = once(child, "close").catch(() => undefined);
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    const killer = setTimeout(() => child.kill("SIGKILL"), graceMilliseconds);
    await ended;
    clearTimeout(killer);
  };
  const deadline = performance.now() + startMilliseconds;
  while (!(await options.isReady().catch(() => false))) {
    if (hasEnded(child) || performance.now() > deadline) {
      await stop();
      throw new Error(`${options.path} did not become ready:\n${printed}`);
    }
    await delay(50);
  }
  return { pid: child.pid ?? 0, stop };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}

/** Runs a program to its end. Throws with what it printed when it fails. */
export async function runProgram(path: string, parameters: readonly string[]): Promise<void> {
  const child = spawn(path, parameters, { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed = (printed + text).slice(-4_000)));
  const [status] = (await once(child, "close")) as [number | null];
  if (status !== 0) throw new Error(`${path} ${parameters.join(" ")} failed:\n${printed}`);
}
