import { Worker } from "node:worker_threads";

/**
 * Program of the watching thread: nothing is ever written to the pipe, which ends when the parent does. It is a string, because loading a
 * module costs a thread more memory than all the rest of it, and because a main thread that is busy already can't help to load one.
 */
const program = `
  const { Socket } = require("node:net");
  const kill = () => process.kill(process.pid, "SIGKILL");
  new Socket({ fd: 0 }).on("error", kill).on("close", kill).resume();
`;

/** Memory limits in megabytes. */
const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };

/**
 * Kills this process as soon as its parent is gone, however that ended. Standard input must be a pipe of which the parent holds the other
 * end: the operating system closes it.
 *
 * A thread of its own watches the pipe, because the main thread may be busy for a minute and would not notice before. There is no cleanup:
 * everything that these processes write survives `kill -9`.
 */
export function endWithParent(): void {
  new Worker(program, { eval: true, execArgv: [], resourceLimits }).unref();
}
