import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { displayHash, hashScript, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { Environment } from "../store/environment.ts";
import {
  blockPositions,
  type BlockRow,
  blocks,
  blockStarts,
  heights,
  histories,
  historyPerRow,
  type SpendRow,
  spends,
  transactionIds,
  transactionNumbers,
  type TransactionRow,
  transactions,
  type UnspentOutputRow,
  unspentOutputs,
} from "../store/layout.ts";
import { RegtestChain, type RegtestTip } from "../testing/regtest-chain.ts";
import {
  type Damage,
  indexBlocks,
  script,
  spendingChain,
  txidOf,
  withDamaged,
  withReader,
} from "../testing/spending-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { createRandom, WalkingChain } from "../testing/walking-chain.ts";
import type { BlockCheckLevel } from "./chain-queries.ts";

describe("stale branches", () => {
  it("are reported with their ends and lengths, the highest first", async () => {
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
    readonly damage: Damage;
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
      damage: changeTransaction(number, ({ spentOutputs }) => ({
        spentOutputs: spentOutputs.map((spent) => ({ ...spent, value: spent.value + 1n })),
      })),
    },
    {
      name: "the script of a spent output",
      level: 2,
      height: 2,
      damage: changeTransaction(number, ({ spentOutputs }) => ({
        spentOutputs: spentOutputs.map((spent) => ({ ...spent, scriptPubKey: Uint8Array.of(0x52) })),
      })),
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
      name: "the height of its hash",
      level: 0,
      height: 2,
      damage: (environment, tips) => environment.put(heights, [tips[2]?.hash ?? script], 1),
    },
    {
      name: "a transaction more",
      level: 0,
      height: 2,
      damage: changeBlock(2, ({ transactionCount }) => ({ transactionCount: transactionCount + 1 })),
    },
    {
      name: "a transaction less",
      level: 0,
      height: 2,
      damage: changeBlock(2, ({ transactionCount }) => ({ transactionCount: transactionCount - 1 })),
    },
    {
      name: "its size without witnesses",
      level: 0,
      height: 3,
      damage: changeBlock(3, ({ strippedSize }) => ({ strippedSize: strippedSize + 1 })),
    },
    {
      name: "the place of a transaction in it",
      level: 0,
      height: 2,
      damage: changeTransaction(2, ({ offset }) => ({ offset: offset + 1 })),
    },
    {
      name: "the number of a transaction's outputs",
      level: 0,
      height: 2,
      damage: changeTransaction(3, ({ outputCount }) => ({ outputCount: outputCount + 1 })),
    },
    {
      name: "a txid of it",
      level: 1,
      height: 2,
      damage: (environment) => {
        const ids = environment.get(transactionIds, 0) ?? expect.unreachable();
        environment.put(transactionIds, [0], ids.with(3 * 32, (ids[3 * 32] ?? 0) ^ 1));
      },
    },
    {
      name: "what a transaction spent",
      level: 2,
      height: 2,
      damage: changeTransaction(3, () => ({ spentOutputs: [] })),
    },
    {
      name: "a spent output of the coinbase",
      level: 2,
      height: 2,
      damage: changeTransaction(2, () => ({
        spentOutputs: [{ transactionNumber: 1, value: 5_000_000_000n, scriptPubKey: script }],
      })),
    },
    {
      name: "the transaction that made a spent output",
      level: 2,
      height: 2,
      // The other coinbase that paid as much to the same script.
      damage: changeTransaction(3, ({ spentOutputs }) => ({
        spentOutputs: spentOutputs.map((spent) => ({ ...spent, transactionNumber: 2 })),
      })),
    },
    {
      name: "the number of its coinbase among all",
      level: 3,
      height: 2,
      damage: (environment) => environment.put(blockStarts, [0], [0, 1, 3, 4]),
    },
    {
      name: "a transaction in the history of a script",
      level: 3,
      height: 2,
      damage: (environment) => environment.put(histories, [hashScript(script), 1], [1, 2, 4, 5]),
    },
    {
      name: "the output that is spent",
      level: 3,
      height: 2,
      damage: changeSpend(1, { vout: 1 }),
    },
    {
      name: "the input that spends",
      level: 3,
      height: 2,
      damage: changeSpend(1, { vin: 1 }),
    },
    {
      name: "the transaction that spends",
      level: 3,
      height: 2,
      damage: changeSpend(1, { transactionNumber: 2 }),
    },
    {
      name: "the transaction that spends what a block made",
      level: 3,
      height: 2,
      damage: changeSpend(3, { transactionNumber: 4 }),
    },
    {
      name: "the input that spends what a block made",
      level: 3,
      height: 2,
      damage: changeSpend(3, { vin: 1 }),
    },
    {
      name: "a spend of what nobody can spend",
      level: 3,
      height: 2,
      damage: (environment) => {
        const rows = environment.get(spends, 3) ?? expect.unreachable();
        environment.put(spends, [3], [...rows, { vout: 1, transactionNumber: 5, vin: 0 }]);
      },
    },
    {
      name: "an output of its own that was spent, as if it were not",
      level: 3,
      height: 2,
      damage: (environment, tips) =>
        environment.put(unspentOutputs, [hashScript(script), 3, 0], {
          txid: txidOf(tips[2], 1),
          value: 2_500_000_000n,
        }),
    },
    {
      name: "the value of an output that nobody spent",
      level: 3,
      height: 3,
      damage: changeUnspent(({ value }) => ({ value: value + 1n })),
    },
    {
      name: "the txid of an output that nobody spent",
      level: 3,
      height: 3,
      damage: changeUnspent(({ txid }) => ({ txid: txid.with(31, (txid[31] ?? 0) ^ 1) })),
    },
    {
      name: "the hash of the block below",
      level: 4,
      height: 1,
      damage: changeBlock(0, ({ hash }) => ({ hash: hash.with(0, (hash[0] ?? 0) ^ 1) })),
    },
    {
      name: "the transactions of the block below",
      level: 4,
      height: 1,
      damage: changeBlock(0, ({ transactionCount }) => ({ transactionCount: transactionCount + 1 })),
    },
    {
      name: "the work of the block below",
      level: 4,
      height: 1,
      damage: changeBlock(0, ({ chainWork }) => ({ chainWork: chainWork - 1n })),
    },
    {
      name: "a median time below that is not before its own time",
      level: 4,
      height: 1,
      damage: changeBlock(0, () => ({ medianTime: 1_296_688_602 + 600 })),
    },
    {
      name: "its median time",
      level: 4,
      height: 1,
      damage: changeBlock(1, ({ medianTime }) => ({ medianTime: medianTime - 1 })),
    },
    {
      name: "the work of the chain",
      level: 4,
      height: 1,
      damage: changeBlock(1, ({ chainWork }) => ({ chainWork: chainWork + 1n })),
    },
  ])("finds $name gone or changed at level $level and not below", async ({ level, height, damage }) => {
    await withDamaged(damage, async (reader) => {
      expect(await reader.checkBlock(height, level)).toBe(false);
      for (const below of levels.slice(0, level)) expect(await reader.checkBlock(height, below)).toBe(true);
    });
  });

  it("takes the genesis block, and a median time just below a block's own, for connectable", async () => {
    await withDamaged(
      changeBlock(0, () => ({ medianTime: 1_296_688_602 + 599 })),
      async (reader) => {
        expect(await reader.checkBlock(0, 4)).toBe(false);
        expect(await reader.checkBlock(1, 4)).toBe(true);
      },
    );
    await withDamaged(
      () => undefined,
      async (reader) => expect(await reader.checkBlock(0, 4)).toBe(true),
    );
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

  it("finds at which height a coinbase may be spent, and how much one may pay", async () => {
    await withTemporaryDirectory(async (directory) => {
      const chain = new RegtestChain();
      const tips = [chain.genesis];
      const subsidy = 5_000_000_000n;
      // Keyed by the height of the paying block: the height of the coinbase that it spends, and the amount.
      const payments = new Map<number, readonly [number, bigint]>([
        // The hundredth block above the first, and one too early for the third.
        [101, [1, subsidy]],
        [102, [3, subsidy]],
        // From height 150 on a block creates half as much: its fees are just enough for its coinbase, or not quite.
        [150, [10, subsidy / 2n]],
        [151, [11, subsidy / 2n + 1n]],
      ]);
      for (let height = 1; height <= 152; height += 1) {
        const tip = tips.at(-1) ?? chain.genesis;
        const [coinHeight, value] = payments.get(height) ?? [];
        const coinbase = coinHeight === undefined ? undefined : displayHash(txidOf(tips[coinHeight], 0));
        const coins = tip.coins.filter(({ outpoint }) => displayHash(outpoint.txid) === coinbase);
        tips.push(
          chain.extend(tip, script, value === undefined ? [] : [{ coins, outputs: [{ value, scriptPubKey: script }] }]),
        );
      }
      await indexBlocks(directory, [tips]);
      await withReader(directory, async (reader) => {
        const heightsToCheck = [1, 2, 100, 101, 102, 149, 150, 151, 152];
        const verdicts = await Promise.all(heightsToCheck.map((height) => reader.checkBlock(height, 4)));
        expect(heightsToCheck.filter((_, index) => verdicts[index] !== true)).toEqual([102, 151, 152]);
        expect(await reader.checkBlock(102, 3)).toBe(true);
        expect(await reader.checkBlock(152, 3)).toBe(true);
      });
      // The eleven times of a median are those of the block and of the ten below it.
      const environment = new Environment(join(directory, "index"), "write");
      environment.write(() => {
        const row = environment.get(blocks, 20) ?? expect.unreachable();
        const header = Buffer.from(row.header);
        header.writeUInt32LE(0xffffffff, 68);
        environment.put(blocks, [20], { ...row, header });
      });
      await environment.close();
      await withReader(directory, async (reader) => {
        expect(await reader.checkBlock(30, 4)).toBe(false);
        expect(await reader.checkBlock(30, 3)).toBe(true);
        expect(await reader.checkBlock(31, 4)).toBe(true);
      });
    });
  });
});

function changeBlock(height: number, change: (row: BlockRow) => Partial<BlockRow>): Damage {
  return (environment) => {
    const row = environment.get(blocks, height) ?? expect.unreachable();
    environment.put(blocks, [height], { ...row, ...change(row) });
  };
}

function changeTransaction(number: number, change: (row: TransactionRow) => Partial<TransactionRow>): Damage {
  return (environment) => {
    const row = environment.get(transactions, number) ?? expect.unreachable();
    environment.put(transactions, [number], { ...row, ...change(row) });
  };
}

function changeSpend(fundingNumber: number, change: Partial<SpendRow>): Damage {
  return (environment) => {
    const rows = environment.get(spends, fundingNumber) ?? expect.unreachable();
    environment.put(
      spends,
      [fundingNumber],
      rows.map((row) => ({ ...row, ...change })),
    );
  };
}

/** Changes the row of the last transaction of `spendingChain`. */
function changeUnspent(change: (row: UnspentOutputRow) => Partial<UnspentOutputRow>): Damage {
  return (environment) => {
    const row = environment.get(unspentOutputs, hashScript(script), 5, 0) ?? expect.unreachable();
    environment.put(unspentOutputs, [hashScript(script), 5, 0], { ...row, ...change(row) });
  };
}

const levels: readonly BlockCheckLevel[] = [0, 1, 2, 3, 4];

function scriptHashesOf(tips: readonly RegtestTip[]): readonly string[] {
  const scripts = tips.flatMap(({ bytes }) =>
    parseBlock(bytes).transactions.flatMap(({ outputs }) =>
      outputs.map(({ scriptPubKey }) => toHex(hashScript(scriptPubKey))),
    ),
  );
  return [...new Set(scripts)];
}
