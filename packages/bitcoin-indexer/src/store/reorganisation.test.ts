import { displayHash, hashScript, networks, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import { createArraySource } from "../source/array-source.ts";
import { runIndexer } from "../sync/run-indexer.ts";
import { applyBlocks } from "../testing/apply-blocks.ts";
import { compareIndexes } from "../testing/compare-indexes.ts";
import { killFlipping } from "../testing/kill-flipping.ts";
import { RegtestChain, type RegtestTip } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { watchIndex } from "../testing/watch-index.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";

const network = networks.regtest;
const script = Uint8Array.from([0x00, 20, ...new Uint8Array(20).fill(1)]);

/** Returns a branch whose blocks each pass a coin on within one script. */
function grow(chain: RegtestChain, parent: RegtestTip, length: number): readonly RegtestTip[] {
  const tips: RegtestTip[] = [];
  for (let tip = parent; tips.length < length; ) {
    const coins = tip.coins.slice(-1);
    const value = (coins[0]?.value ?? 0n) - 1n;
    tip = chain.extend(tip, script, coins.length === 0 ? [] : [{ coins, outputs: [{ value, scriptPubKey: script }] }]);
    tips.push(tip);
  }
  return tips;
}

function bytesOf(tips: readonly RegtestTip[]): readonly Uint8Array[] {
  return tips.map(({ bytes }) => bytes);
}

function idsOf(tips: readonly RegtestTip[]): readonly string[] {
  return tips.flatMap(({ bytes }) => parseBlock(bytes).transactions.map(({ txid }) => displayHash(txid)));
}

/** Returns the ids of each branch, without those that both have mined. */
function idsOfEach(left: readonly RegtestTip[], right: readonly RegtestTip[]): readonly (readonly string[])[] {
  const [leftIds, rightIds] = [new Set(idsOf(left)), new Set(idsOf(right))];
  return [[...leftIds.difference(rightIds)], [...rightIds.difference(leftIds)]];
}

it("shows no reader in another process a mixture of two chains", async () => {
  await withTemporaryDirectory(async (directory) => {
    const chain = new RegtestChain();
    const trunk = [chain.genesis, ...grow(chain, chain.genesis, 20)];
    const fork = trunk.at(-1) ?? chain.genesis;
    const left = grow(chain, fork, 30);
    const right = grow(chain, fork, 31);
    const store = await openEmbeddedStore(directory, network);
    await applyBlocks(store, -1, bytesOf([...trunk, ...left]));
    const report = await watchIndex(
      {
        directory,
        branches: idsOfEach(left, right),
        scriptHash: toHex(hashScript(script)),
        forkHeight: fork.height,
        depth: right.length,
      },
      async () => {
        for (let count = 0; count < 12; count += 1) {
          await applyBlocks(store, fork.height, bytesOf(count % 2 === 0 ? right : left));
        }
      },
    );
    await store.close();
    expect(report.inconsistencies).toEqual([]);
    expect(report.tips).toBe(2);
    expect(report.rounds).toBeGreaterThan(10);
  });
});

it("ends a list of unspent outputs that a reorganisation has cut off, and goes on with one that only grew", async () => {
  await withTemporaryDirectory(async (directory) => {
    const chain = new RegtestChain();
    const tips = [chain.genesis];
    while (tips.length < 8) tips.push(chain.extend(tips.at(-1) ?? chain.genesis, script));
    const store = await openEmbeddedStore(directory, network);
    await applyBlocks(store, -1, bytesOf(tips.slice(0, 6)));
    const heightsOf = async (whenFirst: () => Promise<void>): Promise<readonly number[]> => {
      const heights: number[] = [];
      const pages = store.queries().unspentOutputPages(toHex(hashScript(script)), { limit: 2 });
      for await (const page of pages) {
        if (heights.length === 0) await whenFirst();
        heights.push(...page.map(({ block }) => block.height));
      }
      return heights;
    };
    expect(await heightsOf(() => applyBlocks(store, 5, bytesOf(tips.slice(6, 7))))).toEqual([1, 2, 3, 4, 5, 6]);
    const reorganise = () => applyBlocks(store, 5, bytesOf([chain.extend(tips[5] ?? chain.genesis, script)]));
    await expect(heightsOf(reorganise)).rejects.toMatchObject({ name: "IndexerError", code: "reorganised" });
    await store.close();
  });
});

it("is on one branch or the other, whole, after a kill -9 at any moment of a reorganisation", async () => {
  await withTemporaryDirectory(async (directory) => {
    const chain = new RegtestChain();
    const trunk = [chain.genesis, ...grow(chain, chain.genesis, 10)];
    const fork = trunk.at(-1) ?? chain.genesis;
    const branches = [grow(chain, fork, 40), grow(chain, fork, 41)];
    const flipped = `${directory}/flipped`;
    const first = await openEmbeddedStore(flipped, network);
    await applyBlocks(first, -1, bytesOf(trunk));
    await first.close();
    for (const [index, branch] of branches.entries()) {
      const fresh = await openEmbeddedStore(`${directory}/${index}`, network);
      await applyBlocks(fresh, -1, bytesOf([...trunk, ...branch]));
      await fresh.close();
    }
    const order = {
      directory: flipped,
      forkHeight: fork.height,
      branches: branches.map((branch) => bytesOf(branch).map(toHex)),
    };
    for (const milliseconds of [0, 13, 29, 61, 97]) {
      await killFlipping(order, milliseconds);
      const store = await openEmbeddedStore(flipped, network);
      const { height } = await store.tip();
      await store.close();
      const branch = branches.findIndex(({ length }) => fork.height + length === height);
      expect(await compareIndexes(flipped, `${directory}/${branch}`)).toEqual([]);
    }
  });
});

it("replaces a thousand blocks at once, in the bytes of an index that never saw them", async () => {
  await withTemporaryDirectory(async (directory) => {
    const chain = new RegtestChain();
    const trunk = [chain.genesis, ...grow(chain, chain.genesis, 3)];
    const fork = trunk.at(-1) ?? chain.genesis;
    const left = grow(chain, fork, 1_000);
    const right = grow(chain, fork, 1_001);
    const store = await openEmbeddedStore(`${directory}/grown`, network);
    const source = createArraySource(network, bytesOf([...trunk, ...left]));
    await runIndexer({ store, source });
    source.add(...bytesOf(right));
    // Batches far smaller than the branch: verified blocks are written and dropped before they are committed.
    const heights: number[] = [];
    await runIndexer({
      store,
      source,
      batchLimits: { blocks: 50, items: 10_000, bytes: 1_000_000 },
      onEvent: ({ height }) => heights.push(height),
    });
    expect((await store.tip()).height).toBe(fork.height + right.length);
    expect(Math.min(...heights)).toBe(fork.height + left.length);
    await store.close();
    const fresh = await openEmbeddedStore(`${directory}/fresh`, network);
    await applyBlocks(fresh, -1, bytesOf([...trunk, ...right]));
    await fresh.close();
    expect(await compareIndexes(`${directory}/grown`, `${directory}/fresh`)).toEqual([]);
  });
});
