import { responseOfExecutionChain, createFakeChain, FaultyNode } from "@nodewright/upstream/testing";
import { afterEach, describe, expect, it } from "vitest";
import { createDemoEthereumNode, createOwnEthereumNode, type EthereumNode } from "./ethereum-node.ts";
import type { ExecutionClients } from "./upstream-nodes.ts";

describe("an Ethereum node", () => {
  let node: EthereumNode | undefined;
  const servers: FaultyNode[] = [];
  const said: string[] = [];
  const say = (line: string) => void said.push(line);

  afterEach(async () => {
    await node?.stop();
    node = undefined;
    for (const server of servers.splice(0)) await server.stop();
    said.length = 0;
  });

  async function startClient(chainId = "0x539", clientVersion = "Geth/v1"): Promise<FaultyNode> {
    const client = { chain: createFakeChain(`chain ${chainId}`, 7), chainId, clientVersion };
    const server = new FaultyNode({ respond: (method, params) => responseOfExecutionChain(client, method, params) });
    await server.start();
    servers.push(server);
    return server;
  }

  function serveClients(
    given: readonly { readonly url: string }[],
    more: Partial<ExecutionClients> = {},
  ): EthereumNode {
    const addresses = given.map(({ url }) => ({ url, credentials: { kind: "none" } }) as const);
    return createOwnEthereumNode({ addresses, guard: { hedgesReads: false }, ...more }, { id: "ethereum", say });
  }

  /** Creates a chain that the test ends. */
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

    await expect.poll(() => node?.unavailable("graphql")).toBeUndefined();
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
    node = serveClients([await startClient()]);

    await node.start();

    expect([node.summary(), node.problem(), node.unavailable("graphql")]).toEqual([
      "your node, chain id 1337",
      undefined,
      undefined,
    ]);
  });

  it("of the user's own is waited for, and its address is not told", async () => {
    node = serveClients([{ url: "http://127.0.0.1:1/v1/secret" }]);

    const started = node.start();
    await expect.poll(() => said.length).toBe(1);
    expect(await node.health()).toMatchObject({ isServed: false, problem: "The Ethereum node has not responded yet" });
    await node.stop();
    await started;

    expect(said[0]).toMatch(/^ethereum: the node of --ethereum-rpc does not respond yet \(.*could not be reached/);
    expect(said[0]).not.toContain("secret");
  });

  it("of the user's own shows how each client is, and leaves out one of another chain", async () => {
    node = serveClients([await startClient("0x1", "Geth/v1"), await startClient("0x5", "besu/v2")]);

    await node.start();

    expect(await node.health()).toMatchObject({
      isServed: true,
      upstreams: [
        {
          standing: "well",
          version: "Geth/v1",
          chainId: "1",
          head: { height: 7 },
          lag: 0,
          batchLimit: 100,
          breaker: "closed",
        },
        {
          standing: "other-network",
          version: "besu/v2",
          chainId: "5",
          problem: "It has another chain than the one that is wanted",
        },
      ],
    });
    await expect.poll(async () => (await node?.health())?.capabilities).toMatchObject({ eth_getBlockReceipts: true });
  });

  it("of the user's own is not served while no client has the chain that is wanted", async () => {
    node = serveClients([await startClient("0x1")], { chainId: "0x5" });

    const started = node.start();
    await expect.poll(() => said[0]).toMatch(/It has another chain than the one that is wanted/);
    await node.stop();
    await started;
  });

  it("of the user's own says when it goes away and when it answers again, and tells other processes", async () => {
    const server = await startClient();
    node = serveClients([server]);
    await node.start();
    const reports: (string | undefined)[] = [];
    node.watch((report) => {
      if (report.chain === "ethereum") reports.push(report.problem);
    });

    await server.stop();
    await expect.poll(() => node?.problem()).toMatch(/^The Ethereum node can't be reached: The node/);
    await expect.poll(() => said.length).toBe(1);
    expect(await node.health()).toMatchObject({ isServed: false });
    await expect(node.getClient().upstream.call("eth_gasPrice")).rejects.toMatchObject({ httpStatus: 503 });

    await server.start();
    await expect.poll(() => node?.problem()).toBeUndefined();
    await expect.poll(() => said.at(-1)).toBe("ethereum: the node responds again");
    expect(reports).toEqual([undefined, expect.stringMatching(/can't be reached/), undefined]);
  });
});
