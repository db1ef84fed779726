import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import {
  displayHash,
  hashScript,
  networks,
  parseBlock,
  parseTransaction,
  serializeTransaction,
  toHex,
  type Transaction,
} from "@nodewright/bitcoin-primitives";
import { createHttpUpstream } from "@nodewright/upstream";
import { expect, it } from "vitest";
import { type ChainIndexReader, openChainIndex } from "../chain-index-reader.ts";
import { feeEstimateTargets } from "../query/mempool-queries.ts";
import { runIndexer } from "../sync/run-indexer.ts";
import { createArraySource } from "../source/array-source.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { type RegtestCoin, RegtestChain, type RegtestPayment, type RegtestTip } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { mempoolChainOf } from "./mempool-chain.ts";
import { forgetMempool } from "./mempool-directory.ts";
import type { MempoolProgress } from "./mempool-progress.ts";
import { MempoolSync } from "./mempool-sync.ts";

const network = networks.regtest;
const script = Uint8Array.of(0x51);
const otherScript = Uint8Array.of(0x52);

/** Returns a value in place of a result: the node responds with an error of this code. */
const refusal = (code: number): { readonly refusal: number } => ({ refusal: code });

/** A node with a mempool over HTTP, and with faults on demand. */
class StubNode {
  tip: RegtestTip;
  readonly mempool = new Map<string, string>();
  /** Returns another result than the true one, `undefined` to leave it; may take its time. */
  fault: (method: string, params: readonly unknown[]) => unknown = () => undefined;
  readonly #server: Server;
  #port = 0;

  constructor(tip: RegtestTip) {
    this.tip = tip;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", async () => {
        const calls: RpcCall | RpcCall[] = JSON.parse(Buffer.concat(chunks).toString());
        const responses = Array.isArray(calls)
          ? await Promise.all(calls.map((call) => this.#response(call)))
          : await this.#response(calls);
        response.end(JSON.stringify(responses));
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  take(...transactions: readonly Transaction[]): void {
    for (const transaction of transactions) this.mempool.set(idOf(transaction), toHex(transaction.bytes));
  }

  async #response({ id, method, params }: RpcCall): Promise<unknown> {
    const result = (await this.fault(method, params)) ?? this.#truth(method, params) ?? refusal(-32_601);
    const isRefusal = typeof result === "object" && result !== null && "refusal" in result;
    return isRefusal
      ? { id, result: null, error: { code: result.refusal, message: "-" } }
      : { id, result, error: null };
  }

  #truth(method: string, [first]: readonly unknown[]): unknown {
    if (method === "getbestblockhash") return displayHash(this.tip.hash);
    if (method === "getrawmempool") return [...this.mempool.keys()];
    if (method === "getrawtransaction") return this.mempool.get(String(first)) ?? refusal(-5);
    return undefined;
  }
}

interface RpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

function idOf({ txid }: Transaction): string {
  return displayHash(txid);
}

function spend(
  coins: readonly Pick<RegtestCoin, "outpoint">[],
  outputs: readonly bigint[],
  scriptPubKey: Uint8Array = script,
): Transaction {
  return parseTransaction(
    serializeTransaction({
      version: 2,
      inputs: coins.map(({ outpoint }) => ({
        previousOutput: outpoint,
        scriptSig: new Uint8Array(0),
        sequence: 0,
        witness: [],
      })),
      outputs: outputs.map((value) => ({ value, scriptPubKey })),
      locktime: 0,
    }),
  );
}

function outputOf({ txid }: Transaction, vout: number): Pick<RegtestCoin, "outpoint"> {
  return { outpoint: { txid, vout } };
}

const subsidy = 5_000_000_000n;

/** An index with its mempool, and an upstream node. */
interface Following {
  readonly directory: string;
  readonly node: StubNode;
  readonly reader: ChainIndexReader;
  readonly progress: readonly MempoolProgress[];
  /** Coins of the initial tip, all of one subsidy. */
  readonly coins: readonly RegtestCoin[];
  /** Adds a block to the chain of index and node, or of the node alone. */
  extend(
    payments: readonly RegtestPayment[],
    options?: { readonly parent?: RegtestTip; readonly unindexed?: true },
  ): Promise<RegtestTip>;
  indexTip(): Promise<void>;
  /** Called each time before readers see a chain without blocks that they saw before. */
  beforeReorganisation: () => Promise<void>;
  /** Ends this sync and begins another one. */
  restart(): Promise<void>;
  /** Resolves when readers see exactly these transactions. */
  untilShown(...transactions: readonly Transaction[]): Promise<void>;
  /** Resolves with the next matching progress, from now on. */
  untilTold(fits: (progress: MempoolProgress) => boolean): Promise<MempoolProgress>;
}

async function follow(action: (following: Following) => Promise<void>): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const chain = new RegtestChain();
    const source = createArraySource(network);
    let tip = chain.genesis;
    source.add(tip.bytes);
    for (let count = 0; count < 6; count += 1) {
      tip = chain.extend(tip, script);
      source.add(tip.bytes);
    }
    const store = await openEmbeddedStore(directory, network);
    await runIndexer({ store, source });
    const node = new StubNode(tip);
    await node.start();
    const upstream = createHttpUpstream({ url: node.url, timeoutMilliseconds: 2_000 });
    const progress: MempoolProgress[] = [];
    const startSync = () => {
      const sync = new MempoolSync({
        dataDirectory: directory,
        chain: mempoolChainOf(store.queries()),
        upstream,
        onProgress: (reported) => progress.push(reported),
        pollMilliseconds: 10,
        estimateMilliseconds: 0,
      });
      const stop = new AbortController();
      const running = sync.run(stop.signal);
      return {
        sync,
        async end() {
          stop.abort();
          await running;
        },
      };
    };
    let running = startSync();
    const reader = openChainIndex(directory, { network });
    const following: Following = {
      directory,
      node,
      reader,
      progress,
      coins: tip.coins.slice(1),
      async extend(payments, { parent, unindexed } = {}) {
        const next = chain.extend(parent ?? node.tip, otherScript, payments);
        source.add(next.bytes);
        if (next.height > node.tip.height) node.tip = next;
        if (unindexed !== true) await following.indexTip();
        return next;
      },
      async indexTip() {
        await runIndexer({
          store,
          source,
          reorganise: (forkHeight, commit, switchHeight) => {
            const commitSeen = async () => {
              await following.beforeReorganisation();
              await commit();
            };
            return running.sync.reorganise(forkHeight, commitSeen, switchHeight);
          },
        });
        running.sync.wake();
      },
      beforeReorganisation: async () => undefined,
      async restart() {
        await running.end();
        running = startSync();
      },
      async untilShown(...transactions) {
        const expected = transactions.map(idOf).sort();
        await expect.poll(async () => await reader.mempool.transactionIds({ limit: 1_000 })).toEqual(expected);
      },
      async untilTold(fits) {
        const start = progress.length;
        await expect.poll(() => progress.slice(start).some(fits)).toBe(true);
        return progress.slice(start).find(fits) ?? expect.unreachable();
      },
    };
    try {
      await action(following);
    } finally {
      await running.end();
      await reader.close();
      await upstream.close();
      await node.stop();
      await store.close();
    }
  });
}

