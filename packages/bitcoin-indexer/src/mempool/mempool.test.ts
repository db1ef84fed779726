import {
  type Block,
  displayHash,
  hashScript,
  parseBlock,
  parseTransaction,
  serializeTransaction,
  toHex,
  type Transaction,
} from "@nodewright/bitcoin-primitives";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { PreviousOutput } from "../chain/connected-block.ts";
import type { ScriptStatistics } from "../store/script-sums-codec.ts";
import { EmbeddedMempoolQueries } from "../query/embedded-mempool-queries.ts";
import type { MempoolMember } from "../query/mempool-queries.ts";
import { mineRegtestBlock } from "../testing/regtest-block.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { Mempool } from "./mempool.ts";
import { MempoolEnvironment } from "./mempool-directory.ts";
import { mempoolChanges, mempoolTables } from "../store/mempool-layout.ts";
import { type Candidate, outpointKey } from "./mempool-state.ts";

const scripts = [0x51, 0x52, 0x53, 0x54].map((opcode) => Uint8Array.of(opcode));
const returnScript = Uint8Array.of(0x6a, 1, 2);
const firstTime = 1_700_000_000;

interface Coin {
  readonly txid: Uint8Array;
  readonly vout: number;
  readonly output: PreviousOutput;
}

interface PlainBlock {
  readonly height: number;
  readonly block: Block;
}

/** A node with a chain and a mempool, in the simplest form: everything is computed anew from lists. */
class PlainNode {
  /** Blocks from height 0. */
  blocks: PlainBlock[] = [];
  mempool: Transaction[] = [];
  #salt = 0;

  /** Creates a block of transactions of the mempool or others, that may be in it together. */
  makeBlock(transactions: readonly Transaction[]): PlainBlock {
    this.#salt += 1;
    const bytes = mineRegtestBlock({
      previousHash: this.blocks.at(-1)?.block.header.hash ?? new Uint8Array(32),
      height: this.blocks.length,
      time: firstTime + this.blocks.length,
      scriptPubKey: scripts[this.blocks.length % scripts.length] ?? returnScript,
      salt: this.#salt,
      transactions,
    });
    return { height: this.blocks.length, block: parseBlock(bytes) };
  }

  /** Returns the unspent outputs of the chain. */
  chainCoins(): Map<string, Coin> {
    const coins = new Map<string, Coin>();
    for (const { block, height } of this.blocks) {
      for (const transaction of block.transactions) applyTo(coins, transaction, height);
    }
    return coins;
  }

  /** Returns outputs of the chain and of blocks that were on it, spent or not. */
  everyOutputEver(disconnected: readonly PlainBlock[]): ReadonlyMap<string, Coin> {
    const coins = new Map<string, Coin>();
    for (const { block, height } of [...this.blocks, ...disconnected]) {
      for (const transaction of block.transactions) addOutputs(coins, transaction, height);
    }
    return coins;
  }

  /** Returns the same with the mempool on top. */
  coins(): Coin[] {
    const coins = this.chainCoins();
    for (const transaction of this.mempool) applyTo(coins, transaction, -1);
    return [...coins.values()];
  }

  /** Returns every output that a transaction here could spend or conflict about. */
  everyCoin(): Coin[] {
    const coins = this.chainCoins();
    for (const transaction of this.mempool) addOutputs(coins, transaction, -1);
    return [...coins.values()];
  }

  /** Retains the mempool's transactions, in order, that are still valid after `first`. */
  settle(first: readonly Transaction[] = []): void {
    const coins = this.chainCoins();
    const confirmed = new Set(this.blocks.flatMap(({ block }) => block.transactions.map(idOf)));
    const kept = new Map<string, Transaction>();
    for (const transaction of [...first, ...this.mempool]) {
      const fits = transaction.inputs.every(({ previousOutput }) => coins.has(outpointKey(previousOutput)));
      if (!fits || confirmed.has(idOf(transaction)) || kept.has(idOf(transaction))) continue;
      kept.set(idOf(transaction), transaction);
      applyTo(coins, transaction, -1);
    }
    this.mempool = [...kept.values()];
  }
}

