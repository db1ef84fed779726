// What the index REST interface costs over a chain: CPU per request beside electrs in the same rounds, of two serving processes to one, how
// long responses take at a fixed rate while blocks are indexed, and how costs grow with the chain. Each part is a section of RESULTS.md.
//
//   npm run build && node --conditions=source test/benchmarks/serve-chain.ts [--transactions 280000] [--scales 1,2,4,8] [--keys 20000]
//     [--seconds 1] [--rounds 5] [--blocks DIRECTORY] [--electrs PROGRAM] [--parts costs,processes,latency,growth] [--sources] [--write]
//
// Without --electrs the part `costs` has no column of electrs: what it cost in another run is not compared with. With --sources the service
// is run from them, and nothing need be built. A scale divides the number of transactions; all parts but growth are of the first. Chains are
// kept in DIRECTORY, where it is given, and taken from there again.
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
import {
  type ComparedRow,
  interleave,
  type MeasuredRounds,
  renderComparison,
  renderCost,
  sliceStart,
} from "./compared-costs.ts";
import { beginChain } from "./play-chain.ts";
import { beginSection, type Section } from "./sections.ts";
import { type AskedService, compareProcesses, startBare } from "./serving-processes.ts";
import { measureRequests, type RequestCost } from "./wrk.ts";

const { values: given } = parseArgs({
  options: {
    transactions: { type: "string", default: "280000" },
    scales: { type: "string", default: "1,2,4,8" },
    seconds: { type: "string", default: "1" },
    rounds: { type: "string", default: "5" },
    blocks: { type: "string" },
    electrs: { type: "string" },
    parts: { type: "string", default: "costs,processes,latency,growth" },
    sources: { type: "boolean", default: false },
    keys: { type: "string", default: "20000" },
    write: { type: "boolean", default: false },
  },
});
const rounds = Number(given.rounds);
const keys = Number(given.keys);
const parts = new Set(given.parts.split(","));
const seconds = Number(given.seconds);
/** Of each serving process, before the first round of a row. */
const warmUpSeconds = Math.min(1, seconds);

/** Microseconds of our CPU that a row may take. */
const limits: Readonly<Record<string, number>> = {
  "tx/:txid": 60,
  "tx/:txid/hex": 40,
  "tx/:txid/outspends": 60,
  "tx/:txid/merkle-proof": 60,
  "address/:a": 40,
  "address/:a/txs": 700,
  "address/:a/utxo": 100,
  "hottest address/:a": 40,
  "hottest address/:a/txs": 700,
  "hottest address/:a/txs/chain, in the middle": 700,
  "block/:hash": 40,
  "block/:hash/txs": 600,
  "block/:hash/txids": 60,
  blocks: 50,
  "blocks/tip/height": 30,
  "fee-estimates": 30,
  mempool: 30,
};
const hotList = "hottest address/:a/utxo";
/** Of the hottest address's outputs: for the request, and for each output. */
const hotListLimit = { request: 100, output: 2 } as const;
/** Of the 99th percentile while blocks are indexed to that without. */
const ratioLimits = { latency: 2.5 } as const;

/** Rows that electrs does not offer. */
const onlyOurs: ReadonlySet<string> = new Set(["hottest address/:a/utxo?limit=100"]);
/** More unspent outputs than any script of the chain has: electrs refuses lists of more than 500 by default. */
const mostOutputs = 10_000_000;

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
  const found = await findChainPaths(served.url, served.query === "" ? "" : `?${served.query}`, { hotAddress, keys });
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

/** The rounds of each row of each service. */
type RowRounds = ReadonlyMap<string, ReadonlyMap<Served, MeasuredRounds>>;

const unmeasured: MeasuredRounds = { costs: [] };

/**
 * Measures each row of each service, one service after the other in each round. A row that fails leaves the others, and has the script exit
 * with 1.
 */
async function measureRows(all: readonly Served[], paths: ChainPaths, rounds: number): Promise<RowRounds> {
  const rows = new Map<string, ReadonlyMap<Served, MeasuredRounds>>();
  for (const [row, list] of Object.entries(paths)) {
    const asked = all.filter(({ query }) => query !== "" || !onlyOurs.has(row));
    const measured = await interleave(asked, rounds, (served, round) =>
      // Each of several processes has as much to warm up as one that is alone.
      measureRow(served, list, {
        start: sliceStart(list.length, rounds, round),
        warmUpSeconds: round === 0 ? warmUpSeconds * Math.max(1, served.pids.length - 1) : 0,
      }),
    );
    rows.set(row, measured);
    tell(
      `${row}: ${all.map((served) => `${served.name} ${renderCost(measured.get(served) ?? unmeasured)}`).join(", ")}`,
    );
    for (const [{ name }, { failure }] of measured) {
      if (failure === undefined) continue;
      tell(`${row} failed at ${name}: ${failure}`);
      process.exitCode = 1;
    }
  }
  return rows;
}

