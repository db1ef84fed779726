import { setImmediate as turnOfLoop } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { RequestListener } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createBudget } from "./budget.ts";
import type { RunOptions } from "../contract/options.ts";
import { sendJson, serve } from "../run/testing/serve.ts";
import { httpSuite, rpcSuite } from "../run/testing/suites.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import { readBaseUrl } from "./base-url.ts";
import { curlCommand } from "./curl-command.ts";
import type { PlainRequest, RecordedExchange } from "../contract/exchange.ts";
import { Interruption, type InterruptionCause } from "./interruption.ts";
import { Sender } from "./sender.ts";

const key = "k/9+Zz&secret key";
const get: PlainRequest = { method: "GET", path: "/x", query: "", headers: {} };

interface Sending {
  readonly sender: Sender;
  readonly records: RecordedExchange[];
  send(request?: Partial<PlainRequest>, writes?: boolean): ReturnType<Sender["send"]>;
}

async function sending(
  listener: RequestListener,
  options: Partial<RunOptions> = {},
  suite: ConformanceSuite = httpSuite([]),
  path = "",
): Promise<Sending> {
  const baseUrl = readBaseUrl(`${await serve(listener)}${path}`);
  if (baseUrl === undefined) throw new Error("the base URL is none");
  const sender = new Sender({
    suite,
    options: { baseUrl: "", ...options },
    baseUrl,
    budget: createBudget({
      callsOf: () => 1_000,
      maxMilliseconds: options.maxMilliseconds,
      maxRequests: options.maxRequests,
    }),
  });
  onTestFinished(() => sender.close());
  const records: RecordedExchange[] = [];
  return {
    sender,
    records,
    send: (request = {}, writes = false) =>
      sender.send({ ...get, ...request }, { operation: "getX", writes, onRecord: (record) => records.push(record) }),
  };
}

async function causeOf(sent: Promise<unknown>): Promise<InterruptionCause | undefined> {
  try {
    await sent;
    return undefined;
  } catch (reason) {
    if (reason instanceof Interruption) return reason.why;
    throw reason;
  }
}

test.each([
  ["/graphql/", "", "/graphql/"],
  ["/graphql", "", "/graphql"],
  ["/v1/", "/pets", "/v1/pets"],
])("the base URL %s with the path %j is requested at %s", async (base, path, expected) => {
  const { send } = await sending(({ url }, response) => sendJson(response, 200, { url }), {}, httpSuite([]), base);
  expect(JSON.parse((await send({ path })).text ?? "")).toEqual({ url: expected });
});

