import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { displayHash, hashScript, networks, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isIndexerError } from "../basics/indexer-error.ts";
import type { IndexerEvent } from "./indexer-event.ts";
import type { ChainQueries } from "../query/chain-queries.ts";
import { runIndexer } from "./run-indexer.ts";
import { createArraySource } from "../source/array-source.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { compareIndexes } from "../testing/compare-indexes.ts";
import { RegtestChain, type RegtestCoin, type RegtestPayment, type RegtestTip } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";

const network = networks.regtest;

/** A small set of scripts, so that histories overlap: one of each stored form, and an unspendable one. */
const scripts = [
  Uint8Array.from([0x76, 0xa9, 20, ...new Uint8Array(20).fill(1), 0x88, 0xac]),
  Uint8Array.from([0x00, 20, ...new Uint8Array(20).fill(2)]),
  Uint8Array.from([0x51, 32, ...new Uint8Array(32).fill(3)]),
  Uint8Array.from([0x51]),
  Uint8Array.from([0x6a, 4, 1, 2, 3, 4]),
];
const anyScript = scripts[3] ?? new Uint8Array(0);

/** Indexes `blocks` in a directory and runs `question`; the store is closed afterwards. */
async function indexing<Answer>(
  directory: string,
  blocks: readonly Uint8Array[],
  question: (queries: ChainQueries) => Promise<Answer>,
): Promise<Answer> {
  const store = await openEmbeddedStore(directory, network, { addressSearch: true });
  try {
    await runIndexer({ store, source: createArraySource(network, blocks) });
    return await question(store.queries());
  } finally {
    await store.close();
  }
}

/** A step of a random chain: its parent among the latest blocks, and its spends. */
const steps = fc.array(
  fc.record({
    parent: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) }),
    script: fc.nat(scripts.length - 1),
    payments: fc.array(
      fc.record({
        coins: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 3 }),
        scripts: fc.array(fc.nat(scripts.length - 1), { minLength: 1, maxLength: 3 }),
        hasWitness: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
    /** Number of times a coin is passed on within its script, so that histories grow past the end of their rows. */
    passes: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(90) }),
    /** Whether transactions of other branches are mined again, where their coins are there, and in which order. */
    replay: fc.constantFrom("none", "forward", "backward"),
    /** Whether the index is brought up to date after this block. */
    isIndexed: fc.boolean(),
  }),
  { minLength: 10, maxLength: 40 },
);

type Step = typeof steps extends fc.Arbitrary<readonly (infer Item)[]> ? Item : never;

/** Returns payments from unspent outputs of the parent, each chosen once. */
function paymentsOf(step: Step, parent: RegtestTip, earlier: readonly RegtestPayment[]): RegtestPayment[] {
  const left = [...parent.coins];
  const payments = replayed(step, left, earlier);
  for (const { coins, scripts: chosen, hasWitness } of step.payments) {
    const spent = coins.flatMap((choice) => (left.length === 0 ? [] : left.splice(choice % left.length, 1)));
    const available = spent.reduce((sum, { value }) => sum + value, 0n);
    if (spent.length === 0) continue;
    const share = available / BigInt(chosen.length + 1);
    const outputs = chosen.map((index) => ({ value: share, scriptPubKey: scripts[index] ?? anyScript }));
    payments.push({ coins: spent, outputs, ...(hasWitness ? { witness: [Uint8Array.of(1), Uint8Array.of()] } : {}) });
  }
  for (const coin of left.slice(-step.passes)) {
    if (step.passes === 0) break;
    const { value, scriptPubKey } = coin;
    const half = { value: value / 2n, scriptPubKey };
    payments.push({ coins: [coin], outputs: [half, half] });
  }
  return payments;
}

