import { displayHash, networks } from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import { applyBlocks } from "../testing/apply-blocks.ts";
import { compareIndexes } from "../testing/compare-indexes.ts";
import { RegtestChain, type RegtestCoin, type RegtestPayment, type RegtestTip } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import type { Environment } from "./environment.ts";
import type { IndexStore } from "../engine/index-store.ts";
import { blockPositions, blocks, historyPerRow, staleBlocks, staleTransactions } from "./layout.ts";

const network = networks.regtest;

function scriptOf(name: number): Uint8Array {
  return Uint8Array.from([0x00, 20, ...new Uint8Array(20).fill(name)]);
}

const [mined, passed, shorter] = [scriptOf(1), scriptOf(2), scriptOf(3)];

function bytesOf(tips: readonly RegtestTip[]): readonly Uint8Array[] {
  return tips.map(({ bytes }) => bytes);
}

async function staleHashes(store: IndexStore): Promise<readonly string[]> {
  return (await store.queries().staleBranches()).map(({ tip }) => tip.hash);
}

/** Extends by a block whose transactions each spend the one before them in the same block, and pay one script. */
function extendByChains(
  chain: RegtestChain,
  parent: RegtestTip,
  chains: readonly { readonly coin: RegtestCoin; readonly scriptPubKey: Uint8Array; readonly length: number }[],
): RegtestTip {
  const payments: RegtestPayment[] = [];
  for (const { coin, scriptPubKey, length } of chains) {
    let last = coin;
    for (let count = 0; count < length; count += 1) {
      const payment = { coins: [last], outputs: [{ value: last.value - 1n, scriptPubKey }] };
      payments.push(payment);
      last = outputOf(payment);
    }
  }
  return chain.extend(parent, mined, payments);
}

/** Returns the output of a payment, in a block without other transactions. */
function outputOf(payment: RegtestPayment): RegtestCoin {
  const chain = new RegtestChain();
  return chain.extend({ ...chain.genesis, coins: [] }, mined, [payment]).coins.at(-1) ?? expect.unreachable();
}

it("takes what a block made and spent itself, and histories that fill a row, out of the index", async () => {
  await withTemporaryDirectory(async (directory) => {
    const chain = new RegtestChain();
    const trunk = [chain.genesis];
    while (trunk.length < 4) trunk.push(chain.extend(trunk.at(-1) ?? chain.genesis, mined));
    const fork = trunk.at(-1) ?? chain.genesis;
    const [first, second] = fork.coins.slice(-2);
    if (first === undefined || second === undefined) return expect.unreachable();
    const left = extendByChains(chain, fork, [
      { coin: first, scriptPubKey: passed, length: historyPerRow },
      { coin: second, scriptPubKey: shorter, length: historyPerRow - 1 },
    ]);
    const right = [chain.extend(fork, mined)];
    right.push(chain.extend(right[0] ?? fork, mined));
    const store = await openEmbeddedStore(`${directory}/grown`, network);
    await applyBlocks(store, -1, bytesOf([...trunk, left]));
    await applyBlocks(store, fork.height, bytesOf(right));
    const fresh = await openEmbeddedStore(`${directory}/fresh`, network);
    await applyBlocks(fresh, -1, bytesOf([...trunk, ...right]));
    await fresh.close();
    expect(await staleHashes(store)).toEqual([displayHash(left.hash)]);
    await store.close();
    expect(await compareIndexes(`${directory}/grown`, `${directory}/fresh`)).toEqual([]);
  });
});

it("keeps a block among the stale ones only until it is on the best chain again", async () => {
  await withTemporaryDirectory(async (directory) => {
    const chain = new RegtestChain();
    const [left, right] = [chain.extend(chain.genesis, mined), chain.extend(chain.genesis, passed)];
    const store = await openEmbeddedStore(directory, network);
    await applyBlocks(store, -1, [chain.genesis.bytes, left.bytes]);
    expect(await staleHashes(store)).toEqual([]);
    await applyBlocks(store, 0, [right.bytes]);
    expect(await staleHashes(store)).toEqual([displayHash(left.hash)]);
    await applyBlocks(store, 0, [left.bytes]);
    expect(await staleHashes(store)).toEqual([displayHash(right.hash)]);
    const rowsOf = (table: { readonly name: string }) => [...(store.repairs?.environment.everyRow(table) ?? [])];
    // One block with one transaction.
    expect([rowsOf(staleBlocks).length, rowsOf(staleTransactions).length]).toEqual([1, 1]);
    await store.close();
  });
});

it("lists the ends of stale branches from the highest on", async () => {
  await withTemporaryDirectory(async (directory) => {
    const chain = new RegtestChain();
    const branches = [2, 4, 1, 3].map((length) => {
      const tips = [chain.extend(chain.genesis, mined)];
      while (tips.length < length) tips.push(chain.extend(tips.at(-1) ?? chain.genesis, mined));
      return tips;
    });
    const store = await openEmbeddedStore(directory, network);
    await applyBlocks(store, -1, [chain.genesis.bytes]);
    for (const branch of [...branches, []]) await applyBlocks(store, 0, bytesOf(branch));
    const stale = await store.queries().staleBranches();
    expect(stale.map(({ tip, length }) => [tip.height, length])).toEqual(
      [4, 3, 2, 1].map((length) => [length, length]),
    );
    await store.close();
  });
});

it.each<readonly [string, (environment: Environment) => void]>([
  [blocks.name, (environment) => environment.remove(blocks, 1)],
  [blockPositions.name, (environment) => environment.remove(blockPositions, 1)],
])("reports that a block is missing in the table %s, and takes nothing away", async (_name, damage) => {
  await withTemporaryDirectory(async (directory) => {
    const chain = new RegtestChain();
    const store = await openEmbeddedStore(directory, network);
    await applyBlocks(store, -1, [chain.genesis.bytes, chain.extend(chain.genesis, mined).bytes]);
    const environment = store.repairs?.environment ?? expect.unreachable();
    environment.write(() => damage(environment));
    await expect(store.change(0)).rejects.toMatchObject({ code: "tables-damaged" });
    expect((await store.tip()).height).toBe(1);
    await store.close();
  });
});