/** Requests below which a round says little: it is made again, and longer. */
const fewRequests = 64;
const longSeconds = 5;

interface RowOptions {
  /** Index of the path that the round begins with. */
  readonly start: number;
  readonly warmUpSeconds: number;
}

async function measureRow(
  served: Served,
  paths: readonly string[],
  { start, warmUpSeconds }: RowOptions,
): Promise<RequestCost> {
  const { pids, origin, paths: list } = askedOf(served, paths);
  const cost = await measureRequests(pids, origin, list, { seconds, rounds: 1, start, warmUpSeconds });
  if (cost.requests >= fewRequests) return cost;
  // Behind what the short round can have requested, with requests that were not answered any more.
  const next = start + 2 * fewRequests;
  return measureRequests(pids, origin, list, { seconds: longSeconds, rounds: 1, start: next, warmUpSeconds: 0 });
}

function askedOf({ pids, url, query }: Served, paths: readonly string[]): AskedService {
  const { origin, pathname } = new URL(url);
  const prefix = pathname === "/" ? "" : pathname;
  return { pids, origin, paths: paths.map((path) => withQuery(prefix + path, query)) };
}

const bareWork = "bare route";

/** One serving process of ours, electrs where there is one, and a bare route: in turns, all over one chain. */
async function reportCosts(chain: Chain, work: string): Promise<void> {
  const section = beginSection("serving-beside-electrs");
  const service = await serveChain(chain, join(work, "data-one"));
  const electrs =
    given.electrs === undefined
      ? undefined
      : await startElectrs(given.electrs, chain.directory, { parameters: ["--utxos-limit", String(mostOutputs)] });
  const bare = await startBare(1);
  try {
    const ours = servedBy("ours", service);
    const theirs = electrs && { name: "electrs", pids: [electrs.pid], url: electrs.url, query: "" };
    const floor = { name: "bare", pids: bare.asked.pids, url: bare.asked.origin, query: "" };
    const paths = await findPaths(ours, chain);
    const hotOutputs = (await ask<readonly unknown[]>(ours, `/address/${chain.hotAddress}/utxo`)).length;
    const measureBare = async (): Promise<MeasuredRounds> =>
      (await measureRows([floor], { [bareWork]: ["/tx/any"] }, rounds)).get(bareWork)?.get(floor) ?? unmeasured;
    const bareRounds = await measureBare();
    const measured = await measureRows([ours, ...(theirs === undefined ? [] : [theirs])], paths, rounds);
    const bareAgain = await measureBare();
    const rows = [...measured].map(([row, costs]): ComparedRow => {
      const isHotList = row === hotList;
      return {
        work: `\`${row}\`${isHotList ? `, ${hotOutputs} outputs` : ""}`,
        ours: costs.get(ours) ?? unmeasured,
        peer: (theirs && costs.get(theirs)) ?? unmeasured,
        limit: isHotList ? hotListLimit.request + hotListLimit.output * hotOutputs : limits[row],
      };
    });
    section.print(
      `${chain.transactions} transactions; ${rounds} rounds of ${seconds} s for each row, in turns; at most ${keys} keys for a row, at random from the whole chain. They are divided into a part for warming up and one for each round, which begins there, the same for both. ` +
        `CPU of the process that serves, user and system, for each request. A bare route of \`node:http\`, before and after: ${renderCost(bareRounds)} and ${renderCost(bareAgain)} µs.` +
        `${electrs === undefined ? "" : ` electrs calls itself ${electrs.version}.`}\n`,
    );
    section.print(renderComparison("electrs", rows));
    section.end();
  } finally {
    bare.stop();
    await Promise.all([service.stop(), electrs?.stop()]);
  }
}

/** Rows that two processes are compared by: small answers and large ones, remembered ones and others. */
const comparedRows = ["tx/:txid", "tx/:txid, one", "address/:a", "address/:a/txs", "blocks/tip/height"] as const;
const comparisonSeconds = 3;

