import type { AddressInfo } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import type { GraphqlError } from "../client/client-errors.ts";
import type { ClientOptions } from "../client/client-options.ts";
import { createGraphqlClient, type GraphqlClient } from "../client/graphql-client.ts";
import type { GraphqlDocumentFacts, GraphqlOperation } from "../operations/operation.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { GraphqlHandlers } from "./executable-schema.ts";
import type { GraphqlOptions } from "./graphql-options.ts";
import { createGraphqlPlugin } from "./graphql-plugin.ts";

const schemaText = `
  type Query { ready: Boolean! }
  type Mutation { act: Boolean! }
  type Block { number: Int! wrong: Int }
  type Subscription { count(from: Int! = 0, to: Int!): Int! blocks: Block! silence: Int! late: Int! missing: Int! }
`;

function rootField(root: GraphqlOperation["root"], field: string): GraphqlOperation {
  const extensions = { disabledByDefault: false, nodeControl: false, units: 1 };
  return { kind: "graphql", name: field, origin: `${root}.${field}`, root, field, extensions };
}

const operations = {
  ready: rootField("query", "ready"),
  act: rootField("mutation", "act"),
  count: rootField("subscription", "count"),
  blocks: rootField("subscription", "blocks"),
  silence: rootField("subscription", "silence"),
  late: rootField("subscription", "late"),
  missing: rootField("subscription", "missing"),
};

/** Iterator that ends on demand, as one that waits for something else would. */
class Silence implements AsyncIterableIterator<number, void> {
  /** Settled when the first item is requested. */
  readonly begun: Promise<void>;
  readonly ended: Promise<void>;
  readonly #begin: () => void;
  readonly #end: () => void;

