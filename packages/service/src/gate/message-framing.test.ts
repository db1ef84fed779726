import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bodyBytes, createListenerOfOneKey, onlyKey } from "./testing/listener-of-one-key.ts";

describe("a request on the public listener", () => {
  let listener: FastifyInstance;
  let bodies: string[];

  beforeEach(async () => {
    bodies = [];
    listener = createListenerOfOneKey((body) => void bodies.push(body));
    await listener.listen({ port: 0, host: "127.0.0.1" });
  });

  afterEach(async () => {
    await listener.close();
  });

  /** Sends `message` and returns what comes back until the other side closes. */
  async function exchange(message: string): Promise<string> {
    const { port } = listener.server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1");
    socket.write(message);
    return text(socket);
  }

  const post = (headers: string, body = "", target = `/bitcoin-main/?apikey=${onlyKey}`, version = "1.1") =>
    exchange(`POST ${target} HTTP/${version}\r\n${headers}connection: close\r\n\r\n${body}`);

  const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const statusOf = (response: string) => Number(response.split(" ")[1]);

  it.each([
    ["two Host headers", "host: localhost\r\nhost: localhost\r\n"],
    ["two Host headers in different case", "Host: localhost\r\nHOST: other\r\n"],
    ["no Host header", ""],
    ["a Host header with a path", "host: localhost/path\r\n"],
    ["a Host header with user information", "host: a@localhost\r\n"],
    ["a Host header with a space", "host: localhost other\r\n"],
    ["a Host header with a port that is not a number", "host: localhost:http\r\n"],
  ])("is refused with 400 and the end of its connection: %s (RFC 9112, section 3.2)", async (_name, headers) => {
    const response = await post(`${headers}content-length: 1\r\n`, "x");

    expect(statusOf(response)).toBe(400);
    expect(response).toMatch(/connection: close/i);
    expect(bodies).toEqual([]);
  });

  it.each(["localhost", "LOCALHOST:8645", "127.0.0.1:1", "[::1]:8645", "a_b.example", "node%2d1.example:", ""])(
    "is taken with Host: %s",
    async (host) => {
      expect(statusOf(await post(`host: ${host}\r\ncontent-length: 1\r\n`, "x"))).toBe(200);
    },
  );

  it.each([
    ["gzip, chunked", 501],
    ["GZIP,chunked", 501],
    ["chunked, chunked", 400],
    ["chunked;level=1", 501],
    ["deflate, chunked", 501],
    ["identity, chunked", 501],
    ["gzip", 501],
    ["chunked, gzip", 400],
    ["chunked", 200],
    ["Chunked", 200],
  ])("with Transfer-Encoding: %s is answered %i (RFC 9112, section 6.1)", async (coding, status) => {
    const response = await post(`host: localhost\r\ntransfer-encoding: ${coding}\r\n`, chunked("hello"));

    expect(statusOf(response)).toBe(status);
    expect(bodies).toEqual(status === 200 ? ["hello"] : []);
  });

  it("with two Transfer-Encoding headers is answered 501 in the shape of its interface", async () => {
    const headers = "host: localhost\r\ntransfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n";

    expect(await post(headers, chunked("hello"))).toMatch(/^HTTP\/1\.1 501 [\s\S]*"error":\{"code":-32600,/);
  });

  it("of HTTP/1.0 with Transfer-Encoding is answered 400", async () => {
    const headers = "host: localhost\r\ntransfer-encoding: chunked\r\n";

    expect(statusOf(await post(headers, chunked("hello"), undefined, "1.0"))).toBe(400);
  });

  it.each([
    ["gzip", 415],
    ["x-gzip", 415],
    ["identity, br", 415],
    ["identity", 200],
    ["utf-8", 200],
  ])("with Content-Encoding: %s is answered %i (RFC 9110, section 15.5.16)", async (coding, status) => {
    const headers = `host: localhost\r\ncontent-encoding: ${coding}\r\ncontent-length: 5\r\n`;

    expect(statusOf(await post(headers, "hello"))).toBe(status);
  });

  it.each([
    [bodyBytes - 1, 200],
    [bodyBytes, 200],
    [bodyBytes + 1, 413],
  ])(
    "with a body of %i bytes under a limit of 100 is answered %i, with its length or in chunks",
    async (length, status) => {
      const body = "é".repeat(Math.floor(length / 2)) + "x".repeat(length % 2);
      const bytes = Buffer.from(body).toString("latin1");
      const send = async (head: string, sent: string) => {
        const { port } = listener.server.address() as AddressInfo;
        const socket = connect(port, "127.0.0.1");
        socket.write(
          `POST /bitcoin-main/?apikey=${onlyKey} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${head}\r\n\r\n`,
        );
        socket.write(sent, "latin1");
        return statusOf(await text(socket));
      };

      expect(await send(`content-length: ${length}`, bytes)).toBe(status);
      expect(await send("transfer-encoding: chunked", chunked(bytes))).toBe(status);
      const half = Math.floor(length / 2);
      const twoChunks = `${half.toString(16)}\r\n${bytes.slice(0, half)}\r\n${chunked(bytes.slice(half))}`;
      expect(await send("transfer-encoding: chunked", twoChunks)).toBe(status);
      expect(bodies).toEqual(status === 200 ? [body, body, body] : []);
    },
  );
});
