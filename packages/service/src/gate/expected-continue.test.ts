import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createListenerOfOneKey, onlyKey } from "./testing/listener-of-one-key.ts";

describe("a request that expects 100 Continue (RFC 9110, section 10.1.1)", () => {
  let listener: FastifyInstance;
  let bodies: string[];
  let socket: Socket;

  beforeEach(async () => {
    bodies = [];
    listener = createListenerOfOneKey((body) => void bodies.push(body));
    await listener.listen({ port: 0, host: "127.0.0.1" });
    socket = connect((listener.server.address() as AddressInfo).port, "127.0.0.1");
  });

  afterEach(async () => {
    socket.destroy();
    await listener.close();
  });

  const receive = async (): Promise<string> => String((await once(socket, "data"))[0]);
  const head = (key: string, fields: string) =>
    `POST /bitcoin-main/?apikey=${key} HTTP/1.1\r\nhost: localhost\r\n${fields}\r\n\r\n`;

  it("is told to go on, once, and its connection can be used again", async () => {
    socket.write(head(onlyKey, "expect: 100-continue\r\ncontent-length: 5"));
    expect(await receive()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    expect(bodies).toEqual([]);
    socket.write("first");
    expect(await receive()).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: keep-alive/i);
    socket.write(`${head(onlyKey, "content-length: 6\r\nconnection: close")}second`);

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
    expect(bodies).toEqual(["first", "second"]);
  });

  it("is told to go on, and its connection ends when it asks for that", async () => {
    socket.write(head(onlyKey, "expect: 100-continue\r\nconnection: close\r\ncontent-length: 5"));
    expect(await receive()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    socket.write("first");

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i);
  });

  it("is refused before it sends its body, and its connection ends", async () => {
    socket.write(head("wrong", "expect: 100-continue\r\ncontent-length: 5"));

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 [\s\S]*connection: close/i);
    expect(bodies).toEqual([]);
  });
});

it("tells nobody to go on who does not wait", async () => {
  const listener = createListenerOfOneKey(() => {});
  await listener.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((listener.server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(
    `POST /bitcoin-main/?apikey=${onlyKey} HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\nconnection: close\r\n\r\nx`,
  );

  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  await listener.close();
});