function applyTo(coins: Map<string, Coin>, transaction: Transaction, height: number): void {
  for (const { previousOutput } of transaction.inputs) coins.delete(outpointKey(previousOutput));
  addOutputs(coins, transaction, height);
}

function addOutputs(coins: Map<string, Coin>, { txid, outputs, isCoinbase }: Transaction, height: number): void {
  for (const [vout, { value, scriptPubKey }] of outputs.entries()) {
    if (scriptPubKey[0] === 0x6a) continue;
    coins.set(outpointKey({ txid, vout }), { txid, vout, output: { value, scriptPubKey, height, isCoinbase } });
  }
}

function idOf({ txid }: Transaction): string {
  return displayHash(txid);
}

/** Spends `coins`, pays the rest after `fee` in equal parts to the scripts at `pay`; a part for no script is unspendable. */
function spend(coins: readonly Coin[], fee: bigint, pay: readonly number[]): Transaction {
  const value = coins.reduce((sum, { output }) => sum + output.value, 0n);
  const part = (value > fee ? value - fee : 0n) / BigInt(pay.length);
  return parseTransaction(
    serializeTransaction({
      version: 2,
      inputs: coins.map(({ txid, vout }) => ({
        previousOutput: { txid, vout },
        scriptSig: new Uint8Array(0),
        sequence: 0xfffffffd,
        witness: [],
      })),
      outputs: pay.map((index) => ({ value: part, scriptPubKey: scripts[index] ?? returnScript })),
      locktime: 0,
    }),
  );
}

/** A mempool that follows a plain node, called as by an indexer. */
class Follower {
  readonly tables: MempoolEnvironment;
  readonly mempool: Mempool;
  readonly queries: EmbeddedMempoolQueries;
  /** Times when the follower first saw a transaction. */
  readonly times = new Map<string, number>();
  readonly #node: PlainNode;
  #time = firstTime;

  constructor(node: PlainNode, directory: string) {
    this.#node = node;
    this.tables = new MempoolEnvironment(directory);
    this.mempool = new Mempool(this.tables.environment);
    this.queries = new EmbeddedMempoolQueries(() => this.tables.environment);
  }