it("shows what the node has, children before their parents in its list, and what replaces it", async () => {
  await follow(async ({ node, coins, untilShown, reader }) => {
    const parent = spend(coins.slice(0, 1), [subsidy - 1_000n, 500n]);
    const child = spend([outputOf(parent, 0), ...coins.slice(1, 2)], [subsidy, subsidy - 4_000n], otherScript);
    node.take(child, parent);
    await untilShown(parent, child);
    const found = await reader.mempool.transaction(idOf(child));
    expect(found?.fee).toBe(subsidy - 1_000n - (subsidy - 4_000n));
    expect(found?.previousOutputs.map((output) => output?.height)).toEqual([-1, 2]);
    expect(await reader.mempool.summary()).toMatchObject({ count: 2, totalFee: 500n + 3_000n });

    const replacement = spend(coins.slice(0, 1), [subsidy - 9_000n]);
    node.mempool.clear();
    node.take(replacement);
    await untilShown(replacement);
    expect(
      await reader.mempool.spends([{ txid: displayHash(coins[0]?.outpoint.txid ?? new Uint8Array(32)), vout: 0 }]),
    ).toEqual([{ txid: idOf(replacement), vin: 0 }]);
    expect(await reader.mempool.scriptStatistics(toHex(hashScript(otherScript)))).toMatchObject({ transactions: 0 });
  });
});

it("follows a block at once, while the node does not answer", async () => {
  await follow(async ({ node, coins, extend, indexTip, untilShown, reader }) => {
    const outputs = [{ value: subsidy - 1_000n, scriptPubKey: script }];
    const tip = node.tip;
    const next = await extend([{ coins: coins.slice(0, 1), outputs }], { unindexed: true });
    const [, confirmed] = parseBlock(next.bytes).transactions;
    if (confirmed === undefined) throw new Error("No transaction");
    node.tip = tip;
    const child = spend([outputOf(confirmed, 0)], [1_000n]);
    node.take(confirmed, child);
    await untilShown(confirmed, child);

    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    node.fault = async () => {
      asked.resolve();
      await released.promise;
      return undefined;
    };
    await asked.promise;
    await indexTip();
    await untilShown(child);
    expect((await reader.mempool.transaction(idOf(child)))?.previousOutputs[0]?.height).toBe(next.height);
    released.resolve();
  });
});

