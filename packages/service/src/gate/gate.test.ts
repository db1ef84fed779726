import { once } from "node:events";
import { type AddressInfo, connect, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { ServiceError } from "@nodewright/runtime";
import type { FastifyInstance } from "fastify";
import { afterEach, describe, expect, it, vi } from "vitest";
import { digestOfKey } from "../registry/api-key.ts";
import { grantedLimits } from "../registry/plan-limits.ts";
import type { ServedInterface, ServedNode } from "../registry/registry.ts";
import type { RunningNode } from "./admission.ts";
import { createPublicListener } from "./public-listener.ts";

const key = "right-and-long-enough";
const megabyte = 1024 * 1024;

let listener: FastifyInstance | undefined;
const internalErrors: unknown[] = [];

afterEach(async () => {
  internalErrors.length = 0;
  await listener?.close();
});

interface Behaviour {
  readonly bodyBytes?: number;
  readonly node?: Partial<ServedNode>;
  unavailable?(servedInterface: ServedInterface): ServiceError | undefined;
  findNode?(id: string): RunningNode | undefined;
  throws?(): unknown;
}

/** Creates a listener of one node with one key, whose interfaces return their path. */
function createListener({
  bodyBytes = 100,
  node = {},
  unavailable = () => undefined,
  findNode = (id) => ({ id, chain: "bitcoin", unavailable }),
  throws,
}: Behaviour = {}): FastifyInstance {
  const addRoutes = (instance: FastifyInstance): void => {
    instance.all("/*", async ({ url }) => {
      if (throws !== undefined) throw throws();
      return url;
    });
    instance.get("/parameter/:text", async ({ params }) => params);
  };
  listener = createPublicListener({
    registry: {
      findGrant: (id, digest) =>
        id === "node" && digest === digestOfKey(key)
          ? {
              keyId: "key",
              subscriptionId: "subscription",
              node: { id, chain: "bitcoin", network: "main", kind: "shared", ...node },
              access: new Map(),
              limits: grantedLimits({ bodyBytes, batchMembers: 1 }),
            }
          : undefined,
    },
    findNode,
    status: () => "starting",
    onInternalError: (error) => void internalErrors.push(error),
    routes: { bitcoin: addRoutes, ethereum: addRoutes },
  });
  return listener;
}

describe("a request behind the gate", () => {
  it.each([
    ["/node?apikey=K", "/bitcoin/"],
    ["/node/?apikey=K", "/bitcoin/"],
    ["/node/a/b?x=1&apikey=K&y", "/bitcoin/a/b?x=1&y"],
    ["/node?x=1&apikey=K", "/bitcoin/?x=1"],
    ["/node/K?apikey=K&other=K", `/bitcoin/${key}?other=${key}`],
  ])("has the path below the interfaces of its chain, and no key: %s", async (url, inner) => {
    const response = await createListener().inject(url.replaceAll("K", key));

    expect([response.statusCode, response.body]).toEqual([200, inner]);
  });

  it("is one of the chain of its node", async () => {
    const ethereum = createListener({ findNode: (id) => ({ id, chain: "ethereum", unavailable: () => undefined }) });

    expect((await ethereum.inject(`/node/a?apikey=${key}`)).body).toBe("/ethereum/a");
  });

  it.each([
    [undefined, 401],
    [false, 401],
    [true, 200],
  ])("has its key in the path only where the node allows it: %s", async (keyInPath, status) => {
    const node = keyInPath === undefined ? {} : { keyInPath };
    const response = await createListener({ node }).inject(`/node/key/${key}/a`);

    expect(response.statusCode).toBe(status);
    if (status === 200) expect(response.body).toBe("/bitcoin/a");
  });

  it("has a response that caches keep by its key, and that pages of other sites may read", async () => {
    const { headers } = await createListener().inject(`/node/a?apikey=${key}`);

    expect(headers).toMatchObject({
      vary: "accept, accept-encoding, authorization, x-api-key",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "allow, etag, retry-after, www-authenticate",
    });
  });

  it("may have a path parameter of 16 KiB", async () => {
    const response = await createListener().inject(`/node/parameter/${"x".repeat(10_000)}?apikey=${key}`);

    expect(response.json().text).toHaveLength(10_000);
  });
});

describe("a request that the gate refuses", () => {
  it("is told that its node does not run", async () => {
    const { statusCode, body } = await createListener({ findNode: () => undefined }).inject(`/node/a?apikey=${key}`);

    expect([statusCode, body]).toEqual([503, "This node is not running"]);
  });

  it.each(["rest", "rpc", "graphql"] as const)("is told why the %s interface can't respond now", async (wanted) => {
    const path = { rest: "/a", rpc: "/", graphql: "/graphql" }[wanted];
    const unavailable = (servedInterface: ServedInterface) =>
      servedInterface === wanted ? new ServiceError("installing", "Not yet") : undefined;
    const own = createListener({ unavailable });

    for (const other of ["/a", "/", "/graphql"]) {
      const { statusCode, body } = await own.inject(`/node${other}?apikey=${key}`);
      expect([statusCode, body.includes("Not yet")]).toEqual(other === path ? [503, true] : [200, false]);
    }
  });

  it.each([
    [{ accept: "application/json" }, "application/json"],
    [{ accept: "text/plain" }, "text/plain"],
  ])("has a response that nobody may keep, and every page may read: %j", async (headers, type) => {
    const response = await createListener().inject({ url: "/node/a?apikey=wrong", headers });

    expect(response.headers).toMatchObject({
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "allow, etag, retry-after, www-authenticate",
      "content-type": type,
    });
  });

  it.each([
    ["/", 404, "Not found"],
    ["/?a=b", 404, "Not found"],
    ["/healthz", 200, "starting"],
    ["/healthz?a=b", 200, "starting"],
    ["/healthz/", 401, "The API key is missing or not valid for this node"],
    ["/docs", 401, "The API key is missing or not valid for this node"],
    ["/health", 401, "The API key is missing or not valid for this node"],
    ["//", 401, "The API key is missing or not valid for this node"],
  ])("or that needs no key: %s is answered %i", async (url, status, body) => {
    const response = await createListener().inject({ url, headers: { accept: "text/plain" } });

    expect(response.statusCode).toBe(status);
    expect(response.body).toContain(body);
  });

  it.each([
    [{ origin: "http://a", "access-control-request-method": "GET" }, 204],
    [{ origin: "http://a" }, 401],
    [{ "access-control-request-method": "GET" }, 401],
    [{}, 401],
  ])("unless it is a preflight (Fetch Standard, section 4.8): %j is answered %i", async (headers, status) => {
    const response = await createListener().inject({ method: "OPTIONS", url: "/node/a", headers });

    expect(response.statusCode).toBe(status);
    if (status !== 204) return;
    expect(response.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, POST",
      "access-control-allow-headers": "authorization, content-type, if-none-match, x-api-key",
      "access-control-max-age": "86400",
    });
  });

  it("has the word of its health as plain text", async () => {
    const { headers, body } = await createListener().inject("/healthz");

    expect([headers["content-type"], body]).toEqual(["text/plain; charset=utf-8", "starting"]);
  });

  it("is no preflight with another method", async () => {
    const headers = { origin: "http://a", "access-control-request-method": "GET" };

    expect((await createListener().inject({ method: "GET", url: "/node/a", headers })).statusCode).toBe(401);
  });

  it("says of a browser that sends it for another site what to do", async () => {
    const headers = { authorization: `Basic ${btoa(`a:${key}`)}`, "sec-fetch-site": "cross-site" };
    const response = await createListener().inject({ url: "/node/a", headers });

    expect([response.statusCode, response.body]).toEqual([
      403,
      "A browser sends this request for another site: give the key as ?apikey= or X-API-Key instead of as Basic credentials",
    ]);
  });
});

