import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createEthereumNode, type DemoChain, startDemoChain } from "@nodewright/ethereum-graphql";
import { createHttpUpstream, type HttpUpstream } from "@nodewright/upstream";
import type { FastifyInstance } from "fastify";
import { getIntrospectionQuery, type IntrospectionOptions } from "graphql";
import { serverAudits } from "graphql-http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { explosions } from "../../runtime/test-support/graphql-explosions.ts";
import { createPublicListener } from "./gate/public-listener.ts";
import { openEmbeddedRegistry } from "./registry/embedded-registry.ts";
import { defaultGraphqlPlanLimits, type GraphqlPlanLimits } from "./registry/plan-limits.ts";
import type { Registry } from "./registry/registry.ts";
import { createInterfaceRoutes } from "./routes.ts";

const nodeId = "ethereum-dev";
const bodyBytes = 1024 * 1024;
const directory = mkdtempSync(join(tmpdir(), "nodewright-graphql-interface-"));

let chain: DemoChain;
let upstream: HttpUpstream;
let registry: Registry;
let listener: FastifyInstance;
let address: string;
let apiKey: string;

beforeAll(async () => {
  const started = await startDemoChain({ miningIntervalMilliseconds: 0 });
  if (started === undefined) throw new Error("This test needs anvil");
  chain = started;
  upstream = createHttpUpstream({ url: chain.url });
  const client = createEthereumNode(upstream);
  registry = await openEmbeddedRegistry(join(directory, "registry"));
  await registry.putAccount({ id: "alice", name: "Alice" });
  await registry.putNode({ id: nodeId, chain: "ethereum", network: "dev", kind: "shared" });
  const { id: subscriptionId } = await registry.createSubscription({ accountId: "alice", nodeId, plan: "default" });
  apiKey = (await registry.createKey({ subscriptionId, label: "test" })).key;
  const onInternalError = (error: unknown): void => {
    throw error;
  };
  listener = createPublicListener({
    registry,
    findNode: () => ({ id: nodeId, chain: "ethereum" as const, getClient: () => client, unavailable: () => undefined }),
    status: () => "ok",
    onInternalError,
    routes: createInterfaceRoutes({
      identity: { version: 310_000, protocolVersion: 70_016 },
      onInternalError,
      costGate: { capacity: 1_000, minimumCost: 100, maximumWaiting: 1, maximumWaitMilliseconds: 20 },
    }),
  });
  address = await listener.listen({ host: "127.0.0.1", port: 0 });
});

