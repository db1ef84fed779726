/**
 * Runs `work` and returns the CPU time in milliseconds that this thread spent meanwhile. Other programs on the machine, and other threads
 * of the process, do not count: a limit on it holds on a busy machine as well.
 */
export function cpuMillisecondsOf(work: () => void): number {
  const start = process.threadCpuUsage();
  work();
  return since(start);
}

/** The same for work that waits; what else this thread does meanwhile counts. */
export async function cpuMillisecondsDuring(work: () => Promise<unknown>): Promise<number> {
  const start = process.threadCpuUsage();
  await work();
  return since(start);
}

function since(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}
