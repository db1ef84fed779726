import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Dispatcher, Pool } from "undici";
import { createHttpUpstream, type HttpUpstream, type HttpUpstreamOptions } from "./http-upstream.ts";
import { type Fault, faults, FaultyNode, NodeRefusal } from "./testing/faulty-node.ts";
import type { UpstreamResult } from "./upstream.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closers.splice(0).reverse()) await close();
});

async function startNode(fault?: Fault): Promise<FaultyNode> {
  const node = new FaultyNode({
    respond(method, params) {
      if (method === "refuses") throw new NodeRefusal(-5, "Not found");
      if (method === "getblockhash") throw new NodeRefusal(-8, "Out of range");
      return [method, ...params];
    },
  });
  node.fault = fault;
  await node.start();
  closers.push(() => node.stop());
  return node;
}

function connect({ url }: Pick<FaultyNode, "url">, options: Partial<HttpUpstreamOptions> = {}): HttpUpstream {
  const upstream = createHttpUpstream({ url, timeoutMilliseconds: 20_000, ...options });
  closers.push(() => upstream.close());
  return upstream;
}

const reply =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Fault =>
  (response: ServerResponse) =>
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));

const tooBusy = { kind: "busy", message: "The node is too busy", mayHaveArrived: false } as const;
const denied = {
  kind: "denied",
  message: "The node refused the service's credentials",
  mayHaveArrived: false,
} as const;
const hasStatus = (status: number) =>
  ({ kind: "unusable", message: `The node's response has HTTP status ${status}`, mayHaveArrived: true }) as const;
const notJson = { kind: "unusable", message: "The node's response is not JSON", mayHaveArrived: true } as const;
const error = (code: number, message: string) => ({ id: null, error: { code, message } });

