import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { displayHash, networks, parseTransaction, serializeTransaction, toHex } from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import { type ChainIndexReader, openChainIndex } from "../chain-index-reader.ts";
import { type IndexerProcess, startIndexer } from "../start-indexer.ts";
import { RegtestChain, type RegtestTip } from "../testing/regtest-chain.ts";
import { canMakeDisks, withSmallDisk } from "../testing/small-disk.ts";
import { StubNode } from "../testing/stub-node.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import type { MempoolProgress } from "./mempool-progress.ts";

const network = networks.regtest;
const script = Uint8Array.of(0x51);
const transactionCount = 1_300;

/** Builds a chain with as many outputs in one transaction as unconfirmed ones are needed. */
function buildChain(): readonly RegtestTip[] {
  const chain = new RegtestChain();
  const first = chain.extend(chain.genesis, script);
  const outputs = Array.from({ length: transactionCount }, () => ({ value: 100_000n, scriptPubKey: script }));
  return [chain.genesis, first, chain.extend(first, script, [{ coins: first.coins, outputs }])];
}

/** A node with a mempool of spends of the tip's outputs. */
class FilledNode {
  readonly stub: StubNode;
  /** Transactions in hex by txid. */
  readonly #transactions = new Map<string, string>();
  /** Number of listed transactions. */
  listed: number;
  /** Called for each requested transaction. */
  onRequested: () => void = () => undefined;

  constructor(listed: number) {
    this.listed = listed;
    const tips = buildChain();
    for (const { outpoint } of tips.at(-1)?.coins.filter(({ value }) => value === 100_000n) ?? []) {
      const input = { previousOutput: outpoint, scriptSig: new Uint8Array(0), sequence: 0, witness: [] };
      const outputs = [{ value: 99_000n, scriptPubKey: new Uint8Array(300).fill(0x51) }];
      const bytes = serializeTransaction({ version: 2, inputs: [input], outputs, locktime: 0 });
      this.#transactions.set(displayHash(parseTransaction(bytes).txid), toHex(bytes));
    }
    this.stub = new StubNode(tips);
    this.stub.lie = (method, [txid]) => {
      if (method === "getrawmempool") return this.ids();
      if (method !== "getrawtransaction") return undefined;
      this.onRequested();
      return this.#transactions.get(String(txid));
    };
  }

  ids(): readonly string[] {
    return [...this.#transactions.keys()].slice(0, this.listed);
  }
}

interface Watched {
  readonly directory: string;
  readonly node: FilledNode;
  readonly indexer: IndexerProcess;
  readonly reader: ChainIndexReader;
  readonly progress: readonly MempoolProgress[];
  /** Resolves when readers see as many transactions as the node lists, and these. */
  untilShown(): Promise<void>;
}

async function watch(directory: string, node: FilledNode, action: (watched: Watched) => Promise<void>): Promise<void> {
  await node.stub.start();
  const progress: MempoolProgress[] = [];
  const indexer = startIndexer({
    directory,
    network: "regtest",
    source: { kind: "node", upstream: { url: node.stub.url }, pollMilliseconds: 20 },
    onMempool: (reported) => progress.push(reported),
  });
  const reader = openChainIndex(directory, { network });
  const untilShown = async (): Promise<void> => {
    await expect.poll(async () => (await reader.mempool.summary()).count, { interval: 20 }).toBe(node.listed);
    expect(await reader.mempool.transactionIds({ limit: transactionCount })).toEqual(node.ids().toSorted());
  };
  try {
    await action({ directory, node, indexer, reader, progress, untilShown });
  } finally {
    await reader.close();
    await indexer.stop();
    await node.stub.stop();
  }
}

/** Kills each process in turn after a number of requested transactions. */
function killAt(moments: readonly number[], watched: Watched): void {
  const { node, indexer } = watched;
  let asked = 0;
  node.onRequested = () => {
    asked += 1;
    if (asked !== moments[0]) return;
    const { pid } = indexer;
    process.kill(pid ?? 0, "SIGKILL");
    // Responses to its earlier requests still arrive.
    node.onRequested = () => {
      if (indexer.pid === undefined || indexer.pid === pid) return;
      killAt(moments.slice(1), watched);
      node.onRequested();
    };
  };
}

function generationsIn(directory: string): readonly string[] {
  return readdirSync(join(directory, "mempool")).filter((name) => name !== "current");
}

it("is made anew after kill -9 within a fill, while readers keep what they had", async () => {
  await withTemporaryDirectory(async (directory) => {
    await watch(directory, new FilledNode(transactionCount), async (watched) => {
      const { node, indexer, reader, untilShown } = watched;
      killAt([1, 700, transactionCount], watched);
      await untilShown();
      await expect.poll(() => generationsIn(directory)).toHaveLength(1);

      const { pid } = indexer;
      let least = Number.POSITIVE_INFINITY;
      const watching = setInterval(async () => {
        least = Math.min(least, (await reader.mempool.summary()).count);
      }, 5);
      node.onRequested = () => undefined;
      process.kill(pid ?? 0, "SIGKILL");
      node.listed -= 1;
      await untilShown();
      clearInterval(watching);
      expect(indexer.pid).not.toBe(pid);
      // Never a part of the new tables; whether it saw all of them before it was stopped is random.
      expect(least).toBeGreaterThanOrEqual(transactionCount - 1);
      await expect.poll(() => generationsIn(directory)).toHaveLength(1);
    });
  });
});

if (!canMakeDisks) console.warn("This machine lets nobody mount: the test with a full disk is skipped.");

it.skipIf(!canMakeDisks)("says that the disk is full, serves on, and fills its tables when there is room", async () => {
  await withSmallDisk(async (disk) => {
    const directory = join(disk.path, "index");
    mkdirSync(directory);
    const node = new FilledNode(100);
    await watch(directory, node, async ({ indexer, progress, reader, untilShown }) => {
      await untilShown();
      const { pid } = indexer;
      const before = progress.length;
      await disk.leave(16_384);
      node.listed = transactionCount;
      await expect
        .poll(() => progress.slice(before).find(({ state }) => state === "stalled")?.reason)
        .toMatch(/can't be written.*free space/);
      const { count } = await reader.mempool.summary();
      expect(count).toBeGreaterThanOrEqual(100);
      expect(await reader.mempool.transactionIds({ limit: transactionCount })).toHaveLength(count);

      await disk.leave(40_000_000);
      await untilShown();
      expect(indexer.pid).toBe(pid);
      expect(generationsIn(directory)).toHaveLength(1);
    });
  });
});
