import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import fastify from "fastify";
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

describe("a response before the end of its request's body", () => {
  it.each([
    ["a long body", "content-length: 1000000", true],
    ["a body of unknown length", "transfer-encoding: chunked", true],
    ["a short body", "content-length: 10", false],
  ])("ends the connection after %s: %s", async (_name, header, isEnd) => {
    const instance = fastify();
    lingerAfterReplies(instance);
    instance.post("/", { onRequest: (_request, reply) => void reply.code(401).send("no") }, async () => "never");
    await instance.listen({ port: 0, host: "127.0.0.1" });
    const socket = connect((instance.server.address() as AddressInfo).port, "127.0.0.1");
    socket.write(`POST / HTTP/1.1\r\nhost: localhost\r\n${header}\r\n\r\n`);

    const [received] = (await once(socket, "data")) as [Buffer];

    expect(String(received)).toMatch(isEnd ? /connection: close/i : /connection: keep-alive/i);
    if (isEnd) await once(socket, "close");
    socket.destroy();
    await instance.close();
  });
});
