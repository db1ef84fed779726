import { once } from "node:events";
import { Agent, type ClientRequest, request } from "node:http";
import type { AddressInfo } from "node:net";
import fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { watchCallers } from "./caller-signal.ts";

describe("the signal of a caller", () => {
  let app: FastifyInstance | undefined;
  let port = 0;

  afterEach(async () => app?.close());

  type Handler = (signal: AbortSignal, request: FastifyRequest) => Promise<unknown>;

  async function serve(handler: Handler, delay = async () => {}): Promise<void> {
    app = fastify();
    const signalOf = watchCallers(app);
    app.all("/", async (each) => {
      await delay();
      return await handler(signalOf(each), each);
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
    port = (app.server.address() as AddressInfo).port;
  }

  function send(method: string, agent?: Agent): ClientRequest {
    const body = method === "POST" ? "[1,2]" : undefined;
    const headers = body === undefined ? {} : { "content-type": "application/json", "content-length": body.length };
    const sent = request({ port, host: "127.0.0.1", method, headers, ...(agent === undefined ? {} : { agent }) });
    sent.on("error", () => {});
    sent.end(body);
    return sent;
  }

  it.each(["GET", "POST"])("is aborted when it goes before its %s is answered, and not before that", async (method) => {
    let arrive = (_signal: AbortSignal): void => {};
    const arrived = new Promise<AbortSignal>((resolve) => (arrive = resolve));
    let answer = (_text: string): void => {};
    const answered = new Promise<string>((resolve) => (answer = resolve));
    await serve(async (signal) => {
      arrive(signal);
      return await answered;
    });
    const sent = send(method);

    const signal = await arrived;
    // Longer than the time until the request itself, which is read to its end, reports its close.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(signal.aborted).toBe(false);
    sent.destroy();
    await once(signal, "abort");

    expect(signal.reason).toMatchObject({
      name: "ServiceError",
      code: "invalid_request",
      message: "The client disconnected before the response",
    });
    answer("nobody reads this");
  });

  it("is aborted from the beginning when it has gone already", async () => {
    let seen: AbortSignal | undefined;
    const arrived = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    await serve(
      async (signal) => {
        seen = signal;
        return "nobody reads this";
      },
      async () => {
        arrived.resolve();
        await gone.promise;
      },
    );
    app?.server.on("connection", (socket) => socket.once("close", () => setTimeout(gone.resolve, 10)));
    const sent = send("POST");
    await arrived.promise;
    sent.destroy();

    await expect.poll(() => seen?.aborted).toBe(true);
  });

  it("is not aborted by a response, and leaves no listener on a connection that serves many requests", async () => {
    const signals: AbortSignal[] = [];
    const counts: number[] = [];
    await serve(async (signal, { raw }) => {
      signals.push(signal);
      counts.push(raw.socket.eventNames().reduce((sum, name) => sum + raw.socket.listenerCount(name), 0));
      return "answered";
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });

    for (let count = 0; count < 50; count += 1) {
      const [response] = await once(send(count % 2 === 0 ? "GET" : "POST", agent), "response");
      await once(response.resume(), "end");
    }
    agent.destroy();
    await app?.close();

    expect(signals).toHaveLength(50);
    expect(signals.filter(({ aborted }) => aborted)).toEqual([]);
    expect(new Set(counts.slice(2)).size).toBe(1);
  });

  it("can't be had of a request that was not watched from its beginning", async () => {
    app = fastify();
    const watched = watchCallers(fastify());
    app.get("/", (each) => void watched(each));

    expect((await app.inject("/")).json()).toMatchObject({
      statusCode: 500,
      message: "A request was not watched from its beginning",
    });
  });
});