describe("a call fails", () => {
  it.each<[name: string, fault: Fault, failure: Readonly<Record<string, unknown>>]>([
    ["on status 401", reply(401, ""), denied],
    ["on status 403, whatever the body", reply(403, error(-5, "Not found")), denied],
    ["on status 429", reply(429, "Slow down"), tooBusy],
    ["on status 429 with an error", reply(429, error(-32_005, "Too many requests")), tooBusy],
    ["on status 429 with another error", reply(429, error(-32_005, "a combatch")), tooBusy],
    ["on status 429 with a result", reply(429, { id: 1, result: 1 }), tooBusy],
    ["on status 429 with an error that is none", reply(429, { id: 1, error: "batch" }), tooBusy],
    ["on what Bitcoin Core says when it is busy", reply(503, "Work queue depth exceeded"), tooBusy],
    ["on what btcd says when it is busy", reply(503, "503 Too busy.  Try again later.\n"), tooBusy],
    ["on status 503 that names a delay", reply(503, {}, { "retry-after": "2" }), tooBusy],
    ["on another status 503", reply(503, "Service unavailable"), hasStatus(503)],
    ["on status 503 that is JSON", reply(503, { message: "too busy" }), hasStatus(503)],
    ["on the words of a busy node with another status", reply(500, "too busy"), hasStatus(500)],
    ["on status 404 of a gateway", reply(404, "<html>"), hasStatus(404)],
    ["on a result with another status than 200", reply(500, { id: 1, result: 1 }), hasStatus(500)],
    ["on an error without a code with another status", reply(500, { id: 1, error: { code: "1" } }), hasStatus(500)],
    ["on text", reply(200, "hello"), notJson],
    ["on nothing", reply(200, ""), notJson],
    [
      "on a longer result than its method has",
      reply(200, `{"id":1,"result":"${"a".repeat(5_000_000)}"}`),
      {
        kind: "unusable",
        message: "The node's response is longer than a result of the method can be",
        mayHaveArrived: true,
        cause: { message: "Error" },
      },
    ],
    [
      "on deep nesting",
      reply(200, `{"id":1,"result":${"[".repeat(200)}${"]".repeat(200)}}`),
      {
        kind: "unusable",
        message: "The node's response has too many, too deep or too long values",
        mayHaveArrived: true,
      },
    ],
    [
      "on a broken connection",
      faults.breaksWithinResponse,
      { kind: "broken", message: "The node could not be reached", mayHaveArrived: true },
    ],
  ])("%s", async (_name, fault, failure) => {
    const node = await startNode(fault);
    await expect(connect(node).call("getpeerinfo")).rejects.toMatchObject({ code: "upstream_unavailable", ...failure });
  });

  it.each([200, 400, 404, 500, 503])("with the node's own error, also with status %i", async (status) => {
    const node = await startNode(reply(status, error(-5, "Not found")));
    await expect(connect(node).call("getpeerinfo")).rejects.toMatchObject({ code: -5, message: "Not found" });
  });

  it("when nobody listens, without having arrived", async () => {
    const node = await startNode();
    const upstream = connect(node);
    await node.stop();
    const failure = { kind: "unreachable", message: "The node could not be reached", mayHaveArrived: false };
    await expect(upstream.call("stop")).rejects.toMatchObject({
      ...failure,
      // The address must not occur.
      cause: { message: "Error ECONNREFUSED" },
      details: undefined,
    });
  });

  /** Makes every connection fail, before or after the request was written on it. */
  function failConnections(reason: unknown, wasSent: boolean): void {
    vi.spyOn(Pool.prototype, "dispatch").mockImplementation((_options, handler) => {
      const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController;
      if (wasSent) handler.onRequestStart?.(controller, undefined);
      handler.onResponseError?.(controller, reason as Error);
      return true;
    });
  }

  const coded = (code: unknown) => Object.assign(new Error("connect 10.0.0.1:8332"), { code });

  it.each([
    ["timeout", "UND_ERR_CONNECT_TIMEOUT", "The node could not be reached in time"],
    ["timeout", "ETIMEDOUT", "The node could not be reached in time"],
    ["unreachable", "ETIMEDOUT_", "The node could not be reached"],
    ["unreachable", "_ETIMEDOUT", "The node could not be reached"],
    ["unreachable", "EHOSTUNREACH", "The node could not be reached"],
    ["unreachable", 110, "The node could not be reached"],
  ])("as %s when there is no connection for %j", async (kind, code, message) => {
    failConnections(coded(code), false);
    const failure = { kind, message, mayHaveArrived: false };
    const cause = new Error(typeof code === "string" ? `Error ${code}` : "Error");
    await expect(connect({ url: "http://10.0.0.1/" }).call("stop")).rejects.toMatchObject({ ...failure, cause });
  });

  it.each<[reason: unknown, sent: number, cause: string]>([
    [coded("UND_ERR_SOCKET"), 2, "Error UND_ERR_SOCKET"],
    [coded("ECONNRESET"), 2, "Error ECONNRESET"],
    [coded("EPIPE"), 2, "Error EPIPE"],
    [coded("UND_ERR_SOCKET_"), 1, "Error UND_ERR_SOCKET_"],
    [coded("_EPIPE"), 1, "Error _EPIPE"],
    [new TypeError("10.0.0.1"), 1, "TypeError"],
    ["EPIPE", 1, "Unknown failure"],
  ])("when %s ends its connection, after it was sent %i times", async (reason, sent, cause) => {
    failConnections(reason, true);
    await expect(connect({ url: "http://10.0.0.1/" }).call("getpeerinfo")).rejects.toMatchObject({
      kind: "broken",
      message: "The node could not be reached",
      mayHaveArrived: true,
      cause: new Error(cause),
    });
    expect(vi.mocked(Pool.prototype.dispatch)).toHaveBeenCalledTimes(sent);
  });

  it("when its time has passed", async () => {
    const node = await startNode();
    const upstream = connect(node);
    // The time is not that of a connection.
    await upstream.call("getpeerinfo");
    node.fault = faults.hangs;
    await expect(upstream.call("getpeerinfo", [], { timeoutMilliseconds: 500 })).rejects.toMatchObject({
      code: "upstream_timeout",
      kind: "timeout",
      message: "The node did not respond in time",
      mayHaveArrived: true,
      details: undefined,
    });
  });

  it("when the upstream is closed, before or after", async () => {
    const node = await startNode(faults.hangs);
    const upstream = connect(node);
    const under = upstream.call("getpeerinfo");
    const outcome = expect(under).rejects.toMatchObject({
      kind: "limit",
      message: "The connection to the node is closed",
      code: "upstream_unavailable",
    });
    await expect.poll(() => node.calls.length).toBe(1);
    await upstream.close();
    await outcome;
    await expect(upstream.call("getpeerinfo")).rejects.toMatchObject({
      kind: "limit",
      message: "The connection to the node is closed",
      mayHaveArrived: false,
    });
    expect(node.calls).toHaveLength(1);
  });

  it("when ten thousand are waiting already", async () => {
    const node = await startNode(faults.hangs);
    const upstream = connect(node, { connections: 1, timeoutMilliseconds: 600_000 });
    const waiting = Promise.allSettled(Array.from({ length: 10_001 }, () => upstream.call("ping")));
    await expect(upstream.call("ping")).rejects.toMatchObject({
      kind: "limit",
      message: "Too many calls are waiting for the node",
      mayHaveArrived: false,
    });
    await upstream.close();
    await waiting;
  });

  it("when there is too much around a list", async () => {
    const node = await startNode(reply(200, { id: 1, error: { code: -5, message: "x".repeat(70_000) } }));
    await expect(connect(node).list("getrawmempool", [], () => undefined)).rejects.toMatchObject({
      kind: "limit",
      message: "The node's response is larger than the service accepts",
      mayHaveArrived: true,
    });
  });

  it("with what may have become of it, where it does more than read", async () => {
    const node = await startNode(faults.html);
    await expect(connect(node).call("stop")).rejects.toMatchObject({
      message: "The node's response is not JSON; stop may or may not have reached it",
      kind: "unusable",
      details: { reason: "may-have-arrived" },
    });
    await expect(connect(node).call("getpeerinfo")).rejects.toMatchObject({ details: undefined });
  });
});

