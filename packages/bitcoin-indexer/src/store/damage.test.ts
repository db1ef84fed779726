import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { displayHash, hashScript, networks, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import { openChainIndex } from "../chain-index-reader.ts";
import { runIndexer } from "../sync/run-indexer.ts";
import { createArraySource } from "../source/array-source.ts";
import { createBlockFileSource } from "../source/block-file-source.ts";
import { applyBlocks } from "../testing/apply-blocks.ts";
import { blockFileOf } from "../testing/block-file.ts";
import { compareIndexes } from "../testing/compare-indexes.ts";
import { RegtestChain, type RegtestTip } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { readDamageReports } from "./damage-reports.ts";
import { dataDirectory } from "./data-directory.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { Environment } from "./environment.ts";
import { blocks, transactionIds, transactions } from "./layout.ts";

const network = networks.regtest;
const script = Uint8Array.from([0x00, 20, ...new Uint8Array(20).fill(1)]);
const scriptHash = toHex(hashScript(script));

function chainOf(length: number): readonly RegtestTip[] {
  const chain = new RegtestChain();
  const tips = [chain.genesis];
  while (tips.length < length) tips.push(chain.extend(tips.at(-1) ?? chain.genesis, script));
  return tips;
}

async function makeIndex(directory: string, tips: readonly RegtestTip[]): Promise<void> {
  const store = await openEmbeddedStore(directory, network);
  await applyBlocks(
    store,
    -1,
    tips.map(({ bytes }) => bytes),
  );
  await store.close();
}

function coinbaseOf(tip: RegtestTip | undefined): string {
  const [coinbase] = tip === undefined ? [] : parseBlock(tip.bytes).transactions;
  return displayHash(coinbase?.txid ?? new Uint8Array(32));
}

it.each<{ readonly name: string; readonly damage: (path: string) => void }>([
  { name: "garbage", damage: (path) => writeFileSync(path, Buffer.alloc(statSync(path).size, "garbage")) },
  { name: "another file", damage: (path) => writeFileSync(path, "precious") },
  { name: "nothing", damage: (path) => writeFileSync(path, "") },
  { name: "gone", damage: (path) => rmSync(path) },
  { name: "cut in the middle", damage: (path) => truncateSync(path, statSync(path).size / 2) },
  {
    name: "garbage behind its first pages",
    damage: (path) => writeFileSync(path, Buffer.from(readFileSync(path)).fill("garbage", 8_192)),
  },
  {
    name: "garbage in its second page",
    damage: (path) => writeFileSync(path, Buffer.from(readFileSync(path)).fill("garbage", 4_096, 8_192)),
  },
])("refuses an index whose database is $name, and says the way out", async ({ damage }) => {
  await withTemporaryDirectory(async (directory) => {
    await makeIndex(directory, chainOf(200));
    damage(join(directory, "index", "data.mdb"));
    const refusal = {
      name: "IndexerError",
      code: "directory-unusable",
      message: expect.stringContaining("index anew"),
    };
    await expect(openEmbeddedStore(directory, network)).rejects.toMatchObject(refusal);
    const reader = openChainIndex(directory, { network });
    await expect(reader.tip()).rejects.toMatchObject(refusal);
    await reader.close();
  });
});

it("answers what it can when a block file was cut, and says of the rest which file it was", async () => {
  await withTemporaryDirectory(async (directory) => {
    const tips = chainOf(20);
    await makeIndex(directory, tips);
    const path = join(directory, "blocks", "blk00000.dat");
    truncateSync(path, statSync(path).size / 2);
    const reader = openChainIndex(directory, { network });
    const refusal = { name: "IndexerError", code: "block-unreadable", message: expect.stringContaining(path) };
    expect((await reader.transaction(coinbaseOf(tips[1])))?.block?.height).toBe(1);
    await expect(reader.transaction(coinbaseOf(tips.at(-1)))).rejects.toMatchObject(refusal);
    await expect(reader.rawBlock(displayHash(tips.at(-1)?.hash ?? new Uint8Array(32)))).rejects.toMatchObject(refusal);
    expect((await reader.tip())?.height).toBe(19);
    expect((await reader.scriptStatistics(scriptHash)).transactions).toBe(19);
    expect(await reader.unspentOutputs(scriptHash, { limit: 100 })).toHaveLength(19);
    await reader.close();
  });
});

it("opens an index whose last block file was cut, and indexes on without serving what is missing", async () => {
  await withTemporaryDirectory(async (directory) => {
    const tips = chainOf(21);
    await makeIndex(directory, tips.slice(0, 20));
    const path = join(directory, "blocks", "blk00000.dat");
    truncateSync(path, statSync(path).size / 2);
    const store = await openEmbeddedStore(directory, network);
    await applyBlocks(store, 19, [tips[20]?.bytes ?? new Uint8Array(0)]);
    await store.close();
    const reader = openChainIndex(directory, { network });
    for (const height of [1, 20]) {
      expect((await reader.transaction(coinbaseOf(tips[height])))?.block?.height).toBe(height);
    }
    for (const height of [12, 19]) {
      await expect(reader.transaction(coinbaseOf(tips[height]))).rejects.toMatchObject({ code: "block-unreadable" });
    }
    expect(readDamageReports(dataDirectory(directory))).toHaveLength(2);
    await reader.close();
  });
});

it("returns no byte of a transaction or block that was changed in a block file, and reports the file and the byte", async () => {
  await withTemporaryDirectory(async (directory) => {
    const chain = new RegtestChain();
    const first = chain.extend(chain.genesis, script);
    const outputs = [{ value: 1_000n, scriptPubKey: script }];
    const payment = { coins: first.coins.slice(-1), outputs, witness: [Uint8Array.of(1, 2, 3, 4)] };
    const tips = [chain.genesis, first, chain.extend(first, script, [payment])];
    await makeIndex(directory, tips);
    const path = join(directory, "blocks", "blk00000.dat");
    const sound = readFileSync(path);
    const top = tips.at(-1);
    const transactions = top === undefined ? [] : parseBlock(top.bytes).transactions;
    const spender = transactions.at(-1);
    const txid = displayHash(spender?.txid ?? new Uint8Array(32));
    const blockHash = displayHash(top?.hash ?? new Uint8Array(32));
    const start = sound.length - (spender?.size ?? 0);
    // The last bytes of the file are the spender's witness, which its txid does not cover, and its lock time.
    for (let at = start; at < sound.length; at += 1) {
      const bytes = Buffer.from(sound);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(path, bytes);
      const reader = openChainIndex(directory, { network });
      const refusal = (offset: number) => ({ code: "block-unreadable", place: { file: path, offset } });
      await expect(reader.rawTransaction(txid)).rejects.toMatchObject(refusal(start));
      await expect(reader.transaction(txid)).rejects.toMatchObject(refusal(start));
      await expect(reader.blockTransactions(blockHash, 0, 2)).rejects.toMatchObject(refusal(start));
      await expect(reader.rawBlock(blockHash)).rejects.toMatchObject(refusal(sound.length - (top?.bytes.length ?? 0)));
      await expect(reader.scriptHistory(scriptHash, { limit: 9 })).rejects.toMatchObject(refusal(start));
      expect((await reader.rawTransaction(coinbaseOf(tips[1])))?.block?.height).toBe(1);
      await reader.close();
    }
    expect(readDamageReports(dataDirectory(directory))).toMatchObject([
      { path, position: { file: 0, offset: sound.length - (top?.bytes.length ?? 0) } },
    ]);
  });
});

it("reads a block file that was put back without being opened anew", async () => {
  await withTemporaryDirectory(async (directory) => {
    const tips = chainOf(3);
    await makeIndex(directory, tips);
    const path = join(directory, "blocks", "blk00000.dat");
    const sound = readFileSync(path);
    writeFileSync(path, Buffer.alloc(sound.length));
    const reader = openChainIndex(directory, { network });
    await expect(reader.transaction(coinbaseOf(tips[2]))).rejects.toMatchObject({
      code: "block-unreadable",
      retry: true,
      publicFailure: { retryAfterSeconds: 60 },
    });
    writeFileSync(`${path}.saved`, sound);
    renameSync(`${path}.saved`, path);
    expect((await reader.transaction(coinbaseOf(tips[2])))?.block?.height).toBe(2);
    await reader.close();
  });
});

it("returns nothing from a table whose header, txids or places were changed", async () => {
  await withTemporaryDirectory(async (directory) => {
    const tips = chainOf(3);
    await makeIndex(directory, tips);
    const environment = new Environment(dataDirectory(directory).index, "write");
    const row = environment.get(blocks, 1);
    const ids = environment.get(transactionIds, 0);
    const place = environment.get(transactions, 2);
    if (row === undefined || ids === undefined || place === undefined) throw new Error("Rows are missing");
    environment.write(() => {
      environment.put(blocks, [1], { ...row, header: row.header.with(79, (row.header[79] ?? 0) ^ 1) });
      environment.put(transactionIds, [0], ids.with(64, (ids[64] ?? 0) ^ 1));
      environment.put(transactions, [2], { ...place, size: 2 ** 40 });
    });
    await environment.close();
    const refusal = {
      code: "tables-damaged",
      place: { file: join(directory, "index", "data.mdb") },
      message: expect.stringContaining("verify"),
    };
    const reader = openChainIndex(directory, { network });
    const hashOf = (height: number) => displayHash(tips[height]?.hash ?? new Uint8Array(32));
    await expect(reader.blockByHeight(1)).rejects.toMatchObject(refusal);
    await expect(reader.transactionIds(hashOf(2))).rejects.toMatchObject(refusal);
    await expect(reader.blockTransactions(hashOf(2), 0, 1)).rejects.toMatchObject(refusal);
    await expect(reader.scriptHistory(scriptHash, { limit: 1 })).rejects.toMatchObject(refusal);
    await reader.close();
  });
});

it("takes no other bytes for a transaction's when a block file was changed", async () => {
  await withTemporaryDirectory(async (directory) => {
    const tips = chainOf(3);
    await makeIndex(directory, tips);
    const path = join(directory, "blocks", "blk00000.dat");
    const bytes = readFileSync(path);
    const last = bytes.length - 10;
    bytes[last] = (bytes[last] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const reader = openChainIndex(directory, { network });
    await expect(reader.transaction(coinbaseOf(tips.at(-1)))).rejects.toMatchObject({ code: "block-unreadable" });
    await reader.close();
  });
});

const mask = Buffer.from("0123456789abcdef", "hex");

it.each([
  { name: "plain", mask: undefined },
  { name: "masked", mask },
])("reads blocks of $name files where they are, and copies those of others", async ({ mask }) => {
  await withTemporaryDirectory(async (directory) => {
    const node = join(directory, "node");
    mkdirSync(node);
    const tips = chainOf(12);
    const blocks = tips.map(({ bytes }) => bytes);
    const files = [blocks.slice(0, 5), blocks.slice(5, 9)].map((part) => blockFileOf(part, network));
    for (const [index, bytes] of files.entries()) {
      if (mask !== undefined) for (const at of bytes.keys()) bytes[at] = (bytes[at] ?? 0) ^ (mask[at % 8] ?? 0);
      writeFileSync(join(node, `blk0000${index}.dat`), bytes);
    }
    if (mask !== undefined) writeFileSync(join(node, "xor.dat"), mask);

    const data = join(directory, "data");
    const store = await openEmbeddedStore(data, network, { blocksInPlace: true });
    await runIndexer({ store, source: createBlockFileSource(node, network) });
    expect((await store.tip()).height).toBe(8);
    await runIndexer({ store, source: createArraySource(network, blocks) });
    expect((await store.tip()).height).toBe(11);
    await store.close();
    const copied = blocks.slice(9).reduce((sum, { length }) => sum + length + 8, 0);
    expect(statSync(join(data, "blocks", "blk00000.dat")).size).toBe(copied);
    for (const [index, bytes] of files.entries()) {
      expect(readFileSync(join(node, `blk0000${index}.dat`)).equals(bytes)).toBe(true);
    }

    await makeIndex(join(directory, "copied"), tips);
    expect(await compareIndexes(data, join(directory, "copied"))).toEqual([]);
    const reader = openChainIndex(data, { network });
    for (const { hash, bytes } of tips) {
      expect(Buffer.from(bytes).equals((await reader.rawBlock(displayHash(hash))) ?? new Uint8Array(0))).toBe(true);
    }
    await reader.close();
  });
});

it("says which file of the node is missing, and goes on when it is back", async () => {
  await withTemporaryDirectory(async (directory) => {
    const node = join(directory, "blk00000.dat");
    const tips = chainOf(5);
    writeFileSync(
      node,
      blockFileOf(
        tips.map(({ bytes }) => bytes),
        network,
      ),
    );
    const data = join(directory, "data");
    const store = await openEmbeddedStore(data, network, { blocksInPlace: true });
    await runIndexer({ store, source: createBlockFileSource(node, network) });
    await store.close();
    copyFileSync(node, join(directory, "saved"));
    rmSync(node);
    const reader = openChainIndex(data, { network });
    await expect(reader.transaction(coinbaseOf(tips[2]))).rejects.toMatchObject({
      code: "block-unreadable",
      message: expect.stringContaining(`${node} no longer holds a block that the index knows (ENOENT)`),
    });
    expect((await reader.scriptStatistics(scriptHash)).transactions).toBe(4);
    copyFileSync(join(directory, "saved"), node);
    expect((await reader.transaction(coinbaseOf(tips[2])))?.block?.height).toBe(2);
    await reader.close();
  });
});

it("names a mask that is no mask", async () => {
  await withTemporaryDirectory(async (directory) => {
    writeFileSync(join(directory, "blk00000.dat"), blockFileOf([chainOf(1)[0]?.bytes ?? new Uint8Array(0)], network));
    writeFileSync(join(directory, "xor.dat"), Buffer.alloc(7, 1));
    const store = await openEmbeddedStore(join(directory, "data"), network);
    await expect(runIndexer({ store, source: createBlockFileSource(directory, network) })).rejects.toMatchObject({
      code: "source-unusable",
      message: expect.stringContaining(`${join(directory, "xor.dat")} has 7 bytes where Bitcoin Core writes 8`),
    });
    await store.close();
  });
});

it("finds addresses by how they begin where the directory was made for it, and refuses to begin later", async () => {
  await withTemporaryDirectory(async (directory) => {
    const tips = chainOf(3);
    const blocks = tips.map(({ bytes }) => bytes);
    const address = "bcrt1qqyqszqgpqyqszqgpqyqszqgpqyqszqgpvxat9t";
    const searched = join(directory, "searched");
    const store = await openEmbeddedStore(searched, network, { addressSearch: true });
    await applyBlocks(store, -1, blocks);
    expect(await store.queries().addressesByPrefix("bcrt1", 10)).toEqual([address]);
    expect(await store.queries().addressesByPrefix("", 10)).toEqual([address]);
    expect(await store.queries().addressesByPrefix(address, 10)).toEqual([address]);
    for (const none of ["BCRT1", "bcrt1p", `${address}q`, "ä", "1".repeat(600), "1".repeat(5_000)]) {
      expect(await store.queries().addressesByPrefix(none, 10)).toEqual([]);
    }
    await applyBlocks(store, 0, []);
    expect(await store.queries().addressesByPrefix("", 10)).toEqual([]);
    await store.close();
    // Without the request it is maintained nevertheless.
    const again = await openEmbeddedStore(searched, network);
    await applyBlocks(again, -1, blocks);
    expect(await again.queries().addressesByPrefix("b", 10)).toEqual([address]);
    await again.close();

    const plain = join(directory, "plain");
    await makeIndex(plain, tips);
    const reader = openChainIndex(plain, { network });
    expect(await reader.addressesByPrefix("b", 10)).toBeUndefined();
    await reader.close();
    await expect(openEmbeddedStore(plain, network, { addressSearch: true })).rejects.toMatchObject({
      code: "directory-layout",
      message: expect.stringContaining("without address search"),
    });
  });
});
