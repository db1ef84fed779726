// What an answer of the Ethereum GraphQL interface costs beside geth's own GraphQL, both over one geth: the CPU of everything that works
// for a request (geth's, and the service's where it stands in front), requests per second and latencies, wrk with 32 connections, one
// after the other in each round, the least of the rounds. Every answer is held against geth's before. Prints Markdown.
//
//   npm run build && node --conditions=source test/benchmarks/graphql.ts [--seconds 3] [--rounds 5] [--cases head,block]
//     [--parts cost,latency,memory] [--json] [--write] [--sources]
//
// geth is what `npm run setup:ci` builds. --json prints figures in place of tables, --write puts the tables into RESULTS.md, --sources
// runs the service without a build.
import { isDeepStrictEqual, parseArgs } from "node:util";
import { requireProgram } from "../support/requirement.ts";
import { nodeOf, startService, type StartedService } from "../support/service.ts";
import { measureLatency } from "./fixed-rate.ts";
import { type GethChain, startGethChain } from "./geth-chain.ts";
import { memoryOf, type ProcessMemory } from "../support/process-memory.ts";
import { beginSection } from "./sections.ts";
import { measureSlowReaders, type SlowReading } from "./slow-readers.ts";
import { measureRound, type PostRequest, type RoundCost } from "./wrk.ts";

const { values: given } = parseArgs({
  options: {
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "5" },
    cases: { type: "string", default: "" },
    parts: { type: "string", default: "cost,latency,memory" },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    sources: { type: "boolean", default: false },
  },
});
const seconds = Number(given.seconds);
const rounds = Number(given.rounds);
const parts = new Set(given.parts.split(","));

const connections = 32;
/** More than are under way at a time, so that no two of those are about the same blocks or accounts. */
const differentRequests = 36;
const accountsAtOnce = 10;
const blocksAtOnce = 20;
const unreadBlocks = 20;
const latencySeconds = 10;
const memoryRounds = 8;
const section = beginSection("graphql");

/** How the service is asked: what it keeps of blocks, and whether equal queries meet. */
type Way = "uncached" | "cached" | "shared";

const ways: Readonly<Record<Way, string>> = {
  uncached: "nothing kept between requests",
  cached: "blocks kept by hash",
  shared: "blocks kept, equal queries in flight share",
};

interface Case {
  readonly name: string;
  readonly title: string;
  readonly query: string;
  /** Other ones for each turn: no two requests under way read the same of geth. */
  variables(turn: number): Readonly<Record<string, unknown>>;
  /** How much longer its rounds are: what is cut off at their end is to be little of them. */
  readonly length: number;
  /** Of ours to geth's, at most. */
  readonly limits: Readonly<Partial<Record<Way, number>>>;
}

/** Who is asked. */
interface Served {
  readonly name: string;
  readonly pids: readonly number[];
  readonly origin: string;
  readonly path: string;
}

interface Front {
  readonly way: Way;
  readonly served: Served;
  readonly service: StartedService;
}