/** Returns payments that were mined on other branches and whose coins are still there; takes these from `left`. */
function replayed({ replay }: Step, left: RegtestCoin[], earlier: readonly RegtestPayment[]): RegtestPayment[] {
  if (replay === "none") return [];
  const available = new Map(left.map((coin) => [outpointText(coin), coin]));
  const payments: RegtestPayment[] = [];
  for (const payment of earlier) {
    if (!payment.coins.every((coin) => available.has(outpointText(coin)))) continue;
    for (const coin of payment.coins) available.delete(outpointText(coin));
    payments.push(payment);
  }
  left.splice(0, left.length, ...available.values());
  return replay === "forward" ? payments : payments.toReversed();
}

function outpointText({ outpoint: { txid, vout } }: RegtestCoin): string {
  return `${toHex(txid)}:${vout}`;
}

function treeOf(chosen: readonly Step[]): readonly RegtestTip[] {
  const chain = new RegtestChain();
  const tips = [chain.genesis];
  const mined: RegtestPayment[] = [];
  for (const step of chosen) {
    const parent = tips.at(-1 - Math.min(step.parent, tips.length - 1)) ?? chain.genesis;
    const payments = paymentsOf(step, parent, mined);
    mined.push(...payments.filter((payment) => !mined.includes(payment)));
    tips.push(chain.extend(parent, scripts[step.script] ?? anyScript, payments));
  }
  return tips;
}

/** Returns the best chain of a node which saw the blocks in this order. */
function bestChainOf(tips: readonly RegtestTip[]): readonly RegtestTip[] {
  const byHash = new Map(tips.map((tip) => [toHex(tip.hash), tip]));
  let best = tips[0];
  for (const tip of tips) if (best === undefined || tip.height > best.height) best = tip;
  const chain: RegtestTip[] = [];
  for (let tip = best; tip !== undefined; tip = byHash.get(toHex(parseBlock(tip.bytes).header.previousHash))) {
    chain.push(tip);
  }
  return chain.toReversed();
}

it("holds after any reorganisations exactly the rows of a fresh index of the best chain", async () => {
  await withTemporaryDirectory(async (directory) => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (chosen) => {
        run += 1;
        const grown = join(directory, `${run}-grown`);
        const fresh = join(directory, `${run}-fresh`);
        const tips = treeOf(chosen);
        const store = await openEmbeddedStore(grown, network, { addressSearch: true });
        const source = createArraySource(network);
        for (const [index, tip] of tips.entries()) {
          source.add(tip.bytes);
          if (chosen[index - 1]?.isIndexed !== false) await runIndexer({ store, source });
        }
        await runIndexer({ store, source });
        const best = bestChainOf(tips);
        expect((await store.queries().tip())?.height).toBe(best.length - 1);
        const indexed = await blocksOf(store.queries(), best.length - 1);
        await store.close();
        await indexing(fresh, indexed, async () => undefined);
        expect(await compareIndexes(grown, fresh)).toEqual([]);
      }),
      { numRuns: 50, interruptAfterTimeLimit: 20_000 },
    );
  });
});

async function blocksOf(queries: ChainQueries, height: number): Promise<readonly Uint8Array[]> {
  const records = await queries.blocks(height, height + 1);
  return await Promise.all(
    records.toReversed().map(async ({ hash }) => {
      const bytes = await queries.rawBlock(hash);
      if (bytes === undefined) throw new Error(`No block ${hash}`);
      return bytes;
    }),
  );
}

it("agrees with the chain's own coins on statistics, histories, spends and unspent outputs", async () => {
  await withTemporaryDirectory(async (directory) => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (chosen) => {
        run += 1;
        const tips = treeOf(chosen.map((step) => ({ ...step, parent: 0 })));
        const blocks = tips.map(({ bytes }) => bytes);
        await indexing(join(directory, `${run}`), blocks, async (queries) => {
          for (const script of scripts.slice(0, -1)) await checkScript(queries, script, tips);
        });
      }),
      { numRuns: 15 },
    );
  });
});