  /** Runs one refresh: the node lists its transactions in the order of `shuffle`, and returns them in parts of `size`. */
  refresh(shuffle: (left: string, right: string) => number, size: number): void {
    this.#time += 10;
    this.offer(this.mempool.takeReturned(1_000), []);
    const listed = new Map(this.#node.mempool.map((transaction) => [idOf(transaction), transaction]));
    this.mempool.startListing();
    const wanted = [...listed.keys()]
      .sort(shuffle)
      .filter((id) => this.mempool.noteListed(Buffer.from(id, "hex").reverse()));
    const leaving = this.mempool.finishListing();
    const candidates = wanted.flatMap((id): Candidate[] => {
      const transaction = listed.get(id);
      return transaction === undefined ? [] : [{ id, transaction, time: this.#time, height: 0 }];
    });
    this.offer(candidates.slice(0, size), leaving);
    for (let start = size; start < candidates.length; start += size)
      this.offer(candidates.slice(start, start + size), []);
  }

  offer(candidates: readonly Candidate[], leaving: ReturnType<Mempool["finishListing"]>): void {
    const chain = this.#node.chainCoins();
    const found = this.mempool.outpointsOf(candidates).flatMap((outpoint) => {
      const coin = chain.get(outpointKey(outpoint));
      return coin === undefined ? [] : [[outpointKey(outpoint), coin.output] as const];
    });
    this.mempool.apply(leaving, candidates, new Map(found));
  }

  followChain(disconnect: readonly PlainBlock[], connect: readonly PlainBlock[]): void {
    this.#time += 10;
    const coins = this.#node.everyOutputEver(disconnect);
    for (const { block } of disconnect) {
      const transactions = block.transactions.map((transaction) => ({
        transaction,
        previousOutputs: transaction.inputs.map(({ previousOutput }) => coins.get(outpointKey(previousOutput))?.output),
      }));
      this.mempool.disconnect(transactions, this.#time, 0);
    }
    for (const { block, height } of connect) this.mempool.connect(block, height);
  }

  rows(): Record<string, string[]> {
    return Object.fromEntries(
      // The number of their changes depends on the history.
      mempoolTables
        .filter((table) => table !== mempoolChanges)
        .map((table) => [
          table.name,
          Array.from(this.tables.environment.everyRow(table), ({ key, value }) => `${toHex(key)}=${toHex(value)}`),
        ]),
    );
  }
}

/** Returns the expected member for a transaction and its relations, from the list of all. */
function memberOf(
  mempool: readonly Transaction[],
  id: string,
  feeOf: (transaction: Transaction) => bigint,
): MempoolMember {
  const parentsOf = ({ inputs }: Transaction): string[] =>
    inputs.map(({ previousOutput }) => displayHash(previousOutput.txid));
  const transaction = mempool.find((each) => idOf(each) === id) ?? expect.unreachable(id);
  const ids = new Set(mempool.map(idOf));
  return {
    txid: id,
    wtxid: displayHash(transaction.wtxid),
    fee: feeOf(transaction),
    size: transaction.size,
    virtualSize: transaction.virtualSize,
    weight: transaction.weight,
    time: expect.any(Number),
    height: 0,
    parents: [...new Set(parentsOf(transaction))].filter((parent) => ids.has(parent)).sort(),
    children: mempool
      .filter((each) => parentsOf(each).includes(id))
      .map(idOf)
      .sort(),
  };
}

/** Runs every query about the node's mempool, and compares the results with its lists. */
async function expectSame(node: PlainNode, { queries, mempool }: Follower): Promise<void> {
  const chain = node.chainCoins();
  const made = new Map(chain);
  for (const transaction of node.mempool) addOutputs(made, transaction, -1);
  const spent = (transaction: Transaction): Coin[] =>
    transaction.inputs.flatMap(({ previousOutput }) => made.get(outpointKey(previousOutput)) ?? []);
  const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
  const feeOf = (transaction: Transaction): bigint =>
    sum(spent(transaction).map(({ output }) => output.value)) - sum(transaction.outputs.map(({ value }) => value));

  expect(mempool.leftOut).toBe(0);
  const ids = node.mempool.map(idOf).sort();
  expect(await queries.transactionIds({ limit: 1_000 })).toEqual(ids);
  const summary = await queries.summary();
  expect(summary).toMatchObject({
    count: node.mempool.length,
    virtualSize: node.mempool.reduce((total, { virtualSize }) => total + virtualSize, 0),
    totalFee: sum(node.mempool.map(feeOf)),
  });
  expect(summary.feeHistogram.reduce((total, [, size]) => total + size, 0)).toBe(summary.virtualSize);
  const recent = await queries.recent(1_000);
  expect(recent.map(({ txid }) => txid).sort()).toEqual(ids);
  for (const transaction of node.mempool) {
    const txid = idOf(transaction);
    const coins = spent(transaction);
    expect(await queries.has(txid)).toBe(true);
    expect(recent.find((entry) => entry.txid === txid)).toMatchObject({
      fee: feeOf(transaction),
      virtualSize: transaction.virtualSize,
      value: sum(coins.map(({ output }) => output.value)),
    });
    const found = await queries.transaction(txid);
    expect(found).toMatchObject({ txid, fee: feeOf(transaction) });
    expect(toHex(found?.transaction.bytes ?? new Uint8Array(0))).toBe(toHex(transaction.bytes));
    expect(found?.previousOutputs.map((output) => output && plain(output))).toEqual(
      coins.map(({ output }) => plain(output)),
    );
  }
  const spenders = new Map(
    node.mempool.flatMap((transaction) =>
      transaction.inputs.map(({ previousOutput }, vin) => [
        outpointKey(previousOutput),
        { txid: idOf(transaction), vin },
      ]),
    ),
  );
  expect(await queries.members([...ids, "00".repeat(32), "zz"])).toEqual([
    ...ids.map((id) => memberOf(node.mempool, id, feeOf)),
    undefined,
    undefined,
  ]);
  const coins = [...made.values()];
  expect(await queries.spends(coins.map(({ txid, vout }) => ({ txid: displayHash(txid), vout })))).toEqual(
    coins.map((coin) => spenders.get(outpointKey(coin))),
  );
  const newestFirst = recent.map(({ txid }) => txid);
  for (const script of scripts) {
    const paysIt = ({ scriptPubKey }: { readonly scriptPubKey: Uint8Array }): boolean =>
      toHex(scriptPubKey) === toHex(script);
    const scriptHash = toHex(hashScript(script));
    const funded = node.mempool.flatMap(({ txid, outputs }) =>
      [...outputs.entries()].filter(([, output]) => paysIt(output)).map(([vout, { value }]) => ({ txid, vout, value })),
    );
    const taken = node.mempool.flatMap(spent).filter(({ output }) => paysIt(output));
    const history = node.mempool.filter(
      (transaction) => transaction.outputs.some(paysIt) || spent(transaction).some(({ output }) => paysIt(output)),
    );
    const statistics: ScriptStatistics = {
      transactions: history.length,
      fundedOutputs: funded.length,
      fundedValue: sum(funded.map(({ value }) => value)),
      spentOutputs: taken.length,
      spentValue: sum(taken.map(({ output }) => output.value)),
    };
    expect(await queries.scriptStatistics(scriptHash)).toEqual(statistics);
    const expected = newestFirst.filter((txid) => history.some((transaction) => idOf(transaction) === txid));
    const pages: string[] = [];
    for (let after: string | undefined; ; after = pages.at(-1)) {
      const page = await queries.scriptHistory(scriptHash, { after, limit: 3 });
      if (page.length === 0) break;
      pages.push(...page.map(({ txid }) => txid));
    }
    expect(pages).toEqual(expected);
    expect(
      (await queries.unspentOutputs(scriptHash)).map(({ txid, vout, value }) => `${txid}:${vout}:${value}`).sort(),
    ).toEqual(
      funded
        .filter((coin) => !spenders.has(outpointKey(coin)))
        .map(({ txid, vout, value }) => `${displayHash(txid)}:${vout}:${value}`)
        .sort(),
    );
    expect((await queries.spentOutputs(scriptHash)).map(({ txid, vout }) => `${txid}:${vout}`).sort()).toEqual(
      taken.map(({ txid, vout }) => `${displayHash(txid)}:${vout}`).sort(),
    );
  }
}

/** Checks the invariant that holds at any time, also between two listings: everything could be confirmed on top of the chain. */
async function expectConsistent(node: PlainNode, { queries }: Follower): Promise<void> {
  const chain = node.chainCoins();
  const confirmed = new Set(node.blocks.flatMap(({ block }) => block.transactions.map(idOf)));
  const ids = await queries.transactionIds({ limit: 1_000 });
  const spent = new Set<string>();
  for (const id of ids) {
    expect(confirmed.has(id)).toBe(false);
    const found = await queries.transaction(id);
    for (const [vin, { previousOutput }] of found?.transaction.inputs.entries() ?? []) {
      const key = outpointKey(previousOutput);
      expect(spent.has(key)).toBe(false);
      spent.add(key);
      const parent = displayHash(previousOutput.txid);
      const height = ids.includes(parent) ? -1 : chain.get(key)?.output.height;
      expect(found?.previousOutputs[vin]?.height).toBe(height);
    }
  }
}

function plain({ value, scriptPubKey, height, isCoinbase }: PreviousOutput): unknown {
  return { value, scriptPubKey: toHex(scriptPubKey), height, isCoinbase };
}

/** Builds the same transactions in tables of their own, with the numbers and times that they have in `follower`, and compares them. */
async function expectFreshBuildSame(node: PlainNode, follower: Follower, directory: string): Promise<void> {
  const fresh = new Follower(node, directory);
  const recent = await follower.queries.recent(1_000);
  const candidates = node.mempool.map((transaction): Candidate => {
    const txid = idOf(transaction);
    const time = recent.find((entry) => entry.txid === txid)?.time ?? 0;
    const number = follower.tables.environment.rows({ name: "mempool-ids" }, keyRange(txid))[0]?.value;
    return { id: txid, transaction, time, height: 0, number: Buffer.from(number ?? []).readUInt32BE() };
  });
  fresh.offer(candidates, []);
  const rows = fresh.rows();
  await fresh.tables.close();
  expect(follower.rows()).toEqual(rows);
}

function keyRange(txid: string): { start: Buffer; end: Buffer } {
  const start = Buffer.from(txid, "hex");
  return { start, end: Buffer.concat([start, Buffer.alloc(1)]) };
}

const anything = fc.nat({ max: 1_000_000 });
const payments = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 4 });

type Step =
  | { readonly kind: "arrive" | "replace"; readonly picks: number[]; readonly fee: number; readonly pay: number[] }
  | { readonly kind: "evict"; readonly pick: number }
  | { readonly kind: "block"; readonly keep: number; readonly strange: boolean; readonly pick: number }
  | { readonly kind: "reorganise"; readonly depth: number; readonly keep: number; readonly returns: boolean }
  | { readonly kind: "refresh"; readonly order: number; readonly size: number };

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom("arrive" as const, "arrive" as const, "replace" as const),
      picks: fc.array(anything, { minLength: 1, maxLength: 3 }),
      fee: fc.nat({ max: 5_000 }),
      pay: payments,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("evict" as const), pick: anything }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("block" as const),
      keep: anything,
      strange: fc.boolean(),
      pick: anything,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("reorganise" as const),
      depth: fc.integer({ min: 1, max: 3 }),
      keep: anything,
      returns: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("refresh" as const),
      order: anything,
      size: fc.integer({ min: 1, max: 5 }),
    }),
  },
);