it("gives back what a disconnected block had confirmed, and takes away what stood on the lost branch alone", async () => {
  await follow(async ({ node, coins, extend, untilShown, reader }) => {
    const [first, second] = coins;
    if (first === undefined || second === undefined) throw new Error("No coins");
    const fork = node.tip;
    const outputs = [{ value: subsidy - 1_000n, scriptPubKey: script }];
    const lost = await extend([
      { coins: [first], outputs },
      { coins: [second], outputs },
    ]);
    const [coinbase, returned, contested] = parseBlock(lost.bytes).transactions;
    if (coinbase === undefined || returned === undefined || contested === undefined) throw new Error("No transactions");
    const child = spend([outputOf(returned, 0)], [5n]);
    const ofCoinbase = spend([outputOf(coinbase, 0)], [5n]);
    const ofContested = spend([outputOf(contested, 0)], [5n]);
    node.take(child, ofCoinbase, ofContested);
    await untilShown(child, ofCoinbase, ofContested);

    const rival = { coins: [second], outputs: [{ value: 7n, scriptPubKey: otherScript }] };
    const branch = await extend([rival], { parent: fork, unindexed: true });
    // The node still lists transactions of the lost branch: the chain is authoritative.
    node.take(returned);
    await extend([], { parent: branch });
    await untilShown(returned, child);
    expect((await reader.mempool.transaction(idOf(child)))?.previousOutputs[0]?.height).toBe(-1);
    expect((await reader.mempool.summary()).totalFee).toBe(1_000n + subsidy - 1_000n - 5n);
  });
});

it.each([
  ["alone", false],
  ["with what spends it", true],
])(
  "gives back what a disconnected block had confirmed, %s, with the chain and without the node",
  async (_how, hasChild) => {
    await follow(async (following) => {
      const { node, coins, extend, untilShown, untilTold, reader } = following;
      const fork = node.tip;
      const payments = coins.slice(0, 2).map((coin) => ({
        coins: [coin],
        outputs: [{ value: subsidy - 1_000n, scriptPubKey: script }],
      }));
      const lost = await extend(payments);
      const [, returned, confirmedAgain] = parseBlock(lost.bytes).transactions;
      if (returned === undefined || confirmedAgain === undefined) throw new Error("No transactions");
      const child = spend([outputOf(returned, 0)], [5n]);
      if (hasChild) node.take(child);
      await untilShown(...(hasChild ? [child] : []));
      await untilTold(({ state }) => state === "following");

      const silence = Promise.withResolvers<undefined>();
      node.fault = () => silence.promise;
      const shown: (readonly boolean[])[] = [];
      following.beforeReorganisation = async () => {
        const ids = [returned, ...(hasChild ? [child] : [])].map(idOf);
        shown.push(await Promise.all(ids.map((id) => reader.mempool.has(id))));
        expect(await reader.transactionPlace(idOf(returned))).toMatchObject({ height: lost.height });
      };
      const branch = await extend(payments.slice(1), { parent: fork, unindexed: true });
      await extend([], { parent: branch });
      expect(shown).toEqual([hasChild ? [true, true] : [true]]);
      expect(await reader.transactionPlace(idOf(returned))).toBeUndefined();
      await untilShown(returned, ...(hasChild ? [child] : []));
      expect(await reader.transactionPlace(idOf(confirmedAgain))).toMatchObject({ height: branch.height });
      silence.resolve(undefined);
    });
  },
);

it("gives back at the height of the first block with which the other chain has more work, as Bitcoin Core does", async () => {
  await follow(async ({ node, coins, extend, untilShown, reader }) => {
    const fork = node.tip;
    const payments = coins.slice(0, 2).map((coin) => ({
      coins: [coin],
      outputs: [{ value: subsidy - 1_000n, scriptPubKey: script }],
    }));
    const lost = [await extend(payments.slice(0, 1)), await extend(payments.slice(1))];
    const returned = lost.flatMap(({ bytes }) => parseBlock(bytes).transactions.slice(1));
    let branch = fork;
    for (let count = 0; count < 4; count += 1) branch = await extend([], { parent: branch, unindexed: true });
    node.take(...returned);
    await extend([], { parent: branch });
    await untilShown(...returned);

    const entries = await reader.mempool.members(returned.map(idOf));
    expect(entries.map((entry) => entry?.height)).toEqual([fork.height + 3, fork.height + 3]);
    expect(await reader.tipHeight()).toBe(fork.height + 5);
  });
});

