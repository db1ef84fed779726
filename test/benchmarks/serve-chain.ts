// What the index REST interface costs over a chain: CPU per request of one and of two serving processes beside electrs' figures, how
// long answers take at a fixed rate while blocks are indexed, and how costs grow with the chain. Prints Markdown; tells on stderr what
// is known so far.
//
//   npm run build && node --conditions=source test/benchmarks/serve-chain.ts [--transactions 280000] [--scales 1,2,4,8]
//     [--seconds 1] [--rounds 3] [--blocks DIRECTORY] [--electrs PROGRAM] [--parts costs,processes,latency,growth] [--sources]
//
// With --sources the service is run from them, and nothing need be built.
//
// A scale divides the number of transactions; costs and latency are of the first. Chains are kept in DIRECTORY, where it is given, and
// taken from there again. The rounds of a row go from one service to the next, so that a busy moment of the machine befalls all of them.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildChain, writeBlockFiles } from "@nodewright/bitcoin-test-chain";
import { nodeOf, startService, type StartedService } from "../support/service.ts";
import { type ChainPaths, findChainPaths, findTransactionPaths } from "./chain-paths.ts";
import { startElectrs } from "./electrs.ts";
import { type Latency, measureLatency } from "./fixed-rate.ts";
import { median } from "./measure.ts";
import { beginChain } from "./play-chain.ts";
import { type AskedService, compareProcesses } from "./serving-processes.ts";
import { measureBareRoute, measureRequests, type RequestCost } from "./wrk.ts";

const { values: given } = parseArgs({
  options: {
    transactions: { type: "string", default: "280000" },
    scales: { type: "string", default: "1,2,4,8" },
    seconds: { type: "string", default: "1" },
    rounds: { type: "string", default: "3" },
    blocks: { type: "string" },
    electrs: { type: "string" },
    parts: { type: "string", default: "costs,processes,latency,growth" },
    sources: { type: "boolean", default: false },
  },
});
const parts = new Set(given.parts.split(","));
const seconds = Number(given.seconds);

/** Microseconds: electrs' where it is not measured beside us, and the most that is allowed. */
const limits: Readonly<Record<string, { readonly electrs?: number; readonly limit?: number }>> = {
  "tx/:txid": { electrs: 101, limit: 60 },
  "tx/:txid/hex": { electrs: 45, limit: 40 },
  "tx/:txid/outspends": { electrs: 158, limit: 60 },
  "tx/:txid/merkle-proof": { electrs: 97, limit: 60 },
  "address/:a": { electrs: 285, limit: 40 },
  "address/:a/txs": { electrs: 1884, limit: 700 },
  "address/:a/txs, of many": { limit: 700 },
  "address/:a/utxo": { electrs: 254, limit: 100 },
  "hottest address/:a": { limit: 40 },
  "hottest address/:a/txs": { electrs: 1953, limit: 700 },
  "hottest address/:a/txs/chain, in the middle": { limit: 700 },
  "hottest address/:a/utxo?limit=100": {},
  "block/:hash": { electrs: 16, limit: 40 },
  "block/:hash/txs": { electrs: 1058, limit: 600 },
  "block/:hash/txids": { electrs: 78, limit: 60 },
  blocks: { electrs: 48, limit: 50 },
  "blocks/tip/height": { electrs: 8, limit: 30 },
  "fee-estimates": { electrs: 9, limit: 30 },
  mempool: { electrs: 8, limit: 30 },
};
const hotList = "hottest address/:a/utxo";
/** Of the hottest address's outputs: for the request, and for each output. */
const hotListLimit = { request: 100, output: 2 } as const;
/** Of two serving processes to one, and of the 99th percentile while blocks are indexed to that without. */
const ratioLimits = { processes: 1.1, latency: 2.5 } as const;

/** What electrs refuses, or does not offer, on such a chain. */
const onlyOurs: ReadonlySet<string> = new Set([hotList, "hottest address/:a/utxo?limit=100"]);