/** Returns the subset of the bits of `mask`, closed under parents. */
function choose(node: PlainNode, mask: number): Transaction[] {
  const coins = node.chainCoins();
  return node.mempool.filter((transaction, index) => {
    const isChosen = ((mask >> (index % 20)) & 1) === 1;
    const fits = transaction.inputs.every(({ previousOutput }) => coins.has(outpointKey(previousOutput)));
    if (isChosen && fits) applyTo(coins, transaction, 0);
    return isChosen && fits;
  });
}

function play(node: PlainNode, follower: Follower, step: Step): void {
  switch (step.kind) {
    case "arrive":
    case "replace": {
      const coins = step.kind === "arrive" ? node.coins() : node.everyCoin();
      const picked = [...new Set(step.picks.map((pick) => coins[pick % coins.length]))].filter(
        (coin) => coin !== undefined,
      );
      if (picked.length > 0) node.settle([...parentsFirst(node, spend(picked, BigInt(step.fee), step.pay))]);
      return;
    }
    case "evict": {
      const victim = node.mempool[step.pick % Math.max(1, node.mempool.length)];
      node.mempool = node.mempool.filter((transaction) => transaction !== victim);
      node.settle();
      return;
    }
    case "block": {
      const chosen = choose(node, step.keep);
      const coins = [...node.chainCoins().values()];
      const coin = coins[step.pick % Math.max(1, coins.length)];
      const isFree =
        coin !== undefined &&
        !chosen.some(({ inputs }) => inputs.some((input) => sameOutpoint(input.previousOutput, coin)));
      if (step.strange && isFree) chosen.push(spend([coin], 77n, [0]));
      const block = node.makeBlock(chosen);
      node.blocks.push(block);
      node.settle();
      follower.followChain([], [block]);
      return;
    }
    case "reorganise": {
      const depth = Math.min(step.depth, node.blocks.length - 1);
      const disconnect = node.blocks.splice(node.blocks.length - depth, depth).toReversed();
      const returned = disconnect.toReversed().flatMap(({ block }) => block.transactions.slice(1));
      node.settle(step.returns ? returned : []);
      const connect: PlainBlock[] = [];
      for (let count = 0; count <= depth; count += 1) {
        const block = node.makeBlock(count === 0 ? choose(node, step.keep) : []);
        node.blocks.push(block);
        connect.push(block);
      }
      node.settle();
      follower.followChain(disconnect, connect);
      return;
    }
    case "refresh":
      follower.refresh((left, right) => hashOf(left, step.order) - hashOf(right, step.order), step.size);
      return;
  }
}