it("stays on the chain when a reorganisation can't be committed", async () => {
  await follow(async (following) => {
    const { node, coins, extend, indexTip, untilShown, reader } = following;
    const fork = node.tip;
    const lost = await extend([{ coins: coins.slice(0, 1), outputs: [{ value: 5n, scriptPubKey: script }] }]);
    const [, returned] = parseBlock(lost.bytes).transactions;
    if (returned === undefined) throw new Error("No transaction");
    const child = spend([outputOf(returned, 0)], [5n]);
    node.take(child);
    await untilShown(child);
    following.beforeReorganisation = async () => {
      throw new TypeError("as on a full disk");
    };
    const branch = await extend([], { parent: fork, unindexed: true });
    await expect(extend([], { parent: branch })).rejects.toThrow("as on a full disk");
    await untilShown(child);
    expect((await reader.mempool.transaction(idOf(child)))?.previousOutputs[0]?.height).toBe(lost.height);
    following.beforeReorganisation = async () => undefined;
    await indexTip();
    expect(await reader.tipHeight()).toBe(branch.height + 1);
    await untilShown();
  });
});

it("leaves out what is not as it should be, counts it, and shows the rest", async () => {
  await follow(async ({ node, coins, untilShown, untilTold }) => {
    const [first, second, third, fourth, fifth] = coins.map((coin) => [coin]);
    if (
      first === undefined ||
      second === undefined ||
      third === undefined ||
      fourth === undefined ||
      fifth === undefined
    ) {
      throw new Error("No coins");
    }
    const good = spend(first, [subsidy - 1_000n]);
    const wrongId = "11".repeat(32);
    const fromNowhere = spend([{ outpoint: { txid: new Uint8Array(32).fill(9), vout: 0 } }], [1n]);
    const fromNoOutput = spend([outputOf(good, 7)], [1n]);
    const tooMuch = spend(second, [subsidy + 1n]);
    const twice = spend([...third, ...third], [1n]);
    const coinbase = spend([{ outpoint: { txid: new Uint8Array(32), vout: 0xffffffff } }], [1n]);
    const conflicting = spend(first, [5n]);
    const truncated = spend(fourth, [1n]);
    const vanished = spend(fifth, [1n]);
    node.take(good);
    await untilShown(good);
    node.take(fromNowhere, fromNoOutput, tooMuch, twice, coinbase, conflicting, truncated);
    node.mempool.set(idOf(truncated), node.mempool.get(idOf(truncated))?.slice(0, -2) ?? "");
    node.mempool.set(wrongId, toHex(spend(fourth, [2n]).bytes));
    node.mempool.set("22".repeat(32), "zz");
    node.fault = (method) =>
      method === "getrawmempool"
        ? [...node.mempool.keys(), idOf(vanished), "no txid", 17, null, "A".repeat(64)]
        : undefined;
    const reported = await untilTold(({ leftOut }) => leftOut === 10);
    expect(reported).toMatchObject({ state: "following", transactions: 1 });
    await untilShown(good);

    // The conflicting transaction has gone: the other one may enter.
    node.mempool.delete(idOf(good));
    await untilShown(conflicting);
    node.fault = () => undefined;
    for (const txid of node.mempool.keys()) if (txid !== idOf(conflicting)) node.mempool.delete(txid);
    await untilTold(({ leftOut }) => leftOut === 0);
  });
});

it("keeps the children of what the node denies and lists again", async () => {
  await follow(async ({ node, coins, untilShown, untilTold }) => {
    const parent = spend(coins.slice(0, 1), [subsidy - 1_000n]);
    const child = spend([outputOf(parent, 0)], [1_000n]);
    const grandchild = spend([outputOf(child, 0)], [500n]);
    node.take(parent, child, grandchild);
    await untilShown(parent, child, grandchild);
    node.mempool.delete(idOf(parent));
    await untilShown();
    await untilTold(({ leftOut }) => leftOut === 2);
    node.fault = (method, [txid]) => {
      // They are known here: only the parent is requested.
      if (method === "getrawtransaction" && txid !== idOf(parent)) return refusal(-5);
      return undefined;
    };
    node.take(parent);
    await untilShown(parent, child, grandchild);
  });
});

