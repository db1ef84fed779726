import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

export interface ProcessCost {
  /** User and system time of the process and its own children, in seconds. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** Peak resident memory, in MB of 10^6 bytes. */
  readonly peakMegabytes: number;
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Prints what a Node process used when it ends; loaded into it, and into the Node processes that it starts, before their own code. */
const reporter = `data:text/javascript,process.on("exit",()=>{const u=process.resourceUsage();process.stderr.write("process-cost "+JSON.stringify({c:(u.userCPUTime+u.systemCPUTime)/1e6,m:u.maxRSS/1000})+"\\n")})`;

/** Runs a Node script in a process of its own, in that directory, and says what it and those that it started cost: all their time, the largest one's memory. */
export function measureNode(parameters: readonly string[], directory?: string): ProcessCost {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, {
    ...(directory === undefined ? {} : { cwd: directory }),
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, NODE_OPTIONS: `--import=${encodeURI(reporter)}` },
  });
  const reports = [...stderr.matchAll(/process-cost (\{.*\})/g)].map(
    ([, report = ""]) => JSON.parse(report) as { readonly c: number; readonly m: number },
  );
  if (reports.length === 0) throw new Error(`No figures from ${parameters.join(" ")}:\n${stderr}`);
  return {
    cpuSeconds: reports.reduce((sum, { c }) => sum + c, 0),
    wallSeconds: (performance.now() - start) / 1000,
    peakMegabytes: Math.max(...reports.map(({ m }) => m)),
    status,
    stdout,
    stderr,
  };
}

/** CPU seconds, user and system, that a running process has used so far (Linux). */
export function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
