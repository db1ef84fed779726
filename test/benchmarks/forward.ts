// What a forwarded method costs beside asking the node itself: CPU of the service for each request, and how much later half of the answers
// come, against a bare node with kept-alive connections and against btcd, which ends the connection after each answer. The node and the
// service are asked in turn, round after round. Prints Markdown.
//
//   npm run build && node --conditions=source test/benchmarks/forward.ts [--requests 1500] [--rounds 7] [--write]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { prepareBtcd } from "../support/btcd.ts";
import { requireProgram } from "../support/requirement.ts";
import { nodeOf, startService } from "../support/service.ts";
import { cpuSecondsOf, median } from "./measure.ts";
import { beginSection } from "./sections.ts";

const { values: given } = parseArgs({
  options: {
    requests: { type: "string", default: "1500" },
    rounds: { type: "string", default: "7" },
    write: { type: "boolean", default: false },
  },
});
const section = beginSection("forwarded-methods");
const requests = Number(given.requests);
const rounds = Number(given.rounds);

/** Milliseconds that are added to asking the node itself. */
const limits = { cpu: 0.3, p50: 1 } as const;

/** Who is asked: the node, or the service in front of it. */
interface Asked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: Agent;
}

interface Workload {
  readonly name: string;
  readonly callers: number;
  /** Callers who leave no processor idle wait for each other: how much later their answers come says nothing of one. */
  readonly isSaturating?: boolean;
  /** One caller's; with a number, so that no two calls under way are the same. */
  body(index: number): string;
}

const workloads: readonly Workload[] = [
  {
    name: "getconnectioncount, 1 caller",
    callers: 1,
    body: (index) => JSON.stringify({ jsonrpc: "1.0", id: index, method: "getconnectioncount", params: [] }),
  },
  {
    name: "getnodeaddresses, 4 callers",
    callers: 4,
    body: addressesBody,
  },
  { name: "getnodeaddresses, 32 callers", callers: 32, isSaturating: true, body: addressesBody },
];

function addressesBody(index: number): string {
  return JSON.stringify({ jsonrpc: "1.0", id: index, method: "getnodeaddresses", params: [(index % 1_000) + 1] });
}

/** What an answer costs that no node is asked for. */
const fromIndex = (callers: number): Workload => ({
  name: "getblockcount",
  callers,
  body: (index) => JSON.stringify({ jsonrpc: "1.0", id: index, method: "getblockcount", params: [] }),
});

interface Node {
  readonly name: string;
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

async function startBareNode(): Promise<Node> {
  const script = fileURLToPath(new URL("bare-node.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=source", script], { stdio: ["pipe", "pipe", "inherit"] });
  const [port] = await once(child.stdout, "data");
  return {
    name: "bare node",
    url: `http://127.0.0.1:${String(port).trim()}/`,
    environment: {},
    headers: {},
    async stop() {
      child.stdin.end();
      await once(child, "close");
    },
  };
}

async function startBtcd(work: string): Promise<Node | undefined> {
  const { path } = requireProgram("btcd");
  if (path === undefined) return undefined;
  const btcd = await prepareBtcd(path, join(work, "btcd"));
  await btcd.start();
  await btcd.generate(1);
  const { user, password } = btcd;
  return {
    name: "btcd",
    url: `${btcd.url}/`,
    environment: { NODEWRIGHT_BITCOIN_USER: user, NODEWRIGHT_BITCOIN_PASSWORD: password },
    headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` },
    stop: () => btcd.stop(),
  };
}

function ask({ url, headers, agent }: Asked, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method: "POST", agent, headers: { ...headers, "content-length": body.length } });
    asking.on("error", reject);
    asking.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => {
        if (response.statusCode === 200 && /"error": ?null/.test(text)) resolve();
        else reject(new Error(`${response.statusCode}: ${text}`));
      });
    });
    asking.end(body);
  });
}

/** Gives the milliseconds of each answer. */
async function askMany(asked: Asked, { callers, body }: Workload, count: number): Promise<readonly number[]> {
  const taken: number[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const text = body(next);
      const start = performance.now();
      await ask(asked, text);
      taken.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return taken;
}

interface Cost {
  /** Of the service, for each request, in milliseconds. */
  readonly cpu: number;
  /** The same of an answer from the index. */
  readonly indexCpu: number;
  readonly direct: number;
  readonly through: number;
}

async function measure(direct: Asked, through: Asked, pid: number, workload: Workload): Promise<Cost> {
  const costs: Cost[] = [];
  /** Of the service: CPU for each request, and the time of half of the answers. */
  const askService = async (asked: Workload): Promise<{ readonly cpu: number; readonly p50: number }> => {
    const before = cpuSecondsOf(pid);
    const p50 = median(await askMany(through, asked, requests));
    return { cpu: ((cpuSecondsOf(pid) - before) / requests) * 1_000, p50 };
  };
  for (let round = 0; round <= rounds; round += 1) {
    const alone = median(await askMany(direct, workload, requests));
    const forwarded = await askService(workload);
    const { cpu: indexCpu } = await askService(fromIndex(workload.callers));
    // The first round warms all up.
    if (round > 0) costs.push({ cpu: forwarded.cpu, indexCpu, direct: alone, through: forwarded.p50 });
  }
  const middle = (name: keyof Cost): number => median(costs.map((cost) => cost[name]));
  return { cpu: middle("cpu"), indexCpu: middle("indexCpu"), direct: middle("direct"), through: middle("through") };
}

function judge(value: number, limit: number): string {
  return value <= limit ? "" : " **over**";
}

async function report(node: Node, work: string): Promise<void> {
  const service = await startService({
    parameters: ["--bitcoin-rpc", node.url],
    environment: node.environment,
    dataDirectory: join(work, `data-${node.name.replace(" ", "-")}`),
  });
  const agent = new Agent({ keepAlive: true });
  try {
    const { endpoint, apikey } = nodeOf(service, "bitcoin");
    const direct = { url: node.url, headers: node.headers, agent };
    const through = { url: `${endpoint}/`, headers: { "x-api-key": apikey }, agent };
    for (const workload of workloads) {
      try {
        await ask(direct, workload.body(1));
      } catch {
        // A btcd that knows no peers has no addresses to give.
        continue;
      }
      const {
        cpu,
        indexCpu,
        direct: alone,
        through: forwarded,
      } = await measure(direct, through, service.pid, workload);
      const added = forwarded - alone;
      const cells = [
        `${node.name}: ${workload.name}`,
        `${cpu.toFixed(3)}${judge(cpu, limits.cpu)}`,
        indexCpu.toFixed(3),
        alone.toFixed(3),
        forwarded.toFixed(3),
        workload.isSaturating === true ? "" : `${added.toFixed(3)}${judge(added, limits.p50)}`,
      ];
      section.print(`| ${cells.join(" | ")} |`);
    }
  } finally {
    agent.destroy();
    await service.stop();
  }
}

const work = mkdtempSync(join(tmpdir(), "nodewright-forward-"));
const nodes: Node[] = [];
try {
  nodes.push(await startBareNode());
  const btcd = await startBtcd(work);
  if (btcd !== undefined) nodes.push(btcd);
  section.print(`Milliseconds for each request; limits: CPU ${limits.cpu}, p50 added ${limits.p50}.\n`);
  section.print(
    "| | CPU of the service | CPU of getblockcount, from the index | p50 of the node | p50 through the service | p50 added |\n|---|---|---|---|---|---|",
  );
  for (const node of nodes) await report(node, work);
  section.end();
} finally {
  await Promise.all(nodes.map((node) => node.stop()));
  rmSync(work, { recursive: true, force: true });
}