interface Chain {
  readonly directory: string;
  readonly files: readonly string[];
  readonly transactions: number;
  readonly hotAddress: string;
}

/** What is asked, and what it costs. */
interface Served {
  readonly name: string;
  readonly pids: readonly number[];
  readonly url: string;
  /** What lets in. */
  readonly query: string;
}

type Costs = Readonly<Record<string, RequestCost>>;

/** The same seed and number give the same chain. */
async function prepareChain(parent: string, transactions: number): Promise<Chain> {
  const directory = join(parent, String(transactions));
  const summary = join(directory, "chain.json");
  if (!existsSync(summary)) {
    tell(`building a chain of ${transactions} transactions`);
    mkdirSync(directory, { recursive: true });
    const chain = buildChain({ seed: 1, transactions, signatures: "placeholder" });
    const { paths } = await writeBlockFiles(directory, chain);
    const hot = chain.summary().hotScripts.find(({ address }) => address !== undefined);
    writeFileSync(summary, JSON.stringify({ directory, files: paths, transactions, hotAddress: hot?.address }));
  }
  return JSON.parse(readFileSync(summary, "utf8")) as Chain;
}

async function serveChain(chain: Chain, data: string, processes = 1): Promise<StartedService> {
  return startService({
    parameters: [
      ...["--bitcoin-blocks", chain.directory, "--bitcoin-network", "regtest"],
      ...["--serving-processes", String(processes)],
    ],
    dataDirectory: data,
    timeoutMilliseconds: 600_000,
    fromSources: given.sources,
  });
}

function servedBy(name: string, service: StartedService): Served {
  const { interfaces, apikey } = nodeOf(service, "bitcoin");
  return { name, pids: servingPids(service), url: interfaces.rest ?? "", query: `apikey=${apikey}` };
}

/** The process that was started, and those of its children that serve. */
function servingPids({ pid }: StartedService): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  const serve = children.filter((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes("serving-process"));
  return [pid, ...serve];
}

async function ask<Answer>({ url, query }: Served, path: string): Promise<Answer> {
  const response = await fetch(withQuery(url + path, query));
  if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
  return (await response.json()) as Answer;
}

function withQuery(path: string, query: string): string {
  if (query === "") return path;
  return `${path}${path.includes("?") ? "&" : "?"}${query}`;
}

/** The paths of all rows; those of the hottest address's list in pages among them. */
async function findPaths(served: Served, { hotAddress }: Chain): Promise<ChainPaths> {
  const found = await findChainPaths(served.url, served.query === "" ? "" : `?${served.query}`, hotAddress);
  let middle: string | undefined;
  for (let page = 0; page < 20; page += 1) {
    const path = `/address/${hotAddress}/txs/chain${middle === undefined ? "" : `/${middle}`}`;
    middle = (await ask<readonly { readonly txid: string }[]>(served, path)).at(-1)?.txid;
  }
  return {
    ...found,
    "hottest address/:a/txs/chain, in the middle": [`/address/${hotAddress}/txs/chain/${middle}`],
    "hottest address/:a/utxo?limit=100": [`/address/${hotAddress}/utxo?limit=100`],
  };
}

