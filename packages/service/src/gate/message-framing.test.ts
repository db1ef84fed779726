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

  /** Sends `message` and returns the received text until the other side closes. */
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

  const several = "The request has more than one Host header";
  const invalid = "The Host header is not valid";
  const missing = "The request has no Host header";

  it.each([
    ["two Host headers", "host: localhost\r\nhost: localhost\r\n", several],
    ["two Host headers in different case", "Host: localhost\r\nHOST: other\r\n", several],
    ["two Host headers apart", "host: localhost\r\nx: host\r\nhost: localhost\r\n", several],
    ["two Host headers, empty", "host:\r\nhost:\r\n", several],
    ["no Host header", "", missing],
    ["a Host header with a path", "host: localhost/path\r\n", invalid],
    ["a Host header with user information", "host: a@localhost\r\n", invalid],
    ["a Host header with a space", "host: localhost other\r\n", invalid],
    ["a Host header with a port that is not a number", "host: localhost:http\r\n", invalid],
    ["a Host header with a port of six digits", "host: localhost:100000\r\n", invalid],
    ["a Host header with two ports", "host: localhost:1:2\r\n", invalid],
    ["a Host header with a bare IPv6 address", "host: ::1\r\n", invalid],
    ["a Host header with an open bracket", "host: [::1\r\n", invalid],
    ["a Host header with letters in brackets", "host: [localhost]\r\n", invalid],
    ["a Host header with empty brackets", "host: []\r\n", invalid],
    ["a Host header with a name before brackets", "host: a[::1]\r\n", invalid],
    ["a Host header with a name after brackets", "host: [::1]a\r\n", invalid],
    ["a Host header with a bad escape", "host: a%zz\r\n", invalid],
    ["a Host header with half an escape", "host: a%4\r\n", invalid],
    ["a Host header with a quotation mark", 'host: "a"\r\n', invalid],
  ])(
    "is refused with 400 and the end of its connection: %s (RFC 9112, section 3.2)",
    async (_name, headers, reason) => {
      const response = await post(`${headers}content-length: 1\r\n`, "x");

      expect(statusOf(response)).toBe(400);
      expect(response).toMatch(/connection: close/i);
      expect(response).toContain(reason);
      expect(bodies).toEqual([]);
    },
  );

  it.each([
    "localhost",
    "LOCALHOST:8645",
    "127.0.0.1:1",
    "[::1]:8645",
    "[2001:db8::aF]",
    "[::ffff:127.0.0.1]",
    "a_b.example",
    "node%2d1.example:",
    "%4D",
    "a:65535",
    "a-b~c!$&'()*+,;=d",
    "",
  ])("is taken with Host: %s", async (host) => {
    expect(statusOf(await post(`host: ${host}\r\ncontent-length: 1\r\n`, "x"))).toBe(200);
  });

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

    expect(await post(headers, chunked("hello"))).toMatch(
      /^HTTP\/1\.1 501 [\s\S]*"error":\{"code":-32600,"message":"The only supported transfer coding is chunked"\}/,
    );
  });

  it("of HTTP/1.0 with Transfer-Encoding is answered 400", async () => {
    const headers = "host: localhost\r\ntransfer-encoding: chunked\r\n";

    const response = await post(headers, chunked("hello"), undefined, "1.0");

    expect(statusOf(response)).toBe(400);
    expect(response).toContain("Transfer-Encoding needs HTTP/1.1");
    expect(bodies).toEqual([]);
  });

  it.each([
    ["1.1", "foo", 417],
    ["1.1", "100-continued", 417],
    ["1.0", "foo", 200],
  ])("of HTTP/%s with Expect: %s is answered %i (RFC 9110, section 10.1.1)", async (version, expectation, status) => {
    const headers = `host: localhost\r\nexpect: ${expectation}\r\ncontent-length: 1\r\n`;

    const response = await post(headers, "x", undefined, version);

    expect(statusOf(response)).toBe(status);
    expect(response.includes('"message":"The only supported expectation is 100-continue"')).toBe(status === 417);
    expect(bodies).toEqual(status === 200 ? ["x"] : []);
  });

  it("of HTTP/1.0 needs neither a Host nor a transfer coding", async () => {
    expect(statusOf(await post("content-length: 1\r\n", "x", undefined, "1.0"))).toBe(200);
  });

  it.each([
    ["gzip", 415],
    ["x-gzip", 415],
    ["GZIP", 415],
    ["compress", 415],
    ["deflate", 415],
    ["zstd", 415],
    ["identity, br", 415],
    ["br, identity", 415],
    ["identity", 200],
    ["utf-8", 200],
    ["libre", 200],
    ["broken", 200],
  ])("with Content-Encoding: %s is answered %i (RFC 9110, section 15.5.16)", async (coding, status) => {
    const headers = `host: localhost\r\ncontent-encoding: ${coding}\r\ncontent-length: 5\r\n`;

    const response = await post(headers, "hello");
    expect(statusOf(response)).toBe(status);
    expect(response.includes("The request body has to be sent without a content coding")).toBe(status === 415);
    expect(bodies).toEqual(status === 200 ? ["hello"] : []);
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
