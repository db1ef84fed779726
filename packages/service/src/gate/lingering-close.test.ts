import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, Socket } from "node:net";
import { text } from "node:stream/consumers";
import fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { closeLingering, type LingerLimits, lingerAfterReplies } from "./lingering-close.ts";

const long = 600_000;

describe("a connection that is closed lingering", () => {
  let server: Server;
  let client: Socket;
  let served: Socket;

  beforeEach(async () => {
    server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const accepted = once(server, "connection");
    client = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", allowHalfOpen: true });
    client.on("error", () => undefined);
    [served] = (await accepted) as [Socket];
    served.resume();
  });

  afterEach(() => {
    client.destroy();
    server.close();
  });

  const closeWith = (limits: Partial<LingerLimits>) =>
    closeLingering(served, { milliseconds: long, idleMilliseconds: long, bytes: long, ...limits });

  it("sends what was written, and waits for the client to close its side", async () => {
    served.write("response");
    closeWith({});

    expect(await text(client)).toBe("response");
    expect(served.destroyed).toBe(false);
    client.end("the rest of the body");
    await once(served, "close");
  });

  it("is left alone when it is destroyed already", async () => {
    served.destroy();
    await once(served, "close");
    const setTimer = vi.spyOn(globalThis, "setInterval");
    closeWith({});
    expect(setTimer).not.toHaveBeenCalled();
    setTimer.mockRestore();
  });

  it.each<[string, Partial<LingerLimits>, boolean]>([
    ["sends more than the limit", { bytes: 1_000_000 }, true],
    ["goes on sending after the time", { milliseconds: 1 }, true],
    ["sends nothing for long", { idleMilliseconds: 1 }, false],
  ])("is cut when the client %s", async (_name, limits, isSending) => {
    const closed = once(served, "close");
    const piece = Buffer.alloc(65_536);
    const send = (): void => {
      while (!client.destroyed && client.write(piece));
    };
    if (isSending) send();
    client.on("drain", send);
    closeWith(limits);

    await closed;
    expect(served.destroyed).toBe(true);
  });
});

describe("the limits of a connection that is closed lingering", () => {
  /** A connection whose client side stays open, and whose bytes the test counts. */
  class LingeringSocket extends Socket {
    override bytesRead = 5_000;
  }
  let socket: LingeringSocket;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    socket = new LingeringSocket();
  });

  afterEach(() => {
    socket.destroy();
    vi.useRealTimers();
  });

  const limits: LingerLimits = { milliseconds: 1_000, idleMilliseconds: 500, bytes: 10 };

  it("are milliseconds from the end of the response, however much is sent", () => {
    closeLingering(socket, { ...limits, bytes: 1_000 });
    for (let elapsed = 0; elapsed < 900; elapsed += 100) {
      socket.bytesRead += 1;
      vi.advanceTimersByTime(100);
    }
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(100);
    expect(socket.destroyed).toBe(true);
  });

  it("are milliseconds without a byte, from the end of the response", () => {
    closeLingering(socket, limits);
    vi.advanceTimersByTime(400);
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(100);
    expect(socket.destroyed).toBe(true);
  });

  it("are milliseconds without a byte, from the last one", () => {
    closeLingering(socket, limits);
    socket.bytesRead += 1;
    vi.advanceTimersByTime(200);
    socket.bytesRead += 1;
    vi.advanceTimersByTime(500);
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(100);
    expect(socket.destroyed).toBe(true);
  });

  it("are bytes after the end of the response", () => {
    closeLingering(socket, limits);
    socket.bytesRead += 10;
    vi.advanceTimersByTime(100);
    expect(socket.destroyed).toBe(false);
    socket.bytesRead += 1;
    vi.advanceTimersByTime(100);
    expect(socket.destroyed).toBe(true);
  });

  it("are those of the first close alone, and leave no timer behind", async () => {
    const end = vi.spyOn(socket, "end");
    closeLingering(socket, limits);
    closeLingering(socket, { ...limits, idleMilliseconds: 1 });
    expect([end.mock.calls.length, vi.getTimerCount()]).toEqual([1, 1]);
    vi.advanceTimersByTime(100);
    expect(socket.destroyed).toBe(false);
    const closed = once(socket, "close");
    socket.destroy();
    await closed;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("let a client with a slow line read its response, unless they are given", () => {
    closeLingering(socket);
    for (let elapsed = 0; elapsed < 29_900; elapsed += 100) {
      socket.bytesRead += elapsed % 4_900 === 0 ? 1 : 0;
      vi.advanceTimersByTime(100);
    }
    socket.bytesRead = 5_000 + 256 * 1024 * 1024;
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(100);
    expect(socket.destroyed).toBe(true);
  });

  it("cut a client that goes on sending, unless they are given", () => {
    closeLingering(socket);
    socket.bytesRead = 5_000 + 256 * 1024 * 1024;
    vi.advanceTimersByTime(100);
    expect(socket.destroyed).toBe(false);
    socket.bytesRead += 1;
    vi.advanceTimersByTime(100);
    expect(socket.destroyed).toBe(true);
  });
});

