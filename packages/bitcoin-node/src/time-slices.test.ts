import type { BlockRecord, ChainQueries, MempoolMember, MempoolQueries } from "@nodewright/bitcoin-indexer";
import {
  networks,
  parseTransaction,
  serializeTransaction,
  type Transaction,
  type TransactionContent,
} from "@nodewright/bitcoin-primitives";
import { describe, expect, it, vi } from "vitest";
import { verifyChain } from "./chain/verify-chain.ts";
import { stateAt } from "./chain/version-bits.ts";
import { countCoins } from "./chain/coin-set.ts";
import type { BitcoinNodeContext } from "./context/context.ts";
import { deriveaddresses } from "./handlers/deriveaddresses.ts";
import { gettxspendingprevout } from "./handlers/gettxspendingprevout.ts";
import { searchrawtransactions } from "./handlers/searchrawtransactions.ts";
import { renderLargeTransaction } from "./render/long-scripts.ts";
import { MempoolGraph } from "./mempool/mempool-graph.ts";
import { getCluster, readIds, readMempool } from "./mempool/read-mempool.ts";
import { renderMempoolEntries } from "./mempool/render-entry.ts";
import { estimateHashRate } from "./chain/network-hash-rate.ts";
import { renderBlockBody } from "./render/block-body.ts";
import { foundPart } from "./render/rendered-blocks.ts";
import { deriveScripts } from "./scan/derive-scripts.ts";
import { findOutputs } from "./scan/find-outputs.ts";
import { RunningScan } from "./context/output-scans.ts";
import { scanOutputs } from "./scan/scan-outputs.ts";
import { findTransactions } from "./search/find-transactions.ts";
import { countBlock } from "./statistics/count-block.ts";
import { withChecksum } from "./testing/with-checksum.ts";

const network = networks.regtest;
const script = Uint8Array.of(0x51);
const address = "bcrt1qjqmxmkpmxt80xz4y3746zgt0q3u3ferr34acd5";

/**
 * Returns the turns of the event loop that some work takes, by a clock that advances by so many milliseconds at each read. The work waits
 * only for its turn.
 */
async function turnsOf(work: () => unknown, milliseconds: number): Promise<number> {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    now += milliseconds;
    return now;
  });
  const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));
  try {
    // No time slice that has begun by another clock is left over.
    for (let left = 0; left < 3; left += 1) await turn();
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    const working = Promise.resolve(work());
    const immediate = setImmediate(count);
    await working;
    isDone = true;
    clearImmediate(immediate);
    return turns;
  } finally {
    for (let left = 0; left < 3; left += 1) await turn();
    clock.mockRestore();
  }
}

function recordAt(height: number): BlockRecord {
  const header = { time: height, version: 0, bits: 0x207fffff };
  return {
    hash: `block ${height}`,
    height,
    header,
    chainWork: BigInt(height),
    medianTime: height,
    onBestChain: true,
    chainTransactionCount: height,
  } as BlockRecord;
}

const idAt = (position: number): string => position.toString(16).padStart(64, "0");

function memberAt(position: number, more: Partial<MempoolMember> = {}): MempoolMember {
  const txid = idAt(position);
  const sizes = { size: 100, virtualSize: 100, weight: 400 };
  return { txid, wtxid: txid, fee: 1n, ...sizes, time: 0, height: 0, parents: [], children: [], ...more };
}

function transactionOf(content: Partial<TransactionContent>): Transaction {
  const input = {
    previousOutput: { txid: new Uint8Array(32).fill(7), vout: 0 },
    scriptSig: new Uint8Array(0),
    sequence: 0,
    witness: [],
  };
  const output = { value: 1n, scriptPubKey: script };
  return parseTransaction(
    serializeTransaction({ version: 2, inputs: [input], outputs: [output], locktime: 0, ...content }),
  );
}

const one = transactionOf({});
const found = { txid: idAt(1), transaction: one, previousOutputs: [] };

/** Index with so much data that it is read in parts, each at once. */
const index = {
  network,
  tip: async () => recordAt(1_000),
  tipHeight: async () => 1_000,
  blocks: async (height: number, count: number) =>
    Array.from({ length: count }, (_, below) => recordAt(height - below)),
  spendsOf: async (txids: readonly string[]) => txids.map(() => undefined),
  checkBlock: async () => true,
  scriptStatistics: async () => ({ transactions: 1_000 }),
  scriptHistorySlice: async (_hash: string, { limit }: { readonly limit: number }) =>
    Array.from({ length: limit }, () => found),
  blockTransactions: async () => [],
  transactionPlace: async () => undefined,
  unspentOutputCount: async () => 1_000,
  async *unspentOutputPages() {
    for (let page = 0; page < 10; page += 1) {
      yield [{ txid: idAt(page), vout: 0, value: 1n, isCoinbase: false, block: { hash: "ab", height: 1, time: 0 } }];
    }
  },
  async *coinPages() {
    for (let page = 0; page < 10; page += 1) {
      yield [{ txid: new Uint8Array(32), vout: page, value: 1n, scriptPubKey: script, height: 1, isCoinbase: false }];
    }
  },
} as unknown as ChainQueries;

/** Returns an index whose blocks have so many transactions. */
function blockOf(transactionCount: number): ChainQueries {
  const blockTransactions = async (_hash: string, start: number, count: number) =>
    Array.from({ length: Math.min(count, transactionCount - start) }, () => found);
  return { ...index, blockTransactions } as unknown as ChainQueries;
}

const ids = Array.from({ length: 4_500 }, (_, position) => idAt(position));

