import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createDemoEthereumNode, createOwnEthereumNode, type EthereumNode } from "./ethereum-node.ts";

describe("an Ethereum node", () => {
  let node: EthereumNode | undefined;
  let server: Server | undefined;
  const said: string[] = [];
  const say = (line: string) => void said.push(line);

  afterEach(async () => {
    await node?.stop();
    node = undefined;
    server?.closeAllConnections();
    server?.close();
    said.length = 0;
  });

  async function serveChainId(): Promise<string> {
    server = createServer((request, response) => {
      request.resume().on("end", () => response.end('{"jsonrpc":"2.0","id":1,"result":"0x539"}'));
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** A chain that ends when it is told to. */
  function createChain() {
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    return { url: "http://127.0.0.1:1", ended, stop: async () => end() };
  }

  it("says that its node is missing when there is no anvil, and lets the start go on", async () => {
    node = createDemoEthereumNode({ id: "ethereum-dev", say, startChain: async () => undefined });

    await node.start();

    expect(node.unavailable("graphql")).toMatchObject({
      httpStatus: 503,
      message: expect.stringMatching(/anvil was not found/),
    });
    expect(() => node?.getClient()).toThrow(/anvil was not found/);
    expect(node.problem()).toMatch(/--ethereum-rpc$/);
    expect(said).toHaveLength(1);
  });

  it("starts its chain again when it ends, and says so", async () => {
    const chains: ReturnType<typeof createChain>[] = [];
    const startChain = async ({ signal }: { readonly signal: AbortSignal }) => {
      const chain = createChain();
      signal.addEventListener("abort", () => void chain.stop());
      chains.push(chain);
      return chain;
    };
    node = createDemoEthereumNode({ id: "ethereum-dev", say, startChain });
    await node.start();
    expect(node.unavailable("graphql")).toBeUndefined();

    await chains[0]?.stop();
    await expect.poll(() => node?.unavailable("graphql")?.message).toMatch(/has ended/);

    await expect.poll(() => node?.unavailable("graphql"), { timeout: 5_000 }).toBeUndefined();
    expect(chains).toHaveLength(2);
    expect(said).toEqual([
      expect.stringMatching(/^ethereum-dev: The demo chain has ended; starting it again in [\d.]+ s$/),
    ]);
  });

  it("does not wait for a chain that was being set up when it is stopped", async () => {
    const chain = createChain();
    let isSetUp = () => {};
    const setUp = new Promise<void>((resolve) => (isSetUp = resolve));
    node = createDemoEthereumNode({ id: "ethereum-dev", say, startChain: () => setUp.then(() => chain) });
    void node.start();

    const stopped = node.stop();
    isSetUp();

    await stopped;
    await chain.ended;
  });

  it("of the user's own is ready when it answers, and tells its chain", async () => {
    node = createOwnEthereumNode({ url: await serveChainId(), credentials: { kind: "none" } }, { id: "ethereum", say });

    await node.start();

    expect([node.summary(), node.problem(), node.unavailable("graphql")]).toEqual([
      "your node, chain id 1337",
      undefined,
      undefined,
    ]);
  });

  it("of the user's own is waited for, and its address is not told", async () => {
    const address = { url: "http://127.0.0.1:1/v1/secret", credentials: { kind: "none" } } as const;
    node = createOwnEthereumNode(address, { id: "ethereum", say });

    const started = node.start();
    await expect.poll(() => said.length, { timeout: 5_000 }).toBe(1);
    await node.stop();
    await started;

    expect(said[0]).toMatch(/^ethereum: the node of --ethereum-rpc does not answer yet/);
    expect(said[0]).not.toContain("secret");
  });
});