afterAll(async () => {
  await listener?.close();
  await registry?.close();
  await upstream?.close();
  await chain?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Activates a plan with these limits and the usual others. */
async function plan(graphql: Partial<GraphqlPlanLimits> = {}): Promise<void> {
  await registry.putPlan({ name: "default", limits: { bodyBytes, batchMembers: 100, graphql } });
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[];
}

async function send(
  method: "POST" | "GET" | "HEAD" | "PUT",
  path: string,
  headers = {},
  payload?: string,
): Promise<Answer> {
  const reply = await listener.inject({
    method,
    url: `/${nodeId}${path}`,
    headers: { "x-api-key": apiKey, "content-type": "application/json", ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  const body = reply.body === "" ? {} : (JSON.parse(reply.body) as Omit<Answer, "status" | "headers">);
  return { status: reply.statusCode, headers: reply.headers, ...body };
}

function ask(query: string, variables: unknown = {}): Promise<Answer> {
  return send("POST", "/graphql", {}, JSON.stringify({ query, variables }));
}

function times(count: number, selection: string): string {
  return Array.from({ length: count }, (_, index) => `a${index}: ${selection}`).join(" ");
}

const account = 'account(address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266") { balance transactionCount code }';

describe("queries that explode", () => {
  const maximumMilliseconds = 50;
  const maximumMegabytes = 20;
  const rounds = 5;
  const whole = "number hash transactions { hash value from { address } to { address } status logs { data topics } }";
  const ours = [
    {
      name: "Besu's case of one that is too complex",
      query: "{ block { transactions { block { transactions { block { number }}}}}}",
    },
    {
      name: "each transaction's block's transactions",
      query: "{ block { transactions { block { transactions { hash } } } } }",
    },
    { name: "1,000 whole blocks", query: `{ ${times(100, `blocks(from: 0, to: 9) { ${whole} }`)} }` },
    {
      name: "all logs of many blocks",
      query: `{ ${times(100, "logs(filter: { fromBlock: 1, toBlock: 5 }) { data }")} }`,
    },
    { name: "500 calls with gas", query: `{ block { ${times(500, 'call(data: { data: "0x" }) { gasUsed }')} } }` },
    { name: "pools of all aliases", query: `{ ${times(100, "pending { transactions { hash } }")} }` },
    {
      name: "blocks of blocks' logs",
      query: "{ block { logs(filter: {}) { transaction { block { logs(filter: {}) { data } } } } } }",
    },
  ].map((explosion) => ({ ...explosion, limit: "cost", variables: undefined }));
  const rows: string[] = [];
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;

  beforeAll(async () => {
    await plan();
    for (const { query, variables } of explosions) await askText(query, variables);
  });
  afterAll(() => console.info(["over HTTP: status, ms, MB, what refused", ...rows].join("\n")));

  function askText(query: string, variables = "{}"): Promise<Answer> {
    return send("POST", "/graphql", {}, `{"query":${JSON.stringify(query)},"variables":${variables}}`);
  }

  it.each([...explosions, ...ours])("$name", async ({ name, query, variables, limit }) => {
    // The least of the rounds counts: other work on the machine adds to the time of a thread too, through its caches.
    let [milliseconds, megabytes] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    let response: Answer | undefined;
    for (let round = 0; round < rounds; round += 1) {
      // A document that the engine has not seen.
      const fresh = `${query} #${name}${round}`;
      collectGarbage();
      const heap = process.memoryUsage().heapUsed;
      // Time of this thread: other processes may have the processor meanwhile.
      const start = process.threadCpuUsage();
      response = await askText(fresh, variables);
      const { user, system } = process.threadCpuUsage(start);
      milliseconds = Math.min(milliseconds, (user + system) / 1_000);
      megabytes = Math.min(megabytes, (process.memoryUsage().heapUsed - heap) / 1_048_576);
    }
    const { message, extensions } = response?.errors?.[0] ?? {};
    const figures = `${milliseconds.toFixed(1).padStart(6)} ${megabytes.toFixed(1).padStart(6)}`;
    rows.push(`${response?.status} ${figures}  ${name}: ${message?.slice(0, 90) ?? "answered"}`);
    if (limit !== undefined) {
      expect(response?.status).toBe(400);
      expect(extensions).toEqual({
        code: "BAD_USER_INPUT",
        limit,
        maximum: expect.any(Number),
        actual: expect.any(Number),
      });
      expect(Number(extensions?.["actual"])).toBeGreaterThan(Number(extensions?.["maximum"]));
    }
    expect(milliseconds).toBeLessThan(maximumMilliseconds);
    expect(megabytes).toBeLessThan(maximumMegabytes);
  });
});

describe("queries that people send", () => {
  it.each([1, 100, 500])("of %i aliased accounts with three fields each are answered", async (count) => {
    await plan({ cost: 1_600 });
    const { status, data } = await ask(`{ block { ${times(count, account)} } }`);
    expect(status).toBe(200);
    expect(Object.keys((data as { block: object }).block)).toHaveLength(count);
  });

  const options: readonly IntrospectionOptions[] = [
    {},
    { descriptions: false },
    {
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    },
  ];
  it.each(options)("introspection of tools is answered whatever the depth of the plan: %j", async (asked) => {
    await plan({ depth: 3 });
    const { status, data } = await ask(getIntrospectionQuery(asked));
    expect(status).toBe(200);
    expect(data).toMatchObject({ __schema: { queryType: { name: "Query" } } });
    await plan();
  });

  it("know Besu's names of scalars", async () => {
    const query =
      "query ($hash: Hash!, $topics: [[LogTopic!]!]) { transaction(hash: $hash) { hash } logs(filter: { topics: $topics }) { data } }";
    const hash = `0x${"0".repeat(64)}`;
    expect(await ask(query, { hash, topics: [[hash]] })).toMatchObject({
      status: 200,
      data: { transaction: null, logs: [] },
    });
    const wrong = await ask(query, { hash: "0x00" });
    expect(wrong).toMatchObject({ status: 400, errors: [{ locations: [{ line: 1, column: 8 }] }] });
    expect((await ask('{ __type(name: "Hash") { name } }')).data).toEqual({ __type: null });
    expect((await ask("query ($hash: Hsh!) { transaction(hash: $hash) { hash } }")).status).toBe(400);
  });
});

describe("the limits of a plan", () => {
  const limited: readonly (readonly [limit: keyof GraphqlPlanLimits, maximum: number, query: string])[] = [
    ["tokens", 4, "{ block { hash } }"],
    ["depth", 1, "{ block { hash } }"],
    ["aliases", 1, "{ a: block { hash } b: block { hash } }"],
    ["directives", 0, "{ block @include(if: true) { hash } }"],
    ["fields", 1, "{ block { hash } }"],
    ["cost", 1, "{ block { hash } }"],
    ["blocks", 2, "{ blocks(from: 1, to: 3) { hash } }"],
    ["logBlocks", 2, "{ logs(filter: { fromBlock: 1, toBlock: 3 }) { data } }"],
    ["calls", 0, "{ gasPrice }"],
    ["objects", 2, "{ blocks(from: 1, to: 3) { hash } }"],
    ["upstreamBytes", 1, "{ gasPrice syncing { currentBlock } }"],
    ["responseBytes", 80, "{ block { hash stateRoot } }"],
  ];

  it.each(limited)(
    "%s is told with what was asked for, though the document is known",
    async (limit, maximum, query) => {
      await plan();
      for (const _time of [1, 2]) expect((await ask(query)).status).toBe(200);
      await plan({ [limit]: maximum });
      const { status, errors, data } = await ask(query);
      expect([status, data]).toEqual([400, limit === "blocks" || limit === "logBlocks" ? null : undefined]);
      expect(errors).toHaveLength(1);
      const [{ message, extensions } = { message: "", extensions: {} }] = errors ?? [];
      expect(extensions).toEqual({ code: "BAD_USER_INPUT", limit, maximum, actual: expect.any(Number) });
      expect(message).toContain(String(maximum));
      await plan();
      expect((await ask(query)).status).toBe(200);
    },
  );

  it("end a request at the first error, however many fields fail with it", async () => {
    const addresses = Array.from({ length: 450 }, (_, index) => `0x${String(index).padStart(40, "a")}`);
    const selection = addresses.map((at, index) => `a${index}: account(address: "${at}") { balance code }`).join(" ");
    const query = `{ blocks(from: 0, to: 7) { ${selection} } }`;
    const times: number[] = [];
    for (const calls of [2_500, 2_499, 7]) {
      await plan({ calls, cost: 100_000 });
      const start = process.threadCpuUsage();
      const { status, errors, data } = await ask(query);
      // Pending resolutions are completed before this.
      await new Promise((resolve) => setTimeout(resolve, 50));
      const { user, system } = process.threadCpuUsage(start);
      times.push((user + system) / 1_000);
      expect([status, data, errors?.length]).toEqual([400, undefined, 1]);
      expect(errors).toMatchObject([{ extensions: { limit: "calls", maximum: calls, actual: expect.any(Number) } }]);
    }
    console.info(`7,200 fields that fail together: ${times.map((time) => time.toFixed(0)).join(" and ")} ms`);
    expect(Math.min(...times)).toBeLessThan(1_000);
    await plan();
  });

  it("of time ends the calls of the node, and is 504", async () => {
    await plan({ milliseconds: 1 });
    const { status, errors, data } = await ask(
      `{ block(number: 1) { ${times(400, account.replace("f39F", "f39E"))} } }`,
    );
    expect([status, data]).toEqual([504, undefined]);
    expect(errors).toMatchObject([
      {
        message: expect.stringContaining("1 ms"),
        extensions: { code: "UPSTREAM_TIMEOUT", limit: "milliseconds", maximum: 1 },
      },
    ]);
    await plan();
  });

  it("of all plans together let heavy queries wait, and refuse those behind too many with 503", async () => {
    await plan();
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) => ask(`{ block(number: ${index}) { ${times(300, account)} } }`)),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
    const refused = responses.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThanOrEqual(4);
    for (const { headers, errors } of refused) {
      expect(headers["retry-after"]).toBe("2");
      expect(errors).toMatchObject([{ extensions: { code: "OVERLOADED" } }]);
    }
    expect((await ask(`{ block { ${times(300, account)} } }`)).status).toBe(200);
  });

  it("are finite, because plans are kept as JSON", () => {
    expect(JSON.parse(JSON.stringify(defaultGraphqlPlanLimits))).toEqual(defaultGraphqlPlanLimits);
  });
});

describe("GraphQL over HTTP", () => {
  const query = "{ block(number: 0) { number } }";
  const body = JSON.stringify({ query });
  const found = { status: 200, data: { block: { number: "0x0" } } };

  it("takes a query by GET and POST, with a slash behind the path and without", async () => {
    for (const path of ["/graphql", "/graphql/"]) {
      expect(await send("POST", path, {}, body)).toMatchObject(found);
      expect(await send("GET", `${path}?query=${encodeURIComponent(query)}`)).toMatchObject(found);
    }
    const variables = encodeURIComponent('{"n":0}');
    const named = encodeURIComponent("query A($n: Long) { block(number: $n) { number } } query B { gasPrice }");
    const get = await send("GET", `/graphql?query=${named}&operationName=A&variables=${variables}&extensions=%7B%7D`);
    expect(get).toMatchObject(found);
    const head = await send("HEAD", `/graphql?query=${encodeURIComponent(query)}`);
    expect([head.status, head.data]).toEqual([200, undefined]);
  });

  it("answers in the media type that is requested", async () => {
    const typeOf = async (accept: string) => (await send("POST", "/graphql", { accept }, body)).headers["content-type"];
    expect(await typeOf("*/*")).toBe("application/json; charset=utf-8");
    expect(await typeOf("application/graphql-response+json, application/json;q=0.9")).toBe(
      "application/graphql-response+json; charset=utf-8",
    );
    expect(await typeOf("text/html")).toBe("application/json; charset=utf-8");
  });

  const mutation = 'mutation { sendRawTransaction(data: "0x") }';
  it.each([
    ["a mutation by GET", 405, () => send("GET", `/graphql?query=${encodeURIComponent(mutation)}`)],
    ["another method", 405, () => send("PUT", "/graphql", {}, body)],
    ["a GET without a query", 400, () => send("GET", "/graphql")],
    ["a batch", 400, () => send("POST", "/graphql", {}, `[${body},${body}]`)],
    ["two JSON values", 400, () => send("POST", "/graphql", {}, `${body}${body}`)],
    ["no JSON", 400, () => send("POST", "/graphql", {}, "{ block { hash } }")],
    ["nothing", 400, () => send("POST", "/graphql", {}, "")],
    [
      "bytes that are no UTF-8",
      415,
      () => send("POST", "/graphql", { "content-type": "application/json; charset=latin1" }, body),
    ],
    ["GraphQL as text", 415, () => send("POST", "/graphql", { "content-type": "application/graphql" }, query)],
    ["a query that is no text", 400, () => send("POST", "/graphql", {}, '{"query":1}')],
    [
      "an operation that is not there",
      400,
      () => send("POST", "/graphql", {}, '{"query":"query A { gasPrice }","operationName":"B"}'),
    ],
    [
      "variables that are a list",
      400,
      () => send("POST", "/graphql", {}, `{"query":${JSON.stringify(query)},"variables":[]}`),
    ],
    [
      "extensions that are text",
      400,
      () => send("POST", "/graphql", {}, `{"query":${JSON.stringify(query)},"extensions":""}`),
    ],
    ["a body beyond the plan's limit", 413, () => send("POST", "/graphql", {}, `{"query":"${"#".repeat(bodyBytes)}"}`)],
  ])("refuses %s with %i", async (_what, status, exchange) => {
    const response = await exchange();
    expect([response.status, response.errors?.length, response.data]).toEqual([status, 1, undefined]);
  });

  it.each(["{ block(number: 99999) { hash } }", `{ block(hash: "0x${"1".repeat(64)}") { hash } }`])(
    "answers %s, which is not there, with an error",
    async (unknown) => {
      expect(await ask(unknown)).toMatchObject({
        status: 400,
        data: { block: null },
        errors: [{ extensions: { code: "NOT_FOUND" } }],
      });
    },
  );

  it("tells who calls in JSON-RPC where the GraphQL interface is", async () => {
    for (const path of ["", "/"]) {
      const reply = await listener.inject({
        method: "POST",
        url: `/${nodeId}${path}?apikey=${apiKey}`,
        payload: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
      });
      expect(reply.statusCode).toBe(404);
      expect(reply.json()).toMatchObject({
        result: null,
        error: { code: -32601, message: expect.stringContaining("/graphql") },
      });
    }
  });
});

/** Audits from which the service deviates on purpose: under application/json any error is status 400. */
const deliberate: ReadonlySet<string> = new Set(["572B", "FDE2", "7B9B"]);

describe("the audits of GraphQL over HTTP", () => {
  const rows: string[] = [];
  const url = () => `${address}/${nodeId}/graphql?apikey=${apiKey}`;
  const audits = serverAudits({ url, fetchFn: fetch });
  afterAll(() => console.info([`${audits.length} audits`, ...rows].join("\n")));

  it("are as many as were known when this was written", () => expect(audits).toHaveLength(61));

  it.each(audits.map((audit) => [audit.id, audit.name, audit] as const))("%s %s", async (id, name, audit) => {
    const { status } = await audit.fn();
    rows.push(`${id} ${status.padEnd(6)} ${name}${deliberate.has(id) ? " (deliberate)" : ""}`);
    const isOptional = name.startsWith("MAY");
    if (deliberate.has(id)) expect(status).toBe("warn");
    else if (!isOptional) expect(status).toBe("ok");
  });
});
