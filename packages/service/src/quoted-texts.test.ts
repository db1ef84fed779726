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
import { type Upstream, UpstreamRpcError } from "@nodewright/upstream";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPublicListener } from "./gate/public-listener.ts";
import { grantedLimits } from "./registry/plan-limits.ts";
import { accessName } from "./registry/registry.ts";
import { createInterfaceRoutes } from "./routes.ts";

const network = networks.regtest;
const directory = mkdtempSync(join(tmpdir(), "nodewright-node-texts-"));
const chain = new RegtestChain();
const first = chain.extend(chain.genesis, Uint8Array.of(0x51));

/** Says where the node is, how it is opened and what it runs, and has no end. */
const talk = `min relay fee not met, see http://user:pass@10.0.0.7:8332/ in /home/alice/.bitcoin/x.dat\n    at foo (/srv/app.js:1:2) ${"x".repeat(5_000_000)}`;
const publicTalk = "min relay fee not met, see (address) in (path)";

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

/** A name of GraphQL as well: no dash. */
const key = `nwk_${"Az09_x".repeat(7)}b`;
const escapedKey = [...key].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("");

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

  const refuse = (code: number) => () => {
    throw new UpstreamRpcError(code, talk);
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
    ["call", refuse(-32_000), () => graphql("{ block(number: 1) { call(data: {}) { data } } }")],
    ["sendRawTransaction", refuse(-32_000), () => graphql(`mutation { sendRawTransaction(data: "${signed}") }`)],
    ["estimateGas", refuse(-32_000), () => graphql("{ pending { estimateGas(data: {}) } }")],
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
    ["a method", () => rpc(key)],
    ["a method in a batch with a block", () => batch({ method: "getblock", params: [hash, 0] }, { method: key })],
    ["a parameter", () => rpc("validateaddress", key)],
    ["a parameter of the wrong type", () => rpc("getblockhash", key)],
    ["a named parameter", () => rpcNamed("getblockcount", { [key]: 1 })],
    ["an unknown path", () => rest(`/${key}`)],
    ["an unknown path, percent-encoded", () => rest(`/${escapedKey}`)],
    ["an unknown path, percent-encoded twice", () => rest(`/${escapedKey.replaceAll("%", "%25")}`)],
    ["an unknown path, percent-encoded in part", () => rest(`/${escapedKey.slice(0, 60)}${key.slice(20)}/tx`)],
    ["a path parameter", () => rest(`/tx/${escapedKey}`)],
    ["a query", () => rest(`/blocks/5?x=${escapedKey}`)],
    ["a transaction", () => rest("/tx", key)],
    ["a transaction of a package", () => rest("/txs/package", [key])],
    ["a field", () => graphql(`{ ${key} }`)],
    ["a value", () => graphql(`{ block(hash: "${key}") { number } }`)],
    ["a variable", () => graphqlWith("query ($hash: Bytes32) { block(hash: $hash) { number } }", { hash: key })],
  ])("does not quote the key that the request gave as %s", async (_name, ask) => {
    node.answer = refuse(-5);
    const { body, headers: received } = await ask();

    for (const spelling of [key, escapedKey, key.slice(8)]) {
      expect(`${JSON.stringify(received)} ${body}`).not.toContain(spelling);
    }
    expect(body).not.toMatch(/%6e|%256e/i);
  });

  it("still quotes what is no key", async () => {
    expect((await rpc("nosuchmethod")).body).toContain("nosuchmethod");
    expect((await rest("/nothing/here%41")).body).toBe('endpoint does not exist "/nothing/here%41"');
    expect((await graphql("{ nothing }")).body).toContain("nothing");
  });
});
