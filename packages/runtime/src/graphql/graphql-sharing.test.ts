import { once } from "node:events";
import { type ClientRequest, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import type { GraphqlOperation } from "../operations/operation.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { GraphqlOptions } from "./graphql-options.ts";
import { createGraphqlPlugin } from "./graphql-plugin.ts";

const schemaText = `
  scalar Any
  type Query { wait(of: Any): String fail: String now: String }
  type Mutation { change: String }
`;

const extensions = { disabledByDefault: false, nodeControl: false, units: 1 };

function rootField(root: "query" | "mutation", field: string): GraphqlOperation {
  return { kind: "graphql", name: field, origin: `${root}.${field}`, root, field, extensions };
}

const operations = {
  wait: rootField("query", "wait"),
  fail: rootField("query", "fail"),
  now: rootField("query", "now"),
  change: rootField("mutation", "change"),
};

interface Context {
  readonly name: string;
  readonly getSignal: () => AbortSignal;
}

interface Execution {
  readonly context: Context;
  readonly signal: AbortSignal;
  end(): void;
}

const opened: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

/** Starts a server of which each execution waits until it is ended. */
async function serve(options: Partial<GraphqlOptions<Context>> = {}) {
  const executions: Execution[] = [];
  // Number of requests that are executed, or wait for the execution of an equal one.
  const arrivals = { count: 0 };
  let changes = 0;
  const begin = async (context: Context): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    executions.push({ context, signal: context.getSignal(), end: resolve });
    await promise;
  };
  const app = fastify({ forceCloseConnections: true });
  opened.push(app);
  const handlers = {
    wait: async ({ of }: { of?: unknown }, context: Context) => {
      await begin(context);
      return `${typeof of} ${String(of)} for ${context.name}`;
    },
    fail: async (_input: unknown, context: Context) => {
      await begin(context);
      throw new ServiceError("upstream_unavailable", "The node is away");
    },
    now: () => "now",
    change: async (_input: unknown, context: Context) => {
      await begin(context);
      changes += 1;
      return `change ${changes}`;
    },
  };
  const plugin = createGraphqlPlugin<Context>(
    schemaText,
    operations,
    handlers,
    {},
    {
      context: (request, getSignal) => ({ name: String(request.headers["x-name"] ?? "nobody"), getSignal }),
      shareKey(request) {
        arrivals.count += 1;
        return String(request.headers["x-node"] ?? "node");
      },
      ...options,
    },
  );
  await app.register(plugin);
  const ask = async (body: object | string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await app.inject({
      method: "POST",
      url: "/",
      headers: { "content-type": "application/json", ...headers },
      payload: typeof body === "string" ? body : JSON.stringify(body),
    });
    return { status: response.statusCode, type: response.headers["content-type"], text: response.payload };
  };
  return { app, ask, executions, arrivals };
}

const wait = { query: "query ($of: Any) { wait(of: $of) }", variables: { of: 1 } };