async function checkScript(queries: ChainQueries, script: Uint8Array, tips: readonly RegtestTip[]): Promise<void> {
  const scriptHash = toHex(hashScript(script));
  const expected = expectedOf(script, tips);
  const statistics = await queries.scriptStatistics(scriptHash);
  expect(statistics).toEqual(expected.statistics);

  const history: string[] = [];
  for (let after: string | undefined; ; after = history.at(-1)) {
    const page = await queries.scriptHistory(scriptHash, { after, limit: 3 });
    history.push(...page.map(({ txid }) => txid));
    if (page.length < 3) break;
  }
  expect(history).toEqual(expected.history.toReversed());

  const unspent: string[] = [];
  for (let after: { txid: string; vout: number } | undefined; ; ) {
    const page = await queries.unspentOutputs(scriptHash, { after, limit: 2 });
    unspent.push(...page.map(({ txid, vout, value }) => `${txid}:${vout}=${value}`));
    const last = page.at(-1);
    if (last === undefined || page.length < 2) break;
    after = last;
  }
  expect(unspent).toEqual(expected.unspent);

  for (const txid of history) {
    const spends = await queries.spends(txid);
    expect(spends?.map((spend) => spend && `${spend.txid}:${spend.vin}`)).toEqual(expected.spends.get(txid));
  }
}

/** Returns the same facts, directly from the blocks. */
function expectedOf(script: Uint8Array, tips: readonly RegtestTip[]) {
  const isScript = (other: Uint8Array): boolean => Buffer.compare(script, other) === 0;
  const outputs = new Map<string, { readonly value: bigint; readonly scriptPubKey: Uint8Array }>();
  const unspent = new Set<string>();
  const history: string[] = [];
  const spends = new Map<string, (string | undefined)[]>();
  const statistics = { transactions: 0, fundedOutputs: 0, fundedValue: 0n, spentOutputs: 0, spentValue: 0n };
  for (const transaction of tips.flatMap(({ bytes }) => parseBlock(bytes).transactions)) {
    const txid = displayHash(transaction.txid);
    let isTouched = false;
    for (const [vin, { previousOutput }] of transaction.inputs.entries()) {
      const outpoint = `${displayHash(previousOutput.txid)}:${previousOutput.vout}`;
      const output = outputs.get(outpoint);
      const list = spends.get(displayHash(previousOutput.txid));
      if (list !== undefined) list[previousOutput.vout] = `${txid}:${vin}`;
      if (output === undefined || !isScript(output.scriptPubKey)) continue;
      isTouched = true;
      statistics.spentOutputs += 1;
      statistics.spentValue += output.value;
      unspent.delete(`${outpoint}=${output.value}`);
    }
    spends.set(
      txid,
      transaction.outputs.map(() => undefined),
    );
    for (const [vout, output] of transaction.outputs.entries()) {
      outputs.set(`${txid}:${vout}`, output);
      if (!isScript(output.scriptPubKey)) continue;
      isTouched = true;
      statistics.fundedOutputs += 1;
      statistics.fundedValue += output.value;
      unspent.add(`${txid}:${vout}=${output.value}`);
    }
    if (isTouched) history.push(txid);
  }
  statistics.transactions = history.length;
  return { statistics, history, unspent: [...unspent], spends };
}

/** Returns two branches: three blocks that are replaced by four others, a payment being only in the first branch. */
function twoBranches() {
  const chain = new RegtestChain();
  const trunk = [chain.genesis];
  for (let count = 0; count < 5; count += 1) trunk.push(chain.extend(trunk.at(-1) ?? chain.genesis, anyScript));
  const fork = trunk.at(-1) ?? chain.genesis;
  const grow = (length: number, payments: readonly RegtestPayment[]): RegtestTip[] => {
    const branch = [chain.extend(fork, anyScript, payments)];
    while (branch.length < length) branch.push(chain.extend(branch.at(-1) ?? fork, anyScript));
    return branch;
  };
  const coin = fork.coins[1];
  if (coin === undefined) throw new Error("No coin");
  const payment = { coins: [coin], outputs: [{ value: coin.value - 100n, scriptPubKey: scripts[0] ?? anyScript }] };
  return { trunk, stale: grow(3, [payment]), best: grow(4, []) };
}

