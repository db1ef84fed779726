import { inspect } from "node:util";
import fastify from "fastify";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createInjectTransport } from "../node/inject-transport.ts";
import { createRestPlugin } from "../node/rest-plugin.ts";
import { createRpcPlugin } from "../node/rpc-plugin.ts";
import type { GraphqlDocumentFacts, RpcOperation } from "../operations/operation.ts";
import { ServiceError } from "../errors/service-error.ts";
import { type Responder, listen as listenOnce, type TestServer } from "../testing/listen.ts";
import { recordFacts, restOperations, rpcOperations } from "../testing/hand-made-operations.ts";
import {
  type ApiError,
  type GraphqlError,
  isApiError,
  isGraphqlError,
  isInvalidResponseError,
  isRpcError,
  isTimeoutError,
  isTransportError,
} from "./client-errors.ts";
import type { ClientOptions } from "./client-options.ts";
import { createGraphqlClient } from "./graphql-client.ts";
import { createHttpClient } from "./http-client.ts";
import { createRpcClient } from "./rpc-client.ts";

const keyNames = { query: "apikey", header: "X-API-Key" };
const key = "nw_s3cr3t/+ key";
const txid = "ab".repeat(32);

const servers: TestServer[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const server of servers.splice(0)) await server.close();
});

async function listen(answer: Responder): Promise<TestServer> {
  const server = await listenOnce(answer);
  servers.push(server);
  return server;
}

const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Responder => {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof value === "string" ? value : JSON.stringify(value));
  };
};

const rest = (baseUrl: string, changes: Partial<ClientOptions> = {}) =>
  createHttpClient({ baseUrl, apiKey: key, retryDelayMilliseconds: 1, ...changes }, keyNames);
const rpc = (baseUrl: string, changes: Partial<ClientOptions> = {}) =>
  createRpcClient({ baseUrl, apiKey: key, retryDelayMilliseconds: 1, ...changes }, keyNames);
const graphql = (baseUrl: string, changes: Partial<ClientOptions> = {}) =>
  createGraphqlClient({ baseUrl, apiKey: key, retryDelayMilliseconds: 1, ...changes }, keyNames);

const document: GraphqlDocumentFacts = {
  kind: "graphql-document",
  name: "latestBlock",
  root: "query",
  text: "query latestBlock { block { number } }",
  input: recordFacts(),
  output: recordFacts(["block", (value) => typeof value === "object", true]),
};

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable("the call should have failed"),
    (error: unknown) => error,
  );
}

describe("numbers of a response", () => {
  const answer = '{"data":{"n":9007199254740993}}';

  it("are doubles where nothing decodes them, as the types say", async () => {
    const { url } = await listen(json(answer));
    expect(await graphql(url).call(document, {}, undefined)).toEqual({ n: 9007199254740992 });
    const { url: node } = await listen(json('{"id":"1","result":9007199254740993}'));
    expect(await rpc(node).call(rpcOperations.missing, undefined, undefined)).toBe(9007199254740992);
  });

  it("reach a decoder whole", async () => {
    const { url } = await listen(json(answer));
    const output = { ...document.output, decode: (wire: unknown) => wire };
    expect(await graphql(url).call({ ...document, output }, {}, undefined)).toEqual({ n: 9007199254740993n });
  });
});