/** The least of the rounds, each figure for itself. */
interface Measured {
  readonly case: Case;
  readonly geth: RoundCost;
  readonly ours: ReadonlyMap<Way, RoundCost>;
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

function casesOf({ fullBlocks, smallBlocks, accounts }: GethChain): readonly Case[] {
  const transaction =
    "hash index nonce from{address} to{address} value gas gasPrice inputData status gasUsed logs{index account{address} topics data}";
  const names = Array.from({ length: accountsAtOnce }, (_, at) => `a${at}`);
  const all: readonly Case[] = [
    {
      name: "head",
      title: "`block{number hash}`",
      query: "{block{number hash}}",
      variables: (turn) => ({ turn }),
      length: 1,
      limits: { uncached: 1.5, cached: 1.5 },
    },
    {
      name: "block",
      title: "block of 200 transactions with 400 logs",
      query: `query($n:Long){block(number:$n){number hash timestamp gasUsed transactions{${transaction}}}}`,
      variables: (turn) => ({ n: fullBlocks[turn] }),
      length: 5,
      limits: { uncached: 1 / 4, cached: 1 / 50 },
    },
    {
      name: "blocks",
      title: "20 blocks with their transactions' hashes",
      query: "query($from:Long,$to:Long){blocks(from:$from,to:$to){number hash transactions{hash}}}",
      variables(turn) {
        const from = smallBlocks.first + turn * blocksAtOnce;
        return { from, to: from + blocksAtOnce - 1 };
      },
      length: 1,
      limits: { uncached: 1.5, cached: 1.5 },
    },
    {
      name: "logs",
      title: "logs filter of 400 logs",
      query:
        "query($n:Long){logs(filter:{fromBlock:$n,toBlock:$n}){index account{address} topics data transaction{hash}}}",
      variables: (turn) => ({ n: fullBlocks[turn] }),
      length: 3,
      limits: { uncached: 1 / 3, cached: 1 / 3 },
    },
    {
      name: "accounts",
      title: "ten accounts, balance and nonce",
      query: `query(${names.map((name) => `$${name}:Address!`).join(",")}){block{${names.map((name) => `${name}:account(address:$${name}){balance transactionCount}`).join(" ")}}}`,
      variables: (turn) => Object.fromEntries(names.map((name, at) => [name, accounts[turn * accountsAtOnce + at]])),
      length: 1,
      limits: { uncached: 1.5, cached: 1.5 },
    },
  ];
  const wanted = given.cases.split(",").filter(Boolean);
  return all.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
}

function requestsOf({ path }: Served, { query, variables }: Case, areDifferent: boolean): readonly PostRequest[] {
  const headers = { "Content-Type": "application/json" };
  return Array.from({ length: areDifferent ? differentRequests : 1 }, (_, turn) => ({
    path,
    headers,
    body: JSON.stringify({ query, variables: variables(turn) }),
  }));
}

function gethOf({ pid, url }: GethChain): Served {
  return { name: "geth", pids: [pid], origin: url, path: "/graphql" };
}

/** The service of one way, with a key and the gate. Its CPU is counted with geth's. */
async function startFront(way: Way, { pid, url }: GethChain): Promise<Front> {
  const kept = way === "uncached" ? ["--ethereum-cache", "0"] : [];
  const service = await startService({ parameters: ["--ethereum-rpc", url, ...kept], fromSources: given.sources });
  const { interfaces, apikey } = nodeOf(service, "ethereum");
  const { origin, pathname } = new URL(interfaces.graphql ?? "");
  const served = { name: ways[way], pids: [pid, service.pid], origin, path: `${pathname}?apikey=${apikey}` };
  return { way, served, service };
}

async function dataOf({ name, origin, path }: Served, { query, variables }: Case, turn: number): Promise<unknown> {
  const response = await fetch(origin + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, variables: variables(turn) }),
  });
  const { data, errors } = (await response.json()) as { readonly data?: unknown; readonly errors?: unknown };
  if (errors !== undefined) throw new Error(`${name} refuses: ${JSON.stringify(errors)}`);
  return data;
}

/** Throws when an answer is not geth's own: what is wrong is fast to answer. */
async function assertEqualAnswers(geth: Served, fronts: readonly Front[], asked: Case): Promise<void> {
  for (let turn = 0; turn < differentRequests; turn += 1) {
    const expected = await dataOf(geth, asked, turn);
    for (const { served } of fronts) {
      if (isDeepStrictEqual(await dataOf(served, asked, turn), expected)) continue;
      throw new Error(`${asked.name} ${turn}: not what geth answers`);
    }
  }
}

async function measureCase(geth: Served, fronts: readonly Front[], asked: Case): Promise<Measured> {
  await assertEqualAnswers(geth, fronts, asked);
  const everybody = [{ key: geth.name, served: geth, areDifferent: true }].concat(
    fronts.map(({ way, served }) => ({ key: way, served, areDifferent: way !== "shared" })),
  );
  const costs = new Map<string, RoundCost[]>(everybody.map(({ key }) => [key, []]));
  // The first round is thrown away.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { key, served, areDifferent } of everybody) {
      const requests = requestsOf(served, asked, areDifferent);
      const cost = await measureRound(served.pids, served.origin, requests, seconds * asked.length);
      if (round > 0) costs.get(key)?.push(cost);
    }
  }
  return {
    case: asked,
    geth: leastOf(costs.get(geth.name) ?? []),
    ours: new Map(fronts.map(({ way }) => [way, leastOf(costs.get(way) ?? [])])),
  };
}

