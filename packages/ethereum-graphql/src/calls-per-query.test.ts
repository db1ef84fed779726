import { createHttpUpstream } from "@nodewright/upstream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestNode, type MadeUpNode, serve, type ServedInterface, startMadeUpNode } from "../test-support/serve.ts";
import { demoAccounts } from "./demo/history.ts";
import { type DemoChain, startDemoChain } from "./demo/demo-chain.ts";

let chain: DemoChain;
let node: MadeUpNode;
let closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const started = await startDemoChain({ miningIntervalMilliseconds: 0 });
  if (started === undefined) throw new Error("This test needs anvil");
  chain = started;
  const upstream = createHttpUpstream({ url: chain.url });
  // Forwards, and records the calls.
  node = await startMadeUpNode((call) => requestNode(upstream, call));
  closers = [() => node.stop(), () => upstream.close(), () => chain.stop()];
});

afterAll(async () => {
  for (const close of closers) await close();
});

/** Returns the calls to the node for queries of one service, one after the other: the batches of each. */
async function batchesOf(...queries: readonly string[]): Promise<readonly (readonly string[])[][]> {
  // A busy machine may take longer between two queries than a head stays fresh.
  const served: ServedInterface = await serve(node.url, { headMilliseconds: 60_000 });
  try {
    const asked: string[][][] = [];
    for (const query of queries) {
      node.requests.length = 0;
      const response = await served.ask(query);
      expect(response.errors).toEqual([]);
      asked.push([...node.requests]);
      await served.node.heights.settle();
    }
    return asked;
  } finally {
    await served.stop();
  }
}

const byNumber = "eth_getBlockByNumber";
const byHash = "eth_getBlockByHash";
const receipts = "eth_getBlockReceipts";
const transactionHash = "0x665fc0a69c7654538dfb020ac57ac15990e4ac5d11da590790a157fd1682a5b2";
const { ann, eve } = demoAccounts;

describe("a query asks the node, batch by batch, for", () => {
  it.each<[string, readonly (readonly string[])[]]>([
    ["{ block { number hash } }", [[byNumber]]],
    ["{ block { number hash transactionCount transactions { hash index } } }", [[byNumber]]],
    ["{ block(number: 5) { number hash transactions { hash } } }", [[byNumber]]],
    ["{ block(number: 5) { transactions { value } } }", [[byNumber]]],
    ["{ block(number: 5) { transactions { hash status gasUsed } } }", [[byNumber], [receipts]]],
    [
      "{ block(number: 5) { transactions { hash value status logs { index transaction { hash from { address } } } } } }",
      [[byNumber], [receipts]],
    ],
    ["{ block { transactions { value } } }", [[byNumber], [byHash]]],
    ["{ block(number: 5) { parent { number hash } } }", [[byNumber]]],
    ["{ block(number: 5) { parent { timestamp parent { number } } } }", [[byNumber], [byHash]]],
    ["{ blocks(from: 2, to: 5) { number hash transactions { hash } } }", [[byNumber, byNumber, byNumber, byNumber]]],
    [
      "{ blocks(from: 2, to: 3) { transactions { value status } } }",
      [
        [byNumber, byNumber],
        [receipts, receipts],
      ],
    ],
    // Two fields of one block, and of blocks that follow each other.
    ["{ a: block(number: 5) { hash } b: block(number: 5) { transactions { value } } }", [[byNumber]]],
    ["{ a: block(number: 5) { hash } b: block(number: 4) { number } }", [[byNumber, byNumber]]],
    // Blocks that do not show by themselves that they are on one chain.
    ["{ a: block(number: 2) { hash } b: block(number: 5) { number } }", [[byNumber], [byNumber, byNumber], [byNumber]]],
    [
      `{ transaction(hash: "${transactionHash}") { hash value block { number hash } } }`,
      [["eth_getTransactionByHash"]],
    ],
    [
      `{ transaction(hash: "${transactionHash}") { value status logs { data } } }`,
      [["eth_getTransactionByHash", "eth_getTransactionReceipt"]],
    ],
    [`{ transaction(hash: "${transactionHash}") { block { timestamp } } }`, [["eth_getTransactionByHash"], [byHash]]],
    [
      `{ block { a: account(address: "${ann}") { balance transactionCount } b: account(address: "${eve}") { balance } } }`,
      [[byNumber], ["eth_getBalance", "eth_getTransactionCount", "eth_getBalance"]],
    ],
    ["{ gasPrice block { number } }", [[byNumber, "eth_gasPrice"]]],
    ["{ protocolVersion syncing { currentBlock } }", [["eth_protocolVersion", "eth_syncing"]]],
    ["{ __typename __schema { queryType { name } } }", []],
  ])("%s", async (query, batches) => {
    expect(await batchesOf(query)).toEqual([batches]);
  });
});

describe("a query that was answered before queries the node for", () => {
  const whole = `{ block { hash transactions { value status logs { data transaction { from { address } } } } account(address: "${ann}") { balance code } } }`;

  it("nothing while the latest block is the same", async () => {
    const [first, second] = await batchesOf(whole, whole);
    expect(first).toEqual([[byNumber], [byHash, receipts], ["eth_getBalance", "eth_getCode"]]);
    expect(second).toEqual([]);
  });

  it("nothing for another alias, part or order of the same", async () => {
    const part = `{ other: block { account(address: "${ann}") { code balance } transactions { logs { topics } nonce } } }`;
    expect((await batchesOf(whole, part))[1]).toEqual([]);
  });

  it("nothing for a height, once it is known to lead to the latest block", async () => {
    const query = "{ block(number: 3) { hash transactions { hash } } }";
    const [first, second, third] = await batchesOf(query, query, query);
    expect(first).toEqual([[byNumber]]);
    expect(second?.[0]).toEqual([byNumber]);
    expect(third).toEqual([]);
  });

  it("nothing for blocks between known ones", async () => {
    const asked = await batchesOf("{ blocks(from: 2) { number } }", "{ blocks(from: 3, to: 6) { hash } }");
    expect(asked[1]).toEqual([]);
  });
});
