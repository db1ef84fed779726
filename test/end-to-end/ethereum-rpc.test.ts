import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Anvil, prepareAnvil } from "../support/anvil.ts";
import { askGraphql, askRest, waitUntil } from "../support/calls.ts";
import { requireProgram } from "../support/requirement.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";
import { endBy, type Launch, launch } from "./launch.ts";

const { path } = requireProgram("anvil");

/** Not the demo's. */
const chainId = 4242;

const latestBlock =
  "{ block { number hash transactionCount transactions { hash value from { address } to { address } } } }";

describe.skipIf(path === undefined)("a service over an Ethereum node of the user's own", { timeout: 120_000 }, () => {
  let directory: string;
  let anvil: Anvil;
  let service: StartedService | undefined;
  let launched: Launch | undefined;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-anvil-"));
    anvil = await prepareAnvil(path ?? "", chainId);
    await anvil.start();
  });

  afterEach(async () => {
    await service?.stop();
    service = undefined;
    if (launched?.child.exitCode === null) await endBy(launched, "SIGKILL");
    launched = undefined;
    await anvil.stop();
    rmSync(directory, { recursive: true });
  });

  async function serve(): Promise<{ readonly service: StartedService; readonly node: ReadyNode }> {
    service = await startService({
      parameters: ["--ethereum-rpc", anvil.url],
      dataDirectory: join(directory, "data"),
    });
    return { service, node: nodeOf(service, "ethereum") };
  }

  /** Sends a transaction between two of anvil's accounts, and gives its hash when it is in a block. */
  async function pay(value: string): Promise<string> {
    const [from, to] = (await anvil.call("eth_accounts")) as readonly string[];
    const hash = String(await anvil.call("eth_sendTransaction", { from, to, value }));
    await waitUntil("it is mined", async () => (await anvil.call("eth_getTransactionReceipt", hash)) !== null);
    return hash;
  }

  it("responds with that node's chain as it grows", async () => {
    const { service: running, node } = await serve();
    expect(node).toMatchObject({ id: "ethereum", chain: "ethereum" });
    expect(Object.keys(node.interfaces)).toEqual(["graphql"]);
    await waitUntil("it says what it serves", () => running.output().includes(`chain id ${chainId}`));
    expect(await askGraphql(node, "{ chainID }")).toMatchObject({ status: 400 });
    expect(await askGraphql(node, latestBlock)).toMatchObject({ status: 200, data: { block: { number: "0x0" } } });

    const [from, to] = (await anvil.call("eth_accounts")) as readonly string[];
    const hash = await pay("0x2a");

    const head = (await anvil.call("eth_getBlockByNumber", "latest", false)) as { readonly hash: string };
    // The latest block is asked for a few times in a second.
    await waitUntil("the new block is known", async () => (await heightOf(node)) === "0x1");
    expect(await askGraphql(node, latestBlock)).toMatchObject({
      status: 200,
      data: {
        block: {
          number: "0x1",
          hash: head.hash,
          transactionCount: "0x1",
          transactions: [{ hash, value: "0x2a", from: { address: from }, to: { address: to } }],
        },
      },
    });
  });

  it("returns 503 while the node is gone, and works when it is back", async () => {
    const { service: running, node } = await serve();
    await pay("0x1");
    await waitUntil("the new block is known", async () => (await heightOf(node)) === "0x1");

    await anvil.stop();
    await waitUntil("it is missed", async () => (await askGraphql(node, latestBlock)).status !== 200);
    const answer = await askGraphql(node, latestBlock);
    expect(answer).toMatchObject({ errors: [{ extensions: { code: "UPSTREAM_UNAVAILABLE" } }] });
    expect(answer.status).toBe(503);
    expect(JSON.stringify(answer) + running.output()).not.toContain(new URL(anvil.url).host);
    expect((await askRest(nodeOf(running, "bitcoin"), "blocks/tip/height")).text).toBe("14131");

    await anvil.start();
    await pay("0x2");
    await waitUntil("it answers again", async () => (await heightOf(node)) === "0x1");
    expect(await askGraphql(node, latestBlock)).toMatchObject({
      data: { block: { number: "0x1", transactions: [{ value: "0x2" }] } },
    });
  });

  it("waits at its start for a node that is not there yet, says so, and is ready when it comes", async () => {
    await anvil.stop();
    const words = ["start", "--port", "0", "--data", join(directory, "data"), "--ethereum-rpc", anvil.url];

    const waiting = launch(words);
    launched = waiting;

    await waitUntil("it says what it waits for", () =>
      waiting.errors().includes("ethereum: the node of --ethereum-rpc does not respond yet"),
    );
    expect(waiting.output()).toBe("");
    await anvil.start();
    await waitUntil("it is ready", () => waiting.output().includes("Ctrl-C stops."));
    expect(waiting.output()).toContain(`chain id ${chainId}`);
    expect(waiting.output() + waiting.errors()).not.toContain(new URL(anvil.url).host);
  });
});

async function heightOf(node: ReadyNode): Promise<unknown> {
  const { data } = await askGraphql(node, "{ block { number } }");
  return (data as { readonly block?: { readonly number?: unknown } } | undefined)?.block?.number;
}

/** Of the service to one node; further calls wait. */
const mostConnections = 16;
/** On connections of their own: for the head, and for what the node offers. */
const ownCalls = 2;

describe("a service over an Ethereum node that does not answer", { timeout: 60_000 }, () => {
  it("gives up its calls when the callers have gone, and is ready for others", async () => {
    const silent = await startSilentNode();
    const service = await startService({ parameters: ["--ethereum-rpc", silent.url] });
    try {
      const node = nodeOf(service, "ethereum");
      // Sent first: a call that is given up for its own slowness is this one before the others.
      const patient = new AbortController();
      const gone = new AbortController();
      const ask = async (height: number, { signal }: AbortController): Promise<Response> =>
        await fetch(`${node.endpoint}/graphql`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-api-key": node.apikey },
          // Equal ones would share a call.
          body: JSON.stringify({ query: `{ block(number: ${height}) { hash } }` }),
          signal,
        });
      const kept = Promise.allSettled([ask(20, patient)]);
      await waitUntil("the node is asked for the first", () => silent.waiting() === 1);
      const requests = Array.from({ length: 20 }, async (_, height) => await ask(height, gone));
      await waitUntil("the node is asked on all connections", () => silent.waiting() >= mostConnections - ownCalls);

      gone.abort();
      await Promise.allSettled(requests);
      await waitUntil("all calls but that of the client who waits are given up", () => silent.waiting() === 1);

      silent.answerAll();
      expect(await askGraphql(node, "{ gasPrice }")).toMatchObject({ status: 200, data: { gasPrice: "0x1" } });
      expect(service.output()).not.toMatch(/Internal error|Warning/);
      patient.abort();
      await kept;
    } finally {
      await service.stop();
      await silent.close();
    }
  });
});

/** A node that tells its chain id, and answers nothing else until it is told to. */
async function startSilentNode() {
  let isSilent = true;
  let waiting = 0;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const { id, method, params } = JSON.parse(text) as {
      readonly id: unknown;
      readonly method?: string;
      readonly params?: readonly unknown[];
    };
    if (isSilent && method !== "eth_chainId") {
      // The service asks for the head and for what the node offers by itself, whoever has gone.
      if (method !== "eth_getBlockByNumber" || params?.[0] === "latest") return;
      waiting += 1;
      response.once("close", () => {
        waiting -= 1;
      });
      return;
    }
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: "0x1" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Requests for blocks by their heights that wait for an answer, and whose connections are open. */
    waiting: () => waiting,
    answerAll() {
      isSilent = false;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