function leastOf(costs: readonly RoundCost[]): RoundCost {
  const least = (name: keyof RoundCost): number => Math.min(...costs.map((cost) => cost[name]));
  return {
    microseconds: least("microseconds"),
    perSecond: Math.max(...costs.map(({ perSecond }) => perSecond)),
    requests: least("requests"),
    bytes: least("bytes"),
    p50: least("p50"),
    p99: least("p99"),
  };
}

function judge(isKept: boolean): string {
  return isKept ? "" : " **missed**";
}

function renderCosts(measured: readonly Measured[]): string {
  const lines = [
    "| query | who | CPU ms | to geth's | limit | requests/s | p50 ms | p99 ms | bytes |",
    "|---|---|---|---|---|---|---|---|---|",
  ];
  for (const { case: asked, geth, ours } of measured) {
    lines.push(costLine(asked.title, "geth", geth, "", ""));
    for (const [way, cost] of ours) {
      const ratio = cost.microseconds / geth.microseconds;
      const limit = asked.limits[way];
      const verdict = limit === undefined ? "" : `${limit.toFixed(2)}${judge(ratio <= limit)}`;
      lines.push(costLine("", ways[way], cost, ratio.toFixed(3), verdict));
    }
  }
  return lines.join("\n");
}

function costLine(name: string, who: string, cost: RoundCost, ratio: string, limit: string): string {
  const { microseconds, perSecond, p50, p99, bytes } = cost;
  const figures = [perSecond.toFixed(0), p50.toFixed(2), p99.toFixed(2), bytes.toFixed(0)];
  return `| ${[name, who, (microseconds / 1_000).toFixed(3), ratio, limit, ...figures].join(" | ")} |`;
}