/** Returns a mempool that changes at each use: nothing of it is cached. */
function newMempool(): MempoolQueries {
  return {
    changes: async () => 0,
    transactionIds: async ({ after = "", limit }: { readonly after?: string; readonly limit: number }) => {
      const start = after === "" ? 0 : ids.indexOf(after) + 1;
      return ids.slice(start, start + limit);
    },
    members: async (wanted: readonly string[]) => wanted.map((id) => memberAt(Number.parseInt(id, 16))),
    scriptHistory: async (_hash: string, { after }: { readonly after?: string }) =>
      Array.from({ length: after === idAt(3) ? 7 : 50 }, () => ({ ...found, txid: idAt(after === undefined ? 1 : 3) })),
    spends: async (names: readonly unknown[]) => names.map(() => undefined),
  } as unknown as MempoolQueries;
}

/** State of a deployment that is not cached yet, over ten periods in which it has begun. */
let deployments = 0;
function stateOfNewDeployment(): Promise<unknown> {
  deployments += 1;
  const deployment = {
    name: `new ${deployments}`,
    bit: 1,
    startTime: 0,
    timeout: 1_000_000n,
    minimumActivationHeight: 0,
    period: 10,
    threshold: 8,
  };
  const branch = {
    tip: recordAt(200),
    recordAt: async (height: number) => recordAt(height),
    recordsFrom: async (height: number, count: number) =>
      Array.from({ length: count }, (_, below) => recordAt(height - below)),
  };
  return stateAt(branch, deployment, 110);
}

const contextWith = (more: Partial<BitcoinNodeContext> = {}) => ({ index, ...more }) as BitcoinNodeContext;
const hash = "ab";
const all = { scriptHash: hash, skip: 0, count: 1_000, reverse: false };
const objects = Array.from({ length: 10 }, () => "raw(51)");
const outpoints = Array.from({ length: 1_000 }, (_, vout) => ({ txid: idAt(1), vout }));
const graph = new MempoolGraph(Array.from({ length: 20 }, (_, position) => memberAt(position)));

const tenAddresses = {
  descriptor: withChecksum(
    "wpkh(tpubDAenfwNu5GyCJWv8oqRAckdKMSUoZjgVF5p8WvQwHQeXjDhAHmGrPa4a4y2Fn7HF2nfCLefJanHV3ny1UY25MRVogizB2zRUdAo7Tr9XAjm/*)",
  ),
  range: [0, 9],
};

it("ends between two steps when its caller has gone, and is asked of no one before", async () => {
  const gone = contextWith({ isClientDisconnected: () => true });
  for (const work of [
    async () => await searchrawtransactions({ address, count: 10 }, gone),
    async () => await deriveaddresses(tenAddresses, gone),
  ]) {
    await expect(turnsOf(work, 5)).rejects.toThrow("The client disconnected before the response");
    expect(await turnsOf(work, 0)).toBe(0);
  }
});

describe("work for one caller", () => {
  it.each<[name: string, turns: number, work: () => unknown]>([
    ["an estimate of the hash rate", 2, () => estimateHashRate(index, recordAt(1_000), 1_000)],
    ["a verification of blocks", 19, () => verifyChain({ ...index }, { level: 1, depth: 20 })],
    ["the state of a deployment", 9, stateOfNewDeployment],
    ["a count of all outputs", 9, () => countCoins({ ...index }, "none")],
    ["what spends outputs", 8, () => gettxspendingprevout({ outputs: outpoints }, contextWith())],
    ["transactions of the chain", 19, () => findTransactions({ index }, all)],
    [
      "transactions of the mempool",
      2,
      () => findTransactions({ index, mempool: newMempool() }, { ...all, skip: 1_100 }),
    ],
    [
      "transactions that are found, and written",
      19 + 1_000,
      () => searchrawtransactions({ address, count: 1_000 }, contextWith()),
    ],
    ["statistics of a block", 8, () => countBlock({ ...index }, { ...recordAt(7), transactionCount: 500 })],
    [
      "a block with its transactions",
      40,
      () => renderBlockBody(blockOf(40), { ...recordAt(7), transactionCount: 40 }, 2, foundPart),
    ],
    ["ids of a mempool", 1, () => readIds(newMempool())],
    ["a mempool", 2 + 44, () => readMempool(newMempool())],
    ["a cluster", 2, () => getCluster(newMempool(), idAt(1))],
    ["entries of a mempool", 38, () => renderMempoolEntries(graph)],
    ["descriptors", 18, () => deriveScripts(objects, { network, scan: new RunningScan() })],
    [
      "scripts of one descriptor",
      20,
      () =>
        deriveScripts(
          [{ desc: "combo(03a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd)" }, ...objects],
          { network, scan: new RunningScan() },
        ),
    ],
    ["outputs of scripts", 21, () => findOutputs(index, [script, Uint8Array.of(0x52)], new RunningScan())],
    ["outputs, and how they are written", 21, () => scanOutputs(["raw(51)"], contextWith(), new RunningScan())],
    ["addresses", 18, () => deriveaddresses(tenAddresses, contextWith())],
    [
      "a transaction of many inputs",
      20,
      () =>
        renderLargeTransaction(
          transactionOf({ inputs: Array.from({ length: 20 }, () => one.inputs[0] ?? expect.unreachable()) }),
          network,
        ),
    ],
    [
      "a transaction of many outputs",
      20,
      () =>
        renderLargeTransaction(
          transactionOf({ outputs: Array.from({ length: 20 }, () => one.outputs[0] ?? expect.unreachable()) }),
          network,
        ),
    ],
  ])(
    "lets others have their turn after each step that has taken long, and only then: %s",
    async (_name, turns, work) => {
      expect(await turnsOf(work, 5)).toBeGreaterThanOrEqual(turns);
      expect(await turnsOf(work, 0)).toBe(0);
    },
  );
});