describe("the time until a busy node wants to be called", () => {
  it.each([
    ["0", 0],
    ["2", 2_000],
    ["999999", 999_999_000],
    ["2s", undefined],
    ["x2", undefined],
    ["", undefined],
  ])("is %j in seconds", async (header, milliseconds) => {
    const node = await startNode(reply(429, "", { "retry-after": header }));
    await expect(connect(node).call("getpeerinfo")).rejects.toMatchObject({
      kind: "busy",
      retryAfterMilliseconds: milliseconds,
    });
  });
});

describe("a request", () => {
  it("has a content type, the path with its query, and credentials only where there are some", async () => {
    const seen: unknown[] = [];
    const node = await startNode((response, answer) => {
      const { method, url, headers } = response.req;
      seen.push([method, url, headers["content-type"], headers.authorization]);
      response.end(answer);
    });
    await connect({ url: `${node.url}v3/key?a=b` }).call("ping");
    const basic = `Basic ${Buffer.from("ann:").toString("base64")}`;
    await connect({ url: node.url.replace("//", "//ann@") }).call("ping");
    await connect({ url: node.url.replace("//", "//:x%20y@") }).call("ping");
    expect(seen).toEqual([
      ["POST", "/v3/key?a=b", "application/json", undefined],
      ["POST", "/", "application/json", basic],
      ["POST", "/", "application/json", `Basic ${Buffer.from(":x y").toString("base64")}`],
    ]);
  });

  it("has an id that no other one has", async () => {
    const node = await startNode();
    const upstream = connect(node, { batchLimit: 2 });
    const call = { method: "ping", params: [] };
    await upstream.call("ping");
    await upstream.batch([call, call]);
    await upstream.batch([call]);
    expect(node.calls.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  });

  it("takes the place of all that wait where it is urgent", async () => {
    const node = await startNode();
    node.delayMilliseconds = 5;
    const upstream = connect(node, { connections: 1 });
    const sent: string[] = [];
    const call = (name: string, isUrgent?: boolean) =>
      upstream.call("echo", [name], { isUrgent, onSend: () => sent.push(name) });
    await Promise.all([call("first"), call("second"), call("third", false), call("urgent", true)]);
    expect(sent).toEqual(["first", "urgent", "second", "third"]);
    expect(node.calls.map(({ params: [name] }) => name)).toEqual(sent);
  });

  it("is sent once more with credentials that were read anew, and with those alone", async () => {
    const node = await startNode(reply(401, ""));
    const password = { kind: "password", user: "a", password: "b" } as const;
    await expect(connect(node, { credentials: password }).call("ping")).rejects.toMatchObject(denied);
    expect(node.calls).toHaveLength(1);
  });

  it("is not made without the credentials that it needs", async () => {
    const node = await startNode();
    const credentials = { kind: "cookie-file", path: "/nowhere/.cookie" } as const;
    await expect(connect(node, { credentials }).call("stop")).rejects.toMatchObject({
      kind: "denied",
      message: "The node's cookie file cannot be read",
      mayHaveArrived: false,
    });
    expect(node.calls).toEqual([]);
  });
});

describe("a node that ends its connections", () => {
  it("gets one for each request after the third response, and after a minute one that may be kept", async () => {
    const now = performance.now.bind(performance);
    let ahead = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now() + ahead);
    const asksForEnd: boolean[] = [];
    const node = await startNode((response, answer) => {
      asksForEnd.push(response.req.headers.connection === "close");
      response.end(answer);
    });
    node.closesConnections = true;
    const upstream = connect(node);
    const callTimes = async (times: number): Promise<readonly boolean[]> => {
      asksForEnd.length = 0;
      for (let time = 0; time < times; time += 1) await upstream.call("echo");
      return [...asksForEnd];
    };
    expect(await callTimes(5)).toEqual([false, false, false, true, true]);
    ahead = 59_000;
    expect(await callTimes(1)).toEqual([true]);
    ahead = 61_000;
    // One response decides anew.
    expect(await callTimes(2)).toEqual([false, true]);
    ahead = 122_000;
    node.closesConnections = false;
    expect(await callTimes(3)).toEqual([false, false, false]);
    node.closesConnections = true;
    expect(await callTimes(2)).toEqual([false, false]);
    node.closesConnections = false;
    expect(await callTimes(1)).toEqual([false]);
    node.closesConnections = true;
    expect(await callTimes(4)).toEqual([false, false, false, true]);
  });
});