function bytesOf(...tips: readonly (readonly RegtestTip[])[]): readonly Uint8Array[] {
  return tips.flat().map(({ bytes }) => bytes);
}

it("answers for stale blocks from tables of their own", async () => {
  await withTemporaryDirectory(async (directory) => {
    const { trunk, stale, best } = twoBranches();
    const staleHash = displayHash(stale[0]?.hash ?? new Uint8Array(32));
    await indexing(directory, bytesOf(trunk, stale), async (queries) => {
      expect((await queries.blockByHash(staleHash))?.onBestChain).toBe(true);
    });
    await indexing(directory, bytesOf(trunk, stale, best), async (queries) => {
      const record = await queries.blockByHash(staleHash);
      expect(record).toMatchObject({ hash: staleHash, height: 6, onBestChain: false });
      expect(record?.nextHash).toBeUndefined();
      expect((await queries.blockByHeight(6))?.hash).toBe(displayHash(best[0]?.hash ?? new Uint8Array(32)));
      expect(await queries.rawBlock(staleHash)).toEqual(Buffer.from(stale[0]?.bytes ?? []));
      const ids = await queries.transactionIds(staleHash);
      expect(ids).toHaveLength(2);
      const transactions = await queries.blockTransactions(staleHash, 1, 10);
      expect(transactions?.[0]).toMatchObject({ txid: ids?.[1], fee: 100n });
      const payment = await queries.transaction(ids?.[1] ?? "");
      expect(payment).toMatchObject({ txid: ids?.[1], fee: 100n });
      expect(payment?.block).toBeUndefined();
      expect(await queries.spends(ids?.[1] ?? "")).toEqual([undefined]);
      const scriptHash = toHex(hashScript(scripts[0] ?? anyScript));
      expect(await queries.scriptHistory(scriptHash, { limit: 10 })).toEqual([]);
    });
  });
});

it("keeps the bytes of a block once, also when it comes back to the best chain", async () => {
  await withTemporaryDirectory(async (directory) => {
    const { trunk, stale, best } = twoBranches();
    const chain = new RegtestChain();
    const longer = [chain.extend(stale.at(-1) ?? chain.genesis, anyScript)];
    longer.push(chain.extend(longer.at(-1) ?? chain.genesis, anyScript));
    await indexing(directory, bytesOf(trunk, stale), async () => undefined);
    await indexing(directory, bytesOf(trunk, stale, best), async () => undefined);
    const hash = displayHash(stale[0]?.hash ?? new Uint8Array(32));
    await indexing(directory, bytesOf(trunk, stale, best, longer), async (queries) => {
      expect(await queries.blockByHash(hash)).toMatchObject({ onBestChain: true });
      expect(await queries.rawBlock(hash)).toEqual(Buffer.from(stale[0]?.bytes ?? []));
      const ids = await queries.transactionIds(hash);
      expect((await queries.transaction(ids?.[1] ?? ""))?.block?.height).toBe(6);
    });
    const written = readFileSync(join(directory, "blocks", "blk00000.dat"));
    expect(written.length).toBe(bytesOf(trunk, stale, best, longer).reduce((sum, bytes) => sum + bytes.length + 8, 0));
  });
});

it("commits a reorganisation at once, whatever the limits of a batch", async () => {
  await withTemporaryDirectory(async (directory) => {
    const { trunk, stale, best } = twoBranches();
    const store = await openEmbeddedStore(directory, network);
    const source = createArraySource(network, bytesOf(trunk, stale));
    await runIndexer({ store, source });
    source.add(...bytesOf(best));
    const heights: number[] = [];
    await runIndexer({
      store,
      source,
      batchLimits: { blocks: 1, items: 1, bytes: 1 },
      onEvent: ({ height }) => heights.push(height),
    });
    expect(Math.min(...heights)).toBe(8);
    expect((await store.queries().tip())?.height).toBe(9);
    await store.close();
  });
});

