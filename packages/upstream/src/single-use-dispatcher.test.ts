import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import type { Dispatcher } from "undici";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createSingleUseDispatcher } from "./single-use-dispatcher.ts";

const closers: (() => void)[] = [];

afterEach(() => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) close();
});

/** Listens on loopback, and passes each request to `respond`. */
async function listen(respond: (text: string, socket: Socket) => void): Promise<URL> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined).on("data", (chunk) => respond(chunk.toString("latin1"), socket));
    closers.push(() => void socket.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  closers.push(() => void server.close());
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

const request = {
  method: "POST",
  path: "/v1?key=k",
  headers: { "content-type": "application/json", authorization: "Basic YTpi" },
  body: Buffer.from('{"text":"ä"}'),
} as const;

/** Posts, and returns the calls of the handler, with the error or the response at the end. */
function post(dispatcher: ReturnType<typeof createSingleUseDispatcher>) {
  const events: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<unknown>();
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => void events.push("request"),
    onResponseStart: (_controller, status) => void events.push(`response ${status}`),
    onResponseData: (_controller, chunk) => void events.push(`data ${chunk}`),
    onResponseEnd: () => resolve("end"),
    onResponseError: (_controller, error) => resolve(error),
  };
  expect(dispatcher.dispatch(request, handler)).toBe(true);
  return { events, ended };
}

describe("a connection for one request", () => {
  it("carries the request with its length in bytes, and is ended with the response", async () => {
    const texts: string[] = [];
    const url = await listen((text, socket) => {
      texts.push(text);
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
    });
    const { events, ended } = post(createSingleUseDispatcher({ url, connectMilliseconds: 20_000 }));
    expect(await ended).toBe("end");
    expect(events).toEqual(["request", "response 200", "data {}"]);
    expect(Buffer.from(texts.join(""), "latin1").toString()).toBe(
      [
        "POST /v1?key=k HTTP/1.1",
        `host: ${url.host}`,
        "connection: close",
        "content-length: 13",
        "content-type: application/json",
        "authorization: Basic YTpi",
        "",
        '{"text":"ä"}',
      ].join("\r\n"),
    );
  });

  it("fails as undici's do when it does not come about in time, and not afterwards", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const url = await listen((_text, socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    const dispatcher = createSingleUseDispatcher({ url, connectMilliseconds: 5_000 });
    const late = post(dispatcher);
    vi.advanceTimersByTime(4_999);
    vi.advanceTimersByTime(1);
    expect(await late.ended).toMatchObject({ message: "No connection in time", code: "UND_ERR_CONNECT_TIMEOUT" });
    expect(late.events).toEqual([]);
    const timely = post(dispatcher);
    vi.advanceTimersByTime(4_999);
    await expect.poll(() => timely.events).toContain("request");
    expect(vi.getTimerCount()).toBe(0);
    expect(await timely.ended).toBe("end");
  });

  it("fails as undici's do when the node ends it before its response", async () => {
    const url = await listen((_text, socket) => socket.end());
    const { events, ended } = post(createSingleUseDispatcher({ url, connectMilliseconds: 20_000 }));
    expect(await ended).toMatchObject({ message: "The connection has ended", code: "UND_ERR_SOCKET" });
    expect(events).toEqual(["request"]);
  });
});
