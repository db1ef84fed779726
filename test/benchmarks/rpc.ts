// What an answer of the Bitcoin JSON-RPC interface costs from the index beside btcd over the same chain: CPU per request and requests per
// second, 32 connections, one service after the other in each round. Then a batch, and a block of 4,000 transactions. Prints Markdown.
//
//   npm run build && node --conditions=source test/benchmarks/rpc.ts [--seconds 2] [--rounds 5] [--warm-up 4] [--methods getblock,gettxout]
//     [--parts methods,batch,block] [--blocks FILE] [--sources] [--write]
//
// FILE holds mainnet's first blocks, the service's own demo when it is not given. btcd is what `npm run setup:ci` builds. --sources runs
// the service without a build.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createArraySource, openChainIndex, openEmbeddedStore, runIndexer } from "@nodewright/bitcoin-indexer";
import { handlers } from "@nodewright/bitcoin-node";
import { displayHash, networks, parseBlockHeader } from "@nodewright/bitcoin-primitives";
import { openEmbeddedRegistry } from "../../packages/service/src/registry/embedded-registry.ts";
import { demoBlocks } from "../end-to-end/demo-blocks.ts";
import type { BitcoinProgram } from "../support/bitcoin-program.ts";
import { prepareBtcd } from "../support/btcd.ts";
import { requireProgram } from "../support/requirement.ts";
import { nodeOf, type ReadyNode, startService, type StartedService } from "../support/service.ts";
import { type BigChain, blockFileOf, buildBigChain } from "./big-blocks.ts";
import { cpuSecondsOf, median } from "./measure.ts";
import { beginSection } from "./sections.ts";
import { measureRequests, middleOf, type PostRequest, type RequestCost } from "./wrk.ts";

const { values: given } = parseArgs({
  options: {
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "5" },
    "warm-up": { type: "string", default: "4" },
    methods: { type: "string", default: "" },
    parts: { type: "string", default: "methods,batch,block" },
    blocks: { type: "string" },
    sources: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const section = beginSection("json-rpc");
const seconds = Number(given.seconds);
const rounds = Number(given.rounds);
const warmUpSeconds = Number(given["warm-up"]);
const parts = new Set(given.parts.split(","));

const blockCount = 14_132;
/** Of what is asked for, spread over the chain: more than any one of a caller's pages shows. */
const askedBlocks = 1_000;
const askedTransactions = 1_000;
const connections = 32;
/** Ours to btcd's. */
const limits = { cpu: 0.5, perSecond: 2 } as const;
/** Of the block with many transactions: how many, milliseconds of CPU for the first and a repeated answer, the longest turn meanwhile. */
const bigBlock = { transactions: 4_000, first: 200, repeated: 8, turn: 10 } as const;
/** A batch of so many reads is to cost less than so many single ones. */
const batch = { members: 100, singles: 40 } as const;

interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Who is asked. */
interface Served {
  readonly name: string;
  readonly pid: number;
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly endsConnections: boolean;
}

interface AskedChain {
  readonly hashes: readonly string[];
  readonly txids: readonly string[];
  readonly unspent: readonly (readonly [txid: string, vout: number])[];
}

type Row = readonly [name: string, calls: readonly Call[]];

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

function requestOf(served: Served, body: unknown): PostRequest {
  return { path: served.path, headers: served.headers, body: JSON.stringify(body) };
}

function bodyOf({ method, params }: Call, id = 1): object {
  return { jsonrpc: "1.0", id, method, params };
}

async function post({ origin, path, headers }: Served, body: unknown): Promise<Buffer> {
  const response = await fetch(origin + path, { method: "POST", headers, body: JSON.stringify(body) });
  return Buffer.from(await response.arrayBuffer());
}

/** The result of each call; throws when one is refused. */
async function callEach(served: Served, calls: readonly Call[]): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  for (let start = 0; start < calls.length; start += batch.members) {
    const body = calls.slice(start, start + batch.members).map((call, at) => ({ ...bodyOf(call, at), jsonrpc: "2.0" }));
    const answers = JSON.parse((await post(served, body)).toString()) as readonly { result: unknown; error: unknown }[];
    for (const { result, error } of answers) {
      if (error !== null && error !== undefined) throw new Error(`${served.name} refuses: ${JSON.stringify(error)}`);
      results.push(result);
    }
  }
  if (results.length !== calls.length)
    throw new Error(`${served.name} has answered ${results.length} of ${calls.length}`);
  return results;
}

function callsOf(method: string, each: readonly (readonly unknown[])[]): readonly Call[] {
  return each.map((params) => ({ method, params }));
}

function spread<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items;
  return Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)]).filter(
    (item) => item !== undefined,
  );
}

