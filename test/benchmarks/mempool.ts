/**
 * Follows a mempool that is made up and prints what that costs: memory, the first fill, refreshes of which one in a hundred transactions
 * is new, a block, and what a reader in another process notices.
 *
 *     node --conditions=source test/benchmarks/mempool.ts [transactions] [--write]
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  type IndexerProcess,
  type MempoolProgress,
  startIndexer,
  type StartIndexerOptions,
} from "../../packages/bitcoin-indexer/src/index.ts";
import { cpuSecondsOf } from "./measure.ts";
import { beginSection } from "./sections.ts";

const transactions = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 300_000);
const section = beginSection("mempool");
const directory = mkdtempSync(join(tmpdir(), "nodewright-benchmark-"));
const node = start("./mempool-node.ts");
const reader = start("./mempool-reader.ts");
let indexer: IndexerProcess | undefined;
let refreshes: MempoolProgress[] = [];

try {
  node.send({ transactions });
  const { port } = await answerOf<{ readonly port: number }>(node);
  section.print("| | |\n|---|---|");
  print("transactions", transactions.toLocaleString("en"));
  const began = performance.now();
  indexer = startIndexer(configurationOf(port));
  await until(() => indexer?.lastEvent?.state === "ready");
  print("chain indexed after", seconds(performance.now() - began));
  // Again, because what indexing blocks took is not the mempool's.
  await startAgain(port);
  await until(() => refreshes.some(({ state }) => state === "following"));
  const memoryBefore = memoryOf(indexer.pid ?? 0);
  await indexer.stop();
  node.send({ fill: true });
  await answerOf(node);
  await startAgain(port);
  const fillBegan = performance.now();
  await until(() =>
    refreshes.some((progress) => progress.state === "following" && progress.transactions === transactions),
  );
  const pid = indexer.pid ?? 0;
  print(
    "first fill",
    `${seconds(performance.now() - fillBegan)}, CPU ${cpuSecondsOf(pid).toFixed(1)} s with the start`,
  );
  print("memory of the indexer before", memoryBefore.text);
  print("memory of the indexer after", memoryOf(pid).text);
  print("tables", tablesText());

  const readerPid = reader.pid ?? 0;
  reader.send(directory);
  await sleep(2_000);
  await take(); // The first questions open the tables.
  const readerBefore = memoryOf(readerPid);
  await sleep(1_000);
  print("reader, eight questions, refreshes without change", latenciesText(await take()));
  reader.send({ walk: true });
  await answerOf(reader);
  print("memory of the reader before", readerBefore.text);
  print("memory of the reader after reading everything", memoryOf(readerPid).text);

  await measureRefreshes("refresh without change", pid, 5, 0);
  await measureRefreshes("refresh with 1 % change", pid, 5, Math.round(transactions / 100));
  node.send({ block: 3_000 });
  await answerOf(node);
  const blockBegan = performance.now();
  await until(() => indexer?.mempool?.transactions === transactions - 3_000 && indexer.mempool.state === "following");
  print("a block of 3,000 of them", `${seconds(performance.now() - blockBegan)} until followed`);
  print("reader meanwhile", latenciesText(await take()));
  const [indexerAfter, readerAfter] = [memoryOf(pid), memoryOf(readerPid)];
  print("memory of the indexer in the end", indexerAfter.text);
  print("memory of the reader in the end", readerAfter.text);
  print("tables", tablesText());
  const total = indexerAfter.megabytes + readerAfter.megabytes - readerBefore.megabytes;
  const resident = indexerAfter.resident + readerAfter.resident - readerBefore.resident;
  print("indexer with the reader's growth", `PSS ${total.toFixed(0)} MB, RSS ${resident.toFixed(0)} MB`);
  section.end();
} finally {
  await indexer?.stop();
  reader.disconnect();
  node.kill();
  reader.kill();
  rmSync(directory, { recursive: true, force: true });
}

async function startAgain(port: number): Promise<void> {
  await indexer?.stop();
  refreshes = [];
  indexer = startIndexer(configurationOf(port));
}

function configurationOf(port: number): StartIndexerOptions {
  return {
    directory,
    network: "regtest",
    source: { kind: "node", upstream: { url: `http://127.0.0.1:${port}` } },
    onMempool: (progress) => refreshes.push(progress),
  };
}

async function measureRefreshes(name: string, pid: number, count: number, change: number): Promise<void> {
  await take();
  const wall: number[] = [];
  const cpu: number[] = [];
  for (let round = 0; round < count; round += 1) {
    if (change > 0) {
      node.send({ change });
      await answerOf(node);
    }
    const before = cpuSecondsOf(pid);
    refreshes = [];
    // The one under way may have seen the list of before.
    await until(() => refreshes.filter(({ state }) => state === "following").length >= 2);
    wall.push(Math.max(...refreshes.map(({ refreshMilliseconds }) => refreshMilliseconds)));
    cpu.push((cpuSecondsOf(pid) - before) / refreshes.length);
  }
  print(
    name,
    `${seconds(Math.max(...wall))} at most; CPU of one refresh in two ${cpu.map((value) => value.toFixed(2)).join(", ")} s`,
  );
  print("  reader meanwhile", latenciesText(await take()));
}

async function take(): Promise<readonly number[]> {
  reader.send({ take: true });
  return (await answerOf<{ readonly latencies: readonly number[] }>(reader)).latencies;
}

function latenciesText(values: readonly number[]): string {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2);
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms of ${sorted.length}`;
}

function start(program: string): ChildProcess {
  return fork(fileURLToPath(new URL(program, import.meta.url)), {
    execArgv: ["--conditions=source", "--max-old-space-size=6000"],
  });
}

async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  const [answer] = (await once(child, "message")) as [Answer];
  return answer;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(20);
}

interface Memory {
  /** Proportional: pages that several processes have count in each by its share. */
  readonly megabytes: number;
  readonly resident: number;
  readonly text: string;
}

function memoryOf(pid: number): Memory {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const of = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1] ?? 0) / 1_000;
  const [megabytes, own, mapped, resident] = [of("Pss"), of("Pss_Anon"), of("Pss_File"), of("Rss")];
  const text = `PSS ${megabytes.toFixed(0)} MB (own ${own.toFixed(0)}, mapped ${mapped.toFixed(0)}), RSS ${resident.toFixed(0)} MB`;
  return { megabytes, resident, text };
}

/** What the tables take on the disk; never synced, so mostly in the page cache alone. */
function tablesText(): string {
  const path = join(directory, "mempool");
  const { name } = JSON.parse(readFileSync(join(path, "current"), "utf8")) as { readonly name: string };
  return `${(statSync(join(path, name, "data.mdb")).size / 1e6).toFixed(0)} MB`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(2)} s`;
}

function print(name: string, value: string): void {
  section.print(`| ${name.trim()} | ${value} |`);
}
