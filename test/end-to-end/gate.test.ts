import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReadyNode } from "../support/service.ts";
import { endBy, type Launch, launch, waitForNodes } from "./launch.ts";

describe("the gate of the started service", { timeout: 120_000 }, () => {
  let directory: string;
  let launched: Launch;
  let bitcoin: ReadyNode;
  let ethereum: ReadyNode;
  let origin: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "nodewright-gate-"));
    const readyFile = join(directory, "ready.json");
    launched = launch(["start", "--port", "0", "--data", join(directory, "data"), "--ready-file", readyFile]);
    const nodes = await waitForNodes(launched, readyFile);
    const find = (chain: ReadyNode["chain"]): ReadyNode => {
      const node = nodes.find((candidate) => candidate.chain === chain);
      if (node === undefined) throw new Error(`No ${chain} node`);
      return node;
    };
    bitcoin = find("bitcoin");
    ethereum = find("ethereum");
    origin = new URL(bitcoin.endpoint).origin;
  });

  afterAll(async () => {
    await endBy(launched, "SIGTERM");
    await rm(directory, { recursive: true });
  });

  async function call(body: unknown, url = `${bitcoin.endpoint}/?apikey=${bitcoin.apikey}`) {
    const answer = await fetch(url, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as never };
  }

  it.each([
    ["index REST", "GET", "/indexer/rest/blocks/tip/height", undefined],
    ["JSON-RPC", "POST", "", '{"jsonrpc":"2.0","id":"1","method":"getblockcount","params":[]}'],
    ["JSON-RPC with a slash", "POST", "/", '{"jsonrpc":"2.0","id":"1","method":"getblockcount","params":[]}'],
    ["GraphQL", "POST", "/graphql", '{"query":"{ gasPrice }"}'],
  ])("opens %s to the right key in each form, and to no other", async (name, method, path, body) => {
    const node = name === "GraphQL" ? ethereum : bitcoin;
    const json = { "content-type": "application/json" };
    const request = (query: string, headers: Record<string, string> = {}, endpoint = node.endpoint) =>
      fetch(`${endpoint}${path}${query}`, {
        method,
        headers: { ...json, ...headers },
        ...(body === undefined ? {} : { body }),
      });
    const key = node.apikey;
    const basic = (password: string) => ({ authorization: `Basic ${btoa(`anybody:${password}`)}` });

    for (const answer of [request(`?apikey=${key}`), request("", { "x-api-key": key }), request("", basic(key))]) {
      expect((await answer).status).toBe(200);
    }
    const refused = await Promise.all([
      request(""),
      request("?apikey=wrong"),
      request("", { "x-api-key": "wrong" }),
      request("", basic("wrong")),
      request(`?apikey=${key}`, basic("wrong")),
      request(`?apikey=${key}`, {}, `${origin}/bitcoin-testnet4`),
      request(`?apikey=${key}`, {}, `${origin}/no-such-node`),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 401));
    expect(new Set(await Promise.all(refused.map((answer) => answer.text()))).size).toBe(1);
    expect(refused.every((answer) => answer.headers.get("www-authenticate")?.startsWith("Basic "))).toBe(true);
  });

  it("refuses methods that are off, each member of a batch for itself, and says where to enable them", async () => {
    const { status, body } = await call([
      { id: "a", method: "getblockcount" },
      { id: "b", method: "getmempoolinfo" },
      { id: "c", method: "stop" },
      { id: "d", method: "nosuchmethod" },
    ]);

    expect(status).toBe(200);
    const off = (method: string) => ({
      code: -32601,
      data: { reason: "method-disabled", method, enable: expect.any(String) },
    });
    expect(body).toMatchObject([
      { id: "a", result: 14_131, error: null },
      { id: "b", result: null, error: off("getmempoolinfo") },
      { id: "c", result: null, error: off("stop") },
      { id: "d", result: null, error: { code: -32601, data: { reason: "unknown-method" } } },
    ]);
  });

  it.each(
    [
      "createrawtransaction decoderawtransaction decodescript addnode getaddednodeinfo getchaintips getchaintxstats",
      "getmempoolancestors getmempooldescendants getmempoolentry getmempoolinfo gettxout gettxoutproof gettxoutsetinfo",
      "getmemoryinfo getrpcinfo preciousblock pruneblockchain savemempool scantxoutset verifychain verifytxoutput",
    ].flatMap((line) => line.split(" ")),
  )("has %s off by default", async (method) => {
    expect((await call({ id: 1, method })).body).toMatchObject({
      error: { code: -32601, data: { reason: "method-disabled", method } },
    });
  });

  it("names the methods that are off in help, and leaves them out of discovery", async () => {
    const help = (await call({ id: 1, method: "help" })) as { body: { result: string } };
    const [enabled = "", disabled = ""] = help.body.result.split("== Disabled ==");
    const discovered = (await call({ id: 1, method: "rpc.discover" })) as {
      body: { result: { methods: { name: string }[] } };
    };
    const names = discovered.body.result.methods.map(({ name }) => name);

    expect(enabled).toContain("getblockcount");
    expect(enabled).not.toContain("getmempoolinfo");
    expect(disabled).toMatch(/operator[\s\S]*getmempoolinfo/);
    expect(names).toContain("getblock");
    expect(names).not.toContain("getmempoolinfo");
    expect(names).not.toContain("stop");
  });

  it("bounds batches and bodies, with one error object", async () => {
    const batch = (members: number, method = "getblockcount") =>
      Array.from({ length: members }, (_, id) => ({ id, method }));
    expect((await call(batch(100))).body).toHaveLength(100);

    for (const long of [
      batch(101),
      batch(101, "nothing-of-ours"),
      batch(1_000, "nothing-of-ours"),
      Array(101).fill(5),
    ]) {
      expect(await call(long)).toMatchObject({
        status: 413,
        body: { result: null, error: { code: -32_600, message: "The batch has more than 100 members" }, id: null },
      });
    }
    const large = `"${" ".repeat(1024 * 1024)}"`;
    expect(await call(large)).toMatchObject({ status: 413, body: { error: { code: -32_600 } } });
    expect(await call(large, `${ethereum.endpoint}/graphql?apikey=${ethereum.apikey}`)).toMatchObject({
      status: 413,
      body: { errors: [{ extensions: { code: "BAD_USER_INPUT" } }] },
    });
  });

  it("answers whatever is sent, never with a failure of ours, and never with a key", { timeout: 60_000 }, async () => {
    const key = bitcoin.apikey;
    const piece = fc.oneof(
      fc.constantFrom("bitcoin-mainnet", "ethereum-dev", "indexer", "rest", "graphql", "tx", "blocks", key),
      fc.constantFrom("%", "%zz", "%00", "%2e%2e", "..", "%ff", ";", ":", "apikey", `apikey=${key}`, "\\", "é"),
      fc.stringMatching(/^[!-~]{0,12}$/),
    );
    const path = fc.array(piece, { maxLength: 6 }).map((pieces) => `/${pieces.join("/")}`);
    const query = fc.array(fc.tuple(piece, piece), { maxLength: 3 });
    const target = fc.tuple(path, query, fc.boolean()).map(([start, pairs, withKey]) => {
      const parameters = [...pairs.map(([name, value]) => `${name}=${value}`), ...(withKey ? [`apikey=${key}`] : [])];
      return `${start}?${parameters.join("&")}`;
    });
    const method = fc.constantFrom("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW");
    const header = fc.constantFrom(
      `x-api-key: ${key}`,
      `authorization: Basic ${btoa(`u:${key}`)}`,
      "accept: application/json",
      "content-type: text/plain",
      `referer: http://localhost/?apikey=${key}`,
      "transfer-encoding: chunked",
      "expect: 100-continue",
      `cookie: ${key}`,
    );
    const request = fc.tuple(method, target, fc.uniqueArray(header, { maxLength: 3 }));

    await fc.assert(
      fc.asyncProperty(request, async ([verb, url, headers]) => {
        const head = [`${verb} ${url} HTTP/1.1`, "host: localhost", "connection: close", ...headers].join("\r\n");
        const received = await exchange(`${head}\r\n\r\n0\r\n\r\n`);
        expect(received).toMatch(/^HTTP\/1\.1 (?:[1234]\d\d|501) /);
        expect(received).not.toContain(key);
      }),
      { numRuns: 400 },
    );
    expect(launched.errors()).not.toContain("Internal error");
    expect(launched.errors()).not.toContain(key);
  });

  function exchange(bytes: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let received = "";
      const socket = connect(Number(new URL(origin).port), "127.0.0.1", () => socket.write(bytes, "latin1"));
      socket.setTimeout(10_000, () => socket.destroy(new Error(`No end after ${JSON.stringify(received)}`)));
      socket.on("data", (chunk) => (received += chunk.toString("latin1")));
      socket.on("close", () => resolve(received));
      // What was received before a reset is what counts.
      socket.on("error", () => (received === "" ? reject(new Error("Reset without an answer")) : undefined));
    });
  }
});
