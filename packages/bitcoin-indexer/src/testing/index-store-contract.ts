import assert from "node:assert/strict";
import {
  displayHash,
  hashScript,
  merkleRootOfBranch,
  networks,
  parseBlock,
  toHex,
} from "@nodewright/bitcoin-primitives";
import { type ChainQueries, maximumBatch } from "../query/chain-queries.ts";
import type { IndexStore } from "../engine/index-store.ts";
import { applyBlocks, beginBlocks } from "./apply-blocks.ts";
import { chainFacts, scriptFacts } from "./chain-facts.ts";
import { RegtestChain, type RegtestPayment, type RegtestTip } from "./regtest-chain.ts";

/** Engine under test, with the functions that open it. Regtest. */
export interface StoreEngine {
  /** Opens the store with this name for writing, and creates it if it does not exist. */
  open(name: string): Promise<IndexStore>;
  /** Opens its read side apart from the writer, as a serving process does. */
  openReader(name: string): Promise<ChainQueries & { close(): Promise<void> }>;
}

/** One requirement for every engine. */
export interface StoreCase {
  readonly name: string;
  /** Throws when the engine does not meet it. Uses a store of its own. */
  run(engine: StoreEngine): Promise<void>;
}

const network = networks.regtest;

const hotScript = Uint8Array.from([0x00, 20, ...new Uint8Array(20).fill(1)]);
const otherScript = Uint8Array.from([0x51, 32, ...new Uint8Array(32).fill(2)]);
const hotHash = toHex(hashScript(hotScript));

/** Transactions of a busy block, each paying the hot script. */
const busyTransactions = 90;

/**
 * Requirements of `IndexStore`, as cases that any engine can be tested with:
 *
 * ```ts
 * it.each(indexStoreContract)("$name", ({ run }) => run(engine));
 * ```
 */
