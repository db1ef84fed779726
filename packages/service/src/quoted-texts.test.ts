import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ChainIndexReader,
  createArraySource,
  openChainIndex,
  openEmbeddedStore,
  runIndexer,
} from "@nodewright/bitcoin-indexer";
import { RegtestChain } from "@nodewright/bitcoin-indexer/testing";
import { displayHash, networks, parseTransaction, serializeTransaction, toHex } from "@nodewright/bitcoin-primitives";
import { createEthereumNode } from "@nodewright/ethereum-graphql";
import { createHttpUpstream, type Upstream, UpstreamRpcError } from "@nodewright/upstream";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPublicListener } from "./gate/public-listener.ts";
import { grantedLimits } from "./registry/plan-limits.ts";
import { accessName } from "./registry/registry.ts";
import { createInterfaceRoutes } from "./routes.ts";

const network = networks.regtest;
const directory = mkdtempSync(join(tmpdir(), "nodewright-node-texts-"));
const chain = new RegtestChain();
const first = chain.extend(chain.genesis, Uint8Array.of(0x51));

/** Endless message that reveals where the node is, its credentials and its software. */
const talk = `min relay fee not met, see http://user:pass@10.0.0.7:8332/ in /home/alice/.bitcoin/x.dat\n    at foo (/srv/app.js:1:2) ${"x".repeat(5_000_000)}`;
const publicTalk = "min relay fee not met, see (address) in (path)";

/** URL with a node's credentials, in words that only a reader who knows them recognizes. */
const nodeUrl = "http://carol:t0pS3cret@127.0.0.1:1/v3/PROJECTKEY0123456789abcdef";
const nodeBasic = Buffer.from("carol:t0pS3cret").toString("base64");
const indiscretion = `min fee not met: PROJECTKEY0123456789abcdef of carol:t0pS3cret, t0pS3cret, ${nodeBasic}`;
const publicIndiscretion = "min fee not met: (credentials) of (credentials), (credentials), (credentials)";

const transaction = parseTransaction(
  serializeTransaction({
    version: 2,
    inputs: first.coins.slice(-1).map(({ outpoint }) => ({
      previousOutput: outpoint,
      scriptSig: new Uint8Array(0),
      sequence: 0xfffffffd,
      witness: [],
    })),
    outputs: [{ value: 4_999_990_000n, scriptPubKey: Uint8Array.of(0x51) }],
    locktime: 0,
  }),
);
const hex = toHex(transaction.bytes);
const hash = displayHash(first.hash);
const txid = displayHash(transaction.txid);

/** Key that is also a name of GraphQL: no dash. */
const key = `nwk_${"Az09_x".repeat(7)}b`;
const basicKey = Buffer.from(`carol:${key}`).toString("base64");
const escapedKey = [...key].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("");

const zeros = "0".repeat(64);

/** The genesis block of Ethereum's main chain, without its state. */
const ethereumBlock = {
  number: "0x0",
  hash: "0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3",
  parentHash: `0x${zeros}`,
  sha3Uncles: "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
  miner: `0x${"0".repeat(40)}`,
  stateRoot: "0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544",
  transactionsRoot: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
  receiptsRoot: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
  logsBloom: `0x${"0".repeat(512)}`,
  difficulty: "0x400000000",
  gasLimit: "0x1388",
  gasUsed: "0x0",
  timestamp: "0x0",
  extraData: "0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa",
  mixHash: `0x${zeros}`,
  nonce: "0x0000000000000042",
  size: "0x21c",
  totalDifficulty: "0x400000000",
  uncles: [],
  transactions: [],
};

/** The example of EIP-155. */
const signed =
  "0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83";

const node = {
  answer: (_method: string): unknown => {
    throw new Error("The node is not called");
  },
};

const upstream: Upstream = {
  async call(method) {
    if (method === "getnetworkinfo") return { version: 310_000, subversion: "/Satoshi:31.0.0/", warnings: [talk] };
    if (method === "version") throw new UpstreamRpcError(-32_601, "Method not found");
    return node.answer(method);
  },
  async batch(calls) {
    return Promise.all(
      calls.map(async ({ method }) => {
        try {
          return { ok: true as const, result: await upstream.call(method) };
        } catch (error) {
          return { ok: false as const, error: error as UpstreamRpcError };
        }
      }),
    );
  },
  totals: () => ({ bytesSent: 0, bytesReceived: 0, methodCalls: 0 }),
  close: async () => undefined,
};

