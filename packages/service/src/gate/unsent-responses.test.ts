import { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { text } from "node:stream/consumers";
import fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { afterEach, describe, expect, it, vi } from "vitest";
import { defaultUnsentResponses, limitUnsentResponses, type UnsentResponsesOptions } from "./unsent-responses.ts";

/** Number of bytes that exceeds the system's buffer of an unread connection. */
const responseBytes = 16 * 1024 * 1024;
const options = {
  maximumBytes: 2.5 * responseBytes,
  minimumLength: 1_000,
  readTimeoutMilliseconds: 60_000,
  bytesPerSecond: 1e9,
};

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function serve(changes: Partial<UnsentResponsesOptions> = {}): Promise<{ app: FastifyInstance; port: number }> {
  const app = fastify({ forceCloseConnections: true });
  opened.push(() => app.close());
  limitUnsentResponses(app, { ...options, ...changes });
  app.get("/long", async () => "x".repeat(responseBytes));
  app.get("/short", async () => "x");
  await app.listen({ host: "127.0.0.1", port: 0 });
  return { app, port: (app.server.address() as AddressInfo).port };
}

/** Requests the long response; resolves when it begins to arrive, and reads no more of it. */
async function askAndWait(port: number): Promise<{ socket: Socket; head: string }> {
  const socket = connect(port, "127.0.0.1");
  opened.push(() => socket.destroy());
  socket.write("GET /long HTTP/1.1\r\nhost: a\r\n\r\n");
  const head = await new Promise<string>((resolve) => socket.once("data", (data) => resolve(data.toString("latin1"))));
  socket.pause();
  return { socket, head: head.slice(0, 12) };
}

it("refuses long responses beyond the bound with 503, short ones never, and takes them again when others were read", async () => {
  const { port } = await serve();
  const [first, second] = [await askAndWait(port), await askAndWait(port)];
  expect([first.head, second.head]).toEqual(["HTTP/1.1 200", "HTTP/1.1 200"]);

  const refused = await fetch(`http://127.0.0.1:${port}/long`);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: "OVERLOADED" } }] });
  expect((await fetch(`http://127.0.0.1:${port}/short`)).status).toBe(200);

  first.socket.destroy();
  await expect
    .poll(async () => {
      const response = await fetch(`http://127.0.0.1:${port}/long`);
      await response.arrayBuffer();
      return response.status;
    })
    .toBe(200);
});

it("closes the connection of who does not read", async () => {
  const { app, port } = await serve({ readTimeoutMilliseconds: 20 });
  const closed = new Promise((resolve) =>
    app.server.once("connection", (connection) => connection.once("close", resolve)),
  );
  const { socket } = await askAndWait(port);
  await closed;
  // Text that the system had accepted by then, and the end or the loss of the connection.
  const received = await text(socket).then(
    ({ length }) => length,
    () => 0,
  );
  expect(received).toBeLessThan(responseBytes);
});

describe("the bounds of responses that are not read", () => {
  type Done = (error: null, changed: unknown) => void;
  type OnSend = (request: undefined, reply: FastifyReply, payload: unknown, done: Done) => void;
  type Send = (reply: FastifyReply, payload: unknown) => unknown;
  const limits = { maximumBytes: 30, minimumLength: 10, readTimeoutMilliseconds: 1_000, bytesPerSecond: 5 };

  /** Runs the hook like Fastify: returns the payload that is finally sent. */
  function createSend(limits: UnsentResponsesOptions): Send {
    let send: Send | undefined;
    const scope = {
      addHook(name: string, hook: OnSend) {
        expect(name).toBe("onSend");
        send = (reply, payload) => {
          let sent: unknown;
          hook(undefined, reply, payload, (_error, changed) => {
            sent = changed;
          });
          return sent;
        };
      },
    };
    limitUnsentResponses(scope as unknown as FastifyInstance, limits);
    if (send === undefined) throw new Error("There is no hook");
    return send;
  }

  /** Creates a reply whose response is not sent until the test closes it. */
  function createReply(): FastifyReply & { readonly status: number | undefined } {
    const reply = {
      status: undefined as number | undefined,
      raw: new ServerResponse(new IncomingMessage(new Socket())),
      code(status: number) {
        reply.status = status;
        return reply;
      },
      headers: () => reply,
    };
    return reply as unknown as FastifyReply & { readonly status: number | undefined };
  }

  afterEach(() => void vi.useRealTimers());

  it("are bytes of responses that are not short, together", () => {
    const send = createSend(limits);
    const [first, second] = [createReply(), createReply()];
    expect(send(first, "x".repeat(20))).toBe("x".repeat(20));
    expect(send(second, "y".repeat(10))).toBe("y".repeat(10));

    const refused = createReply();
    expect(JSON.parse(String(send(refused, "z".repeat(10))))).toMatchObject({
      errors: [{ message: "Too many long responses are being sent; try again, or request less at once" }],
    });
    expect(refused.status).toBe(503);
    for (const payload of ["z".repeat(9), Buffer.alloc(100), undefined]) {
      expect(send(createReply(), payload)).toBe(payload);
    }

    second.raw.emit("close");
    expect(send(createReply(), "z".repeat(11))).toContain("OVERLOADED");
    expect(send(createReply(), "z".repeat(10))).toBe("z".repeat(10));
    first.raw.emit("close");
    expect(send(createReply(), "z".repeat(20))).toBe("z".repeat(20));
  });

  it("are the milliseconds that it may take to read one, and more for a longer one", () => {
    vi.useFakeTimers();
    const send = createSend(limits);
    const reply = createReply();
    const destroy = vi.spyOn(reply.raw, "destroy");
    send(reply, "x".repeat(15));
    vi.advanceTimersByTime(3_999);
    expect(destroy).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(destroy).toHaveBeenCalledOnce();
  });

  it("leave no timer behind when a response has gone out", () => {
    vi.useFakeTimers();
    const send = createSend(limits);
    const reply = createReply();
    send(reply, "x".repeat(15));
    expect(vi.getTimerCount()).toBe(1);
    reply.raw.emit("close");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("are 512 answers of a megabyte, unless they are given", () => {
    const send = createSend(defaultUnsentResponses);
    const megabyte = "x".repeat(1024 * 1024);
    for (let count = 0; count < 512; count++) expect(send(createReply(), megabyte)).toBe(megabyte);
    expect(send(createReply(), "x".repeat(64 * 1024))).toContain("OVERLOADED");
    expect(send(createReply(), "x".repeat(64 * 1024 - 1))).not.toContain("OVERLOADED");
  });
});
