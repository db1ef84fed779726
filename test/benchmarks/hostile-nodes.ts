// What it costs the service that a node sends bodies made to take time or memory: the CPU of the longest turn of the serving process, how much
// later it answers `/healthz` than a bare server that is called at the same moments, and how much memory it takes more. Each body is sent to
// every call: those of five clients at once, and the service's own. Prints Markdown; with `--write` it replaces its section of RESULTS.md.
//
//   node --conditions=source test/benchmarks/hostile-nodes.ts [--write] [--length MB] [PATTERN OF ROWS]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { hostileBodies } from "@nodewright/upstream/testing";
import {
  type HostileNode,
  type HostileResponses,
  paddedQueries,
  queryGraphql,
  queryPaddedBlocks,
  startHostileNode,
} from "../support/hostile-node.ts";
import { memoryOf, resetPeakMemory } from "../support/process-memory.ts";
import { measureTurnsOf, turnsEnvironment } from "../support/process-turns.ts";
import { nodeOf, type StartedService, startService } from "../support/service.ts";
import { beginSection } from "./sections.ts";

const section = beginSection("hostile-nodes");
const { values: given, positionals } = parseArgs({
  options: {
    write: { type: "boolean" },
    length: { type: "string", default: "50" },
    parallel: { type: "string", default: "5" },
  },
  allowPositionals: true,
});
const wanted = new RegExp(positionals[0] ?? "");
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
  /** CPU of the longest turn, in milliseconds. */
  readonly turn: number;
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

/** Of the length of a body, each padded block has this part: a query for several fits into the memory of all responses. */
const paddedParts = 10;

/** Index of the call that shows that the node is well. */
const spare = 10;

const calls: Readonly<Record<"bitcoin" | "ethereum", (service: StartedService, index: number) => Promise<number>>> = {
  async bitcoin(service, index) {
    const { endpoint, apikey } = nodeOf(service, "bitcoin");
    // Different parameters, so that the calls are not the same.
    const body = JSON.stringify({ id: index, method: "getnodeaddresses", params: [index + 1] });
    const response = await fetch(`${endpoint}/?apikey=${apikey}`, { method: "POST", body });
    await response.arrayBuffer();
    return response.status;
  },
  ethereum: (service, index) =>
    queryGraphql(service, index === spare ? "{ gasPrice }" : `{ block(number: ${index + 1}) { hash } }`),
};

const work = mkdtempSync(join(tmpdir(), "nodewright-hostile-nodes-"));
const turnsFile = join(work, "turns.json");

/** What all rows are measured on. */
interface Bench {
  readonly node: HostileNode;
  readonly service: StartedService;
  readonly bareUrl: string;
  /** Memory of the service before the first row, in MB. */
  readonly megabytes: number;
}

/** Waits until the service has found out that its node is well. */
async function recover({ node, service }: Bench, chain: "bitcoin" | "ethereum"): Promise<void> {
  await node.choose(undefined);
  const deadline = performance.now() + patienceMilliseconds;
  while ((await calls[chain](service, spare)) !== 200) {
    if (performance.now() > deadline) throw new Error(`The ${chain} node does not recover`);
    await sleep(200);
  }
}

async function measure(bench: Bench, chain: "bitcoin" | "ethereum", name: HostileResponses): Promise<Figures> {
  const { node, service, bareUrl } = bench;
  const health = new URL("/healthz", nodeOf(service, "bitcoin").endpoint).href;
  await recover(bench, chain);
  const isPadded = name === "paddedBlocks";
  await node.choose(name, isPadded ? length / paddedParts : length);
  const [count, send] = isPadded ? [paddedQueries.count, queryPaddedBlocks] : [parallel, calls[chain]];
  resetPeakMemory(service.pid);
  const start = performance.now();
  let seconds = 0;
  let statuses = "";
  let seen: Watch = { longest: 0, idle: 0 };
  const { longestMilliseconds: turn } = await measureTurnsOf(service.pid, turnsFile, async () => {
    const answered = Promise.all(Array.from({ length: count }, (_, index) => send(service, index)));
    const noted = answered.finally(() => (seconds = (performance.now() - start) / 1_000));
    // The service's own calls get the body as well; some come after the clients'.
    seen = await watch(health, bareUrl, Promise.all([noted, sleep(3_000)]));
    statuses = [...new Set(await answered)].join(" ");
  });
  const { longest, idle } = seen;
  const megabytes = memoryOf(service.pid).peak / megabyte - bench.megabytes;
  return { chain, body: name, statuses, seconds, turn, longest, idle, megabytes };
}

function render(rows: readonly Figures[]): string {
  const lines = rows.map(({ chain, body, statuses, seconds, turn, longest, idle, megabytes }) => {
    const cells = [
      `${turn.toFixed(0)} ms`,
      `${megabytes.toFixed(0)} MB`,
      mark(turn <= limits.milliseconds && megabytes <= limits.megabytes),
      `${longest.toFixed(0)} ms`,
      mark(longest <= limits.milliseconds),
      `${idle.toFixed(0)} ms`,
      statuses,
      `${seconds.toFixed(1)} s`,
    ];
    return `| ${chain}: ${body} | ${cells.join(" | ")} |`;
  });
  return [
    `| body | longest turn, CPU | more memory | ${limits.milliseconds} ms, ${limits.megabytes} MB | \`/healthz\` minus idle process | ${limits.milliseconds} ms | idle process | status | after |`,
    "|---|---|---|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}

function mark(isWithin: boolean): string {
  return isWithin ? "✓" : "✗";
}

/** Under the title of the section: what was measured, when and of which state. */
function introduce(): string {
  return `Bodies of ${given.length} MB to every call, ${parallel} calls of clients at once; in the row of padded blocks ${paddedQueries.count} queries for
${paddedQueries.blocks} blocks each, which are valid but for ${length / paddedParts / megabyte} MB of unknown members. The first mark is of the CPU of the
longest turn and of the memory alone. The second is of the delay of \`/healthz\`: the longest difference between its response time and that of an
idle process, a bare server that was called at the same moments. "Idle process" is that one's own longest response: on a busy machine both
vary, the CPU of a turn does not.`;
}

const bare = await startBareServer();
const node = await startHostileNode();
const service = await startService({
  parameters: ["--bitcoin-rpc", node.bitcoinUrl, "--ethereum-rpc", node.ethereumUrl],
  environment: turnsEnvironment(turnsFile),
  timeoutMilliseconds: patienceMilliseconds,
  fromSources: true,
});
const rows: Figures[] = [];
const length = Number(given.length) * megabyte;
try {
  const bench: Bench = { node, service, bareUrl: bare.url, megabytes: memoryOf(service.pid).resident / megabyte };
  for (const chain of ["bitcoin", "ethereum"] as const) {
    const names = Object.keys(hostileBodies) as HostileResponses[];
    if (chain === "ethereum") names.push("paddedBlocks");
    for (const name of names) {
      if (!wanted.test(`${chain} ${name}`)) continue;
      rows.push(await measure(bench, chain, name));
      console.error(render(rows.slice(-1)).split("\n").at(-1));
    }
  }
} finally {
  await service.stop();
  await node.stop();
  bare.stop();
  rmSync(work, { recursive: true });
}
section.print(`${introduce()}\n\n${render(rows)}`);
section.end();