describe("a response", () => {
  let index: ChainIndexReader;
  let listener: FastifyInstance;

  beforeAll(async () => {
    const store = await openEmbeddedStore(directory, network);
    const source = createArraySource(network, [chain.genesis.bytes, first.bytes]);
    await runIndexer({ store, source });
    await store.close();
    index = openChainIndex(directory, { network });
    const onInternalError = (error: unknown): void => {
      throw error;
    };
    const client = createEthereumNode(upstream);
    const enabled = [
      "getblocktemplate",
      "submitblock",
      "testmempoolaccept",
      "getnetworkinfo",
      "submitpackage",
      "analyzepsbt",
    ];
    listener = createPublicListener({
      registry: {
        findGrant: (id) => ({
          keyId: "key",
          subscriptionId: "subscription",
          node: { id, chain: id.startsWith("bitcoin") ? "bitcoin" : "ethereum", network: "dev", kind: "owned" },
          access: new Map(enabled.map((method) => [accessName("rpc", method), "on"])),
          limits: grantedLimits({ bodyBytes: 10_000, batchMembers: 10 }),
        }),
      },
      findNode: (id) =>
        id === "bitcoin-regtest"
          ? {
              id,
              chain: "bitcoin" as const,
              network,
              queries: index,
              optional: index.optional,
              upstream,
              offersBlockTemplates: true,
              unavailable: () => undefined,
            }
          : { id, chain: "ethereum" as const, getClient: () => client, unavailable: () => undefined },
      status: () => "ok",
      onInternalError,
      routes: createInterfaceRoutes({ identity: { version: 310_000, protocolVersion: 70_016 }, onInternalError }),
    });
    await listener.ready();
  });

  afterAll(async () => {
    await listener?.close();
    await index?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const headers = { "x-api-key": key };

  beforeEach(() => {
    headers["x-api-key"] = key;
  });

  const rest = (path: string, payload?: unknown) =>
    listener.inject({
      method: payload === undefined ? "GET" : "POST",
      url: `/bitcoin-regtest/indexer/rest${path}`,
      headers,
      ...(payload === undefined ? {} : { payload: payload as object }),
    });
  const rpc = (method: string, ...params: readonly unknown[]) =>
    listener.inject({ method: "POST", url: "/bitcoin-regtest/", headers, payload: { id: 1, method, params } });
  const batch = (...payload: readonly object[]) =>
    listener.inject({ method: "POST", url: "/bitcoin-regtest/", headers, payload });
  const rpcNamed = (method: string, params: object) =>
    listener.inject({ method: "POST", url: "/bitcoin-regtest/", headers, payload: { id: 1, method, params } });
  const graphqlWith = (query: string, variables: object) =>
    listener.inject({ method: "POST", url: "/ethereum-dev/graphql", headers, payload: { query, variables } });
  const graphql = (query: string) => graphqlWith(query, {});
  const graphqlEvent = (query: string) =>
    listener.inject({
      method: "POST",
      url: "/ethereum-dev/graphql",
      headers: { ...headers, accept: "text/event-stream" },
      payload: { query },
    });

  const refuseWith = (code: number, message: string) => () => {
    throw new UpstreamRpcError(code, message);
  };
  const refuse = (code: number) => refuseWith(code, talk);
  const refuseStateReads = (message: string) => (method: string) => {
    if (method.startsWith("eth_getBlockBy")) return ethereumBlock;
    throw new UpstreamRpcError(-32_000, message);
  };

  it.each([
    ["POST /tx", refuse(-26), () => rest("/tx", hex)],
    ["GET /broadcast", refuse(-26), () => rest(`/broadcast?tx=${hex}`)],
    ["POST /txs/package, refused", refuse(-26), () => rest("/txs/package", [hex])],
    [
      "POST /txs/package, of a package",
      () => ({ package_msg: talk, "tx-results": {}, debug: talk }),
      () => rest("/txs/package", [hex]),
    ],
    [
      "POST /txs/package, of a transaction",
      () => ({ package_msg: "no", "tx-results": { ["ab".repeat(32)]: { txid, error: talk, debug: talk } } }),
      () => rest("/txs/package", [hex]),
    ],
    ["POST /txs/test, refused", refuse(-25), () => rest("/txs/test", [hex])],
    [
      "POST /txs/test",
      () => [{ txid, allowed: false, "reject-reason": talk, "reject-details": talk, "package-error": talk }],
      () => rest("/txs/test", [hex]),
    ],
    ["GET /block-template", refuse(-10), () => rest("/block-template")],
    ["sendrawtransaction", refuse(-26), () => rpc("sendrawtransaction", hex)],
    [
      "testmempoolaccept",
      () => [{ txid, allowed: false, "reject-reason": talk }],
      () => rpc("testmempoolaccept", [hex]),
    ],
    [
      "submitpackage",
      () => ({ package_msg: talk, "tx-results": { ["ab".repeat(32)]: { txid, error: talk } } }),
      () => rpc("submitpackage", [hex]),
    ],
    ["analyzepsbt", () => ({ next: "creator", error: talk }), () => rpc("analyzepsbt", "cHNidP8=")],
    ["submitblock", () => talk, () => rpc("submitblock", toHex(first.bytes))],
    ["getnetworkinfo", () => undefined, () => rpc("getnetworkinfo")],
    ["call", refuseStateReads(talk), () => graphql("{ block(number: 0) { call(data: {}) { data } } }")],
    ["sendRawTransaction", refuse(-32_000), () => graphql(`mutation { sendRawTransaction(data: "${signed}") }`)],
    ["estimateGas", refuseStateReads(talk), () => graphql("{ pending { estimateGas(data: {}) } }")],
  ])(
    "holds what a node says without places, credentials and frames, and not at length: %s",
    async (name, answer, ask) => {
      node.answer = answer;
      const { body, statusCode } = await ask();

      expect(body, `${name} ${statusCode}`).toContain(publicTalk);
      expect(body).not.toMatch(/user|pass|10\.0\.0\.7|alice|at foo|app\.js|debug|xxx/);
      expect(body.length).toBeLessThan(2_000);
    },
  );

  it.each([
    ["POST /tx", refuseWith(-26, indiscretion), () => rest("/tx", hex)],
    [
      "POST /txs/package",
      () => ({
        package_msg: indiscretion,
        "tx-results": { ["ab".repeat(32)]: { txid, error: indiscretion } },
      }),
      () => rest("/txs/package", [hex]),
    ],
    [
      "submitpackage",
      () => ({ package_msg: indiscretion, "tx-results": { ["ab".repeat(32)]: { txid, error: indiscretion } } }),
      () => rpc("submitpackage", [hex]),
    ],
    ["sendrawtransaction", refuseWith(-26, indiscretion), () => rpc("sendrawtransaction", hex)],
    ["call", refuseStateReads(indiscretion), () => graphql("{ block(number: 0) { call(data: {}) { data } } }")],
    [
      "sendRawTransaction",
      refuseWith(-32_000, indiscretion),
      () => graphql(`mutation { sendRawTransaction(data: "${signed}") }`),
    ],
    ["estimateGas", refuseStateReads(indiscretion), () => graphql("{ pending { estimateGas(data: {}) } }")],
  ])("does not hold what opens a node of this process: %s", async (_name, answer, ask) => {
    await createHttpUpstream({ url: nodeUrl }).close();
    node.answer = answer;
    const { body } = await ask();

    expect(body).toContain(publicIndiscretion);
    expect(body).not.toMatch(/PROJECT|carol|t0pS|Y2Fyb2/);
  });

  it.each([
    ["a method", () => rpc(key)],
    ["a method in a batch with a block", () => batch({ method: "getblock", params: [hash, 0] }, { method: key })],
    [
      "a method in a batch with responses so long that they are streamed",
      () => batch({ method: key }, ...Array.from({ length: 6 }, () => ({ method: "rpc.discover" })), { method: key }),
    ],
    ["a command", () => rpc("help", key)],
    ["a parameter", () => rpc("validateaddress", key)],
    ["a parameter of the wrong type", () => rpc("getblockhash", key)],
    ["a named parameter", () => rpcNamed("getblockcount", { [key]: 1 })],
    ["an unknown path", () => rest(`/${key}`)],
    ["an unknown path, percent-encoded", () => rest(`/${escapedKey}`)],
    ["an unknown path, percent-encoded twice", () => rest(`/${escapedKey.replaceAll("%", "%25")}`)],
    ["an unknown path, percent-encoded in part", () => rest(`/${escapedKey.slice(0, 60)}${key.slice(20)}/tx`)],
    ["an unknown path, in Basic credentials", () => rest(`/x/${basicKey}`)],
    ["an unknown path, in Basic credentials percent-encoded", () => rest(`/x/${encodeURIComponent(basicKey)}`)],
    ["a command, in Basic credentials", () => rpc("help", `Basic ${basicKey}`)],
    ["a field, in Basic credentials", () => graphql(`{ ${basicKey.replace(/=+$/, "")} }`)],
    ["a path outside of the interfaces", () => listener.inject({ url: `/bitcoin-regtest/${key}`, headers })],
    ["a path parameter", () => rest(`/tx/${escapedKey}`)],
    ["a query", () => rest(`/blocks/5?x=${escapedKey}`)],
    ["a transaction", () => rest("/tx", key)],
    ["a transaction of a package", () => rest("/txs/package", [key])],
    ["a field", () => graphql(`{ ${key} }`)],
    ["a value", () => graphql(`{ block(hash: "${key}") { number } }`)],
    ["a variable", () => graphqlWith("query ($hash: Bytes32) { block(hash: $hash) { number } }", { hash: key })],
    ["a field, of a result sent as an event", () => graphqlEvent(`{ ${key} }`)],
    ["the name of an argument", () => graphql(`{ block(${key}: 1) { number } }`)],
  ])("does not quote the key that the request gave as %s", async (_name, ask) => {
    node.answer = refuse(-5);
    const { body, headers: received } = await ask();

    // Compared as booleans: a failure would print a megabyte.
    for (const spelling of [key, escapedKey, key.slice(8), "%6e", "%256e", basicKey.slice(12, 30)]) {
      expect([spelling, `${JSON.stringify(received)} ${body}`.includes(spelling)]).toEqual([spelling, false]);
    }
  });

  it.each(["getblockcount", "nothing"])("has the id of a request as it was sent: %s", async (method) => {
    const payload = { id: key, method };
    const response = await listener.inject({ method: "POST", url: "/bitcoin-regtest/", headers, payload });

    expect(response.json().id).toBe(key);
  });

  it("has the names that the request gave to fields, also in the paths of errors", async () => {
    node.answer = refuse(-32_000);

    expect((await graphql(`{ ${key}: __typename }`)).json()).toEqual({ data: { [key]: "Query" } });
    expect((await graphql(`{ ${key}: gasPrice }`)).json().errors[0].path).toEqual([key]);
  });

  it.each([
    ["the work of a chain", () => rpc("getblockheader", hash), `"chainwork":"${"0".repeat(63)}4"`],
    ["a script hash in a path", () => rest(`/scripthash/${zeros}`), `"scripthash":"${zeros}"`],
    ["a hash in a path that is not found", () => rest(`/tx/${zeros}`), "Transaction not found"],
    ["a quantity", () => graphql("{ gasPrice }"), `"gasPrice":"0x1${"0".repeat(16)}"`],
    ["the Bloom filter of a block", () => graphql("{ block(number: 0) { logsBloom } }"), ethereumBlock.logsBloom],
    ["data of an error", () => graphql("{ pending { estimateGas(data: {}) } }"), `"data":"0x${zeros}"`],
  ])("has data as it is, where the key is a part of it: %s", async (_name, ask, expected) => {
    headers["x-api-key"] = "0".repeat(16);
    node.answer = (method) => {
      if (method === "eth_gasPrice") return `0x1${"0".repeat(16)}`;
      if (method.startsWith("eth_getBlock")) return ethereumBlock;
      throw new UpstreamRpcError(3, "execution reverted", `0x${zeros}`);
    };
    const { body } = await ask();

    expect(body).toContain(expected);
  });

  it("still quotes what is no key", async () => {
    expect((await rpc("help", "nosuchmethod")).json().result).toBe("help: unknown command: nosuchmethod");
    expect((await rest("/nothing/here%41")).body).toBe('endpoint does not exist "/nothing/here%41"');
    expect((await graphql("{ nothing }")).body).toContain("nothing");
  });
});
