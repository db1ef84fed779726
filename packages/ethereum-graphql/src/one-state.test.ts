import { setTimeout as sleep } from "node:timers/promises";
import { createHttpUpstream, type HttpUpstream } from "@nodewright/upstream";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  requestNode,
  type MadeUpNode,
  type RpcCall,
  type RpcReply,
  serve,
  type ServedInterface,
  startMadeUpNode,
} from "../test-support/serve.ts";
import { type DemoChain, startDemoChain } from "./demo/demo-chain.ts";
import { demoAccounts } from "./demo/history.ts";
import { quantity } from "./basics/quantity.ts";

let chain: DemoChain;
let upstream: HttpUpstream;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const started = await startDemoChain({ miningIntervalMilliseconds: 0 });
  if (started === undefined) throw new Error("This test needs anvil");
  chain = started;
  upstream = createHttpUpstream({ url: chain.url });
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

afterAll(async () => {
  await upstream.close();
  await chain.stop();
});

/** Serves over the demo chain, where `change` returns the client's changed response; undefined to keep its own. */
async function serveChanged(
  change: (call: RpcCall, own: () => Promise<RpcReply>) => Promise<RpcReply | undefined> | RpcReply | undefined,
): Promise<ServedInterface & { readonly client: MadeUpNode }> {
  const client = await startMadeUpNode(async (call) => {
    const own = (): Promise<RpcReply> => requestNode(upstream, call);
    return (await change(call, own)) ?? (await own());
  });
  const served = await serve(client.url);
  closers.push(
    () => served.stop(),
    () => client.stop(),
  );
  return { ...served, client };
}

type Json = Record<string, unknown>;

function resultOf(reply: RpcReply): Json {
  if ("result" in reply) return reply.result as Json;
  throw new Error("Expected a result");
}

const otherHash = `0x${"9".repeat(64)}`;
const reorganised = "The chain was reorganized during the request; try again";

describe("a response for another block than was requested is refused", () => {
  it.each<[string, string, (call: RpcCall, own: Json) => unknown]>([
    [
      "by its hash",
      `{ block { transactions { value } } }`,
      ({ method }, own) => (method === "eth_getBlockByHash" ? { ...own, hash: otherHash } : own),
    ],
    ["by its height", "{ block(number: 3) { hash } }", (_call, own) => ({ ...own, number: "0x4" })],
    [
      "in its transactions",
      "{ block(number: 3) { transactions { value } } }",
      (_call, own) => ({
        ...own,
        transactions: (own["transactions"] as Json[]).map((one) => ({ ...one, blockHash: otherHash })),
      }),
    ],
    [
      "in the order of its transactions",
      "{ block(number: 5) { transactions { value } } }",
      (_call, own) => ({ ...own, transactions: (own["transactions"] as Json[]).toReversed() }),
    ],
    [
      "with hashes in place of transactions",
      "{ block(number: 3) { transactions { value } } }",
      (_call, own) => ({ ...own, transactions: [otherHash] }),
    ],
  ])("%s", async (_name, query, change) => {
    const served = await serveChanged(async (call, own) =>
      call.method.startsWith("eth_getBlockBy") ? { result: change(call, resultOf(await own())) } : undefined,
    );
    const response = await served.ask(query);
    expect(response.data).toEqual({ block: null });
    expect(response.errors).toMatchObject([{ extensions: { code: "UPSTREAM_UNAVAILABLE" } }]);
  });

  it("by what it holds, once the chain's headers are known to have their hashes", async () => {
    const served = await serveChanged(async (call, own) =>
      call.params[0] === "0x3" ? { result: { ...resultOf(await own()), gasUsed: "0x1" } } : undefined,
    );
    expect((await served.ask("{ block(number: 2) { gasUsed } }")).errors).toEqual([]);
    expect((await served.ask("{ block(number: 3) { gasUsed } }")).errors).toMatchObject([
      { message: "The node returned a block that does not have its hash" },
    ]);
    expect((await served.ask("{ block(number: 4) { gasUsed } }")).errors).toEqual([]);
  });
});

