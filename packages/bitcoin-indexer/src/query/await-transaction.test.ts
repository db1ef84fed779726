import { describe, expect, test } from "vitest";
import { awaitTransaction } from "./await-transaction.ts";
import type { ChainQueries } from "./chain-queries.ts";
import type { MempoolQueries } from "./mempool-queries.ts";

const txid = "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b";
const place = { hash: "00".repeat(32), height: 0, time: 0, medianTime: 0, position: 0 };
const longMilliseconds = 60_000;

describe("a transaction that the node has taken", () => {
  /** Returns a context that has it from a check on, the first being 1: in the mempool or in a block. */
  function contextWith({ waitingFrom = Number.POSITIVE_INFINITY, confirmedFrom = Number.POSITIVE_INFINITY }) {
    const looks = { count: 0 };
    const mempool: Pick<MempoolQueries, "has"> = {
      async has(id) {
        expect(id).toBe(txid);
        looks.count += 1;
        return looks.count >= waitingFrom;
      },
    };
    const index: Pick<ChainQueries, "transactionPlace"> = {
      transactionPlace: async () => (looks.count >= confirmedFrom ? place : undefined),
    };
    return { looks, context: { mempool, index } };
  }

  test.each([
    ["waited for until it is in the mempool", { waitingFrom: 4 }, 4],
    ["waited for until it is in a block", { confirmedFrom: 3 }, 3],
    ["not waited for when it was there before", { waitingFrom: 1 }, 1],
  ])("is %s", async (_name, known, expected) => {
    const { looks, context } = contextWith(known);
    await awaitTransaction(txid, context, longMilliseconds);
    expect(looks.count).toBe(expected);
  });

  test("is not waited for longer than that", async () => {
    const { looks, context } = contextWith({});
    await awaitTransaction(txid, context, 50);
    expect(looks.count).toBeGreaterThan(1);
  });

  test("is not waited for where there is no mempool to see it in", async () => {
    const { context, looks } = contextWith({ confirmedFrom: 1 });
    await awaitTransaction(txid, { index: context.index }, longMilliseconds);
    expect(looks.count).toBe(0);
  });
});
