import { spawn } from "node:child_process";
import { createConnection } from "node:net";
import { createInterface } from "node:readline";
import { createHttpUpstream, type Upstream } from "@nodewright/upstream";
import { afterEach, describe, expect, it } from "vitest";
import { findAnvil, startAnvil } from "./anvil.ts";
import { type DemoChain, type DemoChainOptions, demoChainId, startDemoChain } from "./demo-chain.ts";
import { demoAccounts, demoContract, demoHistory, demoPending } from "./history.ts";
import { cpuMillisecondsDuring } from "../../../../test/support/cpu-time.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(options: DemoChainOptions = {}): Promise<DemoChain & { readonly upstream: Upstream }> {
  const chain = await startDemoChain({ miningIntervalMilliseconds: 0, ...options });
  if (chain === undefined) throw new Error("This test needs anvil");
  const upstream = createHttpUpstream({ url: chain.url });
  closers.push(
    () => chain.stop(),
    () => upstream.close(),
  );
  return { ...chain, upstream };
}

async function isListening(url: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port: Number(new URL(url).port) });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 25_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error("Waited in vain");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("the demo chain", () => {
  it("is the same at each start", async () => {
    const heads: unknown[] = [];
    for (let round = 0; round < 2; round++) {
      const { upstream } = await start();
      heads.push(await upstream.call("eth_getBlockByNumber", ["latest", true]));
    }
    expect(heads[0]).toEqual(heads[1]);
    expect(heads[0]).toMatchObject({
      number: "0x8",
      hash: "0xfcb6c8030fa8b55ebb0f64b1478987dd1417ce756518738f76bbb6afd7483e5e",
    });
  });

  it("starts with little work of this process", async () => {
    expect(await cpuMillisecondsDuring(start)).toBeLessThan(1_000);
  });

  it("holds the transactions of its history, and those that wait", async () => {
    const { upstream } = await start();
    expect(await upstream.call("eth_chainId")).toBe(`0x${demoChainId.toString(16)}`);
    for (const [position, transactions] of demoHistory.entries()) {
      const receipts = await upstream.call("eth_getBlockReceipts", [`0x${(position + 1).toString(16)}`]);
      expect((receipts as { from: string }[]).map(({ from }) => from)).toEqual(transactions.map(({ from }) => from));
    }
    expect(await upstream.call("txpool_status")).toEqual({
      pending: `0x${demoPending.length.toString(16)}`,
      queued: "0x0",
    });
    expect(String(await upstream.call("eth_getCode", [demoContract, "latest"])).length).toBeGreaterThan(1_000);
  });

  it("puts new transactions into a block, and makes no block without them", async () => {
    const { upstream } = await start({ miningIntervalMilliseconds: 20 });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await upstream.call("eth_blockNumber")).toBe("0x8");
    const hash = await upstream.call("eth_sendTransaction", [
      { from: demoAccounts.ann, to: demoAccounts.ben, value: "0x1" },
    ]);
    await waitUntil(async () => (await upstream.call("eth_blockNumber")) === "0x9");
    expect(await upstream.call("eth_getTransactionReceipt", [hash])).toMatchObject({
      blockNumber: "0x9",
      status: "0x1",
    });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await upstream.call("eth_blockNumber")).toBe("0x9");
  });

  it("is gone when it was stopped, also twice, and when its signal is aborted", async () => {
    const stopped = await start();
    await Promise.all([stopped.stop(), stopped.stop()]);
    await stopped.ended;
    expect(await isListening(stopped.url)).toBe(false);

    const controller = new AbortController();
    const aborted = await start({ signal: controller.signal });
    controller.abort();
    await aborted.ended;
    expect(await isListening(aborted.url)).toBe(false);
  });

  it("does not outlive a parent that is killed", async () => {
    const script = `
      import { startDemoChain } from ${JSON.stringify(new URL("demo-chain.ts", import.meta.url).href)};
      const chain = await startDemoChain();
      console.log(chain.url);
      setInterval(() => {}, 1_000);
    `;
    const parent = spawn(process.execPath, ["--conditions=source", "--input-type=module", "--eval", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    closers.push(async () => parent.kill("SIGKILL"));
    const url = await new Promise<string>((resolve) => createInterface(parent.stdout).once("line", resolve));
    expect(await isListening(url)).toBe(true);
    parent.kill("SIGKILL");
    await waitUntil(async () => !(await isListening(url)));
  });
});

describe("anvil", () => {
  it("that does not start says why", async () => {
    const path = findAnvil();
    if (path === undefined) throw new Error("This test needs anvil");
    await expect(startAnvil(path, ["--no-such-option"])).rejects.toThrow(/^anvil ended before it listened: .+/);
  });

  it("that is no program says so", async () => {
    await expect(startAnvil("/nowhere/anvil", [])).rejects.toThrow("anvil ended before it listened");
  });
});
