// What a node costs the service that sends bodies made to take time or memory: how much later `/healthz` answers than a bare server that is
// asked at the same moments, and how much memory the service takes more. Each body is sent to every call: those of five clients at once, and
// the service's own. Writes the section of RESULTS.md with `--write`, else prints it.
//
//   node --conditions=source test/benchmarks/hostile-nodes.ts [--write] [--length MB] [PART OF A NAME]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type HostileBodyName, hostileBodies } from "@nodewright/upstream/testing";
import { type HostileNode, startHostileNode } from "../support/hostile-node.ts";
import { nodeOf, type StartedService, startService } from "../support/service.ts";
import { replaceSection } from "./report.ts";

const { values: given, positionals } = parseArgs({
  options: {
    write: { type: "boolean" },
    length: { type: "string", default: "50" },
    parallel: { type: "string", default: "5" },
  },
  allowPositionals: true,
});
const [wanted = ""] = positionals;
const parallel = Number(given.parallel);
const megabyte = 1_000_000;
const limits = { milliseconds: 100, megabytes: 300 } as const;
/** Between two requests for `/healthz`. */
const sampleMilliseconds = 10;
/** A service that is silent for so long is given up. */
const patienceMilliseconds = 120_000;

interface Figures {
  readonly chain: string;
  readonly body: string;
  readonly statuses: string;
  readonly seconds: number;
  readonly longest: number;
  readonly idle: number;
  readonly megabytes: number;
}

interface Watch {
  longest: number;
  idle: number;
}

async function startBareServer(): Promise<{ readonly url: string; stop(): void }> {
  const script = fileURLToPath(new URL("bare-server.ts", import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = await once(child.stdout, "data");
  return { url: `http://127.0.0.1:${String(port).trim()}/tx/1`, stop: () => void child.kill() };
}

async function timeOf(url: string): Promise<number> {
  const start = performance.now();
  await (await fetch(url, { signal: AbortSignal.timeout(patienceMilliseconds) })).arrayBuffer();
  return performance.now() - start;
}

/** Asks both at the same moments until the work is done. The longest is of those differences, so that what holds up both does not count. */
async function watch(health: string, bare: string, work: Promise<unknown>): Promise<Watch> {
  const seen: Watch = { longest: 0, idle: 0 };
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  while (!isDone) {
    const [service, idle] = await Promise.all([timeOf(health), timeOf(bare)]);
    seen.longest = Math.max(seen.longest, service - idle);
    seen.idle = Math.max(seen.idle, idle);
    await sleep(sampleMilliseconds);
  }
  await done;
  return seen;
}

const calls: Readonly<Record<"bitcoin" | "ethereum", (service: StartedService, index: number) => Promise<number>>> = {
  async bitcoin(service, index) {
    const { endpoint, apikey } = nodeOf(service, "bitcoin");
    // Different parameters, so that the calls are not the same.
    const body = JSON.stringify({ id: index, method: "getnodeaddresses", params: [index + 1] });
    const response = await fetch(`${endpoint}/?apikey=${apikey}`, { method: "POST", body });
    await response.arrayBuffer();
    return response.status;
  },
  async ethereum(service, index) {
    const { interfaces, apikey } = nodeOf(service, "ethereum");
    const query = `{ block(number: ${index + 1}) { hash number transactions { hash } logs(filter: {}) { data } } }`;
    const response = await fetch(`${interfaces.graphql}?apikey=${apikey}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    await response.arrayBuffer();
    return response.status;
  },
};

function memoryOf(pid: number, name: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1_024) / megabyte;
}

async function measure(
  node: HostileNode,
  bareUrl: string,
  chain: "bitcoin" | "ethereum",
  name: HostileBodyName,
  length: number,
  pauseMilliseconds = 0,
): Promise<Figures> {
  await node.choose(undefined);
  const service = await startService({
    parameters: ["--bitcoin-rpc", node.bitcoinUrl, "--ethereum-rpc", node.ethereumUrl],
    fromSources: true,
  });
  try {
    const health = new URL("/healthz", nodeOf(service, "bitcoin").endpoint).href;
    for (let warm = 0; warm < 20; warm += 1) await Promise.all([timeOf(health), timeOf(bareUrl)]);
    await calls[chain](service, 0);
    await node.choose(name, length, pauseMilliseconds);
    writeFileSync(`/proc/${service.pid}/clear_refs`, "5");
    const before = memoryOf(service.pid, "VmRSS");
    const start = performance.now();
    const work = Promise.all(Array.from({ length: parallel }, (_, index) => calls[chain](service, index)));
    // The service's own calls get the body as well; some come after the clients'.
    const { longest, idle } = await watch(health, bareUrl, Promise.all([work, sleep(4_000)]));
    const statuses = [...new Set(await work)].join(" ");
    const megabytes = memoryOf(service.pid, "VmHWM") - before;
    return { chain, body: name, statuses, seconds: (performance.now() - start) / 1_000, longest, idle, megabytes };
  } finally {
    await service.stop();
  }
}

function render(rows: readonly Figures[]): string {
  const lines = rows.map(({ chain, body, statuses, seconds, longest, idle, megabytes }) => {
    const isWithin = longest <= limits.milliseconds && megabytes <= limits.megabytes;
    const cells = [
      `${longest.toFixed(0)} ms`,
      `${idle.toFixed(0)} ms`,
      `${megabytes.toFixed(0)} MB`,
      statuses,
      seconds.toFixed(1),
    ];
    return `| ${chain}: ${body} | ${cells.join(" | ")} | ${isWithin ? "✓" : "✗"} |`;
  });
  return [
    `| body | longest delay | idle process | memory more | status | s | at most ${limits.milliseconds} ms, ${limits.megabytes} MB |`,
    "|---|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}

const bare = await startBareServer();
const node = await startHostileNode();
const rows: Figures[] = [];
const length = Number(given.length) * megabyte;
try {
  for (const chain of ["bitcoin", "ethereum"] as const) {
    for (const name of Object.keys(hostileBodies) as HostileBodyName[]) {
      if (!`${chain} ${name}`.includes(wanted)) continue;
      rows.push(await measure(node, bare.url, chain, name, length));
      console.error(render(rows.slice(-1)).split("\n").at(-1));
    }
  }
} finally {
  await node.stop();
  bare.stop();
}
console.log(render(rows));
