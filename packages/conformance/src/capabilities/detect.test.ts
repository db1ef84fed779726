import { onTestFinished, expect, test } from "vitest";
import { createBudget } from "../client/budget.ts";
import { sendJson, serve } from "../run/testing/serve.ts";
import { httpOperation, httpSuite, integer, rpcMethod, rpcSuite, text } from "../run/testing/suites.ts";
import { createSafety } from "../safety/safety.ts";
import type { ConformanceSuite, GraphqlSuite } from "../suite/suite.ts";
import { readBaseUrl } from "../client/base-url.ts";
import { Sender } from "../client/sender.ts";
import type { TargetFacts } from "../contract/capability-facts.ts";
import { detectCapabilities } from "./detect.ts";

async function detect(suite: ConformanceSuite, respond: (body: string, url: string) => unknown): Promise<TargetFacts> {
  const baseUrl = readBaseUrl(
    await serve(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      sendJson(response, 200, respond(body, request.url ?? ""));
    }),
  );
  if (baseUrl === undefined) throw new Error("the base URL is none");
  const sender = new Sender({
    suite,
    options: { baseUrl: "" },
    baseUrl,
    budget: createBudget({ callsOf: () => 100 }),
  });
  onTestFinished(() => sender.close());
  return (await detectCapabilities(suite, createSafety(suite, {}), sender)).facts;
}

/** Returns a responder for methods; missing ones result in an error. */
function methods(results: Readonly<Record<string, unknown>>, called: string[] = []): (body: string) => unknown {
  return (body) => {
    const { method, id } = JSON.parse(body) as { readonly method: string; readonly id: unknown };
    called.push(method);
    return Object.hasOwn(results, method)
      ? { jsonrpc: "2.0", id, result: results[method] }
      : { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } };
  };
}

const safe = { disabledByDefault: false, nodeControl: false, units: 1, safe: true };

function suiteOf(...names: readonly string[]): ConformanceSuite {
  return rpcSuite(names.map((name) => rpcMethod(name, text, name.startsWith("get") ? {} : { extensions: safe })));
}

test("Bitcoin Core says what it is, and what it has pruned", async () => {
  const facts = await detect(
    suiteOf("getblockhash", "getblockcount", "getblockchaininfo", "getnetworkinfo"),
    methods({
      getnetworkinfo: { version: 290000, subversion: "/Satoshi:29.0.0/" },
      getblockchaininfo: {
        chain: "main",
        blocks: 900_000,
        headers: 900_100,
        initialblockdownload: true,
        pruned: true,
        pruneheight: 890_000,
        time: Math.round(Date.now() / 1_000) - 600,
      },
    }),
  );
  expect(facts).toEqual({
    client: "Satoshi 29.0.0",
    chain: "main",
    height: 900_000,
    isSynchronised: false,
    headLagSeconds: expect.closeTo(600, -1) as number,
    prunedBelow: 890_000,
  });
});

test("btcd is known by its version", async () => {
  const facts = await detect(
    suiteOf("getblockhash", "getblockcount", "getinfo", "version", "getnetworkinfo"),
    methods({
      getblockcount: 20,
      getinfo: { version: 260_200 },
      version: { btcdjsonrpcapi: { versionstring: "1.3.0" } },
    }),
  );
  expect(facts).toEqual({ client: "btcd 0.26.2", height: 20 });
});

test("an execution client says what it is, by methods that only read", async () => {
  const called: string[] = [];
  const results = {
    web3_clientVersion: "Geth/v1.17.8-stable/linux-amd64/go1.25",
    eth_chainId: "0x1",
    eth_syncing: { currentBlock: "0x10", highestBlock: "0x100" },
    eth_getBlockByNumber: { number: "0x10", timestamp: `0x${(Math.round(Date.now() / 1_000) - 30).toString(16)}` },
  };
  const suite = suiteOf("web3_clientVersion", "eth_chainId", "eth_syncing", "eth_getBlockByNumber");
  expect(await detect(suite, methods(results, called))).toEqual({
    client: "Geth/v1.17.8-stable/linux-amd64/go1.25",
    chain: "1",
    height: 16,
    isSynchronised: false,
    headLagSeconds: expect.closeTo(30, -1) as number,
  });
  const chainId = rpcMethod("eth_chainId", text);
  const held = rpcSuite([
    { ...chainId, extensions: { ...chainId.extensions, safe: false } },
    rpcMethod("eth_getBlockByNumber", text),
  ]);
  called.length = 0;
  expect(await detect(held, methods(results, called))).toMatchObject({ height: 16 });
  expect(called).toEqual(["eth_getBlockByNumber"]);
});

test("an execution client says the same over GraphQL", async () => {
  const suite: GraphqlSuite = {
    ...rpcSuite([]),
    protocol: "graphql",
    schema:
      "scalar Bytes32 scalar Long type Block { number: Long! timestamp: Long! } type Query { block(number: Long): Block chainID: Long! syncing: SyncState }",
    scalars: {},
    documents: [],
  };
  const facts = await detect(suite, () => ({
    data: { block: { number: "0x5", timestamp: "0x0" }, chainID: "0x539", syncing: null },
  }));
  expect(facts).toMatchObject({ chain: "1337", height: 5, isSynchronised: true });
  const calls: string[] = [];
  await detect({ ...suite, schema: "type Query { pets: [String] }" }, (body) => calls.push(body));
  expect(calls).toEqual([]);
});

test("a client that has the highest block that it knows is not behind", async () => {
  const syncing = { eth_syncing: { currentBlock: "0x10", highestBlock: "0x10" } };
  expect(await detect(suiteOf("eth_syncing"), methods(syncing))).toEqual({ isSynchronised: true });
});

test("an index says how high it is, another API nothing", async () => {
  const index = httpSuite([httpOperation("getTipHeight", "/blocks/tip/height", integer)]);
  expect(await detect(index, (_body, url) => (url === "/blocks/tip/height" ? 170 : undefined))).toEqual({
    height: 170,
  });
  expect(await detect(httpSuite([httpOperation("getPets", "/pets", integer)]), () => 1)).toEqual({});
});

test("what makes no sense is not said", async () => {
  const responses = methods({ getblockchaininfo: [1], getnetworkinfo: "x", getblockcount: { a: 1 } });
  expect(
    await detect(suiteOf("getblockhash", "getblockcount", "getblockchaininfo", "getnetworkinfo"), responses),
  ).toEqual({});
});