interface BadBlockCase {
  readonly name: string;
  readonly reason: string;
  readonly change: (chain: RegtestChain, tip: RegtestTip) => Uint8Array;
}

const badBlocks: readonly BadBlockCase[] = [
  {
    name: "whose merkle root is not that of its transactions",
    reason: "merkle root",
    change: (chain, tip) => {
      const bytes = Buffer.from(chain.extend(tip, anyScript).bytes);
      // A byte of the coinbase's value.
      bytes[bytes.length - 13] = (bytes[bytes.length - 13] ?? 0) ^ 1;
      return bytes;
    },
  },
  {
    name: "that spends an output which does not exist",
    reason: "does not exist or is spent",
    change: (chain, tip) => {
      const outpoint = { txid: new Uint8Array(32).fill(7), vout: 0 };
      const coins = [{ outpoint, value: 1n, scriptPubKey: anyScript }];
      return chain.extend(tip, anyScript, [{ coins, outputs: [{ value: 1n, scriptPubKey: anyScript }] }]).bytes;
    },
  },
  {
    name: "that spends an output twice",
    reason: "does not exist or is spent",
    change: (chain, tip) => {
      const coins = tip.coins.slice(1, 2);
      const outputs = [{ value: 1n, scriptPubKey: anyScript }];
      return chain.extend(tip, anyScript, [
        { coins, outputs },
        { coins, outputs },
      ]).bytes;
    },
  },
  {
    name: "that pays more than it spends",
    reason: "pays more than it spends",
    change: (chain, tip) => {
      const coins = tip.coins.slice(1, 2);
      return chain.extend(tip, anyScript, [{ coins, outputs: [{ value: 6_000_000_000n, scriptPubKey: anyScript }] }])
        .bytes;
    },
  },
  {
    name: "whose witness was changed",
    reason: "witness commitment",
    change: (chain, tip) => {
      const coins = tip.coins.slice(1, 2);
      const outputs = [{ value: 1n, scriptPubKey: anyScript }];
      const bytes = Buffer.from(chain.extend(tip, anyScript, [{ coins, outputs, witness: [Uint8Array.of(9)] }]).bytes);
      // The last byte of the witness stands before the locktime.
      bytes[bytes.length - 5] = 8;
      return bytes;
    },
  },
  {
    name: "with bytes behind its end",
    reason: "bytes too many",
    change: (chain, tip) => Buffer.concat([chain.extend(tip, anyScript).bytes, Uint8Array.of(0)]),
  },
];

it.each(badBlocks)("stops below a block $name", async ({ reason, change }) => {
  await withTemporaryDirectory(async (directory) => {
    const chain = new RegtestChain();
    const tips = [chain.genesis];
    while (tips.length < 5) tips.push(chain.extend(tips.at(-1) ?? chain.genesis, anyScript));
    const bad = change(chain, tips.at(-1) ?? chain.genesis);
    const store = await openEmbeddedStore(directory, network);
    const source = createArraySource(network, [...bytesOf(tips), bad]);
    const events: IndexerEvent[] = [];
    const running = runIndexer({ store, source, onEvent: (event) => events.push(event) });
    await expect(running).rejects.toMatchObject({ name: "IndexerError", code: "bad-block" });
    expect(events.at(-1)).toMatchObject({ state: "failed", height: 4, reason: expect.stringContaining(reason) });
    expect((await store.queries().tip())?.height).toBe(4);
    await store.close();
  });
});

it("leaves the best chain alone when a better one holds a bad block", async () => {
  await withTemporaryDirectory(async (directory) => {
    const { trunk, stale, best } = twoBranches();
    const last = Buffer.from(best.at(-1)?.bytes ?? []);
    last[last.length - 13] = (last[last.length - 13] ?? 0) ^ 1;
    const before = await indexing(directory, bytesOf(trunk, stale), (queries) => queries.tip());
    const store = await openEmbeddedStore(directory, network);
    const source = createArraySource(network, [...bytesOf(trunk, stale, best.slice(0, -1)), last]);
    await expect(runIndexer({ store, source })).rejects.toMatchObject({ code: "bad-block" });
    expect(await store.queries().tip()).toEqual(before);
    await store.close();
  });
});