/** Each row of each service, one service after the other in each round. */
async function measureRows(
  all: readonly Served[],
  paths: ChainPaths,
  rounds: number,
): Promise<ReadonlyMap<Served, Costs>> {
  const costs = new Map(all.map((served) => [served, {} as Record<string, RequestCost>]));
  for (const [row, list] of Object.entries(paths)) {
    const measured = new Map<Served, RequestCost[]>(all.map((served) => [served, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const served of all) {
        if (served.query === "" && onlyOurs.has(row)) continue;
        // Each of several processes has as much to warm up as one that is alone.
        const warmUp = round === 0 ? Math.max(1, served.pids.length - 1) : 0;
        measured.get(served)?.push(await measureRow(served, list, warmUp));
      }
    }
    for (const [served, each] of measured) {
      const cost = middleOf(each);
      if (cost !== undefined) Object.assign(costs.get(served) ?? {}, { [row]: cost });
    }
    tell(`${row}: ${all.map((served) => `${served.name} ${µs(costs.get(served)?.[row])}`).join(", ")}`);
  }
  return costs;
}

/** Requests below which a round says little: it is made again, and longer. */
const fewRequests = 64;
const longSeconds = 5;

async function measureRow(served: Served, paths: readonly string[], warmUpSeconds: number): Promise<RequestCost> {
  const { pids, origin, paths: list } = askedOf(served, paths);
  const cost = await measureRequests(pids, origin, list, { seconds, rounds: 1, warmUpSeconds });
  if (cost.perSecond * seconds >= fewRequests) return cost;
  return measureRequests(pids, origin, list, { seconds: longSeconds, rounds: 1, warmUpSeconds: 0 });
}

function askedOf({ pids, url, query }: Served, paths: readonly string[]): AskedService {
  const { origin, pathname } = new URL(url);
  const prefix = pathname === "/" ? "" : pathname;
  return { pids, origin, paths: paths.map((path) => withQuery(prefix + path, query)) };
}

function middleOf(costs: readonly RequestCost[]): RequestCost | undefined {
  if (costs.length === 0) return undefined;
  const middle = (name: keyof RequestCost): number => median(costs.map((cost) => cost[name]));
  return { microseconds: middle("microseconds"), perSecond: middle("perSecond"), bytes: middle("bytes") };
}

async function reportCosts(chain: Chain, work: string): Promise<void> {
  const bare = await measureBareRoute({ seconds, rounds: 3 });
  const [one, two] = await Promise.all([
    serveChain(chain, join(work, "data-one"), 1),
    serveChain(chain, join(work, "data-two"), 2),
  ]);
  const electrs = given.electrs === undefined ? undefined : await startElectrs(given.electrs, chain.directory);
  try {
    const ours = servedBy("one process", one);
    const both = servedBy("two processes", two);
    const theirs = electrs && { name: "electrs", pids: [electrs.pid], url: electrs.url, query: "" };
    const paths = await findPaths(ours, chain);
    const hotOutputs = (await ask<readonly unknown[]>(ours, `/address/${chain.hotAddress}/utxo`)).length;
    const costs = await measureRows(
      [ours, both, ...(theirs === undefined ? [] : [theirs])],
      paths,
      Number(given.rounds),
    );
    printCosts({
      bare,
      one: costs.get(ours) ?? {},
      two: costs.get(both) ?? {},
      electrs: theirs && costs.get(theirs),
      hotOutputs,
    });
  } finally {
    await Promise.all([one.stop(), two.stop(), electrs?.stop()]);
  }
}

interface MeasuredCosts {
  readonly bare: RequestCost;
  readonly one: Costs;
  readonly two: Costs;
  /** Absent where electrs was not asked. */
  readonly electrs: Costs | undefined;
  readonly hotOutputs: number;
}

function printCosts({ bare, one, two, electrs, hotOutputs }: MeasuredCosts): void {
  const theirs = electrs === undefined ? "electrs µs, measured elsewhere" : "electrs µs";
  console.log("## CPU per request\n");
  console.log(`| work | µs | limit | ${theirs} | two processes µs | two to one | requests/s | bytes |`);
  console.log("|---|---|---|---|---|---|---|---|");
  console.log(`| bare Fastify route | ${µs(bare)} | | | | | ${bare.perSecond.toFixed(0)} | ${bare.bytes.toFixed(0)} |`);
  for (const [row, cost] of Object.entries(one)) {
    const isHotList = row === hotList;
    const limit = isHotList ? hotListLimit.request + hotListLimit.output * hotOutputs : limits[row]?.limit;
    const known = electrs === undefined ? limits[row]?.electrs?.toFixed(0) : µs(electrs[row]);
    const ratio = (two[row]?.microseconds ?? Number.NaN) / cost.microseconds;
    const cells = [
      `\`${row}\`${isHotList ? `, ${hotOutputs} outputs` : ""}`,
      µs(cost),
      limit === undefined ? "" : `${limit}${judge(cost.microseconds, limit)}`,
      known ?? "",
      µs(two[row]),
      `${ratio.toFixed(2)}${judge(ratio, ratioLimits.processes)}`,
      cost.perSecond.toFixed(0),
      cost.bytes.toFixed(0),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  console.log(`\nTwo processes are to use at most ${ratioLimits.processes} times the CPU of one for a request.\n`);
}

/** Rows that two processes are compared by: small answers and large ones, remembered ones and others. */
const comparedRows = ["tx/:txid", "tx/:txid, one", "address/:a", "address/:a/txs", "blocks/tip/height"] as const;
const comparisonSeconds = 3;

async function reportProcesses(chain: Chain, work: string): Promise<void> {
  const [one, two] = await Promise.all([
    serveChain(chain, join(work, "data-one-process"), 1),
    serveChain(chain, join(work, "data-two-processes"), 2),
  ]);
  try {
    const [alone, both] = [servedBy("one process", one), servedBy("two processes", two)];
    const paths = await findPaths(alone, chain);
    const rows = comparedRows.map((name) => {
      const list = paths[name] ?? [];
      return { name, one: askedOf(alone, list), two: askedOf(both, list) };
    });
    const options = { seconds: Math.max(seconds, comparisonSeconds), rounds: Number(given.rounds), tell };
    console.log(`## Two processes\n\n${await compareProcesses(rows, options)}\n`);
  } finally {
    await Promise.all([one.stop(), two.stop()]);
  }
}

/** How long the service is asked at the fixed rate, in seconds. */
const latencySeconds = 10;
/** Of the blocks, those that are indexed before it is asked; and how long the others come, which is longer than it is asked. */
const firstPart = 0.2;
const playSeconds = latencySeconds + 5;

/** Asks at half of what the service can answer while blocks come one after the other and are indexed, and again when all are. */
async function reportLatency(chain: Chain, work: string): Promise<void> {
  const directory = join(work, "played");
  mkdirSync(directory);
  const played = beginChain(chain.files, join(directory, "blk00000.dat"), firstPart);
  const service = await serveChain({ ...chain, directory }, join(work, "data-latency"));
  const stopping = new AbortController();
  try {
    const served = servedBy("service", service);
    const height = async (): Promise<number> => ask<number>(served, "/blocks/tip/height");
    const asked = await findTransactionPaths(served.url, `?${served.query}`);
    const { perSecond } = await measureRow(served, asked, 2);
    const rate = perSecond / 2;
    const url = withQuery(served.url + asked[0], served.query);
    const ended = played.play(playSeconds, stopping.signal);
    // The file is looked at now and then only: not before the first of the new blocks are indexed is there something to measure.
    for (const first = await height(); (await height()) === first; ) await sleep(100);
    const before = await height();
    const meanwhile = await measureLatency(url, rate, latencySeconds);
    const after = await height();
    await ended;
    for (let last = -1, now = await height(); now !== last; last = now, now = await height()) await sleep(5_000);
    const top = await height();
    const without = await measureLatency(url, rate, latencySeconds);
    printLatency({ rate, before, after, top, meanwhile, without });
  } finally {
    stopping.abort();
    await service.stop();
  }
}

interface MeasuredLatency {
  readonly rate: number;
  /** Heights of the tip: when it was asked first and last, and when all was indexed. */
  readonly before: number;
  readonly after: number;
  readonly top: number;
  readonly meanwhile: Latency;
  readonly without: Latency;
}

function printLatency({ rate, before, after, top, meanwhile, without }: MeasuredLatency): void {
  const ratio = meanwhile.p99 / without.p99;
  console.log("## At a fixed rate\n");
  console.log(
    `\`tx/:txid\`, ${rate.toFixed(0)} requests a second, half of what it can answer, while blocks come into its block file and when all are there:\n`,
  );
  console.log("| | p50 ms | p99 ms | requests |\n|---|---|---|---|");
  console.log(
    `| while blocks ${before} to ${after} of ${top} were indexed | ${meanwhile.p50} | ${meanwhile.p99} | ${meanwhile.requests} |`,
  );
  console.log(`| without indexing | ${without.p50} | ${without.p99} | ${without.requests} |`);
  console.log(
    `\np99 with to p99 without: ${ratio.toFixed(2)} (limit ${ratioLimits.latency})${judge(ratio, ratioLimits.latency)}`,
  );
  if (after >= top) console.log("\nThe indexing had ended before the asking did: take a larger chain.");
  console.log("");
}

/** One is enough to see how a cost grows. */
const growthRounds = 1;

async function reportGrowth(parent: string, sizes: readonly number[], work: string): Promise<void> {
  const measured: { readonly transactions: number; readonly costs: Costs }[] = [];
  for (const transactions of sizes.toSorted((left, right) => left - right)) {
    const chain = await prepareChain(parent, transactions);
    const service = await serveChain(chain, join(work, `data-${transactions}`));
    try {
      const served = servedBy(`${transactions} transactions`, service);
      const { [hotList]: _grows, ...paths } = await findPaths(served, chain);
      measured.push({ transactions, costs: (await measureRows([served], paths, growthRounds)).get(served) ?? {} });
    } finally {
      await service.stop();
    }
  }
  console.log("## CPU µs per request against the size of the chain\n");
  console.log(`| work | ${measured.map(({ transactions }) => `${transactions} transactions`).join(" | ")} |`);
  console.log(`|---|${"---|".repeat(measured.length)}`);
  const rows = Object.keys(measured[0]?.costs ?? {});
  for (const row of rows) console.log(`| \`${row}\` | ${measured.map(({ costs }) => µs(costs[row])).join(" | ")} |`);
  console.log(`\n\`\`\`text\n${rows.map((row) => plotRow(row, measured)).join("\n\n")}\n\`\`\`\n`);
}

const plotWidth = 60;

/** Bars of one row; that of the smallest chain is half as wide as the plot. */
function plotRow(row: string, measured: readonly { readonly transactions: number; readonly costs: Costs }[]): string {
  const first = measured[0]?.costs[row]?.microseconds ?? 1;
  const bars = measured.map(({ transactions, costs }) => {
    const { microseconds = 0 } = costs[row] ?? {};
    const length = Math.min(plotWidth, Math.round((microseconds / first) * (plotWidth / 2)));
    return `${String(transactions).padStart(9)} ${"#".repeat(length)} ${microseconds.toFixed(1)}`;
  });
  return [row, ...bars].join("\n");
}

function µs(cost: RequestCost | undefined): string {
  return cost?.microseconds.toFixed(1) ?? "";
}

function judge(value: number, limit: number): string {
  return value <= limit ? "" : " **over**";
}

function tell(text: string): void {
  console.error(text);
}

const work = mkdtempSync(join(tmpdir(), "nodewright-serve-chain-"));
try {
  const sizes = given.scales.split(",").map((scale) => Math.round(Number(given.transactions) / Number(scale)));
  const [largest = 0] = sizes;
  const parent = given.blocks ?? join(work, "blocks");
  const chain = await prepareChain(parent, largest);
  console.log(`# Serving a chain of ${largest} transactions\n`);
  if (parts.has("costs")) await reportCosts(chain, work);
  if (parts.has("processes")) await reportProcesses(chain, work);
  if (parts.has("latency")) await reportLatency(chain, work);
  if (parts.has("growth")) await reportGrowth(parent, sizes, work);
} finally {
  rmSync(work, { recursive: true, force: true });
}
