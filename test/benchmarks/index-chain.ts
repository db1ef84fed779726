/**
 * Indexes made chains from their block files, and prints what that cost: with copies of the blocks and with the blocks left in place, then
 * at once, twice, four and eight times the size.
 *
 *     node --conditions=source test/benchmarks/index-chain.ts [--transactions 280000] [--sizes 1,2,4,8] [--chains directory] [--rounds 1]
 *       [--source files|node] [--catch-up|--block-by-block] [--write]
 *
 * `--chains`: where chains are kept and found again. `--source node`: from a node of a process of its own, over JSON-RPC.
 * `--catch-up`: an index of the lowest blocks is extended by all others. `--block-by-block`: never in bulk, as a chain grows at its tip. CPU seconds are those of the whole indexer's process, all its threads, from its
 * start: user and system, loading the program included. Without `--conditions=source` the compiled program is measured.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { BlockSource, IndexerEvent, RunIndexerOptions } from "@nodewright/bitcoin-indexer";
import type { Network } from "@nodewright/bitcoin-primitives";
import { median } from "./measure.ts";
import { beginSection } from "./sections.ts";

/** What one indexer's process says at its end. */
interface IndexingCost {
  readonly cpuSeconds: number;
  readonly systemSeconds: number;
  readonly wallSeconds: number;
  readonly peakMegabytes: number;
  readonly height: number;
}

interface Measurement extends IndexingCost {
  readonly blockBytes: number;
  readonly indexBytes: number;
  readonly directoryBytes: number;
}

const seed = 20_261_121;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    transactions: { type: "string", default: "280000" },
    sizes: { type: "string", default: "1,2,4,8" },
    chains: { type: "string" },
    rounds: { type: "string", default: "1" },
    "in-place": { type: "boolean", default: false },
    source: { type: "string", default: "files" },
    "catch-up": { type: "boolean", default: false },
    "block-by-block": { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});

const ways = ["catch-up", "block-by-block"] as const;

const [source, target] = positionals;
if (source !== undefined && target !== undefined) await index(source, target, values["in-place"]);
else await compare();

/** `place`: a directory of block files, or a node's address. */
async function openSource(place: string, network: Network): Promise<BlockSource> {
  const { createBlockFileSource, createNodeSource } = await import("@nodewright/bitcoin-indexer");
  if (!place.startsWith("http:")) return createBlockFileSource(place, network);
  const { createHttpUpstream } = await import("@nodewright/upstream");
  return createNodeSource(createHttpUpstream({ url: place }), network);
}

/** The measured process. */
async function index(blocks: string, directory: string, blocksInPlace: boolean): Promise<void> {
  const { openEmbeddedStore, runIndexer } = await import("@nodewright/bitcoin-indexer");
  const { networks } = await import("@nodewright/bitcoin-primitives");
  const network = networks.regtest;
  const store = await openEmbeddedStore(directory, network, { blocksInPlace });
  let height = -1;
  const onEvent = (event: { readonly height: number }): void => {
    height = event.height;
  };
  // A source that says when it changes would be watched for ever.
  const watched = await openSource(blocks, network);
  const blockByBlock = { bulkLimits: { minimumBytes: Number.POSITIVE_INFINITY } };
  const run = async (options: Partial<RunIndexerOptions>, isDone: (event: IndexerEvent) => boolean): Promise<void> => {
    const stopping = new AbortController();
    await runIndexer({
      ...options,
      store,
      source: watched,
      signal: stopping.signal,
      onEvent: (event) => {
        onEvent(event);
        if (isDone(event)) stopping.abort();
      },
    });
  };
  const few = { blocks: 1, items: 1, bytes: 1 };
  if (values["catch-up"]) await run({ ...blockByBlock, batchLimits: few }, (event) => event.height >= 0);
  await run(values["block-by-block"] ? blockByBlock : {}, ({ state }) => state === "ready");
  await watched.close();
  await store.close();
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cost: IndexingCost = {
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    systemSeconds: systemCPUTime / 1e6,
    wallSeconds: performance.now() / 1e3,
    peakMegabytes: maxRSS / 1e3,
    height,
  };
  console.log(JSON.stringify(cost));
}