describe("a REST client", () => {
  it("gets what a server plugin answers, through a socket and in the same process", async () => {
    const app = fastify();
    const handlers = {
      getTransaction: ({ txid: id }: { txid: string }) => ({ headers: { cacheControl: "x" }, body: { txid: id } }),
      getHeight: () => 14_131,
      getRaw: () => new Uint8Array([1, 2, 3]),
      broadcast: ({ body }: { body: string }) => body,
      createNote: () => undefined,
      getBalance: () => 12_345_678_901_234n,
      getOutspend: (input: unknown) => input,
    };
    await app.register(createRestPlugin(restOperations, handlers, { context: () => undefined }), { prefix: "/node" });
    const address = await app.listen({ host: "127.0.0.1", port: 0 });
    for (const client of [
      rest(`${address}/node`),
      rest("http://any/node", { transport: createInjectTransport(app) }),
    ]) {
      const call = (name: keyof typeof restOperations, input?: unknown) =>
        client.call(restOperations[name], input, undefined);
      expect(await call("getTransaction", { txid })).toEqual({ txid });
      expect(await call("getHeight")).toBe(14_131);
      expect([...((await call("getRaw")) as Uint8Array)]).toEqual([1, 2, 3]);
      expect(await call("broadcast", { body: "0200" })).toBe("0200");
      expect(await call("createNote", { body: { a: 1 } })).toBeUndefined();
      expect(await call("getBalance")).toBe(12_345_678_901_234n);
      const input = { id: txid, vout: 1, include: ["a", "b c"], pretty: true, trace: "t", session: "s" };
      expect(await call("getOutspend", input)).toEqual(input);
      const error = await failureOf(call("getTransaction", { txid: "zz" }));
      expect(isApiError(error) && [error.status, error.failure, error.body]).toEqual([
        400,
        "Unexpected",
        "Invalid hex string",
      ]);
    }
    await app.close();
  });

  it("sends the key in the query, or in a header when asked to", async () => {
    const { url, requests } = await listen(json("1"));
    await rest(url).call(restOperations.getBalance, undefined, undefined);
    await rest(url, { apiKeyLocation: "header" }).call(restOperations.getBalance, undefined, undefined);
    expect(requests.map((request) => request.url)).toEqual([
      `/node/balance?apikey=${encodeURIComponent(key)}`,
      "/node/balance",
    ]);
    expect(requests.map((request) => request.headers["x-api-key"])).toEqual([undefined, key]);
  });

  it("names the declared failure and how long to wait", async () => {
    const { url } = await listen(json("no such transaction", 404, { "retry-after": "7" }));
    const error = (await failureOf(rest(url).call(restOperations.getTransaction, { txid }, undefined))) as ApiError;
    expect([error.name, error.status, error.failure, error.body, error.retryAfterSeconds]).toEqual([
      "ApiError",
      404,
      "NotFound",
      "no such transaction",
      7,
    ]);
  });

  it("keeps no more of a failure than it may", async () => {
    const { url } = await listen(json("x".repeat(1_000_000), 500));
    const error = (await failureOf(rest(url).call(restOperations.getHeight, undefined, undefined))) as ApiError;
    expect([error.body.length, error.message.length < 400]).toEqual([4096, true]);
  });

  it("tries again what is idempotent and was refused for a while, after the time that it was told", async () => {
    let count = 0;
    const { url, requests } = await listen((request, response, body) => {
      count += 1;
      const answer = count < 3 ? json("busy", count === 1 ? 503 : 429, { "retry-after": "0" }) : json("1");
      answer(request, response, body);
    });
    expect(await rest(url).call(restOperations.getBalance, undefined, undefined)).toBe(100_000_000n);
    expect(requests).toHaveLength(3);
  });

  it("tries again when a connection breaks", async () => {
    let count = 0;
    const { url } = await listen((request, response, body) => {
      count += 1;
      if (count === 1) request.socket.destroy();
      else json("1")(request, response, body);
    });
    expect(await rest(url).call(restOperations.getBalance, undefined, undefined)).toBe(100_000_000n);
  });

  it("tries nothing again that is not idempotent, is not temporary, or would take too long", async () => {
    const { url, requests } = await listen((request, response, body) => {
      const status = request.url?.startsWith("/node/height") ? 500 : 503;
      json("no", status, { "retry-after": "3600" })(request, response, body);
    });
    await failureOf(rest(url).call(restOperations.broadcast, { body: "00" }, undefined));
    await failureOf(rest(url).call(restOperations.getHeight, undefined, undefined));
    await failureOf(rest(url).call(restOperations.getBalance, undefined, undefined));
    expect(requests).toHaveLength(3);
  });

  it("gives up when time is up, and when its caller does", async () => {
    const { url } = await listen(() => undefined);
    const late = await failureOf(rest(url).call(restOperations.getHeight, undefined, { timeoutMilliseconds: 30 }));
    expect(isTimeoutError(late) && late.timeoutMilliseconds).toBe(30);
    const controller = new AbortController();
    const reason = new Error("enough");
    setTimeout(() => controller.abort(reason), 10);
    const aborted = await failureOf(rest(url).call(restOperations.getHeight, undefined, { signal: controller.signal }));
    expect(aborted).toBe(reason);
    expect(await failureOf(rest(url).call(restOperations.getHeight, undefined, { signal: controller.signal }))).toBe(
      reason,
    );
  });

  it("leaves no timer behind once it has its response", async () => {
    const { url } = await listen(json("busy", 503));
    const clear = vi.spyOn(globalThis, "clearTimeout");
    const set = vi.spyOn(globalThis, "setTimeout");
    await failureOf(rest(url, { retries: 0 }).call(restOperations.getHeight, undefined, { timeoutMilliseconds: 4321 }));
    const timers = set.mock.results.flatMap(({ value }, index) => (set.mock.calls[index]?.[1] === 4321 ? [value] : []));
    expect(timers).toHaveLength(1);
    for (const timer of timers) expect(clear.mock.calls).toContainEqual([timer]);
  });

  it("says by which code a connection failed", async () => {
    const { url, close } = await listenOnce(() => undefined);
    await close();
    const error = await failureOf(rest(url, { retries: 0 }).call(restOperations.getHeight, undefined, undefined));
    expect(isTransportError(error) && error.code).toBe("ECONNREFUSED");
  });

  it("gives up a wait between attempts when its caller does", async () => {
    const { url } = await listen(json("busy", 503, { "retry-after": "20" }));
    const controller = new AbortController();
    const call = rest(url).call(restOperations.getHeight, undefined, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    expect(await failureOf(call)).toMatchObject({ name: "AbortError" });
  });

  it("says when a response is not what the document says", async () => {
    const call = async (answer: Responder, changes: Partial<ClientOptions> = {}) => {
      const { url } = await listen(answer);
      return failureOf(rest(url, changes).call(restOperations.getTransaction, { txid }, undefined));
    };
    expect(isInvalidResponseError(await call(json("<html>")))).toBe(true);
    expect(isInvalidResponseError(await call(json({}, 204)))).toBe(true);
    const wrong = await call(json({ txid: 5 }), { validateResponses: true });
    expect(isInvalidResponseError(wrong) && wrong.violations.map(({ pointer }) => pointer)).toEqual(["/txid"]);
    const { url } = await listen(json("0.000000001"));
    expect(
      isInvalidResponseError(await failureOf(rest(url).call(restOperations.getBalance, undefined, undefined))),
    ).toBe(true);
  });

  it("follows no redirection, which would carry the key away", async () => {
    const other = await listen(json("1"));
    const { url } = await listen(json("", 302, { location: `${other.url}/balance` }));
    const error = await failureOf(
      rest(url, { apiKeyLocation: "header" }).call(restOperations.getBalance, undefined, undefined),
    );
    expect(isApiError(error) && error.status).toBe(302);
    expect(other.requests).toHaveLength(0);
  });

  it("lets no input climb out of its path", async () => {
    const { url, requests } = await listen(json("[]"));
    const call = (owner: string) => rest(url).call(restOperations.getList, { owner }, undefined);
    for (const owner of ["..", ".", "", "%2e%2e"].slice(0, 3)) await expect(call(owner)).rejects.toThrow(RangeError);
    await call("../../admin?x=1#y");
    expect(requests[0]?.url?.startsWith("/node/list/..%2F..%2Fadmin%3Fx%3D1%23y?apikey=")).toBe(true);
  });

  it("requests pages as its document links them, and ends where the link leads nowhere", async () => {
    const pages = [[{ id: "a" }, { id: "b" }], [{ id: "c" }, { id: "d" }], [{ id: "e" }]];
    const { url, requests } = await listen((request, response, body) =>
      json(pages[requests.length - 1])(request, response, body),
    );
    const seen: unknown[] = [];
    for await (const page of rest(url).pages(restOperations, restOperations.getList, { owner: "me" }, undefined)) {
      seen.push(...(page as unknown[]));
    }
    expect(seen).toEqual(pages.flat());
    expect(requests.map((request) => request.url?.split("?")[0])).toEqual([
      "/node/list/me",
      "/node/list/me/b",
      "/node/list/me/d",
    ]);
  });

  it("ends its pages rather than request the same one forever", async () => {
    const { url, requests } = await listen(json([{ id: "a" }, { id: "b" }]));
    for await (const _page of rest(url).pages(restOperations, restOperations.getList, { owner: "me" }, undefined));
    expect(requests).toHaveLength(2);
  });
});

describe("a JSON-RPC client", () => {
  const echo: Responder = (request, response, body) => {
    const member = ({ id, params }: { id: string; params: unknown }) => ({
      jsonrpc: "2.0",
      result: params,
      error: null,
      id,
    });
    const value = JSON.parse(body);
    json(Array.isArray(value) ? value.map(member).toReversed() : member(value))(request, response, body);
  };

  it("gets what a server plugin answers", async () => {
    const app = fastify();
    const handlers = {
      getblockhash: ({ height }: { height: number }) => {
        if (height > 9) throw new ServiceError("not_found", "Block not found", { rpcCode: -5, details: { height } });
        return height;
      },
      getbalance: () => 1n,
    };
    await app.register(createRpcPlugin(rpcOperations, handlers, { context: () => undefined }, "both"), {
      prefix: "/node",
    });
    const client = rpc("http://any/node", { transport: createInjectTransport(app) });
    expect(await client.call(rpcOperations.getblockhash, { height: 5 }, undefined)).toBe(5);
    expect(await client.call(rpcOperations.getbalance, undefined, undefined)).toBe(1n);
    const error = await failureOf(client.call(rpcOperations.getblockhash, { height: 10 }, undefined));
    expect(isRpcError(error) && [error.code, error.message, error.failure, error.data]).toEqual([
      -5,
      "Block not found",
      "BlockNotFound",
      { height: 10 },
    ]);
    const outcomes = await client.batch(rpcOperations)([
      ["getblockhash", { height: 5 }],
      ["getblockhash", { height: 10 }],
      ["getbalance"],
      ["missing"],
    ]);
    expect(outcomes.map((outcome) => (outcome.ok ? outcome.value : outcome.error.name))).toEqual([
      5,
      "RpcError",
      1n,
      "RpcError",
    ]);
    await app.close();
  });

  it("sends parameters by position or by name, as the document says", async () => {
    const { url, bodies } = await listen(echo);
    const { getblockhash, getbalance } = rpcOperations;
    const sent = async (parameterStructure: RpcOperation["parameterStructure"], input: object): Promise<unknown> => {
      const operation = parameterStructure === undefined ? getblockhash : { ...getblockhash, parameterStructure };
      await rpc(url).call(operation, input, undefined);
      return JSON.parse(bodies.at(-1) ?? "").params;
    };
    // Null stands for those omitted before others, unless names are allowed.
    expect(await sent("by-position", { height: 1, note: "n" })).toEqual([1, null, "n"]);
    expect(await sent("either", { height: 1, note: "n" })).toEqual({ height: 1, note: "n" });
    expect(await sent("either", { height: 1, verbose: true })).toEqual([1, true]);
    expect(await sent(undefined, { height: 1 })).toEqual([1]);
    expect(await sent("by-name", { height: 1 })).toEqual({ height: 1 });
    await rpc(url)
      .call(getbalance, undefined, undefined)
      .catch(() => undefined);
    expect(JSON.parse(bodies.at(-1) ?? "")).toEqual({ jsonrpc: "2.0", id: "1", method: "getbalance", params: [] });
  });

  it("gets no response to notifications, which have no id, alone or in a batch", async () => {
    const notify = { ...rpcOperations.send, isNotification: true };
    const { url, bodies } = await listen((_request, response) => response.writeHead(204).end());
    expect(await rpc(url).call(notify, undefined, undefined)).toBeUndefined();
    expect(await rpc(url).batch({ notify })([["notify"], ["notify"]])).toEqual([
      { ok: true, value: undefined },
      { ok: true, value: undefined },
    ]);
    expect(bodies.map((body) => JSON.parse(body))).toEqual([
      { jsonrpc: "2.0", method: "send", params: [] },
      [
        { jsonrpc: "2.0", method: "send", params: [] },
        { jsonrpc: "2.0", method: "send", params: [] },
      ],
    ]);
    const { url: mixed } = await listen(echo);
    expect(await rpc(mixed).batch({ ...rpcOperations, notify })([["notify"], ["getblockhash", { height: 1 }]])).toEqual(
      [
        { ok: true, value: undefined },
        { ok: true, value: [1] },
      ],
    );
    const { url: redirecting } = await listen((_request, response) => response.writeHead(300).end());
    expect(isApiError(await failureOf(rpc(redirecting).batch({ notify })([["notify"]])))).toBe(true);
    const { url: refusing } = await listen(json("no", 403));
    expect(isApiError(await failureOf(rpc(refusing).call(notify, undefined, undefined)))).toBe(true);
  });

  it("puts the responses of a batch back in order", async () => {
    const { url } = await listen(echo);
    const outcomes = await rpc(url).batch(rpcOperations)([
      ["getblockhash", { height: 1 }],
      ["getblockhash", { height: 2 }],
      ["getblockhash", { height: 3 }],
    ]);
    expect(outcomes).toEqual([1, 2, 3].map((height) => ({ ok: true, value: [height] })));
  });

  it("sends nothing for an empty batch", async () => {
    const { url, requests } = await listen(echo);
    expect(await rpc(url).batch(rpcOperations)([])).toEqual([]);
    expect(requests).toHaveLength(0);
  });

  it("fails as a whole when a batch that requests results gets nothing", async () => {
    const { url } = await listen(json(""));
    expect(isInvalidResponseError(await failureOf(rpc(url).batch(rpcOperations)([["missing"]])))).toBe(true);
  });

  it("writes what an operation takes as its document says", async () => {
    const { url, bodies } = await listen(echo);
    const { getblockhash } = rpcOperations;
    const encode = (input: unknown): unknown => ({ height: Number((input as { height: unknown }).height) + 1 });
    await rpc(url).call({ ...getblockhash, input: { ...getblockhash.input, encode } }, { height: 1 }, undefined);
    expect(JSON.parse(bodies.at(-1) ?? "").params).toEqual([2]);
  });

  it("says which members of a batch got no response", async () => {
    const { url } = await listen(json([{ id: "2", result: 5 }, { id: "9", result: 1 }, 7, null]));
    const outcomes = await rpc(url).batch(rpcOperations)([["missing"], ["missing"]]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, true]);
  });

  it("fails as a whole when the batch was refused as a whole", async () => {
    const refusal = { jsonrpc: "2.0", result: null, error: { code: -32005, message: "Too fast" }, id: null };
    const { url } = await listen(json(refusal, 429, { "retry-after": "60" }));
    const error = await failureOf(rpc(url).batch(rpcOperations)([["missing"]]));
    expect(isRpcError(error) && [error.code, error.status, error.retryAfterSeconds]).toEqual([-32005, 429, 60]);
  });

  it.each([
    ["no JSON", "<html>"],
    ["a list for a single call", "[]"],
    ["another request's answer", '{"id":"2","result":1}'],
    ["neither result nor error", '{"id":"1"}'],
    ["an error without code", '{"id":"1","error":"broken"}'],
  ])("says when it gets %s", async (_name, text) => {
    const { url } = await listen(json(text));
    expect(isInvalidResponseError(await failureOf(rpc(url).call(rpcOperations.missing, undefined, undefined)))).toBe(
      true,
    );
  });

  it("tells a failure of HTTP from one of a method", async () => {
    const { url } = await listen(json("gateway says no", 502));
    const error = await failureOf(rpc(url, { retries: 0 }).call(rpcOperations.missing, undefined, undefined));
    expect(isApiError(error) && error.status).toBe(502);
  });

  it("tries no method again that does something, nor a batch with one", async () => {
    const { url, requests } = await listen(json("busy", 503));
    await failureOf(rpc(url).call(rpcOperations.send, undefined, undefined));
    await failureOf(rpc(url).batch(rpcOperations)([["missing"], ["send"]]));
    expect(requests).toHaveLength(2);
    await failureOf(rpc(url, { retries: 1 }).call(rpcOperations.missing, undefined, undefined));
    expect(requests).toHaveLength(4);
  });
});