it("a request outside the interfaces fails in plain text", async () => {
  const response = await createListener().inject({
    method: "OPTIONS",
    url: "/node/",
    headers: { origin: "http://a", "access-control-request-method": "GET", "content-type": "a/b", accept: "a/b" },
    payload: "x",
  });

  expect([response.statusCode, response.body]).toEqual([415, "The media type of the body is not known"]);
});

describe("an error behind the gate", () => {
  const withStatus = (statusCode: number) => () => Object.assign(new Error("words of Fastify"), { statusCode });

  it.each([
    [400, 400, "The request can't be read"],
    [499, 400, "The request can't be read"],
    [413, 413, "The request body is too large"],
    [415, 415, "The media type of the body is not known"],
    [399, 500, "Internal error"],
    [500, 500, "Internal error"],
  ])("with the status %i is answered %i, in words of ours", async (statusCode, status, message) => {
    const response = await createListener({ throws: withStatus(statusCode) }).inject(`/node/a?apikey=${key}`);

    expect([response.statusCode, response.body]).toEqual([status, message]);
    expect(internalErrors).toHaveLength(status === 500 ? 1 : 0);
  });

  it.each([
    ["its cause", new ServiceError("internal", "No", { cause: "disk" }), "disk"],
    ["itself without a cause", new ServiceError("internal", "No"), expect.any(ServiceError)],
  ])("that is internal is reported by %s", async (_name, error, reported) => {
    const response = await createListener({ throws: () => error }).inject(`/node/a?apikey=${key}`);

    expect(response.statusCode).toBe(500);
    expect(internalErrors).toEqual([reported]);
  });

  it("that is for the client is not reported", async () => {
    const error = new ServiceError("not_found", "No such thing");
    const response = await createListener({ throws: () => error }).inject(`/node/a?apikey=${key}`);

    expect([response.statusCode, response.body, internalErrors]).toEqual([404, "No such thing", []]);
  });

  it.each([
    ["/node/", { jsonrpc: "2.0", error: { code: -32600, message: "The request can't be read" } }],
    ["/node/graphql", { errors: [{ message: "The request can't be read" }] }],
  ])("has the shape of its interface: %s", async (url, body) => {
    const response = await createListener({ throws: withStatus(400) }).inject(`${url}?apikey=${key}`);

    expect(response.json()).toMatchObject(body);
  });
});

