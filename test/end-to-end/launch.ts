import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ReadyNode } from "../support/service.ts";
import { root } from "../support/workspace.ts";

/** A service run from its sources, and what it has said so far. */
export interface Launch {
  readonly child: ChildProcess;
  readonly pid: number;
  output(): string;
  errors(): string;
  /** Fulfilled at its end with exit code and signal. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

const patienceMilliseconds = 40_000;

/** Runs `nodewright-service` with these words. The caller ends it. */
export function launch(words: readonly string[], environment: Readonly<Record<string, string>> = {}): Launch {
  const [program = "", ...parameters] = commandOf(words);
  const child = spawn(program, parameters, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...environment },
  });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const ended = once(child, "close").then(() => ({ code: child.exitCode, signal: child.signalCode }));
  return { child, pid: child.pid ?? 0, output: () => output, errors: () => errors, ended };
}

/** The command that runs `nodewright-service` from its sources. */
export function commandOf(words: readonly string[]): readonly string[] {
  return [process.execPath, "--conditions=source", join(root, "packages/service/src/bin.ts"), ...words];
}

/** Waits until the ready file is there, and gives its nodes. */
export async function waitForNodes(launched: Launch, readyFile: string): Promise<readonly ReadyNode[]> {
  await waitFor(() => {
    if (launched.child.exitCode !== null) throw new Error(`It has ended: ${launched.errors()}`);
    return existsSync(readyFile);
  });
  const { nodes } = JSON.parse(readFileSync(readyFile, "utf8")) as { readonly nodes: readonly ReadyNode[] };
  return nodes;
}

/** Ends a service by a signal, and returns its exit code and signal. */
export async function endBy(launched: Launch, signal: NodeJS.Signals): Launch["ended"] {
  launched.child.kill(signal);
  return await launched.ended;
}

export async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMilliseconds;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error("Waited in vain");
    await sleep(20);
  }
}

/** The processes that descend from one, by /proc. */
export function descendantsOf(pid: number): readonly number[] {
  const children = readOfProcess(pid, `task/${pid}/children`).split(" ").filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** The command line of a process, its words ended by NUL; empty for one that has ended. */
export function commandLineOf(pid: number): string {
  return readOfProcess(pid, "cmdline");
}

export function isRunning(pid: number): boolean {
  return /^State:\s+[^ZX]/m.test(readOfProcess(pid, "status"));
}

/** Reads a file of a process, which can end at any moment: it is empty then. */
function readOfProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return "";
    throw error;
  }
}
