import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { createHttpClient } from "../client/http-client.ts";
import type { ContentFacts, HttpOperation } from "../operations/operation.ts";
import { restOperation } from "../testing/hand-made-operations.ts";
import type { ServerSentEvent } from "../wire/event-stream.ts";
import { createInjectTransport } from "./inject-transport.ts";
import { createRestPlugin } from "./rest-plugin.ts";

const lines: ContentFacts = { mediaType: "application/x-ndjson", form: "json-lines" };
const events: ContentFacts = { mediaType: "text/event-stream", form: "event-stream" };

function operation(name: string, changes: Partial<HttpOperation>): HttpOperation {
  return restOperation({ name, method: "POST", path: `/${name}`, ...changes });
}

const addAll = operation("addAll", {
  body: { required: true, contents: [lines] },
  successes: [{ status: 200, content: { mediaType: "application/json", form: "json" }, headers: [] }],
});
const countDown = operation("countDown", { successes: [{ status: 200, content: events, headers: [] }] });

/** Connects a client and a server of one process. */
async function connect(
  handlers: Record<string, (input: never) => unknown>,
): Promise<ReturnType<typeof createHttpClient>> {
  const app = fastify();
  await app.register(createRestPlugin({ addAll, countDown }, handlers, { context: () => undefined }), {
    prefix: "/api",
  });
  const options = { baseUrl: "http://any/api", transport: createInjectTransport(app) };
  return createHttpClient(options, { query: "key", header: "X-Key" });
}

describe("a client and a server of one process", () => {
  it("hand over items one by one, both ways", async () => {
    const client = await connect({
      addAll: async ({ body }: { body: AsyncIterable<number> }) => {
        let sum = 0;
        for await (const item of body) sum += item;
        return sum;
      },
      countDown: async function* () {
        for (const data of [3, 2, 1]) yield { data, id: String(data) };
      },
    });
    async function* items(): AsyncGenerator<number> {
      yield 1;
      yield 2;
    }
    expect(await client.call(addAll, { body: items() }, undefined)).toBe(3);
    const received: unknown[] = [];
    for await (const event of (await client.call(countDown, {}, undefined)) as AsyncIterable<ServerSentEvent>) {
      received.push(event);
    }
    expect(received).toEqual([3, 2, 1].map((data) => ({ data, id: String(data) })));
  });

  it("show the headers of a response, several of one name as one", async () => {
    const app = fastify();
    app.get("/", (_request, reply) => reply.header("set-cookie", ["a=1", "b=2"]).header("x-count", 5).send("x"));
    const { header, body } = await createInjectTransport(app)({
      method: "GET",
      url: "http://any/",
      headers: {},
    } as never);
    expect([header("set-cookie"), header("x-count"), header("x-none")]).toEqual(["a=1, b=2", "5", undefined]);
    expect(Buffer.from(body).toString()).toBe("x");
  });

  it("let the server stop when the caller has", async () => {
    const { promise: stopped, resolve } = Promise.withResolvers<string>();
    const client = await connect({
      countDown: async function* () {
        try {
          for (;;) yield { data: 1 };
        } finally {
          resolve("stopped");
        }
      },
    });
    const events = (await client.call(countDown, {}, undefined)) as AsyncIterable<ServerSentEvent>;
    for await (const { data } of events) {
      expect(data).toBe(1);
      break;
    }
    expect(await stopped).toBe("stopped");
  });
});
