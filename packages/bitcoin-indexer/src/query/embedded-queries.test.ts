import { displayHash, hashScript, networks, toHex } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { applyBlocks } from "../testing/apply-blocks.ts";
import { RegtestChain, type RegtestTip } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { type ChainQueries, maximumBatch } from "./chain-queries.ts";
import { EmbeddedQueries } from "./embedded-queries.ts";

const network = networks.regtest;
const script = Uint8Array.of(0x51);
const scriptHash = toHex(hashScript(script));
const unknown = "7".repeat(64);

async function collect<Item>(pages: AsyncIterable<readonly Item[]>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}

describe("queries without an index", () => {
  it("find nothing", async () => {
    const queries: ChainQueries = new EmbeddedQueries(network, () => undefined);
    expect(queries.network).toBe(network);
    for (const nothing of await Promise.all([
      queries.tip(),
      queries.tipHeight(),
      queries.blockByHeight(0),
      queries.blockByHash(unknown),
      queries.checkBlock(0, 0),
      queries.rawBlock(unknown),
      queries.transactionIds(unknown),
      queries.transactionIdBytes(unknown),
      queries.transactionIdAt(unknown, 0),
      queries.blockTransactions(unknown, 0, 1),
      queries.transaction(unknown),
      queries.rawTransaction(unknown),
      queries.transactionPlace(unknown),
      queries.merkleProof(unknown),
      queries.spends(unknown),
    ])) {
      expect(nothing).toBeUndefined();
    }
    for (const nothing of await Promise.all([
      queries.blocks(0, 9),
      queries.staleBranches(),
      queries.scriptHistory(scriptHash, { limit: 9 }),
      queries.writtenHistory(scriptHash, { limit: 9 }, () => Buffer.alloc(0)),
      queries.scriptHistorySlice(scriptHash, { skip: 0, limit: 9 }),
      queries.unspentOutputs(scriptHash, { limit: 9 }),
      queries.addressesByPrefix("b", 9),
      collect(queries.unspentOutputPages(scriptHash, { limit: 9 })),
    ])) {
      expect(nothing).toEqual([]);
    }
    for (const nothing of await Promise.all([
      queries.transactions([unknown]),
      queries.outputs([{ txid: unknown, vout: 0 }]),
      queries.spendsOf([unknown]),
    ])) {
      expect(nothing).toEqual([undefined]);
    }
    expect([await queries.storedBytes(), await queries.unspentOutputCount()]).toEqual([0, 0]);
    expect(await queries.scriptStatistics(scriptHash)).toEqual({
      transactions: 0,
      fundedOutputs: 0,
      fundedValue: 0n,
      spentOutputs: 0,
      spentValue: 0n,
    });
    await expect(collect(queries.coinPages(unknown))).rejects.toMatchObject({ code: "reorganised", retry: true });
  });

  it("refuse batches above their bound", async () => {
    const queries = new EmbeddedQueries(network, () => undefined);
    const most = new Array<string>(maximumBatch).fill(unknown);
    const refusal = `Requested ${maximumBatch + 1} at once, more than ${maximumBatch}`;
    expect(await queries.transactions(most)).toHaveLength(maximumBatch);
    const more = [...most, unknown];
    await expect(queries.transactions(more)).rejects.toThrow(refusal);
    await expect(queries.spendsOf(more)).rejects.toThrow(refusal);
    await expect(queries.outputs(more.map((txid) => ({ txid, vout: 0 })))).rejects.toThrow(refusal);
  });
});

describe("pages", () => {
  /** Returns a chain of 100 blocks, and another that leaves it below its tip. */
  function branches(): { readonly trunk: readonly RegtestTip[]; readonly other: readonly RegtestTip[] } {
    const chain = new RegtestChain();
    const trunk = [chain.genesis];
    while (trunk.length < 100) trunk.push(chain.extend(trunk.at(-1) ?? chain.genesis, script));
    const fork = trunk[97] ?? chain.genesis;
    const other = [chain.extend(fork, script)];
    while (other.length < 4) other.push(chain.extend(other.at(-1) ?? fork, script));
    return { trunk, other };
  }

  it("are read one after the other, and end with a reorganisation", async () => {
    await withTemporaryDirectory(async (directory) => {
      const { trunk, other } = branches();
      const bytesOf = (tips: readonly RegtestTip[]) => tips.map(({ bytes }) => bytes);
      const store = await openEmbeddedStore(directory, network);
      await applyBlocks(store, -1, bytesOf(trunk));
      const queries = store.queries();
      const tip = displayHash(trunk[99]?.hash ?? script);
      expect(await queries.unspentOutputCount()).toBe(100);
      const coins = await collect(queries.coinPages(tip));
      // The first block's output is unspendable.
      expect(coins).toHaveLength(99);
      expect(new Set(coins.map(({ height }) => height)).size).toBe(99);
      const order = coins.map(({ txid }) => toHex(txid));
      expect(order).toEqual(order.toSorted());
      const unspent = await collect(queries.unspentOutputPages(scriptHash, { limit: 10 }));
      expect(unspent.map(({ block }) => block.height)).toEqual(Array.from({ length: 99 }, (_, index) => index + 1));

      const coinPages = queries.coinPages(tip)[Symbol.asyncIterator]();
      const unspentPages = queries.unspentOutputPages(scriptHash, { limit: 10 })[Symbol.asyncIterator]();
      expect([(await coinPages.next()).done, (await unspentPages.next()).done]).toEqual([false, false]);
      await applyBlocks(store, 97, bytesOf(other));
      const refusal = {
        code: "reorganised",
        message: "The chain was reorganized during the request: try again.",
        retry: true,
      };
      await expect(coinPages.next()).rejects.toMatchObject(refusal);
      await expect(unspentPages.next()).rejects.toMatchObject(refusal);
      await expect(collect(queries.coinPages(tip))).rejects.toMatchObject(refusal);
      await store.close();
    });
  });
});
