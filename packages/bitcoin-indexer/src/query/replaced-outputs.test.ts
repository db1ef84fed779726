import { displayHash, hashScript, networks, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import type { IndexStore } from "../engine/index-store.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { applyBlocks } from "../testing/apply-blocks.ts";
import { compareIndexes } from "../testing/compare-indexes.ts";
import { type BlockChoices, repeatingChain, repeatingScripts } from "../testing/repeating-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";

const network = networks.regtest;
const subsidy = 5_000_000_000n;
const [script = new Uint8Array(0)] = repeatingScripts;
const scriptHash = toHex(hashScript(script));

function block(coinbase: number, script: number, payments: BlockChoices["payments"] = []): BlockChoices {
  return { coinbase, script, payments };
}

function coinbaseOf(bytes: Uint8Array | undefined): string {
  const [coinbase] = bytes === undefined ? [] : parseBlock(bytes).transactions;
  return displayHash(coinbase?.txid ?? new Uint8Array(32));
}

async function collect<Item>(pages: AsyncIterable<readonly Item[]>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}

/** Returns everything about unspent outputs, and the receipts of the script. */
async function describeCoins(store: IndexStore) {
  const queries = store.queries();
  const tip = await queries.tip();
  const unspent = await queries.unspentOutputs(scriptHash, { limit: 100 });
  const coins = await collect(queries.coinPages(tip?.hash ?? ""));
  const history = await queries.scriptHistory(scriptHash, { limit: 100 });
  return {
    unspent: unspent.map(({ txid, vout, block: { height } }) => ({ txid, vout, height })),
    coins: coins.length,
    count: await queries.unspentOutputCount(),
    statistics: await queries.scriptStatistics(scriptHash),
    history: history.map(({ txid, block: place }) => ({ txid, height: place?.height })),
  };
}

// The coinbases of blocks 1 and 3 are identical, as those of mainnet's blocks 91722 and 91880 are.
const blocks = repeatingChain([block(7, 0), block(8, 1), block(7, 0)]);
const repeated = coinbaseOf(blocks[1]);

it("lists the later of two coinbases with one txid, once, in all that says what is unspent (BIP 30)", async () => {
  await withTemporaryDirectory(async (directory) => {
    expect(coinbaseOf(blocks[3])).toBe(repeated);
    const store = await openEmbeddedStore(directory, network);
    await applyBlocks(store, -1, blocks);
    expect(await describeCoins(store)).toEqual({
      unspent: [{ txid: repeated, vout: 0, height: 3 }],
      // The first block's output is no coin, and is counted among the outputs.
      coins: 2,
      count: 3,
      statistics: { transactions: 1, fundedOutputs: 1, fundedValue: subsidy, spentOutputs: 0, spentValue: 0n },
      history: [{ txid: repeated, height: 3 }],
    });
    await store.close();
  });
});

it("goes on behind a repeated transaction in a history, and ends", async () => {
  await withTemporaryDirectory(async (directory) => {
    const store = await openEmbeddedStore(directory, network);
    await applyBlocks(store, -1, repeatingChain([block(9, 0), block(7, 0), block(8, 0), block(7, 0)]));
    const queries = store.queries();
    const heights: (number | undefined)[] = [];
    let after: string | undefined;
    for (let page = 0; page < 9; page += 1) {
      const [next] = await queries.scriptHistory(scriptHash, { limit: 1, after });
      if (next === undefined) break;
      heights.push(next.block?.height);
      after = next.txid;
    }
    expect(heights).toEqual([4, 3, 1]);
    await store.close();
  });
});

it("leaves what was spent before it could be replaced as it was", async () => {
  await withTemporaryDirectory(async (directory) => {
    const store = await openEmbeddedStore(directory, network);
    const spend = { coins: [0], scripts: [1], hasWitness: false };
    // The coins are the first block's and that of block 1.
    const chain = repeatingChain([block(7, 0), block(8, 1, [{ ...spend, coins: [1] }]), block(7, 0)]);
    expect(coinbaseOf(chain[3])).toBe(repeated);
    await applyBlocks(store, -1, chain);
    expect((await describeCoins(store)).statistics).toEqual({
      transactions: 3,
      fundedOutputs: 2,
      fundedValue: 2n * subsidy,
      spentOutputs: 1,
      spentValue: subsidy,
    });
    await store.close();
  });
});

it("takes a replacement back when its block leaves the best chain, however many blocks were written at once", async () => {
  await withTemporaryDirectory(async (directory) => {
    const other = repeatingChain([block(7, 0), block(8, 1), block(10, 1), block(11, 1)]);
    const fresh = await openEmbeddedStore(`${directory}/fresh`, network);
    await applyBlocks(fresh, -1, other);
    const expected = await describeCoins(fresh);
    await fresh.close();
    expect(expected.unspent).toEqual([{ txid: repeated, vout: 0, height: 1 }]);
    for (const atOnce of [[4], [2, 2], [1, 2, 1]]) {
      const path = `${directory}/${atOnce.join("-")}`;
      const store = await openEmbeddedStore(path, network);
      let height = -1;
      for (const count of atOnce) {
        await applyBlocks(store, height, blocks.slice(height + 1, height + 1 + count));
        height += count;
      }
      await applyBlocks(store, 2, other.slice(3));
      expect(await describeCoins(store)).toEqual(expected);
      await store.close();
      expect(await compareIndexes(path, `${directory}/fresh`)).toEqual([]);
    }
  });
});
