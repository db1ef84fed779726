import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Memory options, in megabytes: a larger space for young objects is filled and kept by the garbage of a batch. */
const memoryOptions = ["--max-semi-space-size=8"];

/**
 * Starts a program of this package as a child process: the module with this name, relative to the one with the URL `base`, from the sources
 * or their compiled output, as `base` is.
 */
export function forkProgram(name: string, base: string): ChildProcess {
  const isSource = base.endsWith(".ts");
  return fork(fileURLToPath(new URL(`${name}${isSource ? ".ts" : ".js"}`, base)), {
    execArgv: [...(isSource ? ["--conditions=source"] : []), ...memoryOptions],
    // glibc keeps freed memory in as many arenas as there are threads: with a mempool these were hundreds of megabytes.
    env: { MALLOC_ARENA_MAX: "1", ...process.env },
    // Standard input is the pipe that closes with this process (`endWithParent`); standard output is for results of this process.
    stdio: ["pipe", "ignore", "inherit", "ipc"],
  });
}