describe("a GraphQL client", () => {
  it("sends a document with its variables and responds with its data", async () => {
    const { url, bodies } = await listen(json({ data: { block: { number: "0x1" } } }));
    expect(await graphql(url).call(document, { n: 9_007_199_254_740_993n }, undefined)).toEqual({
      block: { number: "0x1" },
    });
    expect(bodies[0]).toBe(`{"query":"${document.text}","variables":{"n":9007199254740993}}`);
  });

  it("keeps partial data with the errors", async () => {
    const errors = [{ message: "away", path: ["block", 0], extensions: { code: "UPSTREAM_UNAVAILABLE" } }];
    const { url } = await listen(json({ data: { block: null }, errors }, 400));
    const error = (await failureOf(graphql(url).call(document, undefined, undefined))) as GraphqlError;
    expect([isGraphqlError(error), error.errors, error.data, error.status]).toEqual([
      true,
      errors,
      { block: null },
      400,
    ]);
  });

  it("takes an empty list of errors for none where there is data", async () => {
    const data = { block: { number: "0x1" } };
    const { url } = await listen(json({ data, errors: [] }));
    expect(await graphql(url).call(document, undefined, undefined)).toEqual(data);
    const nothing = await listen(json({ errors: [] }));
    expect(isGraphqlError(await failureOf(graphql(nothing.url).call(document, undefined, undefined)))).toBe(true);
  });

  it("leaves out partial data that is nested too deeply", async () => {
    const deep = `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`;
    const { url } = await listen(json(`{"data":${deep},"errors":[{"message":"away"}]}`));
    const error = await failureOf(graphql(url).call(document, undefined, undefined));
    expect(isGraphqlError(error) && [error.message, error.data]).toEqual(["latestBlock failed: away", undefined]);
  });

  it("says when there is no GraphQL answer", async () => {
    const { url } = await listen(json("nope", 404));
    expect(isApiError(await failureOf(graphql(url).call(document, undefined, undefined)))).toBe(true);
    const other = await listen(json({ error: { message: "GraphQL is elsewhere" } }, 404));
    const error = await failureOf(graphql(other.url).call(document, undefined, undefined));
    expect(isApiError(error) && error.status).toBe(404);
    const empty = await listen(json({}));
    expect(isInvalidResponseError(await failureOf(graphql(empty.url).call(document, undefined, undefined)))).toBe(true);
  });
});