/** Waits for as many turns of the event loop as injected requests need to be executed, and more. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await turnOfLoop();
}

async function endAll(executions: readonly Execution[]): Promise<void> {
  await settle();
  for (const execution of executions) execution.end();
}

describe("equal queries under way", () => {
  it("take out of the messages of errors what must not be repeated to one caller, for that one alone", async () => {
    const seen: string[] = [];
    const { ask, executions } = await serve({
      redactMessage: (message, { headers }) => message.replaceAll(String(headers["x-name"]), "(name)"),
      onError: ({ message }) => void seen.push(message),
    });
    const names = ["node", "nobody", "away"];
    const asked = names.map((name) => ask({ query: "{ node: fail }" }, { "x-name": name }));
    await endAll(executions);
    const bodies = (await Promise.all(asked)).map(({ text }) => JSON.parse(text));

    expect(executions).toHaveLength(1);
    expect(bodies.map(({ errors }) => errors[0].message)).toEqual([
      "The (name) is away",
      "The node is away",
      "The node is (name)",
    ]);
    expect(bodies.map(({ data, errors }) => [data, errors[0].path])).toEqual(
      names.map(() => [{ node: null }, ["node"]]),
    );
    expect(seen).toEqual(names.map(() => "The node is away"));
  });

  it.each(["application/json", "text/event-stream"])(
    "take it out of what is wrong with a request, before that is shortened: %s",
    async (accept) => {
      const value = `${"a".repeat(950)}secret${"b".repeat(200)}`;
      const { ask } = await serve({
        redactMessage: (message) => message.replaceAll(value, "(value)").replaceAll("nothing", "(name)"),
      });
      const query = "query ($name: String!) { __type(name: $name) { name } }";

      const inVariable = await ask({ query, variables: { name: [value] } }, { accept });
      expect(inVariable.text).toMatch(/got invalid value \[\\"\(value\)\\"\]; String cannot represent/);
      expect((await ask({ query: "{ nothing }" }, { accept })).text).toContain('Cannot query field \\"(name)\\"');
    },
  );

  it("take it out of refusals", async () => {
    const { ask } = await serve({ redactMessage: (message) => message.replaceAll("several", "(number)") });
    const { text } = await ask({ query: "query a { now } query b { now }" });

    expect(JSON.parse(text).errors[0].message).toContain("The document has (number) operations");
  });

  it("are executed once and answered alike", async () => {
    const { ask, executions } = await serve();
    const asked = Array.from({ length: 5 }, (_, at) => ask(wait, { "x-name": `caller ${at}` }));
    await endAll(executions);
    const responses = await Promise.all(asked);
    expect(executions).toHaveLength(1);
    expect(new Set(responses.map(({ text }) => text))).toEqual(new Set(['{"data":{"wait":"number 1 for caller 0"}}']));
  });

  it("are executed anew when the last of them was answered", async () => {
    const { ask, executions } = await serve();
    for (let round = 1; round <= 2; round += 1) {
      const asked = ask(wait);
      await endAll(executions);
      await asked;
      expect(executions).toHaveLength(round);
    }
  });

  it("are answered in the media type that each of their callers takes", async () => {
    const { ask, executions } = await serve();
    const types = ["application/json", "application/graphql-response+json"];
    const asked = types.map((accept) => ask({ query: "{ fail }" }, { accept }));
    await endAll(executions);
    const responses = await Promise.all(asked);
    expect(executions).toHaveLength(1);
    expect(responses.map(({ status }) => status)).toEqual([503, 200]);
    expect(responses.map(({ type }) => type)).toEqual(types.map((type) => `${type}; charset=utf-8`));
  });

  it("share their failure, of which everybody's operation is reported", async () => {
    const reported: string[] = [];
    const { ask, executions } = await serve({
      onError: ({ code }, request) => void reported.push(`${String(request.headers["x-name"])}: ${code}`),
    });
    const asked = ["a", "b"].map((name) => ask({ query: "{ fail }" }, { "x-name": name }));
    await endAll(executions);
    const [first, second] = await Promise.all(asked);
    expect(executions).toHaveLength(1);
    expect(first).toEqual(second);
    expect(first?.text).toContain("The node is away");
    expect(reported).toEqual(["a: upstream_unavailable", "b: upstream_unavailable"]);
  });

  it("share what stops them before they are executed", async () => {
    let contexts = 0;
    const { ask } = await serve({
      context: async () => {
        contexts += 1;
        await settle();
        throw new ServiceError("upstream_unavailable", "There is no node");
      },
    });
    const responses = await Promise.all([ask(wait), ask(wait)]);
    expect(contexts).toBe(1);
    expect(responses.map(({ status }) => status)).toEqual([503, 503]);
  });

  it("are each admitted", async () => {
    const { ask, executions } = await serve({
      admit: (_operation, request) =>
        request.headers["x-name"] === "b" ? new ServiceError("rate_limited", "Too fast") : undefined,
    });
    const asked = ["a", "b"].map((name) => ask(wait, { "x-name": name }));
    await endAll(executions);
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 429]);
  });

  it.each<[string, object | string, object | string, Readonly<Record<string, string>>?]>([
    ["another variable", wait, { ...wait, variables: { of: 2 } }],
    ["text in place of a number", wait, { ...wait, variables: { of: "1" } }],
    [
      "a number in place of an integer that is written alike",
      `{"query":"query ($of: Any) { wait(of: $of) }","variables":{"of":100000000000000000000}}`,
      `{"query":"query ($of: Any) { wait(of: $of) }","variables":{"of":1e20}}`,
    ],
    ["no variable in place of null", { ...wait, variables: { of: null } }, { ...wait, variables: {} }],
    ["another document", wait, { ...wait, query: `${wait.query} ` }],
    [
      "another operation of the document",
      { query: "query A { wait } query B { wait }", operationName: "A" },
      { query: "query A { wait } query B { wait }", operationName: "B" },
    ],
    ["another node", wait, wait, { "x-node": "another" }],
  ])("are not those with %s", async (_what, first, second, headers = {}) => {
    const { ask, executions } = await serve();
    const asked = [ask(first), ask(second, headers)];
    await endAll(executions);
    await Promise.all(asked);
    expect(executions).toHaveLength(2);
  });

  it("are not those with another limit of the response", async () => {
    const { ask, executions } = await serve({
      limits: (request) => ({ responseBytes: request.headers["x-name"] === "small" ? 10 : 1_000 }),
    });
    const asked = ["large", "small"].map((name) => ask(wait, { "x-name": name }));
    await endAll(executions);
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 400]);
  });

  it("are executed each for itself where nothing says what they depend on", async () => {
    const own = await serve({ shareKey: () => undefined });
    const asked = [own.ask(wait), own.ask(wait)];
    await endAll(own.executions);
    await Promise.all(asked);
    expect(own.executions).toHaveLength(2);
  });

  it("are executed anew for who comes after a mutation", async () => {
    const { ask, executions } = await serve();
    const before = ask(wait, { "x-name": "before" });
    await settle();
    const change = ask({ query: "mutation { change }" });
    await settle();
    const beside = ask(wait);
    await settle();
    expect(executions).toHaveLength(2);
    executions[1]?.end();
    await change;
    const after = [ask(wait, { "x-name": "after" }), ask(wait)];
    await endAll(executions);
    expect(executions).toHaveLength(3);
    const texts = (await Promise.all([before, beside, ...after])).map(({ text }) => text);
    const answerFor = (name: string): string => `{"data":{"wait":"number 1 for ${name}"}}`;
    expect(texts).toEqual(["before", "before", "after", "after"].map(answerFor));
  });

  it("are never mutations", async () => {
    const { ask, executions } = await serve();
    const asked = [ask({ query: "mutation { change }" }), ask({ query: "mutation { change }" })];
    await endAll(executions);
    const texts = (await Promise.all(asked)).map(({ text }) => text);
    expect(texts).toEqual(['{"data":{"change":"change 1"}}', '{"data":{"change":"change 2"}}']);
  });

  it("are answered next to those that need no waiting", async () => {
    const { ask, executions } = await serve();
    const waiting = ask(wait);
    await settle();
    expect((await ask({ query: "{ now }" })).text).toBe('{"data":{"now":"now"}}');
    expect((await ask({ query: "{ now }" })).text).toBe('{"data":{"now":"now"}}');
    await endAll(executions);
    await waiting;
  });
});

describe("callers who go away from a query that others wait for", () => {
  async function listen() {
    const { app, executions, arrivals } = await serve();
    const departures = { count: 0 };
    app.server.on("connection", (socket) => socket.once("close", () => (departures.count += 1)));
    await app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const call = (): ClientRequest => {
      const headers = { "content-type": "application/json" };
      const request = httpRequest({ host: "127.0.0.1", port, method: "POST", path: "/", headers, agent: false });
      request.on("error", () => undefined);
      request.end(JSON.stringify(wait));
      return request;
    };
    return { executions, arrivals, departures, call };
  }

  it("do not end it, whoever was first", async () => {
    const { executions, arrivals, departures, call } = await listen();
    const first = call();
    await expect.poll(() => arrivals.count).toBe(1);
    const second = call();
    const answered = once(second, "response");
    await expect.poll(() => arrivals.count).toBe(2);
    first.destroy();
    await expect.poll(() => departures.count).toBe(1);
    await settle();
    expect(executions).toHaveLength(1);
    expect(executions[0]?.signal.aborted).toBe(false);
    await endAll(executions);
    const [response] = await answered;
    expect(response.statusCode).toBe(200);
    response.resume();
  });

  it("end it when they are the last, and who comes then has it executed anew", async () => {
    const { executions, arrivals, call } = await listen();
    const leaving = [call(), call()];
    await expect.poll(() => arrivals.count).toBe(2);
    for (const request of leaving) request.destroy();
    await expect.poll(() => executions[0]?.signal.aborted).toBe(true);

    const late = call();
    const answered = once(late, "response");
    await expect.poll(() => executions.length).toBe(2);
    expect(executions[1]?.signal.aborted).toBe(false);
    await endAll(executions);
    const [response] = await answered;
    expect(response.statusCode).toBe(200);
    response.resume();
  });
});