async function compare(): Promise<void> {
  const transactions = Number(values.transactions);
  const rounds = Number(values.rounds);
  const section = beginSection("first-sync");
  const chains = values.chains ?? mkdtempSync(join(tmpdir(), "nodewright-chains-"));
  try {
    section.print(
      "| chain | blocks | blocks kept | CPU | of it system | MB per CPU-s | peak memory | index | directory | wall |",
    );
    section.print("|---|---|---|---|---|---|---|---|---|---|");
    for (const size of values.sizes.split(",").map(Number)) {
      const blocks = await chainOf(chains, transactions * size);
      for (const inPlace of [false, true]) {
        if (inPlace && values.source === "node") continue;
        const runs: Measurement[] = [];
        for (let round = 0; round < rounds; round += 1) runs.push(await measure(blocks, inPlace));
        section.print(row(size, runs, inPlace));
      }
    }
    section.end();
  } finally {
    if (values.chains === undefined) rmSync(chains, { recursive: true, force: true });
  }
}

/** Where the block files of a chain are; made unless they are there. */
async function chainOf(chains: string, transactions: number): Promise<string> {
  const directory = join(chains, `${seed}-${transactions}`);
  if (existsSync(directory)) return directory;
  const { buildChain, writeBlockFiles } = await import("@nodewright/bitcoin-test-chain");
  const unfinished = `${directory}.unfinished`;
  mkdirSync(unfinished, { recursive: true });
  await writeBlockFiles(unfinished, buildChain({ seed, transactions, signatures: "placeholder" }));
  renameSync(unfinished, directory);
  return directory;
}

async function measure(blocks: string, inPlace: boolean): Promise<Measurement> {
  if (values.source !== "node") return measureFrom(blocks, blocks, inPlace);
  const program = fileURLToPath(new URL("./block-node.ts", import.meta.url));
  const node = spawn(process.execPath, [...process.execArgv, program, blocks], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const [port] = (await once(node.stdout.setEncoding("utf8"), "data")) as [string];
    return measureFrom(`http://127.0.0.1:${port.trim()}/`, blocks, inPlace);
  } finally {
    node.stdin.end();
    await once(node, "close");
  }
}

/** `blocks`: the files that are, or that the node at `place` serves. */
function measureFrom(place: string, blocks: string, inPlace: boolean): Measurement {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-index-"));
  try {
    const options = [...(inPlace ? ["--in-place"] : []), ...ways.filter((way) => values[way]).map((way) => `--${way}`)];
    const program = [fileURLToPath(import.meta.url), ...options, place, directory];
    // As `startIndexer` starts it.
    const { status, stdout } = spawnSync(
      process.execPath,
      [...process.execArgv, "--max-semi-space-size=8", ...program],
      {
        encoding: "utf8",
        env: { MALLOC_ARENA_MAX: "1", ...process.env },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    if (status !== 0) throw new Error(`The indexer ended with ${status}`);
    const cost = JSON.parse(stdout.trim()) as IndexingCost;
    return {
      ...cost,
      blockBytes: sizeOf(blocks),
      indexBytes: sizeOf(join(directory, "index")),
      directoryBytes: sizeOf(directory),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function row(size: number, runs: readonly Measurement[], inPlace: boolean): string {
  const [first] = runs;
  if (first === undefined) throw new Error("Nothing was measured");
  const medianOf = (figure: (run: Measurement) => number): number => median(runs.map(figure));
  const megabytes = first.blockBytes / 1e6;
  const cpu = medianOf(({ cpuSeconds }) => cpuSeconds);
  return `| ${[
    `${size}x, ${megabytes.toFixed(1)} MB`,
    String(first.height + 1),
    inPlace ? "in place" : "copied",
    `${cpu.toFixed(2)} s`,
    `${medianOf(({ systemSeconds }) => systemSeconds).toFixed(2)} s`,
    (megabytes / cpu).toFixed(1),
    `${medianOf(({ peakMegabytes }) => peakMegabytes).toFixed(0)} MB`,
    `${(first.indexBytes / first.blockBytes).toFixed(2)}x`,
    `${(first.directoryBytes / first.blockBytes).toFixed(2)}x`,
    `${medianOf(({ wallSeconds }) => wallSeconds).toFixed(1)} s`,
  ].join(" | ")} |`;
}

function sizeOf(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