describe("a key", () => {
  const forms = [key, encodeURIComponent(key), Buffer.from(key).toString("base64")];

  test.each([
    ["query", { kind: "api-key", location: "query", parameter: "key" }, "/x?key=k%2F9%2BZz%26secret%20key"],
    ["header", { kind: "api-key", location: "header", parameter: "X-Key" }, key],
    ["cookie", { kind: "api-key", location: "cookie", parameter: "sid" }, "sid=k%2F9%2BZz%26secret%20key"],
    ["bearer", { kind: "bearer", location: "header", parameter: "Authorization" }, `Bearer ${key}`],
  ] as const)("goes where the description says (%s), and is in no record", async (_name, scheme, expected) => {
    const { sender, send, records } = await sending(
      ({ url, headers }, response) => sendJson(response, 200, { url, ...headers }),
      { apiKey: key },
      httpSuite([], { security: { it: scheme } }),
    );
    const received = await send();
    const seen = JSON.parse(received.text ?? "") as Readonly<Record<string, string>>;
    expect([seen["url"], seen["x-key"], seen["cookie"], seen["authorization"]]).toContain(expected);
    const [record] = records;
    const shown = JSON.stringify(record);
    for (const form of forms) expect(shown).not.toContain(form);
    expect(shown).toContain("$API_KEY");
    expect(sender.keyEchoes).toEqual(new Set(["getX"]));
    expect(record === undefined ? "" : curlCommand(record)).toContain('"$API_KEY"');
  });

  test("of basic authentication is in no record", async () => {
    const { send, records } = await sending(
      ({ headers }, response) => sendJson(response, 401, { got: headers.authorization, again: "top-secret" }),
      { basic: { user: "me", password: "top-secret" } },
    );
    const received = await send();
    expect(received.text).toContain(Buffer.from("me:top-secret").toString("base64"));
    expect(JSON.stringify(records)).not.toMatch(/top-secret|bWU6dG9w/);
  });

  test("in the base URL is in no record", async () => {
    const inPath = "8fj2Kd93nXa01LmQp7Rt5Vw8Yz";
    const { send, records } = await sending(
      ({ url }, response) => sendJson(response, 404, { error: `no route ${url}` }),
      {},
      httpSuite([]),
      `/v2/${inPath}?token=abcdefgh12`,
    );
    const received = await send();
    expect(received.text).toContain(`/v2/${inPath}/x?token=abcdefgh12`);
    expect(records[0]?.url).toMatch(/\/v2\/\$URL_KEY\/x\?token=\$URL_KEY$/);
    expect(JSON.stringify(records)).not.toMatch(/8fj2Kd93|abcdefgh12/);
  });

  test("of basic authentication, or in a header, is left out or exchanged where that is wanted", async () => {
    const given: readonly RunOptions[] = [
      { basic: { user: "me", password: "top-secret" } },
      { headers: { authorization: "Bearer top-secret", "x-project": "blue-whale" } },
      { headers: { cookie: "session=top-secret" } },
    ].map((one) => ({ baseUrl: "", ...one }));
    const expected = [`Basic ${Buffer.from("me:other").toString("base64")}`, "Bearer other", "session=other"];
    for (const [index, options] of given.entries()) {
      const { sender, records } = await sending(
        ({ headers }, response) => sendJson(response, 200, { got: headers.authorization ?? headers.cookie ?? "none" }),
        options,
      );
      const send = async (wanted: "none" | { readonly value: string }): Promise<string | undefined> => {
        const onRecord = (one: RecordedExchange): void => void records.push(one);
        return (await sender.send(get, { operation: "getX", writes: false, key: wanted, onRecord })).text;
      };
      expect(await send("none")).toContain('"none"');
      expect(await send({ value: "other" })).toContain(expected[index]);
      expect(JSON.stringify(records)).toContain("$WRONG_CREDENTIALS");
      expect(JSON.stringify(records)).not.toMatch(/top-secret|bWU6dG9w/);
    }
  });

  test("in a further header is in no record, and none is sent where none is wanted", async () => {
    const { sender, records } = await sending(
      ({ headers, url }, response) => sendJson(response, 200, { ...headers, url }),
      { apiKey: key, headers: { "x-project": "Bearer abcdef123456" } },
    );
    const received = await sender.send(get, {
      operation: "getX",
      writes: false,
      key: "none",
      onRecord: (one) => records.push(one),
    });
    expect(received.text).toContain("abcdef123456");
    expect(received.text).not.toContain("apikey");
    expect(JSON.stringify(records)).not.toContain("abcdef123456");
  });
});

describe("an answer", () => {
  test("in gzip is read, and one that is not what it says is trouble", async () => {
    const { send } = await sending(({ url }, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-type": "application/json" });
      response.end(url === "/bad" ? "7" : gzipSync("[1]"));
    });
    expect(await send()).toMatchObject({ text: "[1]", isCut: false });
    expect(await causeOf(send({ path: "/bad" }))).toMatchObject({
      trouble: { kind: "malformed", text: "the response is not in its Content-Encoding" },
    });
  });

  test("that unpacks to more than is read is cut", async () => {
    const { send } = await sending(
      (_request, response) => {
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(5_000_000)));
      },
      { maxResponseBytes: 10_000 },
    );
    expect(await causeOf(send())).toEqual({ kind: "too-large", limit: 10_000 });
  });

  test("to HEAD has no body, whatever its headers say", async () => {
    const { send } = await sending((_request, response) => {
      response.writeHead(200, { "content-length": "10", "content-encoding": "gzip" }).end();
    });
    const received = await send({ method: "HEAD" });
    expect(received.bytes).toHaveLength(0);
    expect(received.headers.get("content-length")).toBe("10");
  });

  test("has all headers of a name, and its status as it is", async () => {
    const { send } = await sending((_request, response) => {
      response.writeHead(308, { location: "/y", "x-many": ["a", "b"] }).end();
    });
    const received = await send({ method: "PROPFIND" });
    expect(received.status).toBe(308);
    expect(received.headers.get("x-many")).toBe("a, b");
  });

  test("without an end is heard for a while", async () => {
    const { send } = await sending((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n");
    });
    expect(await send()).toMatchObject({ text: "data: 1\n\n", isCut: true });
  });

  test("with bytes that are no UTF-8 has no text", async () => {
    const { send, records } = await sending((_request, response) => void response.end(Buffer.from([0xff, 0xfe])));
    expect((await send()).text).toBeUndefined();
    expect(records[0]?.response?.body).toBe("fffe");
  });
});

test("a byte order mark is no part of a text, but stays before JSON, where it must not be", async () => {
  const textAs = async (type: string): Promise<string | undefined> => {
    const { send } = await sending((_request, response) =>
      response.writeHead(200, { "content-type": type }).end("\u{feff}{}"),
    );
    return (await send()).text;
  };
  expect(await textAs("text/plain")).toBe("{}");
  expect(await textAs("application/problem+json; charset=utf-8")).toBe("\u{feff}{}");
});