export const indexStoreContract: readonly StoreCase[] = [
  {
    name: "finds nothing while nothing is indexed",
    async run(engine) {
      await withStore(engine, "empty", async (store) => {
        assert.deepEqual(await store.tip(), { height: -1, nextTransactionNumber: 0 });
        assert.deepEqual(await store.headers(0, 10), []);
        const queries = store.queries();
        assert.equal(await queries.tip(), undefined);
        assert.equal(await queries.tipHeight(), undefined);
        const txid = "7".repeat(64);
        assert.deepEqual(await queries.transactions([txid, "no hash"]), [undefined, undefined]);
        assert.deepEqual(await scriptFacts(queries, hotHash), {
          history: [],
          unspent: [],
          statistics: noStatistics,
        });
      });
    },
  },
  {
    name: "tells of connected blocks what stands in them",
    async run(engine) {
      const { trunk } = branches();
      await withStore(engine, "connected", async (store) => {
        await applyBlocks(store, -1, bytesOf(trunk));
        assert.equal((await store.tip()).height, trunk.length - 1);
        for (const { bytes } of trunk) await expectBlock(store.queries(), bytes);
        await expectCoins(store.queries(), trunk);
      });
    },
  },
  {
    name: "answers after a reorganisation like a store that never saw the other branch",
    async run(engine) {
      const { trunk, left, right } = branches();
      await withStore(engine, "reorganised", async (store) => {
        await applyBlocks(store, -1, bytesOf(trunk, left));
        await applyBlocks(store, trunk.length - 1, bytesOf(right));
        await withStore(engine, "fresh", async (fresh) => {
          await applyBlocks(fresh, -1, bytesOf(trunk, right));
          const known = [...trunk, ...right];
          assert.deepEqual(await chainFacts(store.queries(), known), await chainFacts(fresh.queries(), known));
        });
        await expectCoins(store.queries(), [...trunk, ...right]);
        await expectStale(store.queries(), left);
      });
    },
  },
  {
    name: "takes blocks back that were on the best chain before",
    async run(engine) {
      const { trunk, left, right } = branches();
      await withStore(engine, "returned", async (store) => {
        await applyBlocks(store, -1, bytesOf(trunk, left));
        const before = await chainFacts(store.queries(), [...trunk, ...left]);
        await applyBlocks(store, trunk.length - 1, bytesOf(right));
        await applyBlocks(store, trunk.length - 1, bytesOf(left));
        assert.deepEqual(await chainFacts(store.queries(), [...trunk, ...left]), before);
        await applyBlocks(store, -1, []);
        assert.equal((await store.tip()).height, -1);
        assert.deepEqual((await scriptFacts(store.queries(), hotHash)).statistics, noStatistics);
        await applyBlocks(store, -1, bytesOf(trunk, left));
        assert.deepEqual(await chainFacts(store.queries(), [...trunk, ...left]), before);
      });
    },
  },
  {
    name: "is after a restart as it was",
    async run(engine) {
      const { trunk, left, right } = branches();
      const known = [...trunk, ...left, ...right];
      const before = await withStore(engine, "restarted", async (store) => {
        await applyBlocks(store, -1, bytesOf(trunk, left));
        await applyBlocks(store, trunk.length - 1, bytesOf(right));
        return await chainFacts(store.queries(), known);
      });
      await withStore(engine, "restarted", async (store) => {
        assert.deepEqual(await chainFacts(store.queries(), known), before);
      });
    },
  },
  {
    name: "shows a change to no reader before it is committed, and then whole",
    async run(engine) {
      const { trunk, left, right } = branches();
      await withStore(engine, "atomic", async (store) => {
        await applyBlocks(store, -1, bytesOf(trunk, left));
        const reader = await engine.openReader("atomic");
        try {
          const known = [...trunk, ...left, ...right];
          const before = await chainFacts(reader, known);
          const change = await beginBlocks(store, trunk.length - 1, bytesOf(right));
          assert.deepEqual(await chainFacts(reader, known), before);
          assert.deepEqual(await chainFacts(store.queries(), known), before);
          await change.commit();
          await nextTimeSlice();
          assert.equal((await reader.tip())?.hash, hashOf(right.at(-1)));
          assert.deepEqual(await chainFacts(reader, known), await chainFacts(store.queries(), known));
        } finally {
          await reader.close();
        }
      });
    },
  },
  {
    name: "is after a cancelled change as it was, and can be changed again",
    async run(engine) {
      const { trunk, left, right } = branches();
      const known = [...trunk, ...left, ...right];
      await withStore(engine, "cancelled", async (store) => {
        await applyBlocks(store, -1, bytesOf(trunk, left));
        const before = await chainFacts(store.queries(), known);
        const change = await beginBlocks(store, 2, []);
        await change.cancel();
        assert.deepEqual(await chainFacts(store.queries(), known), before);
        const other = await beginBlocks(store, trunk.length - 1, bytesOf(right));
        await other.cancel();
        assert.deepEqual(await chainFacts(store.queries(), known), before);
        await applyBlocks(store, trunk.length - 1, bytesOf(right));
        await expectCoins(store.queries(), [...trunk, ...right]);
      });
    },
  },
  {
    name: "finds what an open change has made spendable, and nothing that it has taken away",
    async run(engine) {
      const { trunk, left, right } = branches();
      await withStore(engine, "spendable", async (store) => {
        await applyBlocks(store, -1, bytesOf(trunk, left));
        const taken = left.at(-1)?.coins.at(-1);
        const made = right.at(-1)?.coins.at(-1);
        assert.ok(taken !== undefined && made !== undefined);
        assert.equal((await store.findUnspentOutputs([taken.outpoint]))[0]?.value, taken.value);
        const change = await beginBlocks(store, trunk.length - 1, bytesOf(right));
        const [none, found] = await change.findUnspentOutputs([taken.outpoint, made.outpoint]);
        assert.equal(none, undefined);
        assert.equal(found?.value, made.value);
        assert.equal(found?.height, trunk.length + right.length - 1);
        await change.cancel();
      });
    },
  },
  {
    name: "gives no more than was asked for, and refuses lists without a bound",
    async run(engine) {
      const { trunk } = branches();
      await withStore(engine, "bounded", async (store) => {
        await applyBlocks(store, -1, bytesOf(trunk));
        const queries = store.queries();
        assert.equal((await queries.scriptHistory(hotHash, { limit: 7 })).length, 7);
        assert.equal((await queries.unspentOutputs(hotHash, { limit: 7 })).length, 7);
        assert.equal((await queries.blocks(trunk.length - 1, 3)).length, 3);
        const tip = hashOf(trunk.at(-1));
        assert.equal((await queries.blockTransactions(tip, 1, 5))?.length, 5);
        const many = new Array<string>(maximumBatch + 1).fill(tip);
        await assert.rejects(queries.transactions(many));
        await assert.rejects(queries.spendsOf(many));
        await assert.rejects(queries.outputs(many.map((txid) => ({ txid, vout: 0 }))));
      });
    },
  },
  {
    name: "lets one writer in",
    async run(engine) {
      await withStore(engine, "single", async () => {
        await assert.rejects(engine.open("single"));
      });
      await withStore(engine, "single", async (store) => {
        assert.equal((await store.tip()).height, -1);
      });
    },
  },
];

const noStatistics = { transactions: 0, fundedOutputs: 0, fundedValue: 0n, spentOutputs: 0, spentValue: 0n };

/** Creates a trunk with busy blocks, and two branches on it which spend and pay the same scripts differently, some of it the same. */
function branches(): { trunk: readonly RegtestTip[]; left: readonly RegtestTip[]; right: readonly RegtestTip[] } {
  const chain = new RegtestChain();
  const trunk = [chain.genesis];
  while (trunk.length < 5) trunk.push(chain.extend(lastOf(trunk), otherScript));
  trunk.push(chain.extend(lastOf(trunk), hotScript, [splitting(lastOf(trunk), busyTransactions)]));
  trunk.push(chain.extend(lastOf(trunk), otherScript, passing(lastOf(trunk), busyTransactions)));
  const fork = lastOf(trunk);
  const shared = passing(fork, 30);
  const left = [chain.extend(fork, hotScript, shared)];
  left.push(chain.extend(lastOf(left), hotScript, passing(lastOf(left), busyTransactions)));
  left.push(chain.extend(lastOf(left), otherScript));
  const right = [chain.extend(fork, otherScript)];
  // The same transactions in another block and another order.
  right.push(chain.extend(lastOf(right), otherScript, shared.toReversed()));
  right.push(chain.extend(lastOf(right), hotScript, passing(lastOf(right), 11)));
  right.push(chain.extend(lastOf(right), hotScript));
  return { trunk, left, right };
}