/** Blocks all over the chain, and the transactions of those that pay something: `getrawtransaction` is asked for more than coinbases. */
async function findChain(served: Served): Promise<AskedChain> {
  const all = Array.from({ length: blockCount - 1 }, (_, index) => [index + 1]);
  const hashes = (await callEach(served, callsOf("getblockhash", all))) as readonly string[];
  const blocks = (await callEach(
    served,
    callsOf(
      "getblock",
      hashes.map((hash) => [hash, 1]),
    ),
  )) as readonly { readonly tx: readonly string[] }[];
  const payments = blocks.flatMap(({ tx }) => tx.slice(1));
  const coinbases = blocks.flatMap(({ tx: [coinbase = ""] }) => coinbase);
  const txids = [...spread(payments, askedTransactions / 2), ...spread(coinbases, askedTransactions / 2)];
  const outputs = spread(coinbases, askedTransactions).map((txid) => [txid, 0] as const);
  const found = await callEach(served, callsOf("gettxout", outputs));
  return { hashes: spread(hashes, askedBlocks), txids, unspent: outputs.filter((_output, at) => found[at] !== null) };
}

function rowsOf({ hashes, txids, unspent }: AskedChain): readonly Row[] {
  const byHash = (method: string, ...more: readonly unknown[]) =>
    callsOf(
      method,
      hashes.map((hash) => [hash, ...more]),
    );
  const byTxid = (verbosity: number) =>
    callsOf(
      "getrawtransaction",
      txids.map((txid) => [txid, verbosity]),
    );
  const rows: readonly Row[] = [
    ["getblockcount", callsOf("getblockcount", [[]])],
    ["getblockheader", byHash("getblockheader", true)],
    ["getblock 0", byHash("getblock", 0)],
    ["getblock 1", byHash("getblock", 1)],
    ["getblock 2", byHash("getblock", 2)],
    ["getrawtransaction 0", byTxid(0)],
    ["getrawtransaction 1", byTxid(1)],
    ["gettxout", callsOf("gettxout", unspent)],
  ];
  const wanted = given.methods.split(",").filter(Boolean);
  return rows.filter(([name]) => wanted.length === 0 || wanted.some((method) => name.startsWith(method)));
}