describe("a connection", () => {
  test("that the server has closed while it was kept blames nobody", async () => {
    let requests = 0;
    const { send } = await sending((request, response) => {
      requests += 1;
      // The second request of each kept-alive connection is never read.
      const isSecond = "wasUsed" in request.socket;
      Object.assign(request.socket, { wasUsed: true });
      if (isSecond) request.socket.destroy();
      else sendJson(response, 200, requests);
    });
    expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(200);
  });

  test("that ends costs no more requests than the run may send", async () => {
    let requests = 0;
    const { send } = await sending(
      (request) => {
        requests += 1;
        request.socket.destroy();
      },
      { maxRequests: 3 },
    );
    expect(await causeOf(send())).toMatchObject({ trouble: { kind: "reset" } });
    expect(await causeOf(send())).toMatchObject({ trouble: { kind: "reset" } });
    expect(await causeOf(send())).toMatchObject({ kind: "ended" });
    expect(requests).toBe(3);
  });

  test("that ends is not made again for a request that may change something", async () => {
    let requests = 0;
    const { send } = await sending((request) => {
      requests += 1;
      request.socket.destroy();
    });
    expect(await causeOf(send({ method: "POST", body: "{}" }, true))).toMatchObject({ trouble: { kind: "reset" } });
    expect(requests).toBe(1);
  });
});

describe("a target that is too busy", () => {
  test.each([
    ["seconds", () => "0"],
    ["a date", () => new Date(Date.now() + 500).toUTCString()],
    ["nothing", () => undefined],
  ])("is asked again when it says so in %s", async (_name, after) => {
    let requests = 0;
    const { send, records } = await sending((_request, response) => {
      requests += 1;
      const wait = after();
      if (requests === 1) response.writeHead(429, wait === undefined ? {} : { "retry-after": wait }).end();
      else sendJson(response, 200, 1);
    });
    expect((await send()).status).toBe(200);
    expect(records).toHaveLength(1);
  });

  test("holds up all requests, not the one alone", async () => {
    const times: number[] = [];
    const refused = Promise.withResolvers<void>();
    // In this process, without a connection: the refusal is read within a few turns of the event loop.
    const respondInProcess = async (): Promise<Response> => {
      times.push(performance.now());
      if (times.length > 1) return Response.json(1);
      refused.resolve();
      return new Response(null, { status: 503, headers: { "retry-after": "1" } });
    };
    const { send } = await sending(() => undefined, { fetch: respondInProcess });
    const first = send();
    await refused.promise;
    for (let turn = 0; turn < 50; turn += 1) await turnOfLoop();
    await Promise.all([first, send()]);
    const [start = 0, second = 0] = times;
    expect(second - start).toBeGreaterThan(900);
  });

  test("is left alone when its time would be over before", async () => {
    const { send } = await sending(
      (_request, response) => void response.writeHead(429, { "retry-after": "60" }).end(),
      {
        maxMilliseconds: 5_000,
      },
    );
    expect(await causeOf(send())).toEqual({ kind: "busy", text: "the target asks for a retry after 60 s" });
  });

  test("may say so in an error of JSON-RPC", async () => {
    let requests = 0;
    const { send } = await sending(
      (_request, response) => {
        requests += 1;
        if (requests > 1) sendJson(response, 200, { jsonrpc: "2.0", id: 1, result: 1 });
        else
          sendJson(response, 200, { jsonrpc: "2.0", id: 1, error: { code: -32005, message: "rate limit exceeded" } });
      },
      {},
      rpcSuite([]),
    );
    expect((await send()).text).toContain("result");
  });

  test("a 503 that does not say when to come back is an answer", async () => {
    const { send } = await sending((_request, response) => void response.writeHead(503).end());
    expect((await send()).status).toBe(503);
  });
});

test("the path goes over the wire as it is written", async () => {
  const { send } = await sending(({ url }, response) => sendJson(response, 200, url));
  expect((await send({ path: "/a/../%2e%2e/b", query: "x=%41&y=[1]" })).text).toBe('"/a/../%2e%2e/b?x=%41&y=[1]"');
});

test("requests are sent at the rate", async () => {
  const { send } = await sending((_request, response) => sendJson(response, 200, 1), { rate: 20 });
  const start = performance.now();
  await Promise.all(Array.from({ length: 12 }, () => send()));
  expect(performance.now() - start).toBeGreaterThan(400);
});

test("a quiet time is not made up for by more requests than the rate", async () => {
  const { send } = await sending((_request, response) => sendJson(response, 200, 1), { rate: 10 });
  await send();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const start = performance.now();
  await Promise.all([send(), send(), send()]);
  expect(performance.now() - start).toBeGreaterThan(170);
});
