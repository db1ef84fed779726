import { setTimeout as delay } from "node:timers/promises";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { RpcOperation } from "../operations/operation.ts";
import { rpcOperations } from "../testing/hand-made-operations.ts";
import type { RpcOptions } from "./plugin-options.ts";
import { createRpcPlugin, type RpcHandlers } from "./rpc-plugin.ts";

const opened: FastifyInstance[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

interface Answer {
  readonly id: unknown;
  readonly result: unknown;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } | null;
}

async function serve(
  handlers: RpcHandlers<string>,
  changes: Partial<RpcOptions<string>> = {},
  operations: Readonly<Record<string, RpcOperation>> = rpcOperations,
) {
  const app = fastify();
  opened.push(app);
  await app.register(createRpcPlugin(operations, handlers, { context: () => "here", ...changes }, "both"));
  return async (members: readonly unknown[]) => {
    const response = await app.inject({ method: "POST", url: "/", payload: JSON.stringify(members) });
    return { status: response.statusCode, responses: JSON.parse(response.body) as readonly Answer[] };
  };
}

const call = (height: number, id: unknown = height) => ({
  jsonrpc: "2.0",
  id,
  method: "getblockhash",
  params: [height],
});

describe("a batch", () => {
  it("keeps what is done in its time, and says of the rest that it is not", async () => {
    const begun: number[] = [];
    const never = new Promise<never>(() => {});
    const handlers: RpcHandlers<string> = {
      getblockhash: async ({ height }: { height: number }) => {
        begun.push(height);
        return height === 2 ? await never : height;
      },
      // Last started member: until then the time of the batch stands still.
      send: () => {
        vi.advanceTimersByTime(100);
        return never;
      },
    };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const ask = await serve(handlers, { batchMilliseconds: 100, concurrency: 2 });
    const hanging = { jsonrpc: "2.0", method: "send" };
    const { status, responses } = await ask([call(1), call(2), call(3), hanging, call(4), hanging, { id: "x" }]);
    expect(status).toBe(200);
    expect(responses.map(({ id, result, error }) => [id, result, error?.code])).toEqual([
      [1, 1, undefined],
      [2, null, -32015],
      [3, 3, undefined],
      [4, null, -32015],
      ["x", null, -32015],
    ]);
    expect(responses[1]?.error?.message).toBe("The batch was not done within 0.1 seconds");
    expect(begun).toEqual([1, 2, 3]);
  });

  it("does not change a response that has been sent when a member is done too late", async () => {
    const late = Promise.withResolvers<number>();
    const ask = await serve({ getblockhash: () => late.promise }, { batchMilliseconds: 20 });
    const { responses } = await ask([call(1)]);
    late.resolve(7);
    await delay(5);
    expect(responses[0]?.error?.code).toBe(-32015);
  });

  it("stops when its responses become too large, and says so in place of each that is left out", async () => {
    const begun: number[] = [];
    const handlers: RpcHandlers<string> = {
      getblockhash: ({ height }: { height: number }) => {
        begun.push(height);
        return "x".repeat(height);
      },
    };
    const ask = await serve(handlers, { batchResponseBytes: 2_000, concurrency: 1 });
    const { status, responses } = await ask([call(900, "a"), call(900, "b"), call(900, "c"), call(1, "d")]);
    expect(status).toBe(200);
    expect(responses.map(({ id, error }) => [id, error?.code])).toEqual([
      ["a", undefined],
      ["b", undefined],
      ["c", -32600],
      ["d", -32600],
    ]);
    expect(responses[2]?.error).toMatchObject({
      message: "The responses of the batch are larger than 2000 bytes: send fewer calls at once, or this one alone",
      data: { reason: "batch-answer-too-large", limit: 2_000 },
    });
    expect(begun).toEqual([900, 900, 900]);
  });

  it.each(["x", "é", "😀"])("takes results of as many bytes as the limit, and of none more: %s", async (character) => {
    const handlers: RpcHandlers<string> = {
      getblockhash: ({ height }: { height: number }) => character.repeat(height),
    };
    const envelope = Buffer.byteLength('{"jsonrpc":"2.0","result":"","error":null,"id":7}');
    const limit = 2 * (envelope + 10 * Buffer.byteLength(character));
    const errorsUnder = async (bytes: number) => {
      const ask = await serve(handlers, { batchResponseBytes: () => bytes });
      return (await ask([call(10, 7), call(10, 8)])).responses.map(({ error }) => error?.code);
    };

    expect(await errorsUnder(limit)).toEqual([undefined, undefined]);
    expect(await errorsUnder(limit - 1)).toEqual([undefined, -32600]);
  });

  it("of as many members as the limit is taken, and of one more refused as a whole", async () => {
    const ask = await serve({ getblockhash: () => 1 }, { batchLimit: 2 });

    expect((await ask([call(1), call(2)])).responses).toHaveLength(2);
    const { status, responses } = await ask([call(1), call(2), call(3)]);
    expect([status, responses]).toMatchObject([413, { error: { code: -32600 }, id: null }]);
  });

  it("lets members that change something wait for those before them, and those behind them for these", async () => {
    const events: string[] = [];
    const ends = new Map([1, 2, 10, 20].map((height) => [height, Promise.withResolvers<void>()]));
    // The first of two concurrent ones is done last.
    const awaited = new Map([
      [20, 1],
      [10, 2],
    ]);
    const handlers: RpcHandlers<string> = {
      getblockhash: async ({ height }: { height: number }) => {
        events.push(`begin ${height}`);
        await ends.get(awaited.get(height) ?? 0)?.promise;
        await delay(5);
        events.push(`end ${height}`);
        ends.get(height)?.resolve();
        return height;
      },
      send: async () => {
        events.push("begin send");
        await delay(5);
        events.push("end send");
      },
    };
    const { send } = rpcOperations;
    const operations = { ...rpcOperations, send: { ...send, extensions: { ...send.extensions, safe: false } } };
    const ask = await serve(handlers, {}, operations);
    const change = (id: string) => ({ jsonrpc: "2.0", id, method: "send" });
    const { responses } = await ask([call(20), call(1), change("a"), change("b"), call(10), call(2)]);
    expect(responses.map(({ id }) => id)).toEqual([20, 1, "a", "b", 10, 2]);
    expect(events).toEqual([
      ...["begin 20", "begin 1", "end 1", "end 20"],
      ...["begin send", "end send", "begin send", "end send"],
      ...["begin 10", "begin 2", "end 2", "end 10"],
    ]);
  });

  it("works on members of methods that the service names one after the other", async () => {
    let running = 0;
    const handlers: RpcHandlers<string> = {
      getblockhash: async () => {
        running += 1;
        await delay(2);
        running -= 1;
        return running;
      },
    };
    const ask = await serve(handlers, { oneAfterTheOther: new Set(["getblockhash"]) });
    const { responses } = await ask([call(1), call(2), call(3)]);
    expect(responses.map(({ result }) => result)).toEqual([0, 0, 0]);
  });

  it("is not worked on any more when its caller has gone", async () => {
    let begun = 0;
    const app = fastify();
    opened.push(app);
    const gone = Promise.withResolvers<void>();
    const handlers: RpcHandlers<string> = {
      send: async () => {
        begun += 1;
        await gone.promise;
      },
    };
    await app.register(createRpcPlugin(rpcOperations, handlers, { context: () => "here", concurrency: 2 }, "both"));
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    const closed = new Promise((resolve) => app.server.once("connection", (socket) => socket.once("close", resolve)));
    const abortion = new AbortController();
    const body = JSON.stringify(Array.from({ length: 50 }, (_, id) => ({ jsonrpc: "2.0", id, method: "send" })));
    const answer = fetch(url, { method: "POST", body, signal: abortion.signal });
    await expect.poll(() => begun).toBe(2);
    abortion.abort();
    await expect(answer).rejects.toThrow("abort");
    await closed;
    gone.resolve();
    await delay(20);
    expect(begun).toBe(2);
  });

  it("lets other requests have their turn while its members need no waiting", async () => {
    const handlers: RpcHandlers<string> = {
      getblockhash: () => {
        const end = performance.now() + 2;
        while (performance.now() < end);
        return 1;
      },
    };
    const ask = await serve(handlers);
    let turns = 0;
    const counter = setInterval(() => (turns += 1), 1);
    await ask(Array.from({ length: 100 }, (_, id) => call(1, id)));
    clearInterval(counter);
    expect(turns).toBeGreaterThan(10);
  });
});
