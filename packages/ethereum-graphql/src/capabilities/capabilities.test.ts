import { createHttpUpstream } from "@nodewright/upstream";
import { afterEach, describe, expect, it } from "vitest";
import {
  requestNode,
  type RpcCall,
  type RpcReply,
  serve,
  type ServedInterface,
  startMadeUpNode,
} from "../../test-support/serve.ts";
import { startDemoChain } from "../demo/demo-chain.ts";
import { demoAccounts } from "../demo/history.ts";
import { Capabilities } from "./capabilities.ts";
import { probes } from "./probes.ts";

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Connects to a client on loopback, which records its calls. */
async function connect(
  reply: (call: RpcCall) => RpcReply | undefined | Promise<RpcReply | undefined>,
): Promise<{ readonly capabilities: Capabilities; readonly requests: string[][]; readonly clock: { now: number } }> {
  const node = await startMadeUpNode(reply);
  const upstream = createHttpUpstream({ url: node.url });
  closers.push(
    () => node.stop(),
    () => upstream.close(),
  );
  const clock = { now: 0 };
  return { capabilities: new Capabilities(upstream, () => clock.now), requests: node.requests, clock };
}

const version = (text: string) => (call: RpcCall) =>
  call.method === "web3_clientVersion" ? { result: text } : undefined;

describe("what a client can do", () => {
  it("is found out of anvil with one batch, once", async () => {
    const chain = await startDemoChain({ miningIntervalMilliseconds: 0 });
    if (chain === undefined) throw new Error("This test needs anvil");
    const upstream = createHttpUpstream({ url: chain.url });
    closers.push(
      () => chain.stop(),
      () => upstream.close(),
    );
    const capabilities = new Capabilities(upstream);
    expect(capabilities.describe()).toEqual({ clientVersion: undefined, capabilities: undefined });
    expect(await Promise.all([capabilities.has("eth_getBlockReceipts"), capabilities.has("eip1898")])).toEqual([
      true,
      true,
    ]);
    const calls = upstream.totals().methodCalls;
    expect(capabilities.has("eth_getProof")).toBe(true);
    expect(capabilities.describe()).toMatchObject({
      clientVersion: expect.stringContaining("anvil") as string,
      capabilities: { eth_getStorageValues: true, debug_traceCall: true, txpool_content: true },
    });
    expect(upstream.totals().methodCalls).toBe(calls);
  });

  it.each<[string, RpcReply]>([
    ["does not exist, by its code", { error: { code: -32601, message: "no" } }],
    ["is not supported, by its code", { error: { code: -32604, message: "no" } }],
    [
      "does not exist, by its text",
      { error: { code: -32000, message: "the method debug_traceCall does not exist/is not available" } },
    ],
    [
      "is not allowed, by its text",
      { error: { code: -32602, message: "Method debug_traceCall is not supported on this plan" } },
    ],
  ])("lacks a method that %s", async (_name, reply) => {
    const { capabilities } = await connect(({ method }) => (method === "debug_traceCall" ? reply : { result: null }));
    expect(await capabilities.has("debug_traceCall")).toBe(false);
    expect(await capabilities.has("eth_getProof")).toBe(true);
  });

  it.each([
    ["for its params", -32602, "invalid argument 0: hex string has length 0"],
    ["for a block that it does not have", -32000, "header not found"],
  ])("has a method that is refused %s", async (_name, code, message) => {
    const { capabilities } = await connect(() => ({ error: { code, message } }));
    expect(await capabilities.has("debug_traceCall")).toBe(true);
  });

  it("is requested once by many at the same time, and again when the client is of another version", async () => {
    let current = "One/1";
    const client = await connect((call) => version(current)(call) ?? { result: null });
    await Promise.all([client.capabilities.has("eth_getProof"), client.capabilities.has("txpool_status")]);
    const probing = client.requests.filter((methods) => methods.length > 2);
    expect(probing).toHaveLength(1);
    expect(probing[0]).toHaveLength(1 + Object.keys(probes).length);
    current = "One/2";
    client.clock.now = 61_000;
    expect(client.capabilities.has("eth_getProof")).toBe(true);
    await expect.poll(() => client.capabilities.describe().clientVersion).toBe("One/2");
    expect(client.requests.filter((methods) => methods.length > 2)).toHaveLength(2);
  });

  it("is looked into again after the client was away", async () => {
    let current = "One/1";
    const client = await connect((call) => version(current)(call) ?? { result: null });
    await client.capabilities.all();
    current = "Two/1";
    client.capabilities.doubt();
    void client.capabilities.all();
    await expect.poll(() => client.capabilities.describe().clientVersion).toBe("Two/1");
  });

  it("is taken to be everything while the client is silent, and found out later", async () => {
    const { capabilities, clock } = await connect(() => ({ result: null }));
    await closers[0]?.();
    expect(await capabilities.has("eth_getProof")).toBe(true);
    expect(capabilities.describe().capabilities).toBeUndefined();
    expect(capabilities.has("eth_getProof")).toBe(true);
    clock.now = 2_000;
    expect(capabilities.has("eth_getProof")).toBeInstanceOf(Promise);
  });
});

