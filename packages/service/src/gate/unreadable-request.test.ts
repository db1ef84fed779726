import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { createOperatorListener } from "../operator/operator-listener.ts";
import { createListenerOfOneKey, onlyKey } from "./testing/listener-of-one-key.ts";
import { createUnreadableHandler, followConnections } from "./unreadable-request.ts";

let listener: FastifyInstance;

afterEach(async () => {
  await listener.close();
});

/** Sends `message` and returns the received text until the other side closes. */
async function exchange(...messages: readonly string[]): Promise<string> {
  if (!listener.server.listening) await listener.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((listener.server.address() as AddressInfo).port, "127.0.0.1");
  for (const message of messages) socket.write(message);
  return text(socket);
}

/** Returns each status of a response, in order. */
function statusesOf(received: string): readonly number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
}

const operator = () =>
  createOperatorListener({
    status: () => "ok",
    nodes: async () => [],
    docs: () => ({ configuration: {}, allowedOrigins: [] }),
  });

const another = "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";

describe("a request with another transfer coding than chunked", () => {
  it.each([
    ["REST", "GET", "gzip", `/bitcoin-main/indexer/rest/tx?apikey=${onlyKey}`],
    ["JSON-RPC", "POST", "xchunked", `/bitcoin-main/?apikey=${onlyKey}`],
    ["GraphQL", "POST", "gzip", `/ethereum-main/graphql?apikey=${onlyKey}`],
    ["a wrong key", "POST", "gzip", "/bitcoin-main/?apikey=wrong"],
    ["no key", "POST", "xchunked", "/bitcoin-main/"],
    ["the health", "GET", "gzip", "/healthz"],
    ["nothing", "GET", "gzip", "/nothing/here"],
  ])("gets one response and the end of its connection: %s", async (_name, method, coding, path) => {
    const bodies: string[] = [];
    listener = createListenerOfOneKey((body) => bodies.push(body));
    const request = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: ${coding}\r\n\r\n`;

    const received = await exchange(request, another);

    expect(statusesOf(received)).toEqual([501]);
    expect(received).toMatch(/^connection: close\r$/im);
    expect(bodies).toEqual([]);
  });

  it("gets one response from the operator's listener", async () => {
    listener = operator();

    const received = await exchange("GET /health HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: gzip\r\n\r\n");

    expect(statusesOf(received)).toEqual([501]);
    expect(received).toMatch(/\r\n\r\nThe only supported transfer coding is chunked$/);
  });

  it.each(["/healthz", "/", "/healthz?a=1"])("is refused in text beside the nodes: %s", async (path) => {
    listener = createListenerOfOneKey(() => undefined);

    expect(await exchange(`GET ${path} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: gzip\r\n\r\n`)).toMatch(
      /^content-type: text\/plain\r\n[\s\S]*\r\n\r\nThe only supported transfer coding is chunked$/im,
    );
  });
});

describe("a request behind one that ends the connection", () => {
  it("is not processed", async () => {
    const bodies: string[] = [];
    listener = createListenerOfOneKey((body) => bodies.push(body));
    const target = `/bitcoin-main/?apikey=${onlyKey}`;
    const refused = `GET ${target} HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n`;
    const lingering = `POST ${target} HTTP/1.1\r\nhost: a\r\nhost: a\r\ncontent-length: 1\r\n\r\nx`;
    const next = `POST ${target} HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\n\r\ny`;

    expect(statusesOf(await exchange(`${refused}${next}`))).toEqual([400]);
    expect(statusesOf(await exchange(`${lingering}${next}`))).toEqual([400]);
    expect(bodies).toEqual([]);
  });
});

describe("what can't be read as a request", () => {
  /** Responds to `/slow` once `respond` is called, which waits for that request. */
  function createSlowListener(): { respond(): void; readonly asked: Promise<void> } {
    const { promise, resolve } = Promise.withResolvers<string>();
    const asked = Promise.withResolvers<void>();
    listener = fastify({ clientErrorHandler: createUnreadableHandler({ "x-own": "1" }) });
    followConnections(listener);
    listener.all("/slow", async () => {
      asked.resolve();
      return promise;
    });
    return { respond: () => resolve("slow"), asked: asked.promise };
  }

  it.each([
    ["no HTTP", "GET / HTTP/1.1\r\nhost: a\r\nnonsense\r\n\r\n", [200, 400]],
    ["more, after its own end", "", [200]],
  ])("waits for the response before it: %s", async (_name, broken, statuses) => {
    const slow = createSlowListener();
    const unreadable = new Promise((resolve) => listener.server.once("clientError", resolve));
    const close = broken === "" ? "connection: close\r\n" : "";
    const received = exchange(`GET /slow HTTP/1.1\r\nhost: a\r\n${close}\r\n${broken === "" ? another : broken}`);
    await Promise.all([slow.asked, unreadable]);
    slow.respond();

    expect(statusesOf(await received)).toEqual(statuses);
    expect(await received).toMatch(/\r\n\r\nslow/);
  });

  it("in a body gets no second response once the first has gone", async () => {
    listener = fastify({ clientErrorHandler: createUnreadableHandler({}) });
    followConnections(listener);
    listener.get("/", async () => "first");
    const head = "GET / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n";
    await listener.listen({ port: 0, host: "127.0.0.1" });
    const socket = connect((listener.server.address() as AddressInfo).port, "127.0.0.1");
    const unreadable = new Promise((resolve) => listener.server.once("clientError", resolve));
    socket.write(head);
    let received = "";
    socket.on("data", (bytes) => {
      if (received === "") socket.write("no length\r\n");
      received += String(bytes);
    });
    const ended = new Promise((resolve) => socket.once("close", resolve));
    await unreadable;
    await ended;

    expect(statusesOf(received)).toEqual([200]);
  });

  it("in a body gets its response behind those of the requests before it", async () => {
    const release = Promise.withResolvers<string>();
    listener = fastify({ clientErrorHandler: createUnreadableHandler({}) });
    followConnections(listener);
    listener.get("/", async () => release.promise);
    listener.post("/", async () => "never");
    await listener.listen({ port: 0, host: "127.0.0.1" });
    const unreadable = new Promise((resolve) => listener.server.once("clientError", resolve));
    const pipelined = "GET / HTTP/1.1\r\nhost: a\r\n\r\n".repeat(2);
    const received = exchange(
      `${pipelined}POST / HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\nno length\r\n`,
    );
    await unreadable;
    release.resolve("late");

    expect(statusesOf(await received)).toEqual([200, 200, 400]);
  });

  it("in a body whose chunks have more extensions than are read is refused as too large", async () => {
    listener = operator();
    const head = "POST /health HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n";

    const received = await exchange(`${head}1;${"x".repeat(40_000)}\r\na\r\n0\r\n\r\n`);

    expect(received).toMatch(
      /^HTTP\/1\.1 413 Content Too Large[\s\S]*\r\n\r\nThe request's chunk extensions are too large$/,
    );
  });

  it("in a body that is waited for gets one response", async () => {
    listener = createListenerOfOneKey(() => undefined);
    const head = `POST /bitcoin-main/?apikey=${onlyKey} HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n`;

    expect(statusesOf(await exchange(`${head}-1\r\nx\r\n`))).toEqual([400]);
  });

  const unreadable = "400 Bad Request[^]*\r\n\r\nThe request can't be read$";

  it.each([
    ["no HTTP", "nonsense\r\n\r\n", unreadable],
    ["two lengths", "GET /health HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1, 1\r\n\r\n", unreadable],
    [
      "long headers",
      `GET /health HTTP/1.1\r\nhost: localhost\r\nx: ${"x".repeat(40_000)}\r\n\r\n`,
      "431 Request Header Fields Too Large[^]*\r\n\r\nThe request's headers are too large$",
    ],
    ["no Host", "GET /health HTTP/1.1\r\n\r\n", "400 Bad Request[^]*\r\n\r\nThe request has no Host header$"],
    [
      "an unknown expectation",
      "GET /health HTTP/1.1\r\nhost: localhost\r\nexpect: foo\r\n\r\n",
      "417 Expectation Failed[^]*\r\n\r\nThe only supported expectation is 100-continue$",
    ],
    [
      "a path that can't be decoded",
      "GET /%zz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
      "400 Bad Request[^]*\r\n\r\nThe path holds a percent sign that escapes no character$",
    ],
  ])("is refused by the operator's listener in text: %s", async (_name, message, expected) => {
    listener = operator();

    const received = await exchange(message);

    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${expected}`));
    expect(received).toMatch(/^connection: close\r$/im);
    expect(received).not.toMatch(/access-control/i);
  });
});