/** Returns the parents of a new transaction in the mempool, then itself: conflicting ones must come after it. */
function parentsFirst(node: PlainNode, transaction: Transaction): Transaction[] {
  const byId = new Map(node.mempool.map((each) => [idOf(each), each]));
  const found = new Map<string, Transaction>();
  const visit = (each: Transaction): void => {
    for (const { previousOutput } of each.inputs) {
      const parent = byId.get(displayHash(previousOutput.txid));
      if (parent !== undefined && !found.has(idOf(parent))) visit(parent);
    }
    found.set(idOf(each), each);
  };
  visit(transaction);
  return [...found.values()];
}

function sameOutpoint(left: { txid: Uint8Array; vout: number }, right: { txid: Uint8Array; vout: number }): boolean {
  return outpointKey(left) === outpointKey(right);
}

function hashOf(text: string, seed: number): number {
  return Number.parseInt(text.slice(seed % 50, (seed % 50) + 8), 16);
}

async function withFollower(
  action: (node: PlainNode, follower: Follower, directory: string) => Promise<void>,
): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const node = new PlainNode();
    const follower = new Follower(node, directory);
    try {
      for (let count = 0; count < 4; count += 1) {
        const block = node.makeBlock([]);
        node.blocks.push(block);
        follower.followChain([], [block]);
      }
      await action(node, follower, directory);
    } finally {
      await follower.tables.close();
    }
  });
}

