import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceError } from "@nodewright/runtime";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openEmbeddedRegistry } from "../registry/embedded-registry.ts";
import type { Registry, ServedInterface } from "../registry/registry.ts";
import type { RunningNode } from "./admission.ts";
import { maskKey } from "./mask-key.ts";
import { createPublicListener } from "./public-listener.ts";

const nodes: readonly RunningNode[] = [
  { id: "bitcoin-mainnet", chain: "bitcoin", unavailable: () => undefined },
  { id: "bitcoin-other", chain: "bitcoin", unavailable: () => undefined },
  { id: "ethereum-dev", chain: "ethereum", unavailable: () => undefined },
  {
    id: "bitcoin-new",
    chain: "bitcoin",
    unavailable: () =>
      new ServiceError("installing", "The index is being built: 42 %", {
        details: { percent: 42 },
        retryAfterSeconds: 7,
      }),
  },
];

/** Requests as the routes after the gate saw them: the tests search for keys in them. */
interface Seen {
  readonly url: string;
  readonly headers: string;
  readonly body: unknown;
}

const paths: Readonly<Record<ServedInterface, string>> = {
  rest: "/indexer/rest/echo/abc",
  rpc: "/",
  graphql: "/graphql",
};

describe("the public listener", () => {
  let directory: string;
  let registry: Registry;
  let listener: FastifyInstance;
  let keys: Record<string, string>;
  let seen: Seen[];
  let internalErrors: unknown[];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "nodewright-gate-"));
    registry = await openEmbeddedRegistry(directory);
    await registry.putAccount({ id: "alice", name: "Alice" });
    keys = {};
    for (const { id, chain } of nodes) {
      await registry.putNode({ id, chain, network: "main", kind: "shared" });
      const subscription = await registry.createSubscription({ accountId: "alice", nodeId: id, plan: "default" });
      keys[id] = (await registry.createKey({ subscriptionId: subscription.id, label: "test" })).key;
    }
    seen = [];
    internalErrors = [];
    listener = createListener();
    await listener.ready();
  });

  afterEach(async () => {
    await listener.close();
    await registry.close();
    await rm(directory, { recursive: true });
  });

  function createListener(publicDocs = false): FastifyInstance {
    const watch = (instance: FastifyInstance) =>
      instance.addHook("preHandler", async (request) => {
        seen.push({
          url: `${request.url} ${request.originalUrl} ${request.raw.url} ${JSON.stringify(request.query)}`,
          headers: JSON.stringify([request.headers, request.raw.rawHeaders]),
          body: request.body,
        });
      });
    return createPublicListener<RunningNode>({
      registry,
      publicDocs,
      findNode: (id) => nodes.find((node) => node.id === id),
      status: () => "ok",
      onInternalError: (error) => void internalErrors.push(error),
      routes: {
        bitcoin(instance, admissions) {
          watch(instance);
          instance.get("/indexer/rest/echo/:text", async (request) => ({
            ...(request.params as object),
            query: request.query,
            node: admissions.getAdmitted(request.raw).node.id,
          }));
          instance.get("/indexer/rest/broken", async () => {
            throw new Error("secret of ours");
          });
          instance.setNotFoundHandler((request, reply) => {
            const { key } = admissions.getAdmitted(request.raw);
            return reply.code(404).send(maskKey(`Nothing at ${request.url}`, key));
          });
          instance.post("/", async (request) => ({ received: request.body }));
        },
        ethereum(instance) {
          watch(instance);
          instance.post("/graphql", async () => ({ data: {} }));
        },
      },
    });
  }

  const bitcoinKey = () => keys["bitcoin-mainnet"] ?? "";
  const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

  it.each([
    ["?apikey=", (key: string) => ({ url: `/bitcoin-mainnet/indexer/rest/echo/abc?apikey=${key}` })],
    [
      "an escaped apikey",
      (key: string) => ({ url: `/bitcoin-mainnet/indexer/rest/echo/abc?%61pikey=${escaped(key)}` }),
    ],
    ["apikey among others", (key: string) => ({ url: `/bitcoin-mainnet/indexer/rest/echo/abc?a=1&apikey=${key}&b=2` })],
    [
      "apikey twice, the same",
      (key: string) => ({ url: `/bitcoin-mainnet/indexer/rest/echo/abc?apikey=${key}&apikey=${key}` }),
    ],
    ["X-API-Key", (key: string) => ({ headers: { "X-API-Key": key } })],
    ["a Basic password", (key: string) => ({ headers: { authorization: basic("anybody", key) } })],
    ["a Basic password without user", (key: string) => ({ headers: { authorization: basic("", key) } })],
    [
      "a Basic password in another spelling",
      (key: string) => ({ headers: { authorization: basic("u", key).replace("Basic", "bAsIc") } }),
    ],
    [
      "apikey, beside a Basic user and password that are empty",
      (key: string) => ({
        url: `/bitcoin-mainnet/indexer/rest/echo/abc?apikey=${key}`,
        headers: { authorization: basic("", "") },
      }),
    ],
    [
      "all three, the same",
      (key: string) => ({
        url: `/bitcoin-mainnet/indexer/rest/echo/abc?apikey=${key}`,
        headers: { "x-api-key": key, authorization: basic("u", key) },
      }),
    ],
  ])("takes a key as %s, and lets nothing behind the gate see it", async (_name, form) => {
    const response = await listener.inject({ url: "/bitcoin-mainnet/indexer/rest/echo/abc", ...form(bitcoinKey()) });

    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ text: "abc", node: "bitcoin-mainnet" });
    expect(seen).toHaveLength(1);
    expect(JSON.stringify(seen)).not.toContain(bitcoinKey());
    expect(JSON.stringify(seen)).not.toContain(Buffer.from(`:${bitcoinKey()}`).toString("base64").slice(4, 40));
  });

  it("keeps the rest of the query, in its order", async () => {
    const response = await listener.inject(
      `/bitcoin-mainnet/indexer/rest/echo/abc?z=%20&apikey=${bitcoinKey()}&a=1&a=2`,
    );

    expect(response.json().query).toEqual({ z: " ", a: ["1", "2"] });
  });

  describe.each(["rest", "rpc", "graphql"] as const)("on the %s interface", (servedInterface) => {
    const nodeId = servedInterface === "graphql" ? "ethereum-dev" : "bitcoin-mainnet";
    const method = servedInterface === "rest" ? "GET" : "POST";
    const path = paths[servedInterface];

    it("answers every wrong key, on every node, with the same 401", async () => {
      const own = keys[nodeId] ?? "";
      const subscription = registry.listSubscriptions(nodeId)[0];
      const revoked = await registry.createKey({ subscriptionId: subscription?.id ?? "", label: "revoked" });
      await registry.revokeKey(revoked.record.id);
      const wrong: { readonly url: string; readonly headers?: Record<string, string> }[] = [
        { url: `/${nodeId}${path}` },
        { url: `/${nodeId}${path}?apikey=` },
        { url: `/${nodeId}${path}?apikey` },
        { url: `/${nodeId}${path}?apikey=${own}x` },
        { url: `/${nodeId}${path}?apikey=${own.slice(0, -1)}` },
        { url: `/${nodeId}${path}?apikey=${own.toUpperCase()}` },
        { url: `/${nodeId}${path}?apikey=${"k".repeat(4000)}` },
        { url: `/${nodeId}${path}?apikey=%zz` },
        { url: `/${nodeId}${path}?apikey=${own}%00` },
        { url: `/${nodeId}${path}?apikey=${own}&apikey=other` },
        { url: `/${nodeId}${path}?apikey[]=${own}` },
        { url: `/${nodeId}${path}?apikey=${revoked.key}` },
        { url: `/${nodeId}${path}?apikey=${keys["bitcoin-other"]}` },
        { url: `/nowhere${path}?apikey=${own}` },
        { url: `/${nodeId.toUpperCase()}${path}?apikey=${own}` },
        { url: `/%62itcoin-mainnet${path}?apikey=${own}` },
        { url: `/${nodeId}${path}`, headers: { "x-api-key": "wrong" } },
        { url: `/${nodeId}${path}?apikey=${own}`, headers: { "x-api-key": "wrong" } },
        { url: `/${nodeId}${path}`, headers: { "x-api-key": own, authorization: basic("u", "wrong") } },
        { url: `/${nodeId}${path}?apikey=${own}`, headers: { authorization: basic(own, "") } },
        { url: `/${nodeId}${path}`, headers: { authorization: basic(own, "") } },
        { url: `/${nodeId}${path}`, headers: { authorization: basic("", "") } },
        { url: `/${nodeId}${path}`, headers: { authorization: "Basic" } },
        { url: `/${nodeId}${path}`, headers: { authorization: "Basic ====" } },
        { url: `/${nodeId}${path}`, headers: { authorization: `Bearer ${own}` } },
      ];
      const responses = await Promise.all(wrong.map((request) => listener.inject({ method, ...request })));

      const unique = new Set(
        responses.map(({ statusCode, headers: { date: _date, ...headers }, body }) => {
          return JSON.stringify({ statusCode, headers, body });
        }),
      );
      expect([...unique]).toHaveLength(1);
      const response = responses[0];
      expect(response?.statusCode).toBe(401);
      expect(response?.headers["www-authenticate"]).toMatch(/^Basic realm=/);
      expect(seen).toEqual([]);
      expect(response?.body).toBe(
        {
          rest: "The API key is missing or not valid for this node",
          rpc: '{"jsonrpc":"2.0","result":null,"error":{"code":-32001,"message":"The API key is missing or not valid for this node"},"id":null}',
          graphql:
            '{"errors":[{"message":"The API key is missing or not valid for this node","extensions":{"code":"UNAUTHENTICATED"}}]}',
        }[servedInterface],
      );
    });

    it("refuses a revoked key with the next request", async () => {
      const subscription = registry.listSubscriptions(nodeId)[0];
      const { key, record } = await registry.createKey({ subscriptionId: subscription?.id ?? "", label: "short" });
      const url = `/${nodeId}${path}?apikey=${key}`;
      const call = () => listener.inject(method === "POST" ? { method, url, payload: {} } : { method, url });

      expect((await call()).statusCode).toBe(200);
      await registry.revokeKey(record.id);
      expect((await call()).statusCode).toBe(401);
    });

    it("says that it is being installed, how far, and when to ask again", async () => {
      const url = `/bitcoin-new${path}?apikey=${keys["bitcoin-new"]}`;
      const response = await listener.inject({ method, url });

      expect(response.statusCode).toBe(503);
      expect(response.headers["retry-after"]).toBe("7");
      expect(response.body).toContain("42 %");
    });
  });

  it("puts a change of the plan in force with the next request", async () => {
    const call = (payload: object) =>
      listener.inject({ method: "POST", url: `/bitcoin-mainnet/?apikey=${bitcoinKey()}`, payload });
    expect((await call({ text: "0123456789" })).statusCode).toBe(200);

    await registry.putPlan({ name: "default", limits: { bodyBytes: 12, batchMembers: 1 } });

    const refused = await call({ text: "0123456789" });
    expect(refused.statusCode).toBe(413);
    expect(refused.json()).toEqual({
      jsonrpc: "2.0",
      result: null,
      error: { code: -32600, message: "The request body is larger than 12 bytes" },
      id: null,
    });
    expect((await call({})).statusCode).toBe(200);
  });

  it("answers at the root without key: only its health and a browser's preflight", async () => {
    const health = await listener.inject("/healthz");
    expect([health.body, health.headers["content-type"]]).toEqual(["ok", "text/plain; charset=utf-8"]);
    const preflight = await listener.inject({
      method: "OPTIONS",
      url: "/bitcoin-mainnet/indexer/rest/echo/abc",
      headers: { origin: "https://example.org", "access-control-request-method": "GET" },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers["access-control-allow-origin"]).toBe("*");
    expect((await listener.inject("/")).statusCode).toBe(404);
    expect((await listener.inject({ method: "POST", url: "/", payload: {} })).statusCode).toBe(404);
    expect((await listener.inject("/healthz/x")).statusCode).toBe(401);
    expect((await listener.inject({ method: "OPTIONS", url: "/bitcoin-mainnet/" })).statusCode).toBe(401);
  });

  it("shows GraphiQL to those without key where that is wanted, and nothing of the nodes", async () => {
    expect((await listener.inject("/docs")).statusCode).toBe(401);
    const open = createListener(true);
    const { statusCode, headers, body } = await open.inject("/docs");
    expect([statusCode, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers["content-security-policy"]).toContain("connect-src 'self';");
    expect(body).not.toMatch(/bitcoin-mainnet|ethereum-dev/);
    const asset = `/${/src="(docs[^"]+)"/.exec(body)?.[1]}`;
    expect((await open.inject(`${asset}?apikey=any`)).statusCode).toBe(200);
    for (const url of ["/docs/x", "/docs/assets/none.js", "/docs/assets/..%2f..%2fpackage.json"])
      expect((await open.inject(url)).statusCode).toBe(404);
    expect((await open.inject({ method: "POST", url: "/docs", payload: { a: 1 } })).statusCode).toBe(405);
    for (const url of ["/docsx", "/ethereum-dev/graphql", "/ethereum-dev/docs"])
      expect((await open.inject(url)).statusCode).toBe(401);
    await open.close();
  });

  it("can't be asked for a path that only exists behind the gate", async () => {
    for (const url of ["/bitcoin/", "/bitcoin/indexer/rest/echo/abc", "/ethereum/graphql", "/refused", "/preflight"]) {
      expect((await listener.inject(url)).statusCode).toBe(401);
    }
  });

  it("returns 404 below a node for what is not there, in the shape of the interface", async () => {
    const get = (path: string, accept = "*/*") =>
      listener.inject({ url: `${path}?apikey=${bitcoinKey()}`, headers: { accept } });

    const getFrom = (path: string, accept = "*/*") =>
      listener.inject({ url: `${path}?apikey=${keys["ethereum-dev"]}`, headers: { accept } });
    expect((await get("/bitcoin-mainnet/indexer/rest/nothing")).body).toBe("Nothing at /bitcoin/indexer/rest/nothing");
    expect((await getFrom("/ethereum-dev/nothing")).body).toBe("Not found");
    expect((await getFrom("/ethereum-dev/nothing", "application/json")).json()).toEqual({
      error: { code: "not_found", message: "Not found" },
    });
    expect((await getFrom("/ethereum-dev/")).json()).toMatchObject({ error: { message: "Not found" } });
    expect((await getFrom("/ethereum-dev/graphql")).json()).toMatchObject({
      errors: [{ extensions: { code: "NOT_FOUND" } }],
    });
  });

  it("keeps the text of our own failures to itself, and tells the operator", async () => {
    const response = await listener.inject(`/bitcoin-mainnet/indexer/rest/broken?apikey=${bitcoinKey()}`);

    expect(response.statusCode).toBe(500);
    expect(response.body).toBe("Internal error");
    expect(internalErrors.map(String)).toEqual(["Error: secret of ours"]);
  });

  it("returns 503 when a node of the registry does not run here", async () => {
    await registry.putNode({ id: "bitcoin-far", chain: "bitcoin", network: "main", kind: "shared" });
    const subscription = await registry.createSubscription({
      accountId: "alice",
      nodeId: "bitcoin-far",
      plan: "default",
    });
    const { key } = await registry.createKey({ subscriptionId: subscription.id, label: "far" });

    expect((await listener.inject(`/bitcoin-far/indexer/rest/echo/abc?apikey=${key}`)).statusCode).toBe(503);
  });

  it("refuses everybody when the registry fails, and does not fall", async () => {
    const broken = createPublicListener<RunningNode>({
      registry: {
        findGrant() {
          throw new Error("disk");
        },
      },
      findNode: () => undefined,
      status: () => "ok",
      onInternalError: (error) => void internalErrors.push(error),
      routes: { bitcoin() {}, ethereum() {} },
    });

    const response = await broken.inject(`/bitcoin-mainnet/indexer/rest/echo/abc?apikey=${bitcoinKey()}`);

    expect([response.statusCode, response.body]).toEqual([500, "Internal error"]);
    expect(internalErrors).toHaveLength(1);
    await broken.close();
  });

  describe("on a socket", () => {
    let port: number;

    beforeEach(async () => {
      await listener.listen({ port: 0, host: "127.0.0.1" });
      port = (listener.server.address() as AddressInfo).port;
    });

    /** Sends `bytes` and returns the received text until the other side closes, or until it contains `until`. */
    function exchange(bytes: string | Buffer, until = "\u0000"): Promise<string> {
      return new Promise((resolve, reject) => {
        let received = "";
        const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
        socket.setTimeout(20_000, () => socket.destroy(new Error(`No end after ${JSON.stringify(received)}`)));
        socket.on("data", (chunk) => {
          received += chunk.toString("latin1");
          if (received.includes(until)) socket.destroy();
        });
        socket.on("close", () => resolve(received));
        socket.on("error", reject);
      });
    }

    const hostile = (key: string): Record<string, string> => ({
      "a bad escape in the path": `GET /bitcoin-mainnet/indexer/rest/echo/%zz?apikey=${key} HTTP/1.1`,
      "a bad escape in the first segment": `GET /%zz?apikey=${key} HTTP/1.1`,
      "a bad escape at the end": `GET /bitcoin-mainnet/indexer/rest/echo/%?apikey=${key} HTTP/1.1`,
      "an escape that is no UTF-8": `GET /bitcoin-mainnet/indexer/rest/echo/%ff%fe?apikey=${key} HTTP/1.1`,
      "the key in the path": `GET /bitcoin-mainnet/${key}?apikey=${key} HTTP/1.1`,
      "an unknown path": `GET /bitcoin-mainnet/indexer/rest/none?apikey=${key} HTTP/1.1`,
      "the absolute form": `GET http://localhost/bitcoin-mainnet/none?apikey=${key} HTTP/1.1`,
      "an absolute form without path": `GET http://localhost?apikey=${key} HTTP/1.1`,
      "an asterisk": `OPTIONS * HTTP/1.1\r\nx-api-key: ${key}`,
      "an unknown method": `BREW /bitcoin-mainnet/?apikey=${key} HTTP/1.1`,
      "a method that nothing takes": `PROPFIND /bitcoin-mainnet/?apikey=${key} HTTP/1.1`,
      "a key after a wrong one": `GET /bitcoin-mainnet/none?apikey=wrong&apikey=${key} HTTP/1.1`,
      "a fragment": `GET /bitcoin-mainnet/none?apikey=${key}#apikey=${key} HTTP/1.1`,
      semicolons: `GET /bitcoin-mainnet/none;apikey=${key}?x;apikey=${key} HTTP/1.1`,
      "a key in another spelling": `GET /bitcoin-mainnet/none?APIKEY=${key}&api_key=${key} HTTP/1.1`,
      "a space in the target": `GET /bitcoin-mainnet/ ?apikey=${key} HTTP/1.1`,
      "a control character in the target": `GET /bitcoin-mainnet/\u0001?apikey=${key} HTTP/1.1`,
      "a bad header name": `GET /bitcoin-mainnet/?apikey=${key} HTTP/1.1\r\nbad header: ${key}`,
      "a bad header value": `GET /bitcoin-mainnet/?apikey=${key} HTTP/1.1\r\nx: \u0000${key}`,
      "two lengths": `POST /bitcoin-mainnet/?apikey=${key} HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2`,
      "a length and chunks": `POST /bitcoin-mainnet/?apikey=${key} HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked`,
      "a length that is no number": `POST /bitcoin-mainnet/?apikey=${key} HTTP/1.1\r\ncontent-length: -1`,
      "an unknown media type": `POST /bitcoin-mainnet/?apikey=${key} HTTP/1.1\r\ncontent-type: a/${key}\r\ncontent-length: 0`,
      "headers of 64 KiB": `GET /bitcoin-mainnet/none?apikey=${key} HTTP/1.1\r\nx: ${"x".repeat(65_536)}`,
      "a target of 64 KiB": `GET /bitcoin-mainnet/none?apikey=${key}&x=${"x".repeat(65_536)} HTTP/1.1`,
      "a path of 8 KiB": `GET /bitcoin-mainnet/indexer/rest/echo/${"%41".repeat(2_700)}/x?apikey=${key} HTTP/1.1`,
      "a version of its own": `GET /bitcoin-mainnet/none?apikey=${key} HTTP/9.9`,
      "no HTTP at all": `apikey=${key}`,
    });

    it.each(Object.keys(hostile("")))("echoes no key: %s", async (name) => {
      const head = hostile(bitcoinKey())[name] ?? "";
      const received = await exchange(
        `${head}\r\nhost: localhost\r\nreferer: http://x/?apikey=${bitcoinKey()}\r\nconnection: close\r\n\r\n`,
      );

      expect(received).toMatch(/^HTTP\/1\.1 [2345]\d\d /);
      expect(received).not.toMatch(/^HTTP\/1\.1 5/);
      expect(received).not.toContain(bitcoinKey());
      expect(received).not.toContain(bitcoinKey().slice(0, 12));
      expect(JSON.stringify(internalErrors)).not.toContain(bitcoinKey());
    });

    it("answers a wrong key before the body has come", async () => {
      const head = `POST /bitcoin-mainnet/?apikey=wrong HTTP/1.1\r\nhost: localhost\r\n`;

      const received = await exchange(`${head}content-type: application/json\r\ncontent-length: 1000000000\r\n\r\n[`);

      expect(received).toMatch(/^HTTP\/1\.1 401 /);
      expect(received).toMatch(/connection: close/i);
    });

    it("ends a request whose body does not come, with a status", async () => {
      // Node takes the shorter of the two for the headers.
      listener.server.headersTimeout = 100;
      listener.server.requestTimeout = 200;
      const head = `POST /bitcoin-mainnet/?apikey=${bitcoinKey()} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;

      const framings = ["content-length: 1000\r\n\r\n[", "transfer-encoding: chunked\r\n\r\n1\r\n[\r\n"];
      const responses = await Promise.all(framings.map((framing) => exchange(head + framing)));

      for (const received of responses) expect(received).toMatch(/^HTTP\/1\.1 408 /);
    });

    it("answers a wrong key before the end of a chunked body, however slow", async () => {
      const head = `POST /ethereum-dev/graphql?apikey=wrong HTTP/1.1\r\nhost: localhost\r\n`;

      const received = await exchange(`${head}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`);

      expect(received).toMatch(/^HTTP\/1\.1 401 /);
    });

    it("lets a caller that sends a complete large body first read why it was refused", async () => {
      const body = "x".repeat(4 * 1024 * 1024);

      const response = await fetch(`http://127.0.0.1:${port}/bitcoin-mainnet/?apikey=wrong`, { method: "POST", body });

      expect(response.status).toBe(401);
    });

    it("goes on using the connection after it refused a small body", async () => {
      const request = (key: string, connection: string) =>
        `POST /bitcoin-mainnet/?apikey=${key} HTTP/1.1\r\nhost: localhost\r\nconnection: ${connection}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`;

      const received = await exchange(request("wrong", "keep-alive") + request(bitcoinKey(), "close"));

      expect(received).toMatch(/^HTTP\/1\.1 401 [\s\S]*HTTP\/1\.1 200 /);
    });

    it("refuses a body over the limit by its length, and a chunked one when it gets there", async () => {
      await registry.putPlan({ name: "default", limits: { bodyBytes: 1000, batchMembers: 1 } });
      const head = `POST /bitcoin-mainnet/?apikey=${bitcoinKey()} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;
      const tooLarge =
        '{"jsonrpc":"2.0","result":null,"error":{"code":-32600,"message":"The request body is larger than 1000 bytes"},"id":null}';

      const byLength = await exchange(`${head}content-length: 100000000\r\n\r\n`);
      const chunk = `200\r\n${" ".repeat(0x200)}\r\n`;
      const chunked = await exchange(`${head}transfer-encoding: chunked\r\n\r\n${chunk}${chunk}`, tooLarge);

      expect(byLength).toMatch(/^HTTP\/1\.1 413 /);
      expect(byLength).toContain(tooLarge);
      expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
      expect(chunked).toContain(tooLarge);
    });

    it("sees two keys in two headers of one name", async () => {
      const twice = (name: string, one: string, two: string) =>
        exchange(
          `GET /bitcoin-mainnet/indexer/rest/echo/abc HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${name}: ${one}\r\n${name}: ${two}\r\n\r\n`,
        );
      const key = bitcoinKey();

      expect(await twice("x-api-key", key, key)).toMatch(/^HTTP\/1\.1 200 /);
      expect(await twice("x-api-key", key, "wrong")).toMatch(/^HTTP\/1\.1 401 /);
      expect(await twice("authorization", basic("a", key), basic("b", key))).toMatch(/^HTTP\/1\.1 200 /);
      expect(await twice("authorization", basic("a", key), basic("a", "wrong"))).toMatch(/^HTTP\/1\.1 401 /);
    });
  });
});

function escaped(text: string): string {
  return [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("");
}
