import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { hashScript, networks, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { runIndexer } from "../sync/run-indexer.ts";
import { createBlockFileSource } from "../source/block-file-source.ts";
import { dataDirectory } from "../store/data-directory.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { Environment } from "../store/environment.ts";
import { readLatestMeta } from "../store/lmdb-file.ts";
import {
  histories,
  replacedOutputs,
  scriptStatistics,
  spends,
  staleBlocks,
  staleTransactions,
  unspentOutputs,
} from "../store/layout.ts";
import { applyBlocks } from "../testing/apply-blocks.ts";
import { blockFileOf } from "../testing/block-file.ts";
import { RegtestChain, type RegtestTip } from "../testing/regtest-chain.ts";
import { repeatingChain } from "../testing/repeating-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import type { IndexDamage } from "./index-damage.ts";
import { verifyIndex, type VerifyOptions } from "./verify-index.ts";
import type { VerifyProgress } from "./verify-run.ts";

const network = networks.regtest;
const script = Uint8Array.of(0x51);
const scriptHash = hashScript(script);
const length = 30;

const chain = new RegtestChain();

/** Extends by a block on another; every one except the first moves the payment of the one below. */
function extend(parent: RegtestTip): RegtestTip {
  const coins = parent.coins.slice(-1);
  const outputs = [{ value: 1_000n, scriptPubKey: Uint8Array.of(0x52) }];
  return chain.extend(parent, script, parent.height > 0 ? [{ coins, outputs, witness: [Uint8Array.of(7)] }] : []);
}

function grow(from: RegtestTip, count: number): readonly RegtestTip[] {
  const tips: RegtestTip[] = [];
  for (let tip = from; tips.length < count; tips.push(tip)) tip = extend(tip);
  return tips;
}

const tips = [chain.genesis, ...grow(chain.genesis, length - 1)];
const top = tips.at(-1) ?? chain.genesis;
const fork = tips.at(-4) ?? chain.genesis;
const branch = grow(fork, 5);

function bytesOf(list: readonly RegtestTip[]): readonly Uint8Array[] {
  return list.map(({ bytes }) => bytes);
}

/** Creates an index of a chain that was reorganized. */
async function makeIndex(directory: string): Promise<void> {
  const store = await openEmbeddedStore(directory, network);
  await applyBlocks(store, -1, bytesOf(tips));
  await applyBlocks(store, fork.height, bytesOf(branch));
  await store.close();
}

async function verify(directory: string, options: VerifyOptions = {}) {
  const damage: IndexDamage[] = [];
  const result = await verifyIndex(directory, { ...options, onDamage: (each) => damage.push(each) });
  expect(result.damaged).toBe(damage.length);
  return { ...result, damage };
}

async function write(directory: string, action: (environment: Environment) => void): Promise<void> {
  const environment = new Environment(dataDirectory(directory).index, "write");
  environment.write(() => action(environment));
  await environment.close();
}

const sound = { damage: [], areRowsCompared: true };

describe("a sound index", () => {
  it("is verified whole, and nothing is left behind", async () => {
    await withTemporaryDirectory(async (directory) => {
      await makeIndex(directory);
      const phases = new Set<VerifyProgress["phase"]>();
      const onProgress = ({ phase }: VerifyProgress): void => void phases.add(phase);
      expect(await verify(directory, { onProgress })).toMatchObject({ ...sound, height: length + 1 });
      expect([...phases]).toContain("rebuild");
      expect(existsSync(join(directory, "verify"))).toBe(false);
    });
  });

  it("is verified where repeated coinbases were replaced, and with addresses", async () => {
    await withTemporaryDirectory(async (directory) => {
      const store = await openEmbeddedStore(directory, network, { addressSearch: true });
      const blocks = [7, 8, 7].map((coinbase) => ({ coinbase, script: 0, payments: [] }));
      await applyBlocks(store, -1, repeatingChain(blocks));
      await store.close();
      expect(await verify(directory)).toMatchObject({ ...sound, height: 3 });
    });
  });

  it("is verified at the tip that it had, while blocks are written", async () => {
    await withTemporaryDirectory(async (directory) => {
      await makeIndex(directory);
      const store = await openEmbeddedStore(directory, network);
      const more = grow(branch.at(-1) ?? top, 12).map(({ bytes }) => bytes);
      let height = length + 1;
      let writing: Promise<void> = Promise.resolve();
      const onProgress = (): void => {
        writing = writing.then(async () => {
          const next = more.shift();
          if (next === undefined) return;
          await applyBlocks(store, height, [next]);
          height += 1;
        });
      };
      expect(await verify(directory, { onProgress })).toMatchObject({ ...sound, height: length + 1 });
      await writing;
      expect(height).toBeGreaterThan(length + 1);
      await store.close();
    });
  });

  it.each([undefined, Buffer.from("0123456789abcdef", "hex")])(
    "is verified in the node's files (mask %s)",
    async (mask) => {
      await withTemporaryDirectory(async (directory) => {
        const node = join(directory, "node");
        mkdirSync(node);
        const bytes = blockFileOf(bytesOf(tips), network);
        if (mask !== undefined) {
          for (const at of bytes.keys()) bytes[at] = (bytes[at] ?? 0) ^ (mask[at % 8] ?? 0);
          writeFileSync(join(node, "xor.dat"), mask);
        }
        const path = join(node, "blk00000.dat");
        writeFileSync(path, bytes);
        const data = join(directory, "data");
        const store = await openEmbeddedStore(data, network, { blocksInPlace: true });
        await runIndexer({ store, source: createBlockFileSource(node, network) });
        await store.close();
        expect(await verify(data)).toMatchObject({ ...sound, height: length - 1 });
        truncateSync(path, bytes.length - 5);
        const found = await verify(data);
        expect(found.damage).toMatchObject([{ kind: "block", file: path, height: length - 1 }]);
      });
    },
  );
});

it("removes what a verification that was killed left in the data directory, and keeps a directory that was named", async () => {
  await withTemporaryDirectory(async (directory) => {
    const data = join(directory, "data");
    await makeIndex(data);
    for (const scratch of [join(data, "verify"), join(directory, "named")]) {
      mkdirSync(join(scratch, "tables"), { recursive: true });
      writeFileSync(join(scratch, "tables", "data.mdb"), "left");
    }
    expect(await verify(data)).toMatchObject(sound);
    expect(existsSync(join(data, "verify"))).toBe(false);
    expect(await verify(data, { scratchDirectory: join(directory, "named") })).toMatchObject(sound);
    expect(readdirSync(join(directory, "named"))).not.toContain("tables");
  });
});

describe("a damaged index", () => {
  it("is told of by the file, the byte and the height of each damaged block, stale ones too", async () => {
    await withTemporaryDirectory(async (directory) => {
      await makeIndex(directory);
      const file = join(directory, "blocks", "blk00000.dat");
      const bytes = readFileSync(file);
      const damaged = [3, 9, length - 1];
      const offsets = damaged.map((height) => bytes.indexOf(tips[height]?.bytes ?? "none"));
      for (const offset of offsets) bytes[offset + 100] = (bytes[offset + 100] ?? 0) ^ 4;
      writeFileSync(file, bytes);
      const found = await verify(directory);
      expect(found.areRowsCompared).toBe(false);
      expect(found.damage).toMatchObject(
        damaged.map((height, index) => ({ kind: "block", file, height, offset: offsets[index] })),
      );
    });
  });

  it("is reported where a list of free pages names a page in use, which the next writes would destroy", async () => {
    await withTemporaryDirectory(async (directory) => {
      await makeIndex(directory);
      const { index } = dataDirectory(directory);
      const file = join(index, "data.mdb");
      const descriptor = openSync(file, "r");
      const { trees, pageSize } = readLatestMeta(descriptor, index);
      closeSync(descriptor);
      const [free = 0, main = 0] = trees.map(({ root }) => root * pageSize);
      const bytes = readFileSync(file);
      // The first row of the leaf: its header and key have 8 bytes each, then the list has its length and its first page.
      const row = free + 24 + bytes.readUInt16LE(free + 24);
      expect(bytes.readBigInt64LE(row + 16)).toBeGreaterThan(0n);
      bytes.writeBigInt64LE(BigInt(main / pageSize), row + 24);
      writeFileSync(file, bytes);
      const damage = { kind: "table", table: "free", file, offset: free, reason: expect.stringContaining("in use") };
      expect(await verify(directory)).toMatchObject({ damage: [damage], areRowsCompared: false });
    });
  });

  it("is told of by each row that no block makes, is missing or is another", async () => {
    await withTemporaryDirectory(async (directory) => {
      await makeIndex(directory);
      const file = join(directory, "index", "data.mdb");
      await write(directory, (environment) => {
        const statistics = environment.get(scriptStatistics, scriptHash);
        if (statistics === undefined) throw new Error("A row is missing");
        environment.put(scriptStatistics, [scriptHash], { ...statistics, fundedValue: statistics.fundedValue + 1n });
        environment.remove(spends, 1);
        environment.put(unspentOutputs, [scriptHash, 1, 0], { txid: new Uint8Array(32), value: 5n });
        environment.put(replacedOutputs, [scriptHash, 1, 0], { txid: new Uint8Array(32), value: 5n });
        environment.put(histories, [new Uint8Array(32), 9], [9]);
      });
      const { damage, areRowsCompared } = await verify(directory);
      expect(areRowsCompared).toBe(true);
      const key = (bytes: Uint8Array): string => toHex(bytes);
      const row = { kind: "row", file };
      expect(damage).toMatchObject([
        { ...row, table: "spends", key: key(spends.key(1)), reason: "this row is missing" },
        {
          ...row,
          table: "histories",
          key: key(histories.key(new Uint8Array(32), 9)),
          reason: "no block makes this row",
        },
        { ...row, table: "unspent-outputs", reason: "no block makes this row" },
        { ...row, table: "replaced-outputs", reason: "no block makes this row" },
        { ...row, table: "script-statistics", reason: "this row has another value" },
      ]);
    });
  });

  it("is told of by the table and the key of each row of stale blocks that can't be read", async () => {
    await withTemporaryDirectory(async (directory) => {
      await makeIndex(directory);
      const file = join(directory, "index", "data.mdb");
      const [first, second] = [tips.at(-1) ?? top, tips.at(-2) ?? top];
      const [coinbase] = parseBlock(second.bytes).transactions;
      const transactionKey = staleTransactions.key(coinbase?.txid ?? new Uint8Array(32), second.hash);
      await write(directory, (environment) => {
        environment.putBytes(staleBlocks, first.hash, Uint8Array.of(1), false);
        environment.putBytes(staleTransactions, transactionKey, Uint8Array.of(0x80), false);
      });
      const { damage, areRowsCompared } = await verify(directory);
      expect(areRowsCompared).toBe(false);
      expect(damage).toHaveLength(2);
      expect(damage).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ kind: "table", file, table: "stale-blocks", key: toHex(first.hash) }),
          expect.objectContaining({ kind: "table", file, table: "stale-transactions", key: toHex(transactionKey) }),
        ]),
      );
    });
  });

  it("is told of by the byte of each page that was overwritten", async () => {
    await withTemporaryDirectory(async (directory) => {
      await makeIndex(directory);
      const file = join(directory, "index", "data.mdb");
      const before = readFileSync(file);
      let reported = 0;
      for (let offset = 2 * 4_096; offset < before.length; offset += 3 * 4_096) {
        writeFileSync(file, Buffer.from(before).fill(0x77, offset, offset + 4_096));
        const { damage } = await verify(directory);
        // Pages that no table uses may contain anything.
        for (const each of damage) expect(each).toMatchObject({ kind: "table", file, offset });
        reported += damage.length;
      }
      expect(reported).toBeGreaterThan(0);
    });
  });

  it("can't be verified where there is none", async () => {
    await withTemporaryDirectory(async (directory) => {
      await expect(verifyIndex(directory)).rejects.toMatchObject({ code: "directory-unusable" });
    });
  });
});
