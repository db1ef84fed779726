import { readFileSync } from "node:fs";
import { limitHeapGrowth } from "./process/heap-limits.ts";
import type { RunningService } from "./service.ts";
import { readCommandLine } from "./command/command-line.ts";
import { StartProblem } from "./configuration/start-problem.ts";
import { exitUnverified } from "./command/verify-exit.ts";
import type { VerifyRequest } from "./command/verify-indexes.ts";

/** Milliseconds after which an unfinished stop is cut off: all of it takes less than two seconds. */
const stopDeadlineMilliseconds = 1_800;

/**
 * Runs the command line. The process ends with code 1 and one sentence on standard error when it fails; with 3 for `verify`, where 1 means
 * that an index is damaged.
 */
export async function main(): Promise<void> {
  limitHeapGrowth();
  // The reader of our output may close it before we end.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  let service: RunningService | undefined;
  const words = process.argv.slice(2);
  try {
    const { start, access, verify } = await readCommandLine(words, process.env, readVersion());
    if (access !== undefined) {
      const { changeAccess } = await import("./command/change-access.ts");
      process.stdout.write(await changeAccess(access));
    }
    if (verify !== undefined) process.exitCode = await runVerification(verify);
    if (start === undefined) return;
    const stopRequested = nextStopSignal();
    // Loaded when it is needed: help and error messages come at once.
    const { startService } = await import("./service.ts");
    service = await startService(start, { output: process.stdout, progress: process.stderr });
    const running = service;
    void stopRequested.then(() => stop(running));
    await service.ready;
  } catch (error) {
    const isVerification = words[0] === "verify";
    if (!(error instanceof StartProblem)) {
      // Node.js prints it and ends the process with 1.
      if (!isVerification) throw error;
      console.error(error);
    } else process.stderr.write(`${error.message}\n`);
    process.exitCode = isVerification ? exitUnverified : 1;
    if (service !== undefined) await stop(service);
  }
}

/** Runs the verification and returns the exit code. */
async function runVerification(request: VerifyRequest): Promise<number> {
  const { verifyIndexes } = await import("./command/verify-indexes.ts");
  const stopping = new AbortController();
  void nextStopSignal().then(() => stopping.abort());
  return await verifyIndexes(request, { output: process.stdout, progress: process.stderr }, stopping.signal);
}

async function stop(service: RunningService): Promise<void> {
  setTimeout(() => process.exit(), stopDeadlineMilliseconds).unref();
  // A second signal ends the process at once.
  void nextStopSignal().then(() => process.exit());
  await service.stop();
  process.exit();
}

function nextStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}

/** Returns the version of this package, for example `1.2.3`. */
function readVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  return version;
}