describe("receipts are refused", () => {
  it.each<[string, (receipts: readonly Json[]) => unknown]>([
    ["of another block", (receipts) => receipts.map((one) => ({ ...one, blockHash: otherHash }))],
    ["that are fewer than the transactions", (receipts) => receipts.slice(1)],
    ["that are more", (receipts) => [...receipts, { ...receipts[0], transactionIndex: quantity(receipts.length) }]],
    ["in another order", (receipts) => receipts.toReversed()],
    ["of other transactions", (receipts) => receipts.map((one) => ({ ...one, transactionHash: otherHash, logs: [] }))],
    [
      "with logs of another transaction",
      (receipts) =>
        receipts.map((one) => ({
          ...one,
          logs: (one["logs"] as Json[]).map((log) => ({ ...log, transactionHash: otherHash })),
        })),
    ],
    ["that are none", () => null],
    ["that are no list", () => "0x"],
  ])("%s", async (_name, change) => {
    const served = await serveChanged(async (call, own) =>
      call.method === "eth_getBlockReceipts"
        ? { result: change(resultOf(await own()) as unknown as Json[]) }
        : undefined,
    );
    const query = "{ block(number: 5) { transactions { hash status logs { index } } } }";
    for (const attempt of [1, 2]) {
      const response = await served.ask(query);
      expect(response.data, `attempt ${attempt}`).toEqual({ block: { transactions: null } });
      expect(response.errors).toMatchObject([{ extensions: { code: "UPSTREAM_UNAVAILABLE" } }]);
    }
  });
});

describe("the receipt of a transaction is refused", () => {
  const hash = "0x665fc0a69c7654538dfb020ac57ac15990e4ac5d11da590790a157fd1682a5b2";

  it.each<[string, (call: RpcCall, own: Json) => unknown]>([
    [
      "that stands at another place of the block",
      ({ method }, own) =>
        method === "eth_getTransactionReceipt" ? { ...own, transactionIndex: "0x3f", logs: [] } : own,
    ],
    [
      "where the block has another one at its place",
      ({ method }, own) => {
        if (method === "eth_getTransactionReceipt") return null;
        return method === "eth_getTransactionByHash" ? { ...own, transactionIndex: "0x3f" } : own;
      },
    ],
  ])("%s", async (_name, change) => {
    const served = await serveChanged(async (call, own) => ({ result: change(call, resultOf(await own())) }));
    const response = await served.ask(`{ transaction(hash: "${hash}") { status } }`);
    expect(response.data).toEqual({ transaction: null });
    expect(response.errors).toMatchObject([
      {
        message: "The node returned a transaction whose receipt is elsewhere",
        extensions: { code: "UPSTREAM_UNAVAILABLE" },
      },
    ]);
  });
});

describe("a chain that is reorganised within a request", () => {
  it("takes a block away that the node has named", async () => {
    const served = await serveChanged(({ method }) => (method === "eth_getBlockByHash" ? { result: null } : undefined));
    const response = await served.ask("{ block { transactions { value } } }");
    expect(response.errors).toMatchObject([{ message: reorganised }]);
  });

  it("takes the state of a block away", async () => {
    const served = await serveChanged(({ method }) =>
      method === "eth_getBalance" ? { error: { code: -32000, message: "header for hash not found" } } : undefined,
    );
    const response = await served.ask(`{ block { account(address: "${demoAccounts.ann}") { balance } } }`);
    expect(response.errors).toMatchObject([{ message: reorganised }]);
  });

  /** Serves another block at a height from its second request on. */
  async function serveTurning(turned: (height: string, count: number) => boolean): Promise<ServedInterface> {
    const counts = new Map<string, number>();
    return await serveChanged(async ({ method, params }, own) => {
      if (method !== "eth_getBlockByNumber") return undefined;
      const height = String(params[0]);
      const count = (counts.get(height) ?? 0) + 1;
      counts.set(height, count);
      if (!turned(height, count)) return undefined;
      // A block of the same chain under another height would be detected by its number.
      const block = resultOf(await own());
      return { result: { ...block, hash: otherHash, newMember: "0x1", transactions: [] } };
    });
  }

  /** The demo chain's head is at height 8 when it starts. */
  const turnsAtHead = (height: string, count: number): boolean =>
    height === "latest" ? count > 1 : Number(height) >= 8;

  it("is reported when blocks are read that do not show it themselves", async () => {
    const served = await serveTurning(turnsAtHead);
    const response = await served.ask("{ a: block(number: 2) { hash } b: block(number: 5) { hash } }");
    expect(response.data).toEqual({ a: null, b: null });
    expect(response.errors).toMatchObject([{ message: reorganised }, { message: reorganised }]);
  });

  it("is reported when the latest block is read with one below it", async () => {
    const served = await serveTurning(turnsAtHead);
    const response = await served.ask("{ block { hash } b: block(number: 5) { hash } }");
    expect(response.errors.map(({ message }) => message)).toEqual([reorganised, reorganised]);
  });

  it("is reported when another height is read for a field of what was read before", async () => {
    const served = await serveTurning((height, count) => height === "0x5" && count > 1);
    const response = await served.ask("{ block(number: 5) { hash miner(block: 2) { balance } } }");
    expect(response).toMatchObject({ data: { block: null }, errors: [{ message: reorganised }] });
  });

  it("is reported when a transaction's sender is looked at in a state that does not follow", async () => {
    const hash = "0x665fc0a69c7654538dfb020ac57ac15990e4ac5d11da590790a157fd1682a5b2";
    const served = await serveTurning((height, count) => height === "0x5" && count > 0);
    const response = await served.ask(`{ transaction(hash: "${hash}") { from { balance } } }`);
    expect(response).toMatchObject({ data: { transaction: null }, errors: [{ message: reorganised }] });
  });

  it("is reported when the node carries out at the same time what it is asked in one batch", async () => {
    let hasTurned = false;
    const served = await serveChanged(async ({ method, params: [height] }, own) => {
      if (method !== "eth_getBlockByNumber") return undefined;
      if (height === "0x5") {
        await sleep(50);
        hasTurned = true;
      }
      if (!hasTurned || height === "0x2") return undefined;
      return { result: { ...resultOf(await own()), hash: otherHash, newMember: "0x1", transactions: [] } };
    });
    const response = await served.ask("{ a: block(number: 2) { hash } b: block(number: 5) { hash } }");
    expect(response).toMatchObject({
      data: { a: null, b: null },
      errors: [{ message: reorganised }, { message: reorganised }],
    });
  });

  it("is none when nothing changed", async () => {
    const served = await serveTurning(() => false);
    const query =
      "{ block { hash } a: block(number: 2) { hash miner(block: 4) { balance } } b: block(number: 6) { hash } }";
    for (const attempt of [1, 2, 3, 4]) expect((await served.ask(query)).errors, `attempt ${attempt}`).toEqual([]);
  });
});