  constructor() {
    ({ promise: this.begun, resolve: this.#begin } = Promise.withResolvers<void>());
    ({ promise: this.ended, resolve: this.#end } = Promise.withResolvers<void>());
  }

  async next(): Promise<IteratorResult<number, void>> {
    this.#begin();
    await this.ended;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<number, void>> {
    this.#end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

let silence = new Silence();

/** Subscription that the test starts. */
const late = { begun: Promise.withResolvers<void>(), goOn: Promise.withResolvers<void>() };

const handlers: GraphqlHandlers<unknown> = {
  ready: () => true,
  act: () => true,
  async *count({ from, to }: { from: number; to: number }) {
    for (let value = from; value < to; value += 1) {
      if (value === 13) throw new ServiceError("upstream_unavailable", "The node is away");
      if (value === 14) throw new TypeError("hunter2");
      yield value;
    }
  },
  async *blocks() {
    yield { number: 1 };
    yield { number: 2 };
  },
  silence: () => silence,
  late: async () => {
    late.begun.resolve();
    await late.goOn.promise;
    return silence;
  },
};

const resolvers = {
  Block: {
    wrong: ({ number }: { number: number }) => {
      if (number === 2) throw new ServiceError("not_found", "Gone");
      return 0;
    },
  },
};

const opened: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
  silence = new Silence();
});

async function serve(changes: Partial<GraphqlOptions<unknown>> = {}): Promise<string> {
  const app = fastify({ forceCloseConnections: true });
  opened.push(app);
  const options = { context: () => undefined, ...changes };
  await app.register(createGraphqlPlugin(schemaText, operations, handlers, resolvers, options), { prefix: "/graphql" });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/graphql`;
}

async function connect(
  changes: Partial<GraphqlOptions<unknown>> = {},
  options: Partial<ClientOptions> = {},
): Promise<GraphqlClient> {
  const baseUrl = await serve(changes);
  return createGraphqlClient({ baseUrl, retries: 0, ...options }, { query: "apikey", header: "X-API-Key" });
}

async function post(url: string, query: string, accept = "text/event-stream"): Promise<Response> {
  const headers = { "content-type": "application/json", accept };
  return fetch(url, { method: "POST", headers, body: JSON.stringify({ query }) });
}

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function errorOf(promise: Promise<unknown>): Promise<GraphqlError> {
  return promise.then(
    () => expect.fail("It has succeeded"),
    (error: unknown) => error as GraphqlError,
  );
}

describe("GraphQL subscriptions over server-sent events", () => {
  it("sends each result as next, and complete after the last", async () => {
    const response = await post(await serve(), "subscription { count(to: 2) }");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(await response.text()).toBe(
      'event: next\ndata: {"data":{"count":0}}\n\nevent: next\ndata: {"data":{"count":1}}\n\nevent: complete\ndata: \n\n',
    );
  });

  it("answers a query that is requested as events by one", async () => {
    const response = await post(await serve(), "{ ready }");
    expect(await response.text()).toBe('event: next\ndata: {"data":{"ready":true}}\n\nevent: complete\ndata: \n\n');
  });

  it("answers a GET, as a browser's EventSource sends it", async () => {
    const url = `${await serve()}?query=${encodeURIComponent("subscription { count(to: 1) }")}`;
    const response = await fetch(url, { headers: { accept: "text/event-stream" } });
    expect(await response.text()).toContain('data: {"data":{"count":0}}');
    const head = await fetch(url, { method: "HEAD", headers: { accept: "text/event-stream" } });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it.each([
    ["subscription { nothing }", "Cannot query field"],
    ["subscription {", "Syntax Error"],
    ["subscription { count }", "argument"],
    ["subscription { count(to: 1) silence }", "must select only one top level field"],
    ["subscription { a: count(to: 1) b: count(to: 1) { x } }", ""],
  ])("tells by an event what is wrong with %s", async (query, message) => {
    const response = await post(await serve(), query);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toMatch(/^event: next\ndata: \{"errors":\[.*\]\}\n\nevent: complete\ndata: \n\n$/);
    expect(text).toContain(message);
  });

  it("holds subscriptions to the limits of all operations", async () => {
    const url = await serve({ limits: { depth: 1, cost: 3 }, cost: () => 4 });
    expect(await (await post(url, "subscription { count(to: 1) }")).text()).toContain("costs 4");
    expect(await (await post(url, "subscription { blocks { number } }")).text()).toContain("depth");
  });

  it("responds with a status what HTTP has a word for", async () => {
    const url = await serve({ admit: () => new ServiceError("rate_limited", "Too fast") });
    const refused = await post(url, "subscription { count(to: 1) }");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("content-type")).toContain("application/json");
    const plain = await post(await serve(), "subscription { count(to: 1) }", "application/json");
    expect([plain.status, await plain.text()]).toEqual([400, expect.stringContaining("text/event-stream")]);
  });

  it("tells by an event what an operation is refused for as input", async () => {
    const url = await serve({ admit: () => new ServiceError("invalid_input", "Not so many") });
    const refused = await post(url, "subscription { count(to: 1) }");
    expect([refused.status, await refused.text()]).toEqual([200, expect.stringContaining("Not so many")]);
  });

  it.each([
    ["text/event-stream;q=0", 400],
    ["text/event-stream; q=0.0, application/json", 400],
    ["text/event-stream;q=0.1", 200],
  ])("answers with events to those who accept them: %s", async (accept, status) => {
    const response = await post(await serve(), "subscription { count(to: 1) }", accept);
    expect([response.status, (await response.text()).startsWith("event: ")]).toEqual([status, status === 200]);
  });

  it("begins nothing for HEAD", async () => {
    const outcomes: unknown[] = [];
    const url = await serve({ onOperation: ({ name }, _request, { error }) => outcomes.push([name, error]) });
    const query = encodeURIComponent("subscription { silence }");
    const head = await fetch(`${url}?query=${query}`, { method: "HEAD", headers: { accept: "text/event-stream" } });
    expect(head.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    await silence.ended;
    expect(outcomes).toEqual([["silence", undefined]]);
  });

  it("sends comments while there is nothing to say", async () => {
    const response = await post(await serve({ keepAliveMilliseconds: 5 }), "subscription { silence }");
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toBe(":\n\n");
    await reader?.cancel();
    await silence.ended;
  });

  it("ends what begins after its caller has gone", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const url = await serve({ onOperation: ({ name }) => resolve(name) });
    const headers = { "content-type": "application/json", accept: "text/event-stream" };
    const body = JSON.stringify({ query: "subscription { late }" });
    const closed = new Promise<void>((resolveClosed) => {
      opened.at(-1)?.server.once("connection", (socket) => socket.once("close", () => resolveClosed()));
    });
    const leaving = new AbortController();
    const gone = fetch(url, { method: "POST", headers, body, signal: leaving.signal });
    await late.begun.promise;
    leaving.abort();
    await expect(gone).rejects.toThrow();
    await closed;
    late.goOn.resolve();
    await silence.ended;
    expect(await promise).toBe("late");
  });

  it("tells hooks of a subscription when it is over", async () => {
    const reported: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const url = await serve({
      onOperation(operation, _request, { error }) {
        reported.push(`${operation.name} ${error?.code}`);
        resolve();
      },
    });
    await (await post(url, "subscription { count(from: 13, to: 20) }")).text();
    await promise;
    expect(reported).toEqual(["count upstream_unavailable"]);
  });
});

const count: GraphqlDocumentFacts<{ readonly to: number }, { readonly count: number }> = {
  kind: "graphql-document",
  name: "count",
  root: "subscription",
  text: "subscription Count($to: Int!) { count(to: $to) }",
  input: { is: () => true, violationsOf: () => [] },
  output: {
    is: (wire) => (wire as { readonly count: number }).count < 3,
    violationsOf: () => [{ pointer: "/count", keyword: "maximum", message: "must be < 3" }],
  },
};

describe("a client that subscribes", () => {
  it("gives the data of each response, and ends", async () => {
    const client = await connect();
    expect(await all(client.subscription(count, { to: 3 }, undefined))).toEqual([
      { count: 0 },
      { count: 1 },
      { count: 2 },
    ]);
    const own = client.subscribe<{ count: number }>("subscription S($to: Int!) { count(to: $to) }", { to: 1 });
    expect(await all(own)).toEqual([{ count: 0 }]);
  });

  it("throws the errors of a response, with what was answered all the same", async () => {
    const client = await connect();
    const found: unknown[] = [];
    const error = await errorOf(
      (async () => {
        for await (const data of client.subscribe("subscription { blocks { number wrong } }")) found.push(data);
      })(),
    );
    expect(found).toEqual([{ blocks: { number: 1, wrong: 0 } }]);
    expect(error).toMatchObject({ name: "GraphqlError", data: { blocks: { number: 2, wrong: null } } });
    expect(error.errors).toMatchObject([{ message: "Gone", path: ["blocks", "wrong"] }]);
  });

  it("throws what a source has failed with, and nothing that callers may not know", async () => {
    const client = await connect();
    const reported = await errorOf(all(client.subscribe("subscription { count(from: 13, to: 14) }")));
    expect(reported.errors).toMatchObject([
      { message: "The node is away", extensions: { code: "UPSTREAM_UNAVAILABLE" } },
    ]);
    const redacting = await connect({ redactMessage: (message) => message.replaceAll("away", "(place)") });
    const redacted = await errorOf(all(redacting.subscribe("subscription { count(from: 13, to: 14) }")));
    expect(redacted.errors).toMatchObject([{ message: "The node is (place)" }]);
    const internal = await errorOf(all(client.subscribe("subscription { count(from: 14, to: 15) }")));
    expect(JSON.stringify(internal.errors)).not.toContain("hunter2");
    const missing = await errorOf(all(client.subscribe("subscription { missing }")));
    expect(missing.errors).toMatchObject([{ extensions: { code: "NOT_IMPLEMENTED" } }]);
  });

  it("throws for a document or variables that are refused, and for a status", async () => {
    const client = await connect();
    await expect(all(client.subscribe("subscription { nothing }"))).rejects.toMatchObject({ name: "GraphqlError" });
    await expect(all(client.subscription(count, {} as never, undefined))).rejects.toMatchObject({
      name: "GraphqlError",
    });
    const limited = await connect({ admit: () => new ServiceError("rate_limited", "Too fast") });
    await expect(all(limited.subscription(count, { to: 1 }, undefined))).rejects.toMatchObject({ status: 429 });
  });

  it("ends on the server when nobody iterates any longer, even while nothing comes", async () => {
    const client = await connect();
    const stream = client.subscribe("subscription { silence }");
    const waiting = stream.next();
    void silence.begun.then(() => stream.return());
    expect(await waiting).toEqual({ done: true, value: undefined });
    await silence.ended;
  });

  it("ends with the reason of an aborted signal", async () => {
    const client = await connect();
    const controller = new AbortController();
    const stream = client.subscribe("subscription { silence }", {}, { signal: controller.signal });
    const waiting = stream.next();
    void silence.begun.then(() => controller.abort(new Error("enough")));
    await expect(waiting).rejects.toThrow("enough");
    await silence.ended;
  });

  it("sends nothing before the first response is wanted, and nothing after it is closed", async () => {
    const baseUrl = "http://127.0.0.1:9";
    const client = createGraphqlClient({ baseUrl }, { query: "apikey", header: "X-API-Key" });
    const stream = client.subscribe("subscription { silence }");
    await stream.return();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  /** Creates a client of a server whose responses are all the same. */
  async function answeredBy(status: number, mediaType: string, body: string): Promise<GraphqlClient> {
    const app = fastify();
    opened.push(app);
    app.post("/", (_request, reply) => reply.status(status).header("content-type", mediaType).send(body));
    await app.listen({ host: "127.0.0.1", port: 0 });
    const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    return createGraphqlClient({ baseUrl }, { query: "apikey", header: "X-API-Key" });
  }

  it("throws the errors with which a subscription is refused, and what else is no stream", async () => {
    const refused = await answeredBy(
      400,
      "application/json",
      '{"errors":[{"message":"no","extensions":{"code":"X"}}]}',
    );
    const { errors } = await errorOf(all(refused.subscription(count, { to: 1 }, undefined)));
    expect(errors).toMatchObject([{ message: "no", extensions: { code: "X" } }]);
    const other = await answeredBy(200, "application/json", '{"data":{"count":0}}');
    await expect(all(other.subscription(count, { to: 1 }, undefined))).rejects.toMatchObject({
      name: "InvalidResponseError",
      violations: [],
      message: expect.stringMatching(/: the response is not an event stream$/) as unknown,
    });
  });

  it("passes over events of other kinds, and has integers as doubles where nothing decodes them", async () => {
    const client = await answeredBy(
      200,
      "text/event-stream",
      'event: ping\ndata: {"data":{"count":7}}\n\nevent: next\ndata: {"data":{"count":9007199254740993}}\n\nevent: complete\ndata:\n\n',
    );
    expect(await all(client.subscribe("subscription { count }"))).toEqual([{ count: 9007199254740992 }]);
  });

  it("throws where a connection ends without complete", async () => {
    const client = await answeredBy(200, "text/event-stream", 'event: next\ndata: {"data":{"count":0}}\n\n');
    const stream = client.subscription(count, { to: 1 }, undefined);
    expect(await stream.next()).toEqual({ done: false, value: { count: 0 } });
    await expect(stream.next()).rejects.toMatchObject({ name: "TransportError", code: "INCOMPLETE" });
  });

  it("checks each response against its type where the client was asked to", async () => {
    const client = await connect({}, { validateResponses: true });
    await expect(all(client.subscription(count, { to: 5 }, undefined))).rejects.toMatchObject({
      name: "InvalidResponseError",
      violations: [{ pointer: "/count" }],
    });
  });

  it("sends texts of one's own, and names the operation that is meant", async () => {
    const client = await connect();
    expect(await client.query<{ ready: boolean }>("{ ready }")).toEqual({ ready: true });
    const text = "query A { ready } query B { other: ready } mutation C { act }";
    expect(await client.query(text, {}, { operationName: "B" })).toEqual({ other: true });
    expect(await client.query(text, {}, { operationName: "C" })).toEqual({ act: true });
    await expect(client.query("{ nothing }")).rejects.toMatchObject({ name: "GraphqlError", operation: "query" });
  });
});
