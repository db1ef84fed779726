import { displayHash, hashScript, merkleRootOfBranch, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { dataDirectory } from "../store/data-directory.ts";
import { Environment } from "../store/environment.ts";
import {
  blockPositions,
  blocks,
  heights,
  staleBlocks,
  transactionIds,
  transactions,
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
import type { ChainQueries } from "./chain-queries.ts";

const tips = spendingChain();
const unknown = "7".repeat(64);
const noHashes = ["", "zz", "7".repeat(63), "7".repeat(65), "g".repeat(64)];
const scriptHash = toHex(hashScript(script));

function hashOf(height: number): string {
  return displayHash(tips[height]?.hash ?? script);
}

function idOf(height: number, position: number): string {
  return displayHash(txidOf(tips[height], position));
}

const unharmed: Damage = () => undefined;

describe("rows that are missing or contradict each other", () => {
  type Query = (reader: ChainQueries) => Promise<unknown>;

  it.each<readonly [string, Damage, string, readonly Query[]]>([
    [
      "a transaction",
      (environment) => environment.remove(transactions, 3),
      "there is no transaction 3",
      [
        (reader) => reader.transaction(idOf(2, 1)),
        (reader) => reader.rawTransaction(idOf(2, 1)),
        (reader) => reader.outputs([{ txid: idOf(2, 1), vout: 0 }]),
        (reader) => reader.spends(idOf(2, 1)),
        (reader) => reader.scriptHistory(scriptHash, { limit: 9 }),
      ],
    ],
    [
      "txids",
      (environment) => environment.remove(transactionIds, 0),
      "there is no txid for transaction 3",
      [(reader) => reader.transactionPlace(idOf(2, 1)), (reader) => reader.transactionIdAt(hashOf(2), 1)],
    ],
    [
      "the last txid",
      (environment) => {
        const ids = environment.get(transactionIds, 0) ?? expect.unreachable();
        environment.put(transactionIds, [0], ids.subarray(0, 6 * 32 - 1));
      },
      "there is no txid for transaction 5",
      [(reader) => reader.transactionPlace(idOf(3, 1)), (reader) => reader.transactionIdAt(hashOf(3), 1)],
    ],
    [
      "the txids of a block",
      (environment) => environment.remove(transactionIds, 0),
      "there is no txid 2",
      [
        (reader) => reader.transactionIds(hashOf(2)),
        (reader) => reader.transactionIdBytes(hashOf(2)),
        (reader) => reader.blockTransactions(hashOf(2), 0, 9),
      ],
    ],
    [
      "the last txid of a block",
      (environment) => {
        const ids = environment.get(transactionIds, 0) ?? expect.unreachable();
        environment.put(transactionIds, [0], ids.subarray(0, 6 * 32 - 1));
      },
      "there is no txid 4",
      [(reader) => reader.transactionIds(hashOf(3))],
    ],
    [
      "a block",
      (environment) => environment.remove(blocks, 2),
      "there is no block at height 2",
      [(reader) => reader.blockByHash(hashOf(2)), (reader) => reader.rawBlock(hashOf(2))],
    ],
    [
      "the place of a block",
      (environment) => environment.remove(blockPositions, 2),
      "there is no block at height 2",
      [(reader) => reader.blockByHash(hashOf(2)), (reader) => reader.transactionIds(hashOf(2))],
    ],
    [
      "the block of a transaction",
      (environment) => environment.remove(blocks, 2),
      "there is no block for transaction 3",
      [
        (reader) => reader.transaction(idOf(2, 1)),
        (reader) => reader.rawTransaction(idOf(2, 1)),
        (reader) => reader.transactionPlace(idOf(2, 1)),
        (reader) => reader.merkleProof(idOf(2, 1)),
      ],
    ],
    [
      "the place of a transaction's block",
      (environment) => environment.remove(blockPositions, 2),
      "there is no block for transaction 3",
      [(reader) => reader.outputs([{ txid: idOf(2, 1), vout: 0 }])],
    ],
    [
      "the height of a block",
      (environment) => environment.put(heights, [tips[2]?.hash ?? script], 1),
      "the block at height 1 is another",
      [(reader) => reader.blockByHash(hashOf(2))],
    ],
    [
      "a header",
      (environment) => {
        const row = environment.get(blocks, 2) ?? expect.unreachable();
        environment.put(blocks, [2], { ...row, header: row.header.with(79, (row.header[79] ?? 0) ^ 1) });
      },
      "the header at height 2 is another",
      [(reader) => reader.blockByHeight(2), (reader) => reader.blocks(3, 2)],
    ],
    [
      "a txid",
      (environment) => {
        const ids = environment.get(transactionIds, 0) ?? expect.unreachable();
        environment.put(transactionIds, [0], ids.with(2 * 32, (ids[2 * 32] ?? 0) ^ 1));
      },
      `the txids of block ${hashOf(2)} are not those under its merkle root`,
      [
        (reader) => reader.transactionIds(hashOf(2)),
        (reader) => reader.transactionIdBytes(hashOf(2)),
        (reader) => reader.merkleProof(idOf(2, 1)),
      ],
    ],
    [
      "the place of a transaction",
      (environment) => {
        const row = environment.get(transactions, 2) ?? expect.unreachable();
        environment.put(transactions, [3], row);
      },
      `the transaction 3 is at another place of block ${hashOf(2)}`,
      [(reader) => reader.transaction(idOf(2, 1))],
    ],
  ])("are reported: %s", async (_, damage, reason, queries) => {
    await withDamaged(damage, async (reader) => {
      for (const query of queries) {
        await expect(query(reader)).rejects.toMatchObject({
          code: "tables-damaged",
          message: expect.stringContaining(`(${reason})`),
        });
      }
    });
  });
});

describe("queries of the best chain", () => {
  it("find nothing for what is not a hash, or of no block or transaction", async () => {
    await withDamaged(unharmed, async (reader) => {
      for (const text of [unknown, ...noHashes]) {
        expect(await reader.blockByHash(text)).toBeUndefined();
        expect(await reader.rawBlock(text)).toBeUndefined();
        expect(await reader.transactionIds(text)).toBeUndefined();
        expect(await reader.transactionIdBytes(text)).toBeUndefined();
        expect(await reader.transactionIdAt(text, 0)).toBeUndefined();
        expect(await reader.blockTransactions(text, 0, 1)).toBeUndefined();
        expect(await reader.transaction(text)).toBeUndefined();
        expect(await reader.rawTransaction(text)).toBeUndefined();
        expect(await reader.transactionPlace(text)).toBeUndefined();
        expect(await reader.merkleProof(text)).toBeUndefined();
        expect(await reader.spends(text)).toBeUndefined();
        expect(await reader.outputs([{ txid: text, vout: 0 }])).toEqual([undefined]);
        expect(await reader.scriptHistory(text, { limit: 9 })).toEqual([]);
        expect(await reader.writtenHistory(text, { limit: 9 }, () => Buffer.alloc(0))).toEqual([]);
        expect(await reader.unspentOutputs(text, { limit: 9 })).toEqual([]);
        expect((await reader.scriptStatistics(text)).transactions).toBe(0);
      }
    });
  });

  it("tell of a block all that its header and its row say", async () => {
    await withDamaged(unharmed, async (reader) => {
      const { bytes, time } = tips[3] ?? expect.unreachable();
      const block = parseBlock(bytes);
      const record = await reader.tip();
      expect(record).toMatchObject({
        hash: hashOf(3),
        height: 3,
        previousHash: hashOf(2),
        transactionCount: 2,
        chainTransactionCount: 6,
        size: block.size,
        strippedSize: block.strippedSize,
        weight: block.weight,
        medianTime: time - 600,
        chainWork: 8n,
        onBestChain: true,
      });
      expect(record?.header.time).toBe(time);
      expect(record).not.toHaveProperty("nextHash");
      expect(await reader.tipHeight()).toBe(3);
      const genesis = await reader.blockByHeight(0);
      expect(genesis).toMatchObject({ height: 0, nextHash: hashOf(1) });
      expect(genesis).not.toHaveProperty("previousHash");
      expect(await reader.blockByHash(hashOf(2))).toEqual(await reader.blockByHeight(2));
      const heightsOf = async (from: number, count: number): Promise<readonly number[]> =>
        (await reader.blocks(from, count)).map(({ height }) => height);
      expect(await heightsOf(3, 2)).toEqual([3, 2]);
      expect(await heightsOf(1, 9)).toEqual([1, 0]);
      expect(await heightsOf(4, 9)).toEqual([]);
      expect(await heightsOf(2, 0)).toEqual([]);
    });
  });

  it("give a block's transactions in parts", async () => {
    await withDamaged(unharmed, async (reader) => {
      const part = async (start: number, count: number) =>
        (await reader.blockTransactions(hashOf(3), start, count))?.map(({ txid, block, fee }) => [
          txid,
          block?.position,
          fee,
        ]);
      const all = [
        [idOf(3, 0), 0, undefined],
        [idOf(3, 1), 1, 2_500_000_000n - 1_250_000_000n - 1n],
      ];
      expect((await part(0, 9))?.map(([txid, position]) => [txid, position])).toEqual(
        all.map(([txid, position]) => [txid, position]),
      );
      expect((await part(1, 9))?.[0]).toEqual(all[1]);
      expect(await part(0, 1)).toHaveLength(1);
      expect(await part(1, 1)).toHaveLength(1);
      expect(await part(2, 1)).toEqual([]);
      expect(await part(1, 0)).toEqual([]);
      expect(await part(9, 9)).toEqual([]);
      for (const [position, id] of [
        [0, idOf(3, 0)],
        [1, idOf(3, 1)],
        [2, undefined],
        [-1, undefined],
        [0.5, undefined],
      ] as const) {
        expect(await reader.transactionIdAt(hashOf(3), position)).toBe(id);
      }
      expect(Buffer.from((await reader.transactionIdBytes(hashOf(3))) ?? script).toString("hex")).toBe(
        `${toHex(txidOf(tips[3], 0))}${toHex(txidOf(tips[3], 1))}`,
      );
    });
  });

  it("tell where a transaction stands, what it spends and who spends it", async () => {
    await withDamaged(unharmed, async (reader) => {
      const place = { hash: hashOf(2), height: 2, time: tips[2]?.time, position: 1 };
      expect(await reader.transactionPlace(idOf(2, 1))).toMatchObject(place);
      const found = (await reader.transaction(idOf(2, 1))) ?? expect.unreachable();
      expect(found).toMatchObject({ txid: idOf(2, 1), block: place, fee: 2_500_000_000n - 1n });
      expect(found.previousOutputs).toMatchObject([{ value: 5_000_000_000n, height: 1, isCoinbase: true }]);
      expect((await reader.transaction(idOf(3, 1)))?.previousOutputs).toMatchObject([
        { value: 2_500_000_000n, height: 2, isCoinbase: false },
      ]);
      expect(await reader.spends(idOf(2, 1))).toMatchObject([
        { txid: idOf(3, 1), vin: 0, block: { height: 3, position: 1 } },
        undefined,
      ]);
      expect(await reader.spends(idOf(2, 0))).toEqual([undefined]);
      expect(
        await reader.outputs([
          { txid: idOf(2, 1), vout: 0 },
          { txid: idOf(2, 1), vout: 1 },
          { txid: idOf(2, 1), vout: 2 },
          { txid: idOf(3, 0), vout: 0 },
        ]),
      ).toMatchObject([
        { value: 2_500_000_000n, height: 2, isCoinbase: false },
        { value: 1n, height: 2, isCoinbase: false },
        undefined,
        { value: 5_000_000_000n, height: 3, isCoinbase: true },
      ]);
      const proof = (await reader.merkleProof(idOf(2, 1))) ?? expect.unreachable();
      expect(proof.block).toMatchObject(place);
      const root = merkleRootOfBranch(txidOf(tips[2], 1), proof.branch, 1);
      expect(toHex(root)).toBe(toHex(parseBlock(tips[2]?.bytes ?? script).header.merkleRoot));
    });
  });

  it("give the history of a script in pages below a transaction or a place", async () => {
    await withDamaged(unharmed, async (reader) => {
      const newestFirst = [idOf(3, 1), idOf(3, 0), idOf(2, 1), idOf(2, 0), idOf(1, 0)];
      const page = async (one: Parameters<ChainQueries["scriptHistory"]>[1]): Promise<readonly string[]> =>
        (await reader.scriptHistory(scriptHash, one)).map(({ txid }) => txid);
      expect(await page({ limit: 9 })).toEqual(newestFirst);
      expect(await page({ limit: 2 })).toEqual(newestFirst.slice(0, 2));
      for (const [index, after] of newestFirst.entries()) {
        expect(await page({ after, limit: 9 })).toEqual(newestFirst.slice(index + 1));
        expect(await page({ after, limit: 1 })).toEqual(newestFirst.slice(index + 1, index + 2));
      }
      // The first coinbase pays another script.
      expect(await page({ after: idOf(0, 0), limit: 9 })).toEqual([]);
      expect(await page({ after: unknown, limit: 9 })).toEqual([]);
      expect(await page({ below: { height: 3, position: 1 }, limit: 9 })).toEqual(newestFirst.slice(1));
      expect(await page({ below: { height: 2, position: 0 }, limit: 9 })).toEqual(newestFirst.slice(4));
      expect(await page({ below: { height: 1, position: 0 }, limit: 9 })).toEqual([]);
      expect(await page({ below: { height: 0, position: 0 }, limit: 9 })).toEqual([]);
      expect(await page({ below: { height: 4, position: 0 }, limit: 9 })).toEqual([]);
    });
  });

  it("give the unspent outputs of a script in pages behind an output", async () => {
    await withDamaged(
      (environment) => {
        // Keys of another script adjacent to these.
        const other = hashScript(script).with(15, (hashScript(script)[15] ?? 0) ^ 1);
        environment.put(unspentOutputs, [other, 1, 0], { txid: new Uint8Array(32), value: 1n });
      },
      async (reader) => {
        const names = [
          { txid: idOf(2, 0), vout: 0 },
          { txid: idOf(3, 0), vout: 0 },
          { txid: idOf(3, 1), vout: 0 },
        ];
        const page = async (one: Parameters<ChainQueries["unspentOutputs"]>[1]) =>
          (await reader.unspentOutputs(scriptHash, one)).map(({ txid, vout }) => ({ txid, vout }));
        expect(await page({ limit: 9 })).toEqual(names);
        expect(await page({ limit: 1 })).toEqual(names.slice(0, 1));
        for (const [index, after] of names.entries()) {
          expect(await page({ after, limit: 9 })).toEqual(names.slice(index + 1));
        }
        // A spent one is a position among them as well.
        expect(await page({ after: { txid: idOf(1, 0), vout: 0 }, limit: 9 })).toEqual(names);
        expect(await page({ after: { txid: idOf(3, 0), vout: 0xffffff }, limit: 9 })).toEqual(names.slice(2));
        for (const vout of [-1, 0.5, 0x1000000]) {
          expect(await page({ after: { txid: idOf(2, 0), vout }, limit: 9 })).toEqual([]);
        }
        expect(await page({ after: { txid: unknown, vout: 0 }, limit: 9 })).toEqual([]);
        expect(
          (await reader.unspentOutputs(scriptHash, { limit: 9 })).map(({ isCoinbase, value }) => [isCoinbase, value]),
        ).toEqual([
          [true, 5_000_000_000n],
          [true, 5_000_000_000n],
          [false, 1_250_000_000n],
        ]);
        expect(await reader.scriptStatistics(scriptHash)).toEqual({
          transactions: 5,
          fundedOutputs: 5,
          fundedValue: 3n * 5_000_000_000n + 2_500_000_000n + 1_250_000_000n,
          spentOutputs: 2,
          spentValue: 7_500_000_000n,
        });
      },
    );
  });
});

describe("a history whose transactions are in one block", () => {
  it.each([
    ["near each other", 0],
    ["64 KiB from each other, at most", 64 * 1024 - 1_000],
    ["farther from each other", 64 * 1024],
    ["far from each other", 200_000],
  ])("%s, has the bytes of each", async (_, between) => {
    await withTemporaryDirectory(async (directory) => {
      const chain = new RegtestChain();
      let tip = chain.genesis;
      const below: RegtestTip[] = [tip];
      for (let height = 1; height <= 9; height += 1) {
        tip = chain.extend(tip, Uint8Array.of(0x52));
        below.push(tip);
      }
      const large = Buffer.concat([Buffer.of(0x6a), Buffer.alloc(between)]);
      const coins = tip.coins.slice(1);
      const payments = coins.map((coin, index) => ({
        coins: [coin],
        outputs: [{ value: BigInt(index), scriptPubKey: index % 3 === 2 ? large : script }],
      }));
      const top = chain.extend(tip, script, payments);
      await indexBlocks(directory, [[...below, top]]);
      const expected = parseBlock(top.bytes)
        .transactions.filter(({ outputs }) => outputs.some(({ scriptPubKey }) => scriptPubKey[0] === 0x51))
        .map(({ txid, bytes }) => [displayHash(txid), toHex(bytes)]);
      await withReader(directory, async (reader) => {
        const read = async (limit: number, after?: string) =>
          (await reader.scriptHistory(scriptHash, { limit, after })).map(({ txid, transaction }) => [
            txid,
            toHex(transaction.bytes),
          ]);
        const newestFirst = expected.toReversed();
        expect(await read(20)).toEqual(newestFirst);
        expect(await read(3, newestFirst[1]?.[0])).toEqual(newestFirst.slice(2, 5));
        const slice = await reader.scriptHistorySlice(scriptHash, { skip: 1, limit: 4 });
        expect(slice.map(({ transaction }) => toHex(transaction.bytes))).toEqual(
          expected.slice(1, 5).map(([, hex]) => hex),
        );
      });
    });
  });
});

describe("queries of stale blocks", () => {
  async function withStale(
    action: (reader: ChainQueries, stale: RegtestTip, best: readonly RegtestTip[]) => Promise<void>,
  ): Promise<void> {
    await withTemporaryDirectory(async (directory) => {
      const chain = new RegtestChain();
      const first = chain.extend(chain.genesis, script);
      const outputs = [{ value: 7n, scriptPubKey: script }];
      const stale = chain.extend(first, script, [{ coins: first.coins.slice(-1), outputs }]);
      const other = chain.extend(first, script);
      const best = [other, chain.extend(other, script)];
      await indexBlocks(directory, [[chain.genesis, first, stale], best]);
      await withReader(directory, (reader) => action(reader, stale, best));
    });
  }

  it("tell of them as of others, but that they are on no best chain", async () => {
    await withStale(async (reader, stale, best) => {
      const { header, transactions: all } = parseBlock(stale.bytes);
      const hash = displayHash(header.hash);
      const ids = all.map(({ txid }) => displayHash(txid));
      const [, spender = ""] = ids;
      const record = await reader.blockByHash(hash);
      expect(record).toMatchObject({ hash, height: 2, onBestChain: false, transactionCount: 2 });
      expect(record).not.toHaveProperty("nextHash");
      expect((await reader.blockByHeight(2))?.hash).toBe(displayHash(best[0]?.hash ?? script));
      expect(await reader.transactionIds(hash)).toEqual(ids);
      expect(await reader.transactionIdAt(hash, 1)).toBe(spender);
      expect(await reader.transactionIdAt(hash, 2)).toBeUndefined();
      expect(Buffer.from((await reader.rawBlock(hash)) ?? script).equals(stale.bytes)).toBe(true);
      const found = (await reader.transaction(spender)) ?? expect.unreachable();
      expect(found).toMatchObject({ txid: spender, fee: 5_000_000_000n - 7n });
      expect(found).not.toHaveProperty("block");
      expect(found.previousOutputs).toMatchObject([{ value: 5_000_000_000n, height: 1, isCoinbase: true }]);
      const raw = (await reader.rawTransaction(spender)) ?? expect.unreachable();
      expect(Buffer.from(raw.bytes).equals(all[1]?.bytes ?? script)).toBe(true);
      expect(raw).not.toHaveProperty("block");
      expect(await reader.spends(spender)).toEqual([undefined]);
      expect(await reader.transactionPlace(spender)).toBeUndefined();
      expect(await reader.merkleProof(spender)).toBeUndefined();
      expect(await reader.outputs([{ txid: spender, vout: 0 }])).toEqual([undefined]);
      const parts = async (start: number, count: number) =>
        (await reader.blockTransactions(hash, start, count))?.map(({ txid, fee, block }) => [txid, fee, block]);
      expect(await parts(1, 9)).toEqual([[spender, 5_000_000_000n - 7n, undefined]]);
      expect((await parts(0, 1))?.map(([txid]) => txid)).toEqual(ids.slice(0, 1));
      expect(await parts(2, 1)).toEqual([]);
    });
  });

  it("report a stale transaction without its block", async () => {
    await withTemporaryDirectory(async (directory) => {
      const chain = new RegtestChain();
      const stale = chain.extend(chain.genesis, script);
      const other = chain.extend(chain.genesis, script);
      await indexBlocks(directory, [
        [chain.genesis, stale],
        [other, chain.extend(other, script)],
      ]);
      const environment = new Environment(dataDirectory(directory).index, "write");
      environment.write(() => environment.remove(staleBlocks, stale.hash));
      await environment.close();
      await withReader(directory, async (reader) => {
        await expect(reader.transaction(displayHash(txidOf(stale, 0)))).rejects.toMatchObject({
          message: expect.stringContaining("(there is no block for a stale transaction)"),
        });
        expect(await reader.blockByHash(displayHash(stale.hash))).toBeUndefined();
      });
    });
  });
});