interface HalfLoad {
  readonly case: Case;
  readonly way: Way;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

/** At half of the requests that the service has answered per second when it was kept busy. */
async function measureHalfLoads(fronts: readonly Front[], measured: readonly Measured[]): Promise<readonly HalfLoad[]> {
  const loads: HalfLoad[] = [];
  for (const { case: asked, ours } of measured) {
    for (const { way, served } of fronts) {
      if (way === "shared") continue;
      const rate = Math.max((ours.get(way)?.perSecond ?? 0) / 2, 1);
      const [request] = requestsOf(served, asked, false);
      const { p50, p99 } = await measureLatency(served.origin + served.path, rate, latencySeconds, request?.body);
      tell(`${asked.name}, ${way}, half load: p50 ${p50} ms, p99 ${p99} ms`);
      loads.push({ case: asked, way, rate, p50, p99 });
    }
  }
  return loads;
}

const mostP99 = 3;

function renderHalfLoads(loads: readonly HalfLoad[]): string {
  return [
    "| query, at half load | who | requests/s | p50 ms | p99 ms | p99 to p50 |",
    "|---|---|---|---|---|---|",
    ...loads.map(({ case: { title: name }, way, rate, p50, p99 }) => {
      const ratio = p99 / p50;
      return `| ${name} | ${ways[way]} | ${rate.toFixed(0)} | ${p50} | ${p99} | ${ratio.toFixed(1)}${judge(ratio < mostP99)} |`;
    }),
  ].join("\n");
}

interface Growth {
  readonly way: Way;
  readonly atFirst: ProcessMemory;
  /** After each round of every case. */
  readonly afterwards: readonly ProcessMemory[];
}

/** Asks for everything in turn, again and again. */
async function measureGrowth({ way, served, service }: Front, cases: readonly Case[]): Promise<Growth> {
  const atFirst = memoryOf(service.pid);
  const afterwards: ProcessMemory[] = [];
  for (let round = 0; round < memoryRounds; round += 1) {
    const requests = cases.flatMap((asked) => requestsOf(served, asked, true));
    await measureRound(served.pids, served.origin, requests, seconds);
    afterwards.push(memoryOf(service.pid));
  }
  return { way, atFirst, afterwards };
}

function renderGrowth(growths: readonly Growth[]): string {
  return [
    "| memory of the service, MB | before | after each of the rounds with all queries in turn | most ever |",
    "|---|---|---|---|",
    ...growths.map(({ way, atFirst, afterwards }) => {
      const each = afterwards.map(({ resident }) => (resident / 1e6).toFixed(0)).join(" ");
      const most = (afterwards.at(-1)?.peak ?? Number.NaN) / 1e6;
      return `| ${ways[way]} | ${(atFirst.resident / 1e6).toFixed(0)} | ${each} | ${most.toFixed(0)} |`;
    }),
  ].join("\n");
}

interface Unread extends SlowReading {
  readonly way: Way;
}

/** All full blocks that one answer may hold, asked for by everybody and read by nobody. */
async function measureUnread({ way, served, service }: Front, chain: GethChain): Promise<Unread> {
  const [from = 0] = chain.fullBlocks;
  const query = `{blocks(from:${from},to:${from + unreadBlocks - 1}){hash transactions{hash inputData logs{topics data}}}}`;
  const body = JSON.stringify({ query });
  const request = { path: served.path, headers: { "Content-Type": "application/json" }, body };
  return { way, ...(await measureSlowReaders(service.pid, served.origin, request, connections)) };
}

function renderUnread(readings: readonly Unread[]): string {
  return [
    `| memory of the service, MB, with ${connections} answers that nobody reads | one answer, MB | before | unread | when they were read |`,
    "|---|---|---|---|---|",
    ...readings.map(({ way, responseBytes, before, unread, afterwards }) => {
      const figures = [before, unread, afterwards].map((figure) => figure.toFixed(0));
      return `| ${[ways[way], (responseBytes / 1e6).toFixed(1), ...figures].join(" | ")} |`;
    }),
  ].join("\n");
}

async function run(chain: GethChain): Promise<void> {
  const geth = gethOf(chain);
  const cases = casesOf(chain);
  const fronts: Front[] = [];
  try {
    for (const way of ["uncached", "cached", "shared"] as const) fronts.push(await startFront(way, chain));
    const growths: Growth[] = [];
    const measured: Measured[] = [];
    for (const asked of cases) {
      if (!parts.has("cost") && !parts.has("latency")) break;
      const figures = await measureCase(geth, fronts, asked);
      tell(renderCosts([figures]));
      measured.push(figures);
    }
    const halfLoads = parts.has("latency") ? await measureHalfLoads(fronts, measured) : [];
    const unread: Unread[] = [];
    for (const front of parts.has("memory") ? fronts : []) {
      if (front.way !== "shared") growths.push(await measureGrowth(front, cases));
      if (front.way !== "uncached") unread.push(await measureUnread(front, chain));
    }
    report({ measured, halfLoads, growths, unread });
  } finally {
    await Promise.all(fronts.map(({ service }) => service.stop()));
  }
}

interface Results {
  readonly measured: readonly Measured[];
  readonly halfLoads: readonly HalfLoad[];
  readonly growths: readonly Growth[];
  readonly unread: readonly Unread[];
}

function report({ measured, halfLoads, growths, unread }: Results): void {
  if (given.json) {
    const costs = measured.map(({ case: { name }, geth, ours }) => ({ name, geth, ours: Object.fromEntries(ours) }));
    const latencies = halfLoads.map(({ case: { name }, ...load }) => ({ name, ...load }));
    console.log(JSON.stringify({ costs, halfLoads: latencies, growths, unread }, undefined, 2));
    return;
  }
  const tables = [
    ...(measured.length > 0 ? [renderCosts(measured)] : []),
    ...(halfLoads.length > 0 ? [renderHalfLoads(halfLoads)] : []),
    ...(growths.length > 0 ? [renderGrowth(growths)] : []),
    ...(unread.length > 0 ? [renderUnread(unread)] : []),
  ];
  section.print([explanation(), ...tables].join("\n\n"));
  section.end();
}

function explanation(): string {
  return [
    "One geth (developer mode, an archive), its own GraphQL, and the service in front of it, with a key and the gate.",
    `CPU is that of geth and of the service together, per request; wrk with ${connections} connections, the least of ${rounds} rounds of ${seconds} s, longer ones where answers take long.`,
    `"${ways.uncached}" (\`--ethereum-cache 0\`), "${ways.cached}" and geth are asked ${differentRequests} different requests in turn, about other blocks or accounts each,`,
    `so that none under way reads what another reads, and none is answered by what another got; the first asks the same of the latest block each time.`,
    `"${ways.shared}" is asked one request by everybody. There is no cache of answers.`,
  ].join("\n");
}

const { path: program } = requireProgram("geth");
if (program === undefined) throw new Error("There is no geth: npm run setup:ci builds it");
tell("making geth's chain");
const chain = await startGethChain(program);
try {
  await run(chain);
} finally {
  await chain.stop();
}