describe("the latest block", () => {
  it("is the same for the complete request, whatever happens meanwhile", async () => {
    const served = await serveChanged(async ({ method }) => {
      if (method === "eth_getBalance") await upstream.call("evm_mine");
      return undefined;
    });
    const balance = `account(address: "${demoAccounts.ann}") { balance }`;
    const response = await served.ask(
      `{ a: block { number ${balance} } transaction(hash: "0x665fc0a69c7654538dfb020ac57ac15990e4ac5d11da590790a157fd1682a5b2") { from { balance } } b: block { number } }`,
    );
    expect(response.errors).toEqual([]);
    const { a, b } = response.data as { a: { number: string }; b: { number: string } };
    expect(a.number).toBe(b.number);
  });

  it("is another one at once after a transaction was sent", async () => {
    const served = await serveChanged(async ({ method }, own) => {
      if (method !== "eth_sendRawTransaction") return undefined;
      const sent = await own();
      await upstream.call("evm_mine");
      return sent;
    });
    const raw =
      "0x02f86c82053905843b9aca0084b2d05e008252089415d34aaf54267db7d7c367839aaf71a00a2c6a650180c001a0efa8135a5fc30c407e3afa40d288569387f3dcb7f860bd2201710341b0c9d5a6a011ddae74d6772b8c34a6f87cb91c3aca35503bd2f5a2e9be72767321a2017c6f";
    const before = (await served.ask("{ block { number } }")).data as { block: { number: string } };
    const sent = await served.ask("mutation ($data: Bytes!) { sendRawTransaction(data: $data) }", { data: raw });
    expect(sent.errors).toEqual([]);
    const after = (await served.ask("{ block { number } }")).data as { block: { number: string } };
    expect(Number(after.block.number)).toBe(Number(before.block.number) + 1);
  });

  it("is requested once by many requests at the same time", async () => {
    const served = await serveChanged(() => undefined);
    const responses = await Promise.all(Array.from({ length: 50 }, () => served.ask("{ block { number hash } }")));
    expect(new Set(responses.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect(served.client.requests).toEqual([["eth_getBlockByNumber"]]);
  });
});

describe("a reorganisation between two requests", () => {
  it("changes what was final when the chain was turned back and has grown higher since", async () => {
    const served = await serve(chain.url, { headMilliseconds: 0 });
    closers.push(() => served.stop());
    const snapshot = await upstream.call("evm_snapshot");
    const mine = (count: number) => upstream.call("anvil_mine", [quantity(count)]);
    const query = "{ block { hash } b: block(number: 20) { hash } }";
    const ask = async () => {
      const { data, errors, calls } = await served.ask(query);
      expect(errors).toEqual([]);
      await served.node.heights.settle();
      return { hash: (data as { readonly b: { readonly hash: string } }).b.hash, calls };
    };
    await mine(300);
    for (let round = 0; round < 4; round++) await ask();
    expect(served.node.heights.findFinal(20)).toBeDefined();
    // Only a gap makes it fetched once more, and confirmed in the same batch.
    await mine(3);
    const known = await ask();
    expect((await ask()).calls).toBe(1);
    expect(served.node.heights.findFinal(20)).toBe(known.hash);
    await upstream.call("evm_revert", [snapshot]);
    const start = await upstream.call("evm_snapshot");
    closers.push(async () => void (await upstream.call("evm_revert", [start])));
    await upstream.call("evm_setNextBlockTimestamp", [quantity(3_000_000_000)]);
    await mine(310);
    const { hash: own } = (await upstream.call("eth_getBlockByNumber", ["0x14", false])) as { readonly hash: string };
    expect(own).not.toBe(known.hash);
    expect((await ask()).hash).toBe(own);
    expect((await ask()).hash).toBe(own);
  });

  it("is not answered by what an earlier one has asked of the chain before it", async () => {
    const { promise: late, resolve: answerLate } = Promise.withResolvers<void>();
    let questions = 0;
    const served = await serveChanged(async ({ method, params: [height] }, own) => {
      if (method !== "eth_getBlockByNumber" || height !== "0x3") return undefined;
      questions += 1;
      if (questions > 1) return undefined;
      const before = { result: { ...resultOf(await own()), hash: otherHash, newMember: "0x1", transactions: [] } };
      await late;
      return before;
    });
    const query = "{ block { number } b: block(number: 3) { hash } }";
    const first = served.ask("{ block(number: 3) { hash } }");
    await expect.poll(() => questions).toBe(1);
    const second = served.ask(query);
    await expect.poll(() => questions).toBe(2);
    answerLate();
    expect((await first).data).toEqual({ block: { hash: otherHash } });
    const { b } = (await second).data as { readonly b: { readonly hash: string } };
    expect(b.hash).not.toBe(otherHash);
    expect(questions).toBe(2);
  });

  it("changes what stands at a height, and nothing that a hash names", async () => {
    const served = await serve(chain.url, { headMilliseconds: 0 });
    closers.push(() => served.stop());
    const snapshot = await upstream.call("evm_snapshot");
    await upstream.batch(Array.from({ length: 3 }, () => ({ method: "evm_mine", params: [] })));
    const query = "{ blocks(from: 6) { number hash } }";
    type Blocks = { readonly blocks: readonly { readonly number: string; readonly hash: string }[] };
    const first = (await served.ask(query)).data as Blocks;
    await upstream.call("evm_revert", [snapshot]);
    await upstream.call("evm_setNextBlockTimestamp", [quantity(4_000_000_000)]);
    await upstream.batch(Array.from({ length: 2 }, () => ({ method: "evm_mine", params: [] })));
    const second = (await served.ask(query)).data as Blocks;
    const height = second.blocks.length - 2;
    expect(second.blocks.slice(0, height)).toEqual(first.blocks.slice(0, height));
    expect(second.blocks.at(height)?.hash).not.toBe(first.blocks.at(height)?.hash);
    const last = second.blocks.at(-1);
    const byHeight = await served.ask(`{ block(number: "${last?.number}") { hash } }`);
    expect(byHeight.data).toEqual({ block: { hash: last?.hash } });
    const gone = await served.ask(`{ block(hash: "${first.blocks.at(-1)?.hash}") { number } }`);
    expect(gone.data).toEqual({ block: { number: first.blocks.at(-1)?.number } });
  });
});

describe("a request whose caller goes away", () => {
  it("ends the calls that nobody else waits for", async () => {
    const { promise: hanging, resolve: release } = Promise.withResolvers<undefined>();
    const served = await serveChanged(async ({ method }) => (method === "eth_gasPrice" ? await hanging : undefined));
    const limited = await serve(served.client.url, { limits: { milliseconds: 200 } });
    closers.push(() => limited.stop());
    const response = await limited.ask("{ gasPrice }");
    expect(response.errors).toMatchObject([{ extensions: { code: "UPSTREAM_TIMEOUT" } }]);
    expect(limited.node.reads.size).toBe(0);
    release(undefined);
  });
});