it.each<[name: string, fault: (node: StubNode) => Promise<void>, repair: (node: StubNode) => Promise<void>]>([
  ["is gone", async (node) => await node.stop(), async (node) => await node.start()],
  ["refuses its list", failing("getrawmempool", refusal(-28)), repaired],
  ["lists no list", failing("getrawmempool", { ids: [] }), repaired],
  ["names no best block", failing("getbestblockhash", 7), repaired],
])("keeps what it has when the node %s, says so, and goes on afterwards", async (_name, fault, repair) => {
  await follow(async ({ node, coins, untilShown, untilTold, reader }) => {
    const first = spend(coins.slice(0, 1), [1_000n]);
    const second = spend(coins.slice(1, 2), [1_000n]);
    node.take(first);
    await untilShown(first);
    await fault(node);
    const reported = await untilTold(({ state }) => state === "stalled");
    expect(reported).toMatchObject({ transactions: 1, reason: expect.stringMatching(/Trying again\.$/) });
    expect(reported.reason).not.toContain("127.0.0.1");
    expect(await reader.mempool.has(idOf(first))).toBe(true);
    node.mempool.clear();
    node.take(second);
    await repair(node);
    await untilShown(second);
  });
});

function failing(method: string, answer: unknown): (node: StubNode) => Promise<void> {
  return async (node) => {
    node.fault = (asked) => (asked === method ? answer : undefined);
  };
}

async function repaired(node: StubNode): Promise<void> {
  node.fault = () => undefined;
}

it("waits for the index when the node is ahead of it, and shows what the new block confirmed until it is indexed", async () => {
  await follow(async ({ node, coins, extend, indexTip, untilShown, untilTold, reader }) => {
    const [coin] = coins;
    if (coin === undefined) throw new Error("No coins");
    const transaction = spend([coin], [1_000n]);
    node.take(transaction);
    await untilShown(transaction);
    const tip = await extend([{ coins: [coin], outputs: [{ value: 1_000n, scriptPubKey: script }] }], {
      unindexed: true,
    });
    node.mempool.clear();
    await untilTold(({ state }) => state === "waiting");
    await sleep(50);
    expect(await reader.mempool.has(idOf(transaction))).toBe(true);
    await indexTip();
    await untilShown();
    expect(await reader.tipHeight()).toBe(tip.height);
  });
});

it("is made anew by each start, and seen by open readers when it is whole", async () => {
  await follow(async ({ directory, node, coins, restart, untilShown, reader }) => {
    const first = spend(coins.slice(0, 1), [1_000n]);
    const second = spend(coins.slice(1, 2), [1_000n]);
    node.take(first);
    await untilShown(first);
    const fault = failing("getrawmempool", refusal(-28));
    await fault(node);
    await restart();
    await sleep(150);
    expect(await reader.mempool.has(idOf(first))).toBe(true);
    node.mempool.clear();
    node.take(second);
    await repaired(node);
    await untilShown(second);

    forgetMempool(directory);
    await expect.poll(async () => (await reader.mempool.summary()).count).toBe(0);
  });
});

it.each<[name: string, responses: Record<string, (target: number) => unknown>, expected: Record<number, number>]>([
  [
    "estimatesmartfee",
    { estimatesmartfee: (target) => ({ feerate: target === 1 ? undefined : 0.0002 / target, blocks: target }) },
    { 1: 10, 2: 10, 5: 4, 25: 0.8, 144: 0.139, 1008: 0.02 },
  ],
  [
    "estimatefee",
    {
      estimatefee: (target) => (target === 3 ? refusal(-1) : target > 25 ? refusal(-32_600) : 0.00001 * (30 - target)),
    },
    { 1: 29, 2: 28, 3: 26, 4: 26, 25: 5, 144: 1, 1008: 1 },
  ],
  ["no method", {}, { 1: 1, 2: 1, 25: 1, 144: 1, 1008: 1 }],
])("gives the estimates of a node with %s, for every target", async (_name, responses, expected) => {
  await follow(async ({ node, untilTold, reader }) => {
    node.fault = (method, [target]) => responses[method]?.(Number(target));
    await untilTold(({ state }) => state === "following");
    await untilTold(({ state }) => state === "following");
    const estimates = await reader.mempool.feeEstimates();
    expect([...estimates.keys()]).toEqual(feeEstimateTargets);
    expect(Object.fromEntries(Object.keys(expected).map((target) => [target, estimates.get(Number(target))]))).toEqual(
      expected,
    );
    const rates = [...estimates.values()];
    expect(rates).toEqual(rates.toSorted((left, right) => right - left));
  });
});