it("goes on where an earlier run has ended", async () => {
  await withTemporaryDirectory(async (directory) => {
    const { trunk, stale } = twoBranches();
    await indexing(join(directory, "parts"), bytesOf(trunk), async () => undefined);
    const events: IndexerEvent[] = [];
    const store = await openEmbeddedStore(join(directory, "parts"), network, { addressSearch: true });
    const source = createArraySource(network, bytesOf(trunk, stale));
    await runIndexer({ store, source, onEvent: (event) => events.push(event) });
    await store.close();
    expect(events.at(-1)).toMatchObject({ state: "ready", height: 8, blocks: 3, transactions: 4 });
    await indexing(join(directory, "whole"), bytesOf(trunk, stale), async () => undefined);
    expect(await compareIndexes(join(directory, "parts"), join(directory, "whole"))).toEqual([]);
  });
});

it("finds nothing where nothing is", async () => {
  await withTemporaryDirectory(async (directory) => {
    await indexing(directory, [], async (queries) => {
      const none = "0".repeat(64);
      expect(await queries.tip()).toBeUndefined();
      expect(await queries.blockByHeight(0)).toBeUndefined();
      for (const text of [none, "", "zz", `${none}0`]) {
        expect(await queries.blockByHash(text)).toBeUndefined();
        expect(await queries.rawBlock(text)).toBeUndefined();
        expect(await queries.transactionIds(text)).toBeUndefined();
        expect(await queries.blockTransactions(text, 0, 25)).toBeUndefined();
        expect(await queries.transaction(text)).toBeUndefined();
        expect(await queries.spends(text)).toBeUndefined();
        expect(await queries.scriptHistory(text, { limit: 25 })).toEqual([]);
        expect(await queries.unspentOutputs(text, { limit: 25 })).toEqual([]);
        expect((await queries.scriptStatistics(text)).transactions).toBe(0);
      }
    });
  });
});

it("bears any number as a height", async () => {
  await withTemporaryDirectory(async (directory) => {
    const { trunk } = twoBranches();
    await indexing(directory, bytesOf(trunk), async (queries) => {
      for (const height of [-1, 0.5, 6, 2 ** 32, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER]) {
        expect(await queries.blockByHeight(height)).toBeUndefined();
        expect(await queries.blocks(height, 10)).toEqual([]);
      }
      expect(await queries.blocks(2, 10)).toHaveLength(3);
    });
  });
});

it("refuses a data directory that another indexer works on", async () => {
  await withTemporaryDirectory(async (directory) => {
    const store = await openEmbeddedStore(directory, network);
    const reason: unknown = await openEmbeddedStore(directory, network).catch((caught: unknown) => caught);
    expect(isIndexerError(reason) && reason.code).toBe("directory-locked");
    expect(isIndexerError(reason) && reason.message).toContain(`process ${process.pid}`);
    await store.close();
    await (await openEmbeddedStore(directory, network)).close();
  });
});

it("refuses a data directory of another network or layout, and one with files of others", async () => {
  await withTemporaryDirectory(async (directory) => {
    const own = join(directory, "own");
    await (await openEmbeddedStore(own, network)).close();
    await expect(openEmbeddedStore(own, networks.mainnet)).rejects.toMatchObject({
      code: "directory-network",
      message: expect.stringContaining("holds the index of regtest, not of mainnet"),
    });
    writeFileSync(join(own, "layout.json"), '{"layout":999,"network":"regtest"}');
    await expect(openEmbeddedStore(own, network)).rejects.toMatchObject({ code: "directory-layout" });
    writeFileSync(join(own, "layout.json"), "{");
    await expect(openEmbeddedStore(own, network)).rejects.toMatchObject({ code: "directory-layout" });
    const other = join(directory, "other");
    mkdirSync(join(other, "blocks"), { recursive: true });
    writeFileSync(join(other, "blocks", "blk00000.dat"), "precious");
    await expect(openEmbeddedStore(other, network)).rejects.toMatchObject({ code: "directory-unusable" });
    expect(readFileSync(join(other, "blocks", "blk00000.dat"), "utf8")).toBe("precious");
  });
});

