// What the index REST interface costs over chains of several sizes: CPU per request of one and of two serving processes beside
// electrs' figures, and how long answers take at a fixed rate while blocks are indexed. Prints Markdown.
//
//   npm run build && node --conditions=source test/benchmarks/serve-chain.ts [--transactions 280000] [--scales 8,4,2,1]
//     [--seconds 5] [--rounds 3] [--blocks DIRECTORY] [--electrs PROGRAM] [--without-latency]
//
// A scale divides the number of transactions; the whole table is of the first, the others are for the growth. Chains are kept in
// DIRECTORY, where it is given, and taken from there again.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildChain, writeBlockFiles } from "@nodewright/bitcoin-test-chain";
import { nodeOf, startService, type StartedService } from "../support/service.ts";
import { type ChainPaths, findChainPaths } from "./chain-paths.ts";
import { startElectrs } from "./electrs.ts";
import { measureLatency } from "./fixed-rate.ts";
import { type LoadOptions, measureBareRoute, measureRequests, type RequestCost } from "./wrk.ts";

const { values: given } = parseArgs({
  options: {
    transactions: { type: "string", default: "280000" },
    scales: { type: "string", default: "1,2,4,8" },
    seconds: { type: "string", default: "5" },
    rounds: { type: "string", default: "3" },
    blocks: { type: "string" },
    electrs: { type: "string" },
    "without-latency": { type: "boolean", default: false },
  },
});
const load: LoadOptions = { seconds: Number(given.seconds), rounds: Number(given.rounds) };

/** Microseconds: electrs' on a chain like the largest, and the most that is allowed. Of the last two rows for each output. */
const limits: Readonly<Record<string, { readonly electrs?: number; readonly limit: number }>> = {
  "tx/:txid": { electrs: 101, limit: 60 },
  "tx/:txid/hex": { electrs: 45, limit: 40 },
  "tx/:txid/outspends": { electrs: 158, limit: 60 },
  "tx/:txid/merkle-proof": { electrs: 97, limit: 60 },
  "address/:a": { electrs: 285, limit: 40 },
  "address/:a/txs": { electrs: 1884, limit: 700 },
  "address/:a/utxo": { electrs: 254, limit: 100 },
  "hottest address/:a": { limit: 40 },
  "hottest address/:a/txs": { electrs: 1953, limit: 700 },
  "block/:hash": { electrs: 16, limit: 40 },
  "block/:hash/txs": { electrs: 1058, limit: 600 },
  "block/:hash/txids": { electrs: 78, limit: 60 },
  blocks: { electrs: 48, limit: 50 },
  "blocks/tip/height": { electrs: 8, limit: 30 },
  "fee-estimates": { electrs: 9, limit: 30 },
  mempool: { electrs: 8, limit: 30 },
};

interface Chain {
  readonly directory: string;
  readonly files: readonly string[];
  readonly transactions: number;
  readonly hotAddress: string;
}

type Costs = Readonly<Record<string, RequestCost>>;

/** The same seed and number give the same chain. Several files, so that a part of it can be indexed first. */
async function prepareChain(parent: string, transactions: number): Promise<Chain> {
  const directory = join(parent, String(transactions));
  const summary = join(directory, "chain.json");
  if (!existsSync(summary)) {
    mkdirSync(directory, { recursive: true });
    const chain = buildChain({ seed: 1, transactions, signatures: "placeholder" });
    const maximumFileBytes = Math.ceil(transactions * bytesPerTransaction * 0.3);
    const { paths } = await writeBlockFiles(directory, chain, { maximumFileBytes });
    const hot = chain.summary().hotScripts.find(({ address }) => address !== undefined);
    writeFileSync(summary, JSON.stringify({ directory, files: paths, transactions, hotAddress: hot?.address }));
  }
  return JSON.parse(readFileSync(summary, "utf8")) as Chain;
}

const bytesPerTransaction = 415;

async function serveChain(chain: Chain, data: string, processes = 1): Promise<StartedService> {
  return startService({
    parameters: [
      ...["--bitcoin-blocks", chain.directory, "--bitcoin-network", "regtest"],
      ...["--serving-processes", String(processes)],
    ],
    dataDirectory: data,
    timeoutMilliseconds: 600_000,
  });
}

function restOf(service: StartedService): { readonly url: string; readonly query: string } {
  const { interfaces, apikey } = nodeOf(service, "bitcoin");
  return { url: interfaces.rest ?? "", query: `?apikey=${apikey}` };
}

/** The process that was started, and those of its children that serve. */
function servingPids({ pid }: StartedService): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  const serve = children.filter((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes("serving-process"));
  return [pid, ...serve];
}

function measureAll(pids: readonly number[], url: string, paths: ChainPaths): Costs {
  const { origin, pathname } = new URL(url);
  const prefix = pathname === "/" ? "" : pathname;
  return Object.fromEntries(
    Object.entries(paths).map(([name, list]) => {
      return [
        name,
        measureRequests(
          pids,
          origin,
          list.map((path) => prefix + path),
          load,
        ),
      ];
    }),
  );
}

interface Measured {
  readonly costs: Costs;
  readonly paths: ChainPaths;
  readonly hotOutputs: number;
}

async function measureService(chain: Chain, data: string, processes: number): Promise<Measured> {
  const service = await serveChain(chain, data, processes);
  try {
    const { url, query } = restOf(service);
    const paths = await findChainPaths(url, query, chain.hotAddress);
    const hot = await fetch(`${url}/address/${chain.hotAddress}/utxo${query}`);
    const hotOutputs = ((await hot.json()) as readonly unknown[]).length;
    return { costs: measureAll(servingPids(service), url, paths), paths, hotOutputs };
  } finally {
    await service.stop();
  }
}

