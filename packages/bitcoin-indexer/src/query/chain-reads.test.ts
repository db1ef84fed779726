import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { displayHash, hashScript, networks, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { openChainIndex } from "../chain-index-reader.ts";
import { runIndexer } from "../run-indexer.ts";
import { createArraySource } from "../source/array-source.ts";
import { openEmbeddedStore } from "../store/embedded-store.ts";
import { Environment } from "../store/environment.ts";
import {
  blockPositions,
  blocks,
  historyPerRow,
  spends,
  transactionNumbers,
  transactions,
  unspentOutputs,
} from "../store/layout.ts";
import { RegtestChain, type RegtestTip } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { createRandom, WalkingChain } from "../testing/walking-chain.ts";
import type { BlockCheckLevel, ChainQueries } from "./chain-queries.ts";

const network = networks.regtest;
const script: Uint8Array = Uint8Array.of(0x51);

async function indexBlocks(directory: string, batches: readonly (readonly RegtestTip[])[]): Promise<void> {
  const store = await openEmbeddedStore(directory, network);
  const source = createArraySource(network, []);
  for (const batch of batches) {
    source.add(...batch.map(({ bytes }) => bytes));
    await runIndexer({ store, source });
  }
  await store.close();
}

async function withReader(directory: string, action: (reader: ChainQueries) => Promise<void>): Promise<void> {
  const reader = openChainIndex(directory, { network });
  try {
    await action(reader);
  } finally {
    await reader.close();
  }
}

describe("stale branches", () => {
  it("are told with their ends and lengths, the highest first", async () => {
    await withTemporaryDirectory(async (directory) => {
      const chain = new RegtestChain();
      const extend = (parent: RegtestTip, count: number): RegtestTip[] => {
        const tips: RegtestTip[] = [];
        for (let tip = parent; tips.length < count; tips.push(tip)) tip = chain.extend(tip, script);
        return tips;
      };
      const trunk = [chain.genesis, ...extend(chain.genesis, 3)];
      const fork = trunk[1] ?? chain.genesis;
      const top = trunk[3] ?? chain.genesis;
      const short = extend(top, 1);
      const long = extend(fork, 5);
      const longer = extend(long[1] ?? fork, 5);
      // The short branch leaves `top` with it: both are stale, one above the other.
      await indexBlocks(directory, [[...trunk, ...short], long, longer]);
      await withReader(directory, async (reader) => {
        const branches = await reader.staleBranches();
        expect(branches.map(({ tip, length }) => ({ hash: tip.hash, height: tip.height, length }))).toEqual([
          { hash: displayHash(long.at(-1)?.hash ?? script), height: 6, length: 3 },
          { hash: displayHash(short[0]?.hash ?? script), height: 4, length: 3 },
        ]);
        expect(branches[0]?.tip).toMatchObject({ onBestChain: false, chainTransactionCount: 7 });
      });
    });
  });
});

describe("a slice of a history", () => {
  it("is the same part that pages give, after reorganisations too", async () => {
    await withTemporaryDirectory(async (directory) => {
      const walk = new WalkingChain(createRandom(7));
      walk.grow(120);
      const before = walk.tips;
      walk.reorganise(9);
      walk.grow(120);
      await indexBlocks(directory, [before, walk.tips.filter((tip) => !before.includes(tip))]);
      await withReader(directory, async (reader) => {
        const hashes = scriptHashesOf(walk.tips);
        let longest = 0;
        for (const scriptHash of hashes) {
          const history = await reader.scriptHistory(scriptHash, { limit: 10_000 });
          const oldest = history.map(({ txid }) => txid).reverse();
          longest = Math.max(longest, oldest.length);
          for (const skip of [0, 1, 5, 127, 128, 129, 200, oldest.length - 1, oldest.length, oldest.length + 9]) {
            for (const limit of [1, 3, 127, 128, 300]) {
              if (skip < 0) continue;
              const slice = await reader.scriptHistorySlice(scriptHash, { skip, limit });
              expect(slice.map(({ txid }) => txid)).toEqual(oldest.slice(skip, skip + limit));
            }
          }
        }
        expect(longest).toBeGreaterThan(historyPerRow);
        expect(await reader.scriptHistorySlice("00".repeat(32), { skip: 0, limit: 1 })).toEqual([]);
        expect(await reader.scriptHistorySlice("zz", { skip: 0, limit: 1 })).toEqual([]);
      });
    });
  });
});

describe("stored bytes", () => {
  it("are those of the block files", async () => {
    await withTemporaryDirectory(async (directory) => {
      const chain = new RegtestChain();
      await indexBlocks(directory, [[chain.genesis, chain.extend(chain.genesis, script)]]);
      await withReader(directory, async (reader) => {
        expect(await reader.storedBytes()).toBe(statSync(join(directory, "blocks", "blk00000.dat")).size);
      });
    });
  });
});

/** A chain whose third block spends what the first made, and whose fourth spends of the third. */
function spendingChain(): readonly RegtestTip[] {
  const chain = new RegtestChain();
  const pay = (tip: RegtestTip, witness?: readonly Uint8Array[]): RegtestTip => {
    const coins = tip.coins.slice(-1);
    const value = coins.reduce((sum, coin) => sum + coin.value, 0n) / 2n;
    const outputs = [
      { value, scriptPubKey: script },
      { value: 1n, scriptPubKey: Uint8Array.of(0x6a) },
    ];
    return chain.extend(tip, script, [{ coins, outputs, witness }]);
  };
  const first = chain.extend(chain.genesis, script);
  const second = pay(first);
  const third = pay(second, [Uint8Array.of(1, 2, 3)]);
  return [chain.genesis, first, second, third];
}

describe("a check of a block", () => {
  it("finds nothing wrong in chains that were reorganised, up to the rows of each block", async () => {
    await withTemporaryDirectory(async (directory) => {
      const walk = new WalkingChain(createRandom(3));
      walk.grow(30);
      const before = walk.tips;
      walk.reorganise(6);
      walk.grow(10);
      await indexBlocks(directory, [before, walk.tips.filter((tip) => !before.includes(tip))]);
      await withReader(directory, async (reader) => {
        for (const height of walk.tips.keys()) expect(await reader.checkBlock(height, 3)).toBe(true);
        expect(await reader.checkBlock(walk.tips.length, 3)).toBeUndefined();
      });
    });
  });

  it("finds every byte of a block that was changed", async () => {
    await withTemporaryDirectory(async (directory) => {
      const tips = spendingChain();
      await indexBlocks(directory, [tips]);
      const path = join(directory, "blocks", "blk00000.dat");
      const whole = readFileSync(path);
      const block = tips[3]?.bytes ?? script;
      const start = whole.length - block.length;
      expect(whole.subarray(start).equals(block)).toBe(true);
      for (let offset = start; offset < whole.length; offset += 1) {
        const damaged = Buffer.from(whole);
        damaged[offset] = (damaged[offset] ?? 0) ^ 0x10;
        writeFileSync(path, damaged);
        await withReader(directory, async (reader) => {
          expect(await reader.checkBlock(3, 1)).toBe(false);
          expect(await reader.checkBlock(2, 1)).toBe(true);
        });
      }
      writeFileSync(path, whole.subarray(0, -1));
      await withReader(directory, async (reader) => expect(await reader.checkBlock(3, 0)).toBe(false));
    });
  });

  const number = 3;
  it.each<{
    readonly name: string;
    readonly level: BlockCheckLevel;
    readonly height: number;
    readonly damage: (environment: Environment, tips: readonly RegtestTip[]) => void;
  }>([
    {
      name: "the place of its bytes",
      level: 0,
      height: 2,
      damage: (environment) => {
        const position = environment.get(blockPositions, 2) ?? expect.unreachable();
        environment.put(blockPositions, [2], { ...position, offset: position.offset + 1 });
      },
    },
    {
      name: "the row of a transaction",
      level: 0,
      height: 2,
      damage: (environment) => environment.remove(transactions, number),
    },
    {
      name: "the value of a spent output",
      level: 2,
      height: 2,
      damage: (environment) => {
        const row = environment.get(transactions, number) ?? expect.unreachable();
        const spentOutputs = row.spentOutputs.map((spent) => ({ ...spent, value: spent.value + 1n }));
        environment.put(transactions, [number], { ...row, spentOutputs });
      },
    },
    {
      name: "the script of a spent output",
      level: 2,
      height: 2,
      damage: (environment) => {
        const row = environment.get(transactions, number) ?? expect.unreachable();
        const spentOutputs = row.spentOutputs.map((spent) => ({ ...spent, scriptPubKey: Uint8Array.of(0x52) }));
        environment.put(transactions, [number], { ...row, spentOutputs });
      },
    },
    {
      name: "the way from a txid",
      level: 3,
      height: 2,
      damage: (environment, tips) => environment.remove(transactionNumbers, txidOf(tips[2], 1)),
    },
    {
      name: "a spend that a block made",
      level: 3,
      height: 2,
      damage: (environment) => environment.remove(spends, 1),
    },
    {
      name: "a spend of what a block made",
      level: 3,
      height: 2,
      damage: (environment) => environment.remove(spends, number),
    },
    {
      name: "an output that nobody spent",
      level: 3,
      height: 3,
      damage: (environment) => environment.remove(unspentOutputs, hashScript(script), 5, 0),
    },
    {
      name: "an output that was spent, as if it were not",
      level: 3,
      height: 2,
      damage: (environment, tips) =>
        environment.put(unspentOutputs, [hashScript(script), 1, 0], {
          txid: txidOf(tips[1], 0),
          value: 5_000_000_000n,
        }),
    },
    {
      name: "the work of the chain",
      level: 4,
      height: 1,
      damage: (environment) => {
        const row = environment.get(blocks, 1) ?? expect.unreachable();
        environment.put(blocks, [1], { ...row, chainWork: row.chainWork + 1n });
      },
    },
  ])("finds $name gone or changed at level $level and not below", async ({ level, height, damage }) => {
    await withTemporaryDirectory(async (directory) => {
      const tips = spendingChain();
      await indexBlocks(directory, [tips]);
      const environment = new Environment(join(directory, "index"), "write");
      environment.write(() => damage(environment, tips));
      await environment.close();
      await withReader(directory, async (reader) => {
        expect(await reader.checkBlock(height, level)).toBe(false);
        for (const below of levels.slice(0, level)) expect(await reader.checkBlock(height, below)).toBe(true);
      });
    });
  });

  it("finds an immature coinbase spent when it is to be connected again", async () => {
    await withTemporaryDirectory(async (directory) => {
      await indexBlocks(directory, [spendingChain()]);
      await withReader(directory, async (reader) => {
        expect(await reader.checkBlock(1, 4)).toBe(true);
        expect(await reader.checkBlock(2, 4)).toBe(false);
      });
    });
  });
});

const levels: readonly BlockCheckLevel[] = [0, 1, 2, 3, 4];

function txidOf(tip: RegtestTip | undefined, position: number): Uint8Array {
  return parseBlock(tip?.bytes ?? script).transactions[position]?.txid ?? expect.unreachable();
}

function scriptHashesOf(tips: readonly RegtestTip[]): readonly string[] {
  const scripts = tips.flatMap(({ bytes }) =>
    parseBlock(bytes).transactions.flatMap(({ outputs }) =>
      outputs.map(({ scriptPubKey }) => toHex(hashScript(scriptPubKey))),
    ),
  );
  return [...new Set(scripts)];
}
