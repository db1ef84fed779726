import { displayHash, networks, parseBlock } from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import { feeEstimateTargets } from "../query/mempool-queries.ts";
import { runIndexer } from "../sync/run-indexer.ts";
import { createArraySource } from "../source/array-source.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { RegtestChain } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { completeFeeEstimates, FeeEstimator } from "./fee-estimator.ts";
import type { RecentBlocks } from "./mempool-chain.ts";
import type { UnconfirmedTransactions } from "./mempool-state.ts";
import { packageFeeRates } from "./package-fee-rates.ts";
import { Relations } from "./relations.ts";

interface Unconfirmed {
  readonly fee: number;
  readonly virtualSize: number;
  readonly parents: readonly Unconfirmed[];
}

function unconfirmed(fee: number, virtualSize: number, ...parents: Unconfirmed[]): Unconfirmed {
  return { fee, virtualSize, parents };
}

/** Returns transactions in slots in their order. */
function inSlots(transactions: readonly Unconfirmed[]): UnconfirmedTransactions {
  const slots = new Map(transactions.map((transaction, slot) => [transaction, slot]));
  const parents = new Relations();
  const children = new Relations();
  for (const [slot, transaction] of transactions.entries()) {
    for (const parent of transaction.parents) {
      parents.add(slot, slots.get(parent) ?? expect.unreachable());
      children.add(slots.get(parent) ?? expect.unreachable(), slot);
    }
  }
  return {
    slots: () => slots.values(),
    feeOf: (slot) => transactions[slot]?.fee ?? 0,
    virtualSizeOf: (slot) => transactions[slot]?.virtualSize ?? 0,
    parents,
    children,
  };
}

async function ratesOf(transactions: readonly Unconfirmed[]): Promise<readonly number[]> {
  const rates: number[] = [];
  for await (const { feeRate } of packageFeeRates(inSlots(transactions))) rates.push(feeRate);
  return rates.toSorted((left, right) => left - right);
}

it("counts a parent with the child that pays for it, and a child no higher than alone", async () => {
  const poorParent = unconfirmed(100, 100);
  const richChild = unconfirmed(900, 100, poorParent);
  expect(await ratesOf([poorParent, richChild])).toEqual([5, 5]);
  const richParent = unconfirmed(900, 100);
  const poorChild = unconfirmed(100, 100, richParent);
  expect(await ratesOf([richParent, poorChild])).toEqual([1, 9]);
  const parent = unconfirmed(100, 100);
  const payer = unconfirmed(700, 100, parent);
  const other = unconfirmed(300, 100, parent);
  // The payer takes the parent with it; the other then stands alone.
  expect(await ratesOf([parent, payer, other])).toEqual([3, 4, 4]);
});

it("walks clusters of any size", async () => {
  const chain = [unconfirmed(1_000, 100)];
  for (let count = 1; count < 5_000; count += 1) chain.push(unconfirmed(2_000 - count, 100, ...chain.slice(-1)));
  const rates = await ratesOf(chain);
  expect(rates).toHaveLength(5_000);
  expect(Math.max(...rates)).toBe(10);
});

const emptyChain: RecentBlocks = {
  tipHeight: async () => undefined,
  blocks: async () => [],
  blockTransactions: async () => [],
};

it("asks what would be needed to be among the first blocks' worth of the mempool", async () => {
  const transactions = [
    ...Array.from({ length: 100 }, () => unconfirmed(10_000 * 50, 10_000)),
    ...Array.from({ length: 150 }, () => unconfirmed(10_000 * 20, 10_000)),
    ...Array.from({ length: 50 }, () => unconfirmed(10_000 * 3, 10_000)),
  ];
  const estimates = await new FeeEstimator(emptyChain).estimate(inSlots(transactions));
  const at = (target: number): number => estimates[feeEstimateTargets.indexOf(target)] ?? 0;
  // One step of a hundredth above the first that does not fit.
  expect(at(1) / 20).toBeCloseTo(1.005, 1);
  expect(at(2) / 20).toBeCloseTo(1.005, 1);
  expect(at(3)).toBe(1);
  expect(at(1_008)).toBe(1);
});

it("asks one satoshi per virtual byte while there is room for everything", async () => {
  expect(new Set(await new FeeEstimator(emptyChain).estimate(inSlots([unconfirmed(1_000_000, 200)])))).toEqual(
    new Set([1]),
  );
  expect(new Set(await new FeeEstimator(emptyChain).estimate(inSlots([])))).toEqual(new Set([1]));
});

it("looks at what full blocks asked lately while there is a queue, and not at blocks with room", async () => {
  await withTemporaryDirectory(async (directory) => {
    const network = networks.regtest;
    const script = Uint8Array.of(0x51);
    const chain = new RegtestChain();
    const source = createArraySource(network);
    let tip = chain.genesis;
    source.add(tip.bytes);
    for (let count = 0; count < 3; count += 1) {
      tip = chain.extend(tip, script);
      source.add(tip.bytes);
    }
    const store = await openEmbeddedStore(directory, network);
    // One output that fills a block, and a fee of 30 satoshi for each virtual byte.
    const filling = { value: 5_000_000_000n - 30n * 920_000n, scriptPubKey: new Uint8Array(919_900).fill(0x51) };
    tip = chain.extend(tip, script, [{ coins: tip.coins.slice(1, 2), outputs: [filling] }]);
    expect(parseBlock(tip.bytes).weight).toBeGreaterThan(3_600_000);
    source.add(tip.bytes);
    await runIndexer({ store, source });
    expect((await store.queries().tip())?.hash).toBe(displayHash(tip.hash));

    const queue = [unconfirmed(900_000 * 5, 900_000), unconfirmed(900_000 * 4, 900_000)];
    const estimates = await new FeeEstimator(store.queries()).estimate(inSlots(queue));
    expect(estimates[0]).toBeCloseTo(30, 1);
    // One of the last blocks was full; of any two in a row one had space.
    expect(estimates[1]).toBe(1);
    expect((await new FeeEstimator(store.queries()).estimate(inSlots(queue.slice(1))))[0]).toBe(1);
    await store.close();
  });
});

it("fills what a node leaves open, and lets no estimate rise with its target", () => {
  const own = feeEstimateTargets.map((target) => 40 / target);
  const at = (node: ReadonlyMap<number, number>, target: number): number =>
    completeFeeEstimates(node, own)[feeEstimateTargets.indexOf(target)] ?? 0;
  const node = new Map([
    [2, 12],
    [3, 15],
    [25, 1.00004],
  ]);
  expect([1, 2, 3, 4, 25, 144].map((target) => at(node, target))).toEqual([40, 15, 15, 10, 1, 0.278]);
  expect(at(new Map(), 5)).toBe(8);
});