async function measureElectrs(program: string, chain: Chain): Promise<Costs> {
  const electrs = await startElectrs(program, chain.directory);
  try {
    const { "hottest address/:a/utxo": _refused, ...paths } = await findChainPaths(electrs.url, "", chain.hotAddress);
    return measureAll([electrs.pid], electrs.url, paths);
  } finally {
    await electrs.stop();
  }
}

/** Indexes the first files, then goes on with the others while it is asked at half of what it can answer. */
async function reportLatency(chain: Chain, data: string): Promise<void> {
  const later = chain.files.slice(2);
  for (const file of later) renameSync(file, `${file}.later`);
  let rate = 0;
  let asked = "";
  try {
    const first = await serveChain(chain, data);
    const { url, query } = restOf(first);
    const { origin, pathname } = new URL(url);
    const paths = (await findChainPaths(url, query, chain.hotAddress))["tx/:txid"] ?? [];
    [asked = ""] = paths;
    rate =
      measureRequests(
        [first.pid],
        origin,
        paths.map((path) => pathname + path),
        load,
      ).perSecond / 2;
    await first.stop();
  } finally {
    for (const file of later) renameSync(`${file}.later`, file);
  }
  const service = await serveChain(chain, data);
  try {
    const { url, query } = restOf(service);
    const height = async (): Promise<number> => Number(await (await fetch(`${url}/blocks/tip/height${query}`)).text());
    const before = await height();
    const meanwhile = await measureLatency(url + asked, rate, load.seconds);
    const after = await height();
    for (let last = -1, now = after; now !== last; last = now, now = await height()) await sleep(2_000);
    const without = await measureLatency(url + asked, rate, load.seconds);
    console.log(
      `\n## At a fixed rate\n\n\`tx/:txid\`, ${rate.toFixed(0)} requests a second, half of what it can answer:\n`,
    );
    console.log("| | p50 ms | p99 ms |\n|---|---|---|");
    console.log(`| while blocks ${before} to ${after} were indexed | ${meanwhile.p50} | ${meanwhile.p99} |`);
    console.log(`| without indexing | ${without.p50} | ${without.p99} |`);
    console.log(`\np99 with to p99 without: ${(meanwhile.p99 / without.p99).toFixed(2)} (limit 2.5)`);
  } finally {
    await service.stop();
  }
}

function reportCosts(floor: RequestCost, one: Measured, two: Measured, electrs: Costs | undefined): void {
  console.log("| work | µs | limit | electrs | to bare route | two processes µs | two to one | requests/s | bytes |");
  console.log("|---|---|---|---|---|---|---|---|---|");
  console.log(
    `| bare Fastify route, 1.9 kB | ${floor.microseconds.toFixed(1)} | | | 1.0 | | | ${floor.perSecond.toFixed(0)} | |`,
  );
  for (const [name, cost] of Object.entries(one.costs)) {
    const other = two.costs[name];
    const isHotList = name === "hottest address/:a/utxo";
    const limit = isHotList ? 100 + 2 * one.hotOutputs : limits[name]?.limit;
    const theirs = electrs === undefined ? limits[name]?.electrs : electrs[name]?.microseconds;
    const verdict = limit === undefined ? "" : `${limit}${cost.microseconds <= limit ? "" : " **over**"}`;
    console.log(
      `| \`${name}\`${isHotList ? `, ${one.hotOutputs} outputs` : ""} | ${cost.microseconds.toFixed(1)} | ${verdict} | ${theirs?.toFixed(0) ?? ""} | ${(cost.microseconds / floor.microseconds).toFixed(1)} | ${other?.microseconds.toFixed(1) ?? ""} | ${((other?.microseconds ?? Number.NaN) / cost.microseconds).toFixed(2)} | ${cost.perSecond.toFixed(0)} | ${cost.bytes.toFixed(0)} |`,
    );
  }
}

function reportGrowth(measured: readonly { readonly transactions: number; readonly costs: Costs }[]): void {
  const bySize = measured.toSorted((left, right) => left.transactions - right.transactions);
  console.log(`\n## CPU µs per request against the size of the chain\n`);
  console.log(`| work | ${bySize.map(({ transactions }) => `${transactions} transactions`).join(" | ")} |`);
  console.log(`|---|${"---|".repeat(bySize.length)}`);
  for (const name of Object.keys(bySize[0]?.costs ?? {})) {
    console.log(
      `| \`${name}\` | ${bySize.map(({ costs }) => costs[name]?.microseconds.toFixed(1) ?? "").join(" | ")} |`,
    );
  }
}

const work = mkdtempSync(join(tmpdir(), "nodewright-serve-chain-"));
try {
  const sizes = given.scales.split(",").map((scale) => Math.round(Number(given.transactions) / Number(scale)));
  const [largest = 0, ...others] = sizes;
  const parent = given.blocks ?? join(work, "blocks");
  const chain = await prepareChain(parent, largest);
  const floor = await measureBareRoute(load);
  const data = join(work, "data");
  const one = await measureService(chain, data, 1);
  const two = await measureService(chain, data, 2);
  const electrs = given.electrs === undefined ? undefined : await measureElectrs(given.electrs, chain);
  console.log(`# Serving a chain of ${largest} transactions\n`);
  reportCosts(floor, one, two, electrs);
  if (!given["without-latency"]) await reportLatency(chain, join(work, "data-latency"));
  const measured = [{ transactions: largest, costs: one.costs }];
  for (const transactions of others) {
    const smaller = await prepareChain(parent, transactions);
    const { costs } = await measureService(smaller, join(work, `data-${transactions}`), 1);
    measured.push({ transactions, costs });
  }
  if (measured.length > 1) reportGrowth(measured);
} finally {
  rmSync(work, { recursive: true, force: true });
}