/** As the median of rounds, which go from one to the other, so that a busy moment of the machine befalls both. */
async function measureBoth(
  both: readonly Served[],
  bodies: readonly unknown[],
): Promise<ReadonlyMap<Served, RequestCost>> {
  const costs = new Map<Served, RequestCost[]>(both.map((served) => [served, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const served of both) {
      const requests = bodies.map((body) => requestOf(served, body));
      const { endsConnections } = served;
      const options = { seconds, rounds: 1, warmUpSeconds: round === 0 ? warmUpSeconds : 0, endsConnections };
      costs.get(served)?.push(await measureRequests([served.pid], served.origin, requests, options));
    }
  }
  return new Map([...costs].map(([served, each]) => [served, middleOf(each)]));
}

function judge(isKept: boolean): string {
  return isKept ? "" : " **missed**";
}

async function reportMethods(ours: Served, theirs: Served, rows: readonly Row[]): Promise<void> {
  section.print("Beside btcd:\n");
  section.print("| method | µs | btcd µs | ratio | requests/s | btcd | ratio | bytes | btcd |");
  section.print("|---|---|---|---|---|---|---|---|---|");
  for (const [name, calls] of rows) {
    const costs = await measureBoth(
      [ours, theirs],
      calls.map((call) => bodyOf(call)),
    );
    const [our, their] = [costs.get(ours), costs.get(theirs)];
    if (our === undefined || their === undefined) throw new Error(`${name} was not measured`);
    const cpu = our.microseconds / their.microseconds;
    const speed = our.perSecond / their.perSecond;
    const cells = [
      `\`${name}\``,
      our.microseconds.toFixed(1),
      their.microseconds.toFixed(1),
      `${cpu.toFixed(2)}${judge(cpu <= limits.cpu)}`,
      our.perSecond.toFixed(0),
      their.perSecond.toFixed(0),
      `${speed.toFixed(2)}${judge(speed >= limits.perSecond)}`,
      our.bytes.toFixed(0),
      their.bytes.toFixed(0),
    ];
    section.print(`| ${cells.join(" | ")} |`);
  }
  section.print(`\nAt most ${limits.cpu} of btcd's CPU, at least ${limits.perSecond} times its requests per second.\n`);
}

/** Reads of all kinds, in turn: one by one, and together. */
async function reportBatch(ours: Served, rows: readonly Row[]): Promise<void> {
  const reads = Array.from({ length: batch.members }, (_, at) => {
    const calls = rows[at % rows.length]?.[1] ?? [];
    return calls[Math.floor(at / rows.length) % calls.length];
  }).filter((call) => call !== undefined);
  const single = await measureBoth(
    [ours],
    reads.map((call) => bodyOf(call)),
  );
  const together = await measureBoth([ours], [reads.map((call, at) => bodyOf(call, at))]);
  const [one = Number.NaN, whole = Number.NaN] = [single, together].map((costs) => costs.get(ours)?.microseconds);
  const singles = one * batch.singles;
  section.print("A batch:\n");
  section.print(
    `${batch.members} reads in a batch cost ${whole.toFixed(0)} µs, ${batch.singles} single ones ${singles.toFixed(0)} µs: ` +
      `as much as ${(whole / one).toFixed(1)} of them.${judge(whole < singles)}\n`,
  );
}

interface Watched {
  /** Milliseconds of the service's CPU. */
  readonly cpu: number;
  /** The longest that a short request had to wait for its answer meanwhile, in milliseconds. */
  readonly wait: number;
}

/** What `work` costs the service; `work` is done by another process, which this one's is not to disturb. */
async function watch(served: Served, work: () => Promise<unknown>): Promise<Watched> {
  let isOver = false;
  let wait = 0;
  let asked = 0;
  const asking = (async (): Promise<void> => {
    while (!isOver) {
      const start = performance.now();
      await post(served, bodyOf({ method: "getblockcount", params: [] }));
      wait = Math.max(wait, performance.now() - start);
      asked += 1;
      await sleep(2);
    }
  })();
  const before = cpuSecondsOf(served.pid);
  await work();
  const cpu = (cpuSecondsOf(served.pid) - before) * 1_000;
  isOver = true;
  await asking;
  return { cpu: Math.max(cpu - asked * shortRequestMilliseconds, 0), wait };
}

/** What each of the short requests costs the service. */
const shortRequestMilliseconds = 0.1;
const bigBlocks = 6;

/** Blocks of many transactions, each for the first time and again. */
async function reportBlocks(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-big-blocks-"));
  try {
    tell("building blocks of many transactions");
    const chain = buildBigChain(bigBlocks, bigBlock.transactions);
    const hashes = chain.big.map((position) =>
      displayHash(parseBlockHeader((chain.blocks[position] ?? new Uint8Array()).subarray(0, 80)).hash),
    );
    mkdirSync(join(directory, "blocks"));
    writeFileSync(join(directory, "blocks/blk00000.dat"), blockFileOf(chain));
    const service = await startService({
      parameters: ["--bitcoin-blocks", join(directory, "blocks"), "--bitcoin-network", "regtest"],
      fromSources: given.sources,
      timeoutMilliseconds: 300_000,
    });
    try {
      await indexed(oursOf(service), chain.blocks.length - 1);
      await reportFirstAndAgain(oursOf(service), hashes);
    } finally {
      await service.stop();
    }
    await reportTurns(chain, hashes, join(directory, "index"));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function indexed(served: Served, height: number): Promise<void> {
  const body = bodyOf({ method: "getblockcount", params: [] });
  const deadline = Date.now() + indexMilliseconds;
  for (;;) {
    const { result } = JSON.parse(String(await post(served, body))) as { readonly result: unknown };
    if (result === height) return;
    if (Date.now() > deadline) throw new Error(`The index stands at ${result}, not at ${height}`);
    await sleep(200);
  }
}

const indexMilliseconds = 60_000;

async function reportFirstAndAgain(served: Served, hashes: readonly string[]): Promise<void> {
  const first: Watched[] = [];
  let bytes = 0;
  for (const hash of hashes) {
    const body = bodyOf({ method: "getblock", params: [hash, 2] });
    first.push(await watch(served, async () => (bytes = (await post(served, body)).length)));
  }
  const requests = hashes.map((hash) => requestOf(served, bodyOf({ method: "getblock", params: [hash, 2] })));
  const options = { seconds: Math.max(seconds, 3), rounds, warmUpSeconds: 1 };
  const again =
    (await measureRequests([served.pid], served.origin, requests.slice(0, 1), options)).microseconds / 1_000;
  const [cold = { cpu: Number.NaN, wait: Number.NaN }, ...others] = first;
  const warm = median(others.map(({ cpu }) => cpu));
  const isKept = cold.cpu <= bigBlock.first && warm <= bigBlock.first;
  section.print(
    `getblock at verbosity 2 of a block of ${bigBlock.transactions} transactions, ${(bytes / 1e6).toFixed(1)} MB:\n`,
  );
  section.print("| | CPU ms | limit |\n|---|---|---|");
  section.print(
    `| the first such block that the process is asked for | ${cold.cpu.toFixed(0)} | ${bigBlock.first}${judge(isKept)} |`,
  );
  section.print(
    `| others, each for the first time, median of ${others.length} | ${warm.toFixed(0)} | ${bigBlock.first} |`,
  );
  section.print(`| again | ${again.toFixed(1)} | ${bigBlock.repeated}${judge(again <= bigBlock.repeated)} |\n`);
  const waits = first.map(({ wait }) => wait.toFixed(1)).join(", ");
  section.print(`Meanwhile a short request waited at most ${waits} ms, on the way there and back included.\n`);
}

/** The longest that the event loop was kept, in a process of which nothing else is asked. */
async function reportTurns(chain: BigChain, hashes: readonly string[], directory: string): Promise<void> {
  const store = await openEmbeddedStore(directory, networks.regtest);
  await runIndexer({ store, source: createArraySource(networks.regtest, chain.blocks) });
  await store.close();
  const index = openChainIndex(directory, { network: networks.regtest });
  const longest: number[] = [];
  try {
    for (const blockhash of hashes)
      longest.push(await longestTurn(() => handlers.getblock?.({ blockhash, verbosity: 2 }, { index } as never)));
  } finally {
    await index.close();
  }
  const [cold = Number.NaN, ...others] = longest;
  const warm = Math.max(...others);
  section.print(
    `Its longest turn of the event loop: ${cold.toFixed(1)} ms for the first block, ${warm.toFixed(1)} ms for the others ` +
      `(limit ${bigBlock.turn})${judge(Math.max(cold, warm) <= bigBlock.turn)}.\n`,
  );
}

/** In milliseconds of CPU: a turn in which the processor was somebody else's is not longer for it. */
async function longestTurn(work: () => unknown): Promise<number> {
  let longest = 0;
  let last = cpuOfThread();
  let isOver = false;
  const look = (): void => {
    const now = cpuOfThread();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await sleep(10);
  longest = 0;
  await work();
  await sleep(0);
  isOver = true;
  return longest;
}

function cpuOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function oursOf(service: StartedService): Served {
  const { interfaces, apikey } = nodeOf(service, "bitcoin");
  const { origin, pathname } = new URL(interfaces.rpc ?? "");
  return {
    name: "nodewright",
    pid: service.pid,
    origin,
    path: `${pathname}?apikey=${apikey}`,
    headers: {},
    endsConnections: false,
  };
}

function theirsOf(btcd: BitcoinProgram): Served {
  const authorization = `Basic ${Buffer.from(`${btcd.user}:${btcd.password}`).toString("base64")}`;
  return {
    name: "btcd",
    pid: btcd.pid,
    origin: btcd.url,
    path: "/",
    headers: { authorization },
    endsConnections: true,
  };
}

/** gettxout is off by default. */
async function enable(service: StartedService, { id }: ReadyNode, method: string): Promise<void> {
  const registry = await openEmbeddedRegistry(join(service.dataDirectory, "registry"));
  try {
    for (const { id: subscriptionId } of registry.listSubscriptions(id)) {
      await registry.setMethodAccess({ subscriptionId, interface: "rpc", method, state: "on", changedBy: "benchmark" });
    }
  } finally {
    await registry.close();
  }
}

async function reportBeside(): Promise<void> {
  const { path } = requireProgram("btcd");
  if (path === undefined) throw new Error("There is no btcd: npm run setup:ci builds it");
  const directory = mkdtempSync(join(tmpdir(), "nodewright-rpc-"));
  const btcd = await prepareBtcd(path, directory, {
    network: "mainnet",
    hasTransactionIndex: true,
    maximumClients: 4 * connections,
  });
  await btcd.start();
  const service = await startService({ fromSources: given.sources });
  try {
    tell("handing btcd its blocks");
    await btcd.callEach(
      "submitblock",
      readBlocks().map((block) => [block.toString("hex")]),
    );
    await enable(service, nodeOf(service, "bitcoin"), "gettxout");
    const ours = oursOf(service);
    const rows = rowsOf(await findChain(ours));
    if (parts.has("methods")) await reportMethods(ours, theirsOf(btcd), rows);
    if (parts.has("batch")) await reportBatch(ours, rows);
  } finally {
    await Promise.all([service.stop(), btcd.stop()]);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** From the block above the first on. */
function readBlocks(): readonly Buffer[] {
  if (given.blocks === undefined) return demoBlocks(blockCount).slice(1);
  const file = readFileSync(given.blocks);
  const blocks: Buffer[] = [];
  for (let at = 0; at + 8 < file.length && file.readUInt32LE(at + 4) > 0; at += 8 + file.readUInt32LE(at + 4)) {
    blocks.push(file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4)));
  }
  return blocks.slice(1);
}

if (parts.has("methods") || parts.has("batch")) await reportBeside();
if (parts.has("block")) await reportBlocks();
section.end();