describe("a response before the end of its request's body", () => {
  it.each([
    ["a long body", "content-length: 1000000", true],
    ["a body of unknown length", "transfer-encoding: chunked", true],
    ["a body that is just too long", "content-length: 65537", true],
    ["a body of 64 KiB", "content-length: 65536", false],
    ["a short body", "content-length: 10", false],
    ["no body", "content-length: 0", false],
    ["no body and no length", "x: y", false],
    ["a short body, with an end of its own", "content-length: 10\r\nx-end: true", true],
  ])("ends the connection after %s: %s", async (_name, header, isEnd) => {
    const instance = fastify();
    lingerAfterReplies(instance);
    const respond = (request: FastifyRequest, reply: FastifyReply) => {
      if (request.headers["x-end"] !== undefined) reply.header("connection", "close");
      reply.code(401).send("no");
    };
    instance.post("/", { onRequest: (request, reply) => respond(request, reply) }, async () => "never");
    await instance.listen({ port: 0, host: "127.0.0.1" });
    const socket = connect((instance.server.address() as AddressInfo).port, "127.0.0.1");
    socket.write(`POST / HTTP/1.1\r\nhost: localhost\r\n${header}\r\n\r\n`);

    const [received] = (await once(socket, "data")) as [Buffer];

    expect(String(received)).toMatch(isEnd ? /connection: close/i : /connection: keep-alive/i);
    if (isEnd) await once(socket, "close");
    socket.destroy();
    await instance.close();
  });

  it.each([
    ["a long body", "content-length: 70000", "x".repeat(70_000)],
    ["chunks", "transfer-encoding: chunked", "1\r\nx\r\n0\r\n\r\n"],
  ])("does not end it once the body has come: %s", async (_name, header, body) => {
    const instance = fastify();
    lingerAfterReplies(instance);
    instance.addContentTypeParser("*", { parseAs: "string" }, (_request, _body, done) => done(null, undefined));
    instance.post("/", async () => "read");
    await instance.listen({ port: 0, host: "127.0.0.1" });
    const socket = connect((instance.server.address() as AddressInfo).port, "127.0.0.1");
    socket.write(`POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: a/b\r\n${header}\r\n\r\n${body}`);

    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: keep-alive/i);
    socket.destroy();
    await instance.close();
  });

  it.each(["content-length: 0", "x: y"])("closes at once where there is no body: %s", async (header) => {
    const instance = fastify();
    lingerAfterReplies(instance, { milliseconds: long, idleMilliseconds: long, bytes: long });
    const respond = (_request: FastifyRequest, reply: FastifyReply) =>
      void reply.header("connection", "close").code(401).send("no");
    instance.post("/", { onRequest: respond }, async () => "never");
    const served = once(instance.server, "connection");
    await instance.listen({ port: 0, host: "127.0.0.1" });
    const socket = connect({ port: (instance.server.address() as AddressInfo).port, allowHalfOpen: true });
    const closed = once((await served)[0] as Socket, "close");
    socket.write(`POST / HTTP/1.1\r\nhost: localhost\r\n${header}\r\n\r\n`);

    await closed;
    socket.destroy();
    await instance.close();
  });

  it("leaves the connection open for a short body where it ends it, until the client closes its side", async () => {
    const instance = fastify();
    lingerAfterReplies(instance, { milliseconds: long, idleMilliseconds: long, bytes: long });
    const respond = (_request: FastifyRequest, reply: FastifyReply) =>
      void reply.header("connection", "close").code(401).send("no");
    instance.post("/", { onRequest: respond }, async () => "never");
    const accepted = once(instance.server, "connection");
    await instance.listen({ port: 0, host: "127.0.0.1" });
    const socket = connect({ port: (instance.server.address() as AddressInfo).port, allowHalfOpen: true });
    socket.on("error", () => undefined);
    const [served] = (await accepted) as [Socket];
    const head = "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n";
    socket.write(head);
    await once(socket.resume(), "end");
    socket.write("0123456789");

    await expect.poll(() => served.bytesRead).toBe(head.length + 10);
    const closed = once(served, "close");
    socket.end();
    await closed;
    await instance.close();
  });

  it("is received by a client that sends its body first", async () => {
    const instance = fastify({ forceCloseConnections: true });
    lingerAfterReplies(instance);
    instance.post("/", { onRequest: (_request, reply) => void reply.code(401).send("no") }, async () => "never");
    await instance.listen({ port: 0, host: "127.0.0.1" });
    const socket = connect((instance.server.address() as AddressInfo).port, "127.0.0.1");
    const length = 20 * 1024 * 1024;
    socket.write(`POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${length}\r\n\r\n`);
    // Reads nothing before its body is sent.
    socket.pause();
    await new Promise((resolve) => socket.write(Buffer.alloc(length), resolve));

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 [\s\S]*\r\n\r\nno$/);
    await instance.close();
  });
});