it("a response may be as long as was said, to the byte", async () => {
  const node = await startNode();
  const text = "a".repeat(1_000);
  const body = JSON.stringify({ result: ["echo", text], error: null, id: 1 });
  const callWith = async (maximumResponseBytes: number) =>
    await connect(node, { maximumResponseBytes }).call("echo", [text]);
  expect(await callWith(body.length)).toEqual(["echo", text]);
  await expect(callWith(body.length - 1)).rejects.toMatchObject({ kind: "limit" });
});

describe("what is known of a node", () => {
  it("is how much it is asked at most, where nothing else is said", async () => {
    const upstream = connect(await startNode());
    expect([upstream.connectionBound, upstream.batchLimit]).toEqual([16, 100]);
    const other = connect(await startNode(), { connections: 3, batchLimit: 7 });
    expect([other.connectionBound, other.batchLimit]).toEqual([3, 7]);
  });

  it("is that it takes less at once, once it has refused", async () => {
    const node = await startNode(faults.workQueueExceeded);
    const upstream = connect(node, { connections: 8 });
    await Promise.allSettled(Array.from({ length: 8 }, (_, index) => upstream.call("echo", [index])));
    expect(upstream.connectionBound).toBe(6);
  });
});

describe("options", () => {
  it.each(["batchLimit", "timeoutMilliseconds", "connections", "maximumResponseBytes"] as const)(
    "refuse a %s that is no positive integer",
    (name) => {
      const create = (value: number) => () => createHttpUpstream({ url: "http://127.0.0.1", [name]: value });
      for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
        expect(create(value)).toThrow(new TypeError(`${name} must be a positive integer`));
      expect(create(1)).not.toThrow();
    },
  );
});