/** Returns a payment that splits the oldest coin into many outputs. */
function splitting({ coins }: RegtestTip, count: number): RegtestPayment {
  const [coin] = coins.slice(1);
  assert.ok(coin !== undefined);
  const value = coin.value / BigInt(count + 1);
  return { coins: [coin], outputs: Array.from({ length: count }, () => ({ value, scriptPubKey: hotScript })) };
}

/** Returns payments of the latest coins, each to the hot script and another. */
function passing({ coins }: RegtestTip, count: number): readonly RegtestPayment[] {
  return coins.slice(-count).map((coin, index) => {
    const value = coin.value / 2n - 1n;
    const scriptPubKey = index % 3 === 0 ? otherScript : hotScript;
    return {
      coins: [coin],
      outputs: [
        { value, scriptPubKey: hotScript },
        { value, scriptPubKey },
      ],
    };
  });
}

async function expectBlock(queries: ChainQueries, bytes: Uint8Array): Promise<void> {
  const { header, transactions } = parseBlock(bytes);
  const hash = displayHash(header.hash);
  const ids = transactions.map(({ txid }) => displayHash(txid));
  assert.equal((await queries.blockByHash(hash))?.onBestChain, true);
  assert.ok(Buffer.from(bytes).equals((await queries.rawBlock(hash)) ?? new Uint8Array(0)));
  assert.deepEqual(await queries.transactionIds(hash), ids);
  for (const [position, transaction] of transactions.entries()) {
    const txid = displayHash(transaction.txid);
    const found = await queries.transaction(txid);
    assert.equal(found?.block?.position, position);
    assert.ok(Buffer.from(transaction.bytes).equals(found.transaction.bytes));
    assert.deepEqual((await queries.rawTransaction(txid))?.block, found.block);
    const proof = await queries.merkleProof(txid);
    assert.ok(proof !== undefined);
    assert.deepEqual(toHex(merkleRootOfBranch(transaction.txid, proof.branch, position)), toHex(header.merkleRoot));
  }
}

/** Compares unspent outputs and the histories' lengths with the chain's own coins. */
async function expectCoins(queries: ChainQueries, chain: readonly RegtestTip[]): Promise<void> {
  const coins = lastOf(chain).coins.filter(({ scriptPubKey }) => toHex(hashScript(scriptPubKey)) === hotHash);
  const expected = coins.map(({ outpoint, value }) => `${displayHash(outpoint.txid)}:${outpoint.vout} ${value}`);
  const { unspent, history, statistics } = await scriptFacts(queries, hotHash);
  assert.deepEqual(unspent.map((text) => text.slice(0, text.lastIndexOf(" "))).toSorted(), expected.toSorted());
  assert.equal(new Set(history).size, history.length);
  const touching = chain
    .flatMap(({ bytes }) => parseBlock(bytes).transactions)
    .filter(({ outputs }) => outputs.some(({ scriptPubKey }) => toHex(hashScript(scriptPubKey)) === hotHash));
  assert.deepEqual(history, touching.map(({ txid }) => displayHash(txid)).toReversed());
  assert.equal(Object.entries(statistics ?? {}).find(([name]) => name === "transactions")?.[1], history.length);
}

async function expectStale(queries: ChainQueries, tips: readonly RegtestTip[]): Promise<void> {
  for (const { bytes, height } of tips) {
    const { header, transactions } = parseBlock(bytes);
    const hash = displayHash(header.hash);
    const record = await queries.blockByHash(hash);
    assert.equal(record?.onBestChain, false);
    assert.equal(record.height, height);
    assert.equal((await queries.transactionIds(hash))?.length, transactions.length);
    assert.equal(
      (await queries.blockTransactions(hash, 0, 1_000))?.every(({ block }) => block === undefined),
      true,
    );
  }
}

async function withStore<Result>(
  engine: StoreEngine,
  name: string,
  action: (store: IndexStore) => Promise<Result>,
): Promise<Result> {
  const store = await engine.open(name);
  assert.equal(store.network, network);
  try {
    return await action(store);
  } finally {
    await store.close();
  }
}

/** Waits for the next turn of the event loop: readers may see one state until then. */
async function nextTimeSlice(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1));
}

function bytesOf(...tips: readonly (readonly RegtestTip[])[]): readonly Uint8Array[] {
  return tips.flat().map(({ bytes }) => bytes);
}

function lastOf(tips: readonly RegtestTip[]): RegtestTip {
  const last = tips.at(-1);
  assert.ok(last !== undefined);
  return last;
}

function hashOf(tip: RegtestTip | undefined): string {
  assert.ok(tip !== undefined);
  return displayHash(tip.hash);
}
