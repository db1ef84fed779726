/**
 * Indexes mainnet blocks 0 to 14131 into a directory of its own and prints what that cost.
 *
 *     node --conditions=source test/benchmarks/index-mainnet.ts [block file or directory] [--write]
 *
 * CPU seconds are those of the whole process, from its start: user and system, loading the program included.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  createBlockFileSource,
  type IndexerEvent,
  openChainIndex,
  openEmbeddedStore,
  runIndexer,
} from "../../packages/bitcoin-indexer/src/index.ts";
import { networks } from "../../packages/bitcoin-primitives/src/index.ts";
import { beginSection } from "./sections.ts";

const demo = new URL("../../packages/service/demo/bitcoin-mainnet/blocks-0-14131.dat.zst", import.meta.url);
const path = process.argv.slice(2).find((argument) => argument !== "--write") ?? fileURLToPath(demo);
const section = beginSection("indexing");
const network = networks.mainnet;
const directory = mkdtempSync(join(tmpdir(), "nodewright-benchmark-"));

try {
  const cpuBefore = cpuSeconds();
  const wallBefore = performance.now();
  const last = await index();
  const megabytes = last.bytes / 1e6;
  const cpu = cpuSeconds();
  section.print("| | |\n|---|---|");
  print("blocks", last.blocks.toLocaleString("en"));
  print("transactions", last.transactions.toLocaleString("en"));
  print("block data", `${megabytes.toFixed(2)} MB`);
  print("CPU, whole process", `${cpu.toFixed(2)} s`);
  print("CPU, indexing alone", `${(cpu - cpuBefore).toFixed(2)} s`);
  print("wall, indexing alone", `${((performance.now() - wallBefore) / 1e3).toFixed(2)} s`);
  print("speed", `${(megabytes / (cpu - cpuBefore)).toFixed(2)} MB per CPU-second`);
  print("peak memory", `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
  print("index on disk", `${(sizeOf(join(directory, "index")) / 1e6).toFixed(1)} MB`);
  print("blocks on disk", `${(sizeOf(join(directory, "blocks")) / 1e6).toFixed(1)} MB`);
  await measureLookups();
  section.end();
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function index(): Promise<IndexerEvent> {
  const store = await openEmbeddedStore(directory, network);
  const source = createBlockFileSource(path, network);
  let last: IndexerEvent | undefined;
  await runIndexer({
    store,
    source,
    onEvent: (event) => {
      last = event;
    },
  });
  await source.close();
  await store.close();
  if (last === undefined) throw new Error("The indexer told nothing");
  return last;
}

/** Transactions spread over the chain, each several times, in an order that is not the chain's. */
async function measureLookups(): Promise<void> {
  const queries = openChainIndex(directory, { network });
  const ids: string[] = [];
  for (let height = (await queries.tip())?.height ?? 0; height >= 0; height -= 7) {
    const block = await queries.blockByHeight(height);
    ids.push(...((block && (await queries.transactionIds(block.hash))) ?? []));
  }
  const lookups = 50_000;
  const before = cpuSeconds();
  for (let count = 0; count < lookups; count += 1) await queries.transaction(ids[(count * 7_919) % ids.length] ?? "");
  print("transaction lookup", `${(((cpuSeconds() - before) / lookups) * 1e6).toFixed(1)} µs of CPU`);
  await queries.close();
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

function print(name: string, value: string): void {
  section.print(`| ${name} | ${value} |`);
}
