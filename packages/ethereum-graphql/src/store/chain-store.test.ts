import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { NodeBlock, NodeReceipt } from "../results/node-values.ts";
import { ChainStore } from "./chain-store.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const word = (value: number): string => `0x${value.toString(16).padStart(64, "0")}`;

/** Returns a block as in a client's response: parsed, so that no string is shared. */
function blockOf(seed: number, transactions: number, full: boolean): NodeBlock {
  const text = JSON.stringify({
    number: `0x${seed.toString(16)}`,
    hash: word(seed),
    parentHash: word(seed - 1),
    logsBloom: `0x${"0".repeat(512)}`,
    ...Object.fromEntries(
      ["sha3Uncles", "stateRoot", "transactionsRoot", "receiptsRoot", "mixHash"].map((name) => [name, word(seed)]),
    ),
    extraData: "0x",
    gasLimit: "0x1c9c380",
    gasUsed: "0x5208",
    timestamp: "0x6592008f",
    uncles: [],
    transactions: Array.from({ length: transactions }, (_, position) =>
      full ? transactionOf(seed, position) : word(position),
    ),
  });
  return JSON.parse(text) as NodeBlock;
}

function transactionOf(seed: number, position: number): object {
  const index = `0x${position.toString(16)}`;
  const address = word(position).slice(0, 42);
  const words = { hash: word(position), blockHash: word(seed), r: word(position), s: word(position) };
  const quantities = {
    type: "0x2",
    nonce: index,
    value: "0xde0b6b3a7640000",
    gas: "0x5208",
    gasPrice: "0x3b9aca07",
    v: "0x1",
  };
  const rest = { chainId: "0x1", maxFeePerGas: "0x77359400", maxPriorityFeePerGas: "0x3b9aca00", accessList: [] };
  const place = { blockNumber: "0x1", transactionIndex: index };
  return { ...words, ...quantities, ...rest, ...place, from: address, to: address, input: `0x${"ab".repeat(68)}` };
}

function receiptsOf(seed: number, count: number): readonly NodeReceipt[] {
  const log = {
    address: word(1).slice(0, 42),
    topics: [word(1), word(2)],
    data: word(3),
    blockHash: word(seed),
    transactionHash: word(4),
  };
  const places = { blockNumber: "0x1", transactionIndex: "0x1", logIndex: "0x1", removed: false };
  const receipt = {
    transactionHash: word(seed),
    blockHash: word(seed),
    logsBloom: `0x${"0".repeat(512)}`,
    from: word(1).slice(0, 42),
    to: word(1).slice(0, 42),
    cumulativeGasUsed: "0x5208",
    gasUsed: "0x5208",
    effectiveGasPrice: "0x3b9aca07",
    contractAddress: null,
    status: "0x1",
    type: "0x2",
    logs: [
      { ...log, ...places },
      { ...log, ...places },
    ],
  };
  return JSON.parse(JSON.stringify(new Array(count).fill(receipt))) as NodeReceipt[];
}

describe("the store", () => {
  it("gives what it was given, and a fuller block in place of one with hashes", () => {
    const store = new ChainStore(1_000_000);
    const [thin, full] = [blockOf(1, 2, false), blockOf(1, 2, true)];
    store.keepBlock(thin);
    expect(store.findBlock(word(1))).toBe(thin);
    expect(store.findFullBlock(word(1))).toBeUndefined();
    store.keepBlock(full);
    store.keepBlock(thin);
    expect(store.findFullBlock(word(1))).toBe(full);
    const receipts = receiptsOf(1, 2);
    store.keepReceipts(word(1), receipts);
    expect(store.findReceipts(word(1))).toBe(receipts);
    expect(store.findFullBlock(word(1))).toBe(full);
    store.keepState("key", "0x1");
    expect(store.findState("key")).toEqual({ value: "0x1" });
    expect(store.findState("other")).toBeUndefined();
  });

  it("forgets what was used longest ago once it is full, and never passes its bound", () => {
    const store = new ChainStore(400_000);
    for (let seed = 1; seed <= 200; seed++) {
      store.keepBlock(blockOf(seed, 5, true));
      store.keepReceipts(word(seed), receiptsOf(seed, 5));
      store.keepState(String(seed), `0x${"00".repeat(500)}`);
      store.findBlock(word(1));
      expect(store.bytes).toBeLessThanOrEqual(400_000);
    }
    expect(store.findBlock(word(1))).toBeDefined();
    expect(store.findBlock(word(2))).toBeUndefined();
    expect(store.findBlock(word(200))).toBeDefined();
    expect(store.blockCount).toBeGreaterThan(5);
  });

  it("keeps nothing when it may not", () => {
    const store = new ChainStore(0);
    store.keepBlock(blockOf(1, 1, true));
    store.keepState("key", "0x1");
    expect(store.findBlock(word(1))).toBeUndefined();
    expect(store.findState("key")).toBeUndefined();
    expect(store.bytes).toBe(0);
  });
});

describe("the bytes of what is kept", () => {
  const padded = (): NodeBlock => ({
    ...blockOf(1, 2, true),
    extraData: JSON.parse(`"0x${"00".repeat(50_000)}"`) as string,
    ...{
      padding: JSON.parse(
        `[${Array(20)
          .fill(`"${"x".repeat(10_000)}"`)
          .join()}]`,
      ),
    },
  });

  it.each<[string, () => NodeBlock | readonly NodeReceipt[]]>([
    ["blocks with whole transactions", () => blockOf(1, 200, true)],
    ["blocks with hashes", () => blockOf(1, 200, false)],
    ["blocks with long and unknown members", padded],
    ["receipts", () => receiptsOf(1, 200)],
  ])("are about those that %s take in the heap", (_name, create) => {
    const count = 40;
    void create();
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const kept = Array.from({ length: count }, create);
    collectGarbage();
    const taken = (process.memoryUsage().heapUsed - before) / count;
    const store = new ChainStore(100_000_000);
    const [first] = kept;
    if (first !== undefined && "hash" in first) store.keepBlock(first);
    else store.keepReceipts("", first ?? []);
    const said = store.bytes;
    expect(said / taken).toBeGreaterThan(0.8);
    expect(said / taken).toBeLessThan(1.4);
    expect(kept).toHaveLength(count);
  });
});