it("forgets what a killed process had written but not committed", async () => {
  await withTemporaryDirectory(async (directory) => {
    const { trunk, stale } = twoBranches();
    const killed = join(directory, "killed");
    await indexing(killed, bytesOf(trunk), async () => undefined);
    // Half of a batch in the block files: the index does not refer to it.
    appendFileSync(join(killed, "blocks", "blk00000.dat"), stale[0]?.bytes.subarray(0, 77) ?? "");
    writeFileSync(join(killed, "blocks", "blk00001.dat"), "the next file");
    await indexing(killed, bytesOf(trunk, stale), async (queries) => {
      const tip = await queries.tip();
      expect(await queries.rawBlock(tip?.hash ?? "")).toEqual(Buffer.from(stale.at(-1)?.bytes ?? []));
    });
    const clean = join(directory, "clean");
    await indexing(clean, bytesOf(trunk, stale), async () => undefined);
    expect(await compareIndexes(killed, clean)).toEqual([]);
    const files = [killed, clean].map((path) => readFileSync(join(path, "blocks", "blk00000.dat")));
    expect(files[0]).toEqual(files[1]);
  });
});

it("starts anew in a directory whose making was interrupted", async () => {
  await withTemporaryDirectory(async (directory) => {
    const { trunk } = twoBranches();
    mkdirSync(join(directory, "index"));
    writeFileSync(join(directory, "index", "data.mdb"), "half a page");
    writeFileSync(join(directory, "layout.json.unfinished"), "");
    const tip = await indexing(directory, bytesOf(trunk), (queries) => queries.tip());
    expect(tip?.height).toBe(5);
  });
});

it("keeps what it has, and says so, when the index can't be written", async () => {
  await withTemporaryDirectory(async (directory) => {
    const { trunk, best } = twoBranches();
    const store = await openEmbeddedStore(directory, network);
    const source = createArraySource(network, bytesOf(trunk));
    await runIndexer({ store, source });
    // It replaces the block file: appending fails, as it does on a full disk.
    rmSync(join(directory, "blocks"), { recursive: true });
    writeFileSync(join(directory, "blocks"), "");
    source.add(...bytesOf(best));
    const events: IndexerEvent[] = [];
    await expect(runIndexer({ store, source, onEvent: (event) => events.push(event) })).rejects.toMatchObject({
      name: "IndexerError",
      message: expect.stringContaining("(ENOTDIR)"),
    });
    expect(events.at(-1)).toMatchObject({ state: "failed", height: 5 });
    expect(events.at(-1)?.reason).toContain("check the free space");
    expect((await store.queries().tip())?.height).toBe(5);
    await store.close();
  });
});

it("names what LMDB gives as a number, and throws a mistake of its own as it is", async () => {
  await withTemporaryDirectory(async (directory) => {
    const { trunk } = twoBranches();
    const store = await openEmbeddedStore(directory, network);
    const source = createArraySource(network, bytesOf(trunk));
    const runWith = (error: Error) => {
      Object.assign(store, { change: () => Promise.reject(error) });
      return runIndexer({ store, source });
    };

    await expect(runWith(Object.assign(new Error("Permission denied"), { code: 13 }))).rejects.toMatchObject({
      name: "IndexerError",
      message: expect.stringContaining("(EACCES)"),
    });
    await expect(runWith(new TypeError("ours"))).rejects.toThrow(TypeError);
    await store.close();
  });
});