describe("the key of a client", () => {
  const spellings = [key, encodeURIComponent(key), encodeURIComponent(key).replaceAll("%20", "+"), "s3cr3t"];

  function expectNoKey(error: unknown): void {
    const shown = [
      inspect(error, { depth: 20, showHidden: true, getters: true }),
      JSON.stringify(error),
      String(error),
      error instanceof Error ? `${error.message} ${error.stack} ${inspect(error.cause, { depth: 20 })}` : "",
    ].join("\n");
    for (const spelling of spellings) expect(shown).not.toContain(spelling);
  }

  const echoes: Responder = (request, response) => {
    response.writeHead(500, { "content-type": "text/plain", "x-url": request.url ?? "" });
    response.end(`cannot serve ${request.url} for ${request.headers["x-api-key"] ?? key}`);
  };

  it.each([["query"], ["header"]] as const)("sent in the %s is in no error, whatever fails", async (apiKeyLocation) => {
    const failures: unknown[] = [];
    const collect = async (baseUrl: string, options: Partial<ClientOptions> = {}): Promise<void> => {
      const changes = { apiKeyLocation, retries: 0, timeoutMilliseconds: 200, ...options };
      failures.push(await failureOf(rest(baseUrl, changes).call(restOperations.getHeight, undefined, undefined)));
      failures.push(await failureOf(rpc(baseUrl, changes).call(rpcOperations.missing, undefined, undefined)));
      failures.push(
        await rpc(baseUrl, changes)
          .batch(rpcOperations)([["missing"]])
          .catch((error: unknown) => error),
      );
      failures.push(await failureOf(graphql(baseUrl, changes).call(document, undefined, undefined)));
    };
    await collect((await listen(echoes)).url);
    await collect("http://127.0.0.1:1/node");
    await collect("http://no-such-host.invalid/node");
    await collect("http://256.256.256.256.example:99999".replace(":99999", ":9/node"));
    await collect((await listen(() => undefined)).url);
    await collect((await listen((request) => request.socket.destroy())).url);
    await collect((await listen(json({ id: "1", error: { code: 1, message: key, data: { [key]: [key] } } }, 400))).url);
    await collect((await listen(json([{ id: "1", error: { code: 1, message: key } }], 400))).url);
    await collect(
      (await listen(json({ errors: [{ message: key, extensions: { url: encodeURIComponent(key) } }] }, 400))).url,
    );
    await collect((await listen(json({ data: { [key]: [key] }, errors: [{ message: "", path: [key] }] }, 400))).url);
    await collect("http://any", {
      transport: ({ url, headers }) => Promise.reject(new Error(`${url} ${JSON.stringify(headers)}`)),
    });
    await collect("http://any", {
      transport: ({ url }) => Promise.reject(Object.assign(new Error(url), { code: url, cause: { code: url } })),
    });
    expect(failures.filter(isTransportError).length).toBeGreaterThan(5);
    failures.forEach(expectNoKey);
  });

  it("is in nothing that a client shows of itself", () => {
    for (const client of [rest("http://any"), rpc("http://any"), graphql("http://any")]) expectNoKey(client);
  });

  it("in the base URL is secret as well, and so are credentials there", async () => {
    const { url, requests } = await listen((request, response) => {
      response.writeHead(500);
      response.end(`${request.url} ${request.headers.authorization}`);
    });
    const base = `${url.replace("http://", "http://user:s3cr3tpass@")}/key/s3cr3tpath?apikey=s3cr3tquery`;
    const client = createHttpClient({ baseUrl: base }, keyNames);
    const error = (await failureOf(client.call(restOperations.getHeight, undefined, undefined))) as ApiError;
    expectNoKey(error);
    expect(error.body).not.toContain(btoa("user:s3cr3tpass"));
    expect(requests[0]?.url).toBe("/node/key/s3cr3tpath/height?apikey=s3cr3tquery");
    expect(requests[0]?.headers.authorization).toBe(`Basic ${btoa("user:s3cr3tpass")}`);
  });

  it("in a base URL that is none is not repeated", () => {
    for (const baseUrl of [`not a url ${key}`, `ftp://host/${key}`]) {
      try {
        rest(baseUrl);
        expect.unreachable();
      } catch (error) {
        expectNoKey(error);
      }
    }
  });
});