async function reportProcesses(chain: Chain, work: string): Promise<void> {
  const section = beginSection("two-processes");
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
    section.print(await compareProcesses(rows, { seconds: Math.max(seconds, comparisonSeconds), rounds, tell }));
    section.end();
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
  const section = beginSection("fixed-rate");
  const directory = join(work, "played");
  mkdirSync(directory);
  const played = beginChain(chain.files, join(directory, "blk00000.dat"), firstPart);
  const service = await serveChain({ ...chain, directory }, join(work, "data-latency"));
  const stopping = new AbortController();
  try {
    const served = servedBy("service", service);
    const height = async (): Promise<number> => ask<number>(served, "/blocks/tip/height");
    const asked = await findTransactionPaths(served.url, `?${served.query}`, keys);
    const { perSecond } = await measureRow(served, asked, { start: sliceStart(asked.length, 1, 0), warmUpSeconds: 2 });
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
    printLatency(section, { rate, before, after, top, meanwhile, without });
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

function printLatency(section: Section, { rate, before, after, top, meanwhile, without }: MeasuredLatency): void {
  const ratio = meanwhile.p99 / without.p99;
  section.print(
    `\`tx/:txid\`, ${rate.toFixed(0)} requests a second, half of what it can answer, while blocks come into its block file and when all are there:\n`,
  );
  section.print("| | p50 ms | p99 ms | requests |\n|---|---|---|---|");
  section.print(
    `| while blocks ${before} to ${after} of ${top} were indexed | ${meanwhile.p50} | ${meanwhile.p99} | ${meanwhile.requests} |`,
  );
  section.print(`| without indexing | ${without.p50} | ${without.p99} | ${without.requests} |`);
  section.print(
    `\np99 with to p99 without: ${ratio.toFixed(2)} (limit ${ratioLimits.latency})${judge(ratio, ratioLimits.latency)}`,
  );
  if (after >= top) section.print("\nThe indexing had ended before the asking did: take a larger chain.");
  section.end();
}

/** One is enough to see how a cost grows. */
const growthRounds = 1;

async function reportGrowth(parent: string, sizes: readonly number[], work: string): Promise<void> {
  const section = beginSection("growth");
  const measured: Growth[] = [];
  for (const transactions of sizes.toSorted((left, right) => left - right)) {
    const chain = await prepareChain(parent, transactions);
    const service = await serveChain(chain, join(work, `data-${transactions}`));
    try {
      const served = servedBy(`${transactions} transactions`, service);
      const { [hotList]: _grows, ...paths } = await findPaths(served, chain);
      const rows = await measureRows([served], paths, growthRounds);
      const costs = [...rows].map(
        ([row, all]) => [row, all.get(served)?.costs[0]?.microseconds ?? Number.NaN] as const,
      );
      measured.push({ transactions, microseconds: Object.fromEntries(costs) });
    } finally {
      await service.stop();
    }
  }
  section.print("CPU µs for each request against the size of the chain.\n");
  section.print(`| work | ${measured.map(({ transactions }) => `${transactions} transactions`).join(" | ")} |`);
  section.print(`|---|${"---|".repeat(measured.length)}`);
  const rows = Object.keys(measured[0]?.microseconds ?? {});
  for (const row of rows) {
    section.print(
      `| \`${row}\` | ${measured.map(({ microseconds }) => microseconds[row]?.toFixed(1) ?? "").join(" | ")} |`,
    );
  }
  section.print(`\n\`\`\`text\n${rows.map((row) => plotRow(row, measured)).join("\n\n")}\n\`\`\``);
  section.end();
}

/** What requests cost over a chain of that size, by row. */
interface Growth {
  readonly transactions: number;
  readonly microseconds: Readonly<Record<string, number>>;
}

const plotWidth = 60;

/** Bars of one row; that of the smallest chain is half as wide as the plot. */
function plotRow(row: string, measured: readonly Growth[]): string {
  const first = measured[0]?.microseconds[row] ?? 1;
  const bars = measured.map(({ transactions, microseconds }) => {
    const { [row]: cost = 0 } = microseconds;
    const length = Math.min(plotWidth, Math.round((cost / first) * (plotWidth / 2)));
    return `${String(transactions).padStart(9)} ${"#".repeat(length)} ${cost.toFixed(1)}`;
  });
  return [row, ...bars].join("\n");
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
  if (parts.has("costs")) await reportCosts(chain, work);
  if (parts.has("processes")) await reportProcesses(chain, work);
  if (parts.has("latency")) await reportLatency(chain, work);
  if (parts.has("growth")) await reportGrowth(parent, sizes, work);
} finally {
  rmSync(work, { recursive: true, force: true });
}