describe("on a socket", () => {
  async function open(behaviour: Behaviour = {}): Promise<Socket> {
    const own = createListener(behaviour);
    await own.listen({ port: 0, host: "127.0.0.1" });
    const socket = connect((own.server.address() as AddressInfo).port, "127.0.0.1");
    await once(socket, "connect");
    return socket;
  }

  const head = (fields: string) => `POST /node/?apikey=${key} HTTP/1.1\r\nhost: localhost\r\n${fields}\r\n\r\n`;

  it("a body of 64 MiB is the longest that any plan allows", async () => {
    const socket = await open({ bodyBytes: 100 * megabyte });
    const other = connect(socket.remotePort ?? 0, "127.0.0.1");
    socket.write(head(`content-type: application/json\r\ncontent-length: ${64 * megabyte + 1}`));

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 [\s\S]*The request body is too large/);
    const body = JSON.stringify("x".repeat(2 * megabyte));
    other.write(head(`content-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}`) + body);
    expect(await text(other)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([
    ["of an unknown media type", "content-type: a/b", "415", "The media type of the body is not known"],
    ["that is no JSON", "content-type: application/json", "400", "The request can't be read"],
  ])("a body %s is refused in words of ours", async (_name, field, status, message) => {
    const socket = await open();
    socket.write(`${head(`${field}\r\nconnection: close\r\ncontent-length: 1`)}{`);

    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*"message":"${message}"`));
  });

  it("what Fastify can't route is refused in the shape of its interface", async () => {
    const socket = await open();
    socket.write(`GET /node/%zz?apikey=${key} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\n\r\nThe request can't be read$/);
  });

  it.each([
    ["no HTTP", "hello\r\n\r\n", "400 Bad Request", "The request can't be read"],
    [
      "headers that are too long",
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${"x".repeat(20_000)}\r\n\r\n`,
      "431 Request Header Fields Too Large",
      "The request's headers are too large",
    ],
  ])("%s is answered with one line, and the end of the connection", async (_name, sent, status, line) => {
    const socket = await open();
    socket.write(sent);

    expect(await text(socket)).toBe(
      `HTTP/1.1 ${status}\r\nconnection: close\r\naccess-control-allow-origin: *\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${line.length}\r\n\r\n${line}`,
    );
    expect(internalErrors).toEqual([]);
  });

  it("who resets its connection is forgotten", async () => {
    const socket = await open();
    const connections = () =>
      new Promise<number>((resolve) => listener?.server.getConnections((_error, count) => resolve(count)));
    expect(await connections()).toBe(1);
    await new Promise((resolve) => socket.write("GET / HT", resolve));
    socket.resetAndDestroy();

    await expect.poll(connections).toBe(0);
    expect(internalErrors).toEqual([]);
  });

  it("nothing is written on a connection that is gone", () => {
    const { server } = createListener();
    const socket = new Socket();
    const write = vi.spyOn(socket, "write");
    server.emit("clientError", new Error("Parse Error"), socket.destroy());
    expect(write).not.toHaveBeenCalled();
  });

  it("a request has a minute to arrive, its headers less, and a connection stays open for longer than that of a proxy", () => {
    const { server } = createListener();

    expect(server.requestTimeout).toBe(60_000);
    expect(server.headersTimeout).toBeLessThan(server.requestTimeout);
    expect(server.headersTimeout).toBeGreaterThan(10_000);
    expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
  });

  it("closing the listener ends connections that wait for their next request", async () => {
    const socket = await open();
    socket.write("GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));
    const ended = new Promise((resolve) => socket.once("end", resolve));
    await listener?.close();

    await ended;
  });
});
