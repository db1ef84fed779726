import { hashScript, networks, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { applyBlocks } from "../testing/apply-blocks.ts";
import type { RegtestTip } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { createRandom, WalkingChain } from "../testing/walking-chain.ts";
import type { ChainQueries, IndexedTransaction, WriteTransaction } from "./chain-queries.ts";
import { WrittenTransactions } from "./written-transactions.ts";

const block = { hash: "00".repeat(32), height: 1, time: 2, medianTime: 3, position: 0 };
const written = (text: string) => ({ txid: "11".repeat(32), block, bytes: Buffer.from(text) });

describe("WrittenTransactions", () => {
  it("gives what it was given, in bytes that stay when the others change", () => {
    const memory = new WrittenTransactions();
    const bytes = Buffer.from("once");
    memory.refresh(1);
    const kept = memory.keep(7, { ...written(""), bytes });
    bytes.fill(0);
    expect(memory.find(7)).toBe(kept);
    expect(Buffer.from(kept.bytes).toString()).toBe("once");
    expect(memory.find(8)).toBeUndefined();
  });

  it("forgets everything with a reorganisation, and leaves what it has given out as it is", () => {
    const memory = new WrittenTransactions();
    memory.refresh(1);
    const kept = memory.keep(7, written("before"));
    memory.refresh(2);
    expect(memory.find(7)).toBeUndefined();
    memory.keep(7, written("behind"));
    expect(Buffer.from(kept.bytes).toString()).toBe("before");
  });

  it("tells what was missed again from what is missed for the first time, or after many others", () => {
    const memory = new WrittenTransactions();
    expect([0, 5, 0, 5, 6].map((number) => memory.isMissedAgain(number))).toEqual([false, false, true, true, false]);
    for (let number = 10; number < 100_000; number += 1) memory.isMissedAgain(number);
    expect(memory.isMissedAgain(5)).toBe(false);
  });

  it("keeps no more than it may, the last ones, and none that is long", () => {
    const memory = new WrittenTransactions(3 * 1024 * 1024);
    memory.refresh(1);
    const text = "x".repeat(50_000);
    for (let number = 0; number < 200; number += 1) memory.keep(number, written(text));
    const kept = Array.from({ length: 200 }, (_, number) => number).filter((number) => memory.find(number));
    expect(kept.length).toBeGreaterThanOrEqual(40);
    expect(kept.length).toBeLessThanOrEqual(62);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, position) => 200 - kept.length + position));
    expect(memory.keep(300, written("y".repeat(100_000))).bytes).toHaveLength(100_000);
    expect(memory.find(300)).toBeUndefined();
  });
});

/** Scratch memory for the complete serialization of a transaction. */
const scratch = Buffer.alloc(100_000);
const write: WriteTransaction = (transaction) => scratch.subarray(0, scratch.write(textOf(transaction)));

function textOf({ txid, transaction, previousOutputs, fee, block: place }: IndexedTransaction): string {
  const spent = previousOutputs.map((output) => [output?.height, output?.isCoinbase, String(output?.value)]);
  return JSON.stringify([txid, toHex(transaction.bytes), spent, String(fee), place]);
}

/** Returns how many pages were cached when they were queried again. */
async function expectSamePages(queries: ChainQueries, tips: readonly RegtestTip[]): Promise<number> {
  let remembered = 0;
  for (const scriptHash of scriptHashesOf(tips)) {
    let after: string | undefined;
    for (let page = 0; page < 4; page += 1) {
      const expected = await queries.scriptHistory(scriptHash, { after, limit: 10 });
      for (const time of ["first", "second", "third"]) {
        const found = await queries.writtenHistory(scriptHash, { after, limit: 10 }, write);
        expect(found.map((one) => ("bytes" in one ? Buffer.from(one.bytes).toString() : textOf(one)))).toEqual(
          expected.map(textOf),
        );
        if (time === "third" && found.length > 0 && found.every((one) => "bytes" in one)) remembered += 1;
        expect(found.map(({ txid, block: place }) => [txid, place])).toEqual(
          expected.map(({ txid, block: place }) => [txid, place]),
        );
      }
      after = expected.at(-1)?.txid;
      if (after === undefined) break;
    }
  }
  return remembered;
}

function scriptHashesOf(tips: readonly RegtestTip[]): readonly string[] {
  const scripts = tips
    .flatMap(({ bytes }) => parseBlock(bytes).transactions)
    .flatMap(({ outputs }) => outputs.map(({ scriptPubKey }) => toHex(hashScript(scriptPubKey))));
  return [...new Set(scripts)].slice(0, 40);
}

it("gives a history's pages as they are read, on each branch of a chain that is reorganised meanwhile", async () => {
  await withTemporaryDirectory(async (directory) => {
    const store = await openEmbeddedStore(directory, networks.regtest);
    const queries = store.queries();
    const walk = new WalkingChain(createRandom(11));
    walk.grow(40);
    let shown: readonly RegtestTip[] = [];
    for (let change = 0; change < 6; change += 1) {
      const fork = walk.tips.findIndex((tip, height) => shown[height] !== tip);
      await applyBlocks(
        store,
        fork - 1,
        walk.tips.slice(fork).map(({ bytes }) => bytes),
      );
      shown = [...walk.tips];
      expect(await expectSamePages(queries, shown)).toBeGreaterThan(0);
      if (change % 2 === 0) walk.reorganise(5);
      walk.grow(7);
    }
    expect(await queries.writtenHistory("00".repeat(32), { limit: 1 }, write)).toEqual([]);
    expect(await queries.writtenHistory("zz", { limit: 1 }, write)).toEqual([]);
    await store.close();
  });
});