it("says what the node's mempool says, in the rows of a fresh build, whatever came before", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 40, size: "max" }), async (played) => {
      await withFollower(async (node, follower, directory) => {
        for (const step of played) {
          play(node, follower, step);
          await expectConsistent(node, follower);
          if (step.kind === "refresh") await expectSame(node, follower);
        }
        // A listing may have been overtaken by candidates of a reorganisation: the second one sees them.
        follower.refresh(() => 0, 100);
        await expectSame(node, follower);
        await expectFreshBuildSame(node, follower, directory);
      });
    }),
    { numRuns: 80 },
  );
});

it("keeps the sums of a script right when it becomes busy and when it is no more", async () => {
  await withFollower(async (node, follower, directory) => {
    const coin = [...node.chainCoins().values()][0];
    if (coin === undefined) throw new Error("No coins");
    const wide = spend(
      [coin],
      100n,
      Array.from({ length: 150 }, () => 1),
    );
    node.mempool.push(wide);
    const outputs = wide.outputs.map(({ value, scriptPubKey }, vout): Coin => {
      return { txid: wide.txid, vout, output: { value, scriptPubKey, height: -1, isCoinbase: false } };
    });
    for (const output of outputs.slice(0, 63)) node.mempool.push(spend([output], 200n, [2]));
    follower.refresh(() => 0, 100);
    await expectSame(node, follower);
    for (const output of outputs.slice(63, 140)) node.mempool.push(spend([output], 200n, [1, 2]));
    follower.refresh(() => 0, 7);
    await expectSame(node, follower);
    await expectFreshBuildSame(node, follower, directory);
    node.mempool.splice(60);
    follower.refresh(() => 0, 100);
    await expectSame(node, follower);
    await expectFreshBuildSame(node, follower, directory);
  });
});