describe("a client without", () => {
  /** Serves the demo chain with a client that refuses some calls. */
  async function serveWithout(refuse: (call: RpcCall) => RpcReply | undefined): Promise<ServedInterface> {
    const chain = await startDemoChain({ miningIntervalMilliseconds: 0 });
    if (chain === undefined) throw new Error("This test needs anvil");
    const upstream = createHttpUpstream({ url: chain.url });
    const node = await startMadeUpNode(async (call) => refuse(call) ?? (await requestNode(upstream, call)));
    const served = await serve(node.url);
    closers.push(
      () => chain.stop(),
      () => upstream.close(),
      () => node.stop(),
      () => served.stop(),
    );
    return served;
  }

  const missing: RpcReply = { error: { code: -32601, message: "no such method" } };
  const refused: RpcReply = { error: { code: -32602, message: "invalid argument 1: expected a block number" } };

  it.each<[string, RpcReply]>([
    ["does not have it", missing],
    ["has it for heights alone", refused],
  ])("receipts of whole blocks, because it %s, is asked for each", async (_name, reply) => {
    const served = await serveWithout(({ method }) => (method === "eth_getBlockReceipts" ? reply : undefined));
    const response = await served.ask("{ block(number: 5) { transactions { status logs { index } } } }");
    expect(response.errors).toEqual([]);
    const { block } = response.data as { block: { transactions: { status: string; logs: unknown[] }[] } };
    expect(block.transactions).toHaveLength(4);
    expect(block.transactions[1]?.logs).toHaveLength(3);
    await served.node.capabilities.all();
    const again = await served.ask("{ block(number: 6) { transactions { status } } }");
    expect(again.errors).toEqual([]);
    expect(served.node.capabilities.describe().capabilities?.eth_getBlockReceipts).toBe(reply === refused);
  });

  const namesStateByHash = ({ method, params }: RpcCall): boolean =>
    method === "eth_getBalance" && typeof params.at(-1) === "object";
  const query = `{ block(number: 5) { account(address: "${demoAccounts.ann}") { balance } } }`;

  it("naming of states by hash is asked by height, between two looks at the height", async () => {
    const served = await serveWithout((call) => (namesStateByHash(call) ? refused : undefined));
    const asked = await serveWithout(() => undefined);
    const response = await served.ask(query);
    expect(response.errors).toEqual([]);
    expect(response.data).toEqual((await asked.ask(query)).data);
    expect(served.node.capabilities.describe().capabilities?.eip1898).toBe(false);
  });

  it("naming of states by hash does not mix two blocks of one height", async () => {
    let looks = 0;
    const served = await serveWithout((call) => {
      if (namesStateByHash(call)) return refused;
      if (call.method !== "eth_getBlockByNumber" || call.params[0] !== "0x5") return undefined;
      looks += 1;
      return looks > 1 ? { result: { hash: `0x${"9".repeat(64)}` } } : undefined;
    });
    const response = await served.ask(query);
    expect(response.errors).toMatchObject([{ message: "The chain was reorganized during the request; try again" }]);
  });
});