describe("a batch", () => {
  const messagesOf = (results: readonly UpstreamResult[]) => results.map((result) => result.ok || result.error.message);
  const read = { method: "getpeerinfo", params: [] };
  const act = { method: "stop", params: [] };

  it("fails for each member as a call does, with what may have become of what acts", async () => {
    const node = await startNode(faults.html);
    expect(messagesOf(await connect(node).batch([read, act]))).toEqual([
      "The node's response is not JSON",
      "The node's response is not JSON; stop may or may not have reached it",
    ]);
    expect(node.calls).toHaveLength(2);
  });

  it("of one call is that call", async () => {
    const node = await startNode();
    expect(await connect(node).batch([{ method: "refuses", params: [] }])).toMatchObject([
      { ok: false, error: { code: -5, message: "Not found" } },
    ]);
    expect(node.calls).toHaveLength(1);
  });

  it("ends with the caller's reason", async () => {
    const reason = new Error("Gone");
    const node = await startNode();
    await expect(connect(node).batch([read, read], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(node.calls).toEqual([]);
  });

  it.each([400, 404, 405, 415, 422, 500, 501])("may be what a status %i is about", async (status) => {
    const node = await startNode((response, answer) =>
      answer.startsWith("[") ? reply(status, "no")(response, answer) : response.end(answer),
    );
    const upstream = connect(node);
    expect((await upstream.batch(Array(4).fill(read))).every(({ ok }) => ok)).toBe(true);
    expect(upstream.batchLimit).toBe(1);
  });

  it.each([402, 410, 502, 503])("is not what a status %i is about", async (status) => {
    const node = await startNode(reply(status, "no"));
    const upstream = connect(node);
    expect(messagesOf(await upstream.batch([read, read]))).toEqual(Array(2).fill(hasStatus(status).message));
    expect([node.calls.length, upstream.batchLimit]).toEqual([2, 100]);
  });

  it("is what an error for all is about, where the first call by itself has another one", async () => {
    const node = await startNode((response, answer) =>
      answer.startsWith("[") ? reply(200, error(-32_000, "no"))(response, answer) : response.end(answer),
    );
    const upstream = connect(node);
    const missing = { method: "getblockhash", params: [9] };
    expect(messagesOf(await upstream.batch([missing, missing, read]))).toEqual(["Out of range", "Out of range", true]);
    expect(upstream.batchLimit).toBe(1);
  });

  it("and a call that fail in the same way show that it is not about the batch", async () => {
    const node = await startNode(reply(500, "no"));
    const upstream = connect(node);
    expect(messagesOf(await upstream.batch([read, read, read]))).toEqual(Array(3).fill(hasStatus(500).message));
    expect([node.calls.length, upstream.batchLimit]).toEqual([4, 100]);
  });

  it("is sent once more when the connection ends before its response, where all of it only reads", async () => {
    const node = await startNode(faults.resets);
    expect(messagesOf(await connect(node).batch([read, read]))).toEqual(Array(2).fill("The node could not be reached"));
    expect(node.calls).toHaveLength(4);
    await connect(node).batch([read, act]);
    expect(node.calls).toHaveLength(6);
  });
});
