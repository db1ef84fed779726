import fastify, { type FastifyInstance } from "fastify";
import { serverAudits } from "graphql-http";
import { afterEach, describe, expect, it } from "vitest";
import type { GraphqlOperation } from "../operations/operation.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { GraphqlHandlers } from "./executable-schema.ts";
import { fromParent } from "./field-of-parent.ts";
import type { GraphqlOptions } from "./graphql-options.ts";
import { createGraphqlPlugin } from "./graphql-plugin.ts";
import { cpuMillisecondsDuring } from "../../../../test/support/cpu-time.ts";

const schemaText = `
  scalar Long
  type Block { number: Long! parent: Block transactions(first: Int = 2): [Transaction!]! broken: Long }
  type Transaction { index: Int! block: Block! }
  type Query { block(number: Long): Block blocks: [Block!]! secret: Long gone: Long echo(of: Long): Long count(of: Int!): Int! }
  type Mutation { send(data: String!): String! }
`;

const extensions = { disabledByDefault: false, nodeControl: false, units: 1 };

function rootField(root: "query" | "mutation", field: string): GraphqlOperation {
  return { kind: "graphql", name: field, origin: `${root}.${field}`, root, field, extensions };
}

const operations = {
  block: rootField("query", "block"),
  blocks: rootField("query", "blocks"),
  secret: rootField("query", "secret"),
  gone: rootField("query", "gone"),
  count: rootField("query", "count"),
  echo: rootField("query", "echo"),
  send: rootField("mutation", "send"),
};

interface Block {
  readonly number: bigint;
}

const handlers: GraphqlHandlers<string> = {
  block: ({ number = 7n }: { number?: bigint }): Block | null => {
    if (number === 503n) throw new ServiceError("upstream_unavailable", "The node is away");
    if (number === 504n) throw new ServiceError("upstream_timeout", "The node is slow");
    return number > 1000n ? null : { number };
  },
  blocks: () => [{ number: 1n }, { number: 2n }],
  secret: () => {
    throw new TypeError("hunter2 at https://user:password@node");
  },
  echo: ({ of }: { of: bigint }) => of,
  // Null where the schema has none.
  count: ({ of }: { of: number }) => (of === 0 ? null : of),
  send: ({ data }: { data: string }) => {
    if (data === "low") throw new ServiceError("rate_limited", "Too fast", { details: { limit: 5 } });
    return data;
  },
};

const resolvers = {
  Block: {
    number: fromParent("number"),
    parent: ({ number }: Block) => ({ number: number - 1n }),
    transactions: (block: Block, { first }: { first: number }) =>
      Array.from({ length: first }, (_, index) => ({ index, block })),
    broken: () => {
      throw new ServiceError("upstream_unavailable", "The node is away");
    },
  },
};

const scalars = {
  Long: {
    serialize: (value: unknown) => `0x${(value as bigint).toString(16)}`,
    parse: (value: unknown) => {
      if (typeof value === "boolean") throw new TypeError("A Long is no boolean");
      return BigInt(value as string | number | bigint);
    },
  },
};

const opened: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

async function serve(changes: Partial<GraphqlOptions<string>> = {}): Promise<FastifyInstance> {
  const app = fastify();
  opened.push(app);
  const plugin = createGraphqlPlugin(schemaText, operations, handlers, resolvers, {
    context: () => "here",
    scalars,
    ...changes,
  });
  await app.register(plugin, { prefix: "/node/graphql" });
  return app;
}

async function asker(changes: Partial<GraphqlOptions<string>> = {}, accept = "application/graphql-response+json") {
  const app = await serve(changes);
  return async (query: string, variables?: unknown) => {
    const headers = { accept, "content-type": "application/json" };
    const payload = JSON.stringify({ query, variables });
    const response = await app.inject({ method: "POST", url: "/node/graphql", headers, payload });
    return { status: response.statusCode, type: response.headers["content-type"], ...response.json() };
  };
}

/** Audits from which the service deviates on purpose: under application/json any error is status 400. */
const deliberate: ReadonlySet<string> = new Set(["572B", "FDE2", "7B9B"]);

describe("a GraphQL plugin under the audits of GraphQL over HTTP", async () => {
  const app = await serve();
  opened.pop();
  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  const audits = serverAudits({ url: `${address}/node/graphql`, fetchFn: fetch });
  it.each(audits.map((audit) => [audit.id, audit.name, audit] as const))("%s %s", async (id, name, audit) => {
    const result = await audit.fn();
    if (deliberate.has(id)) expect(result.status).toBe("warn");
    else if (name.startsWith("MUST") || name.startsWith("SHOULD")) expect(result).toMatchObject({ status: "ok" });
    if (audit === audits.at(-1)) await app.close();
  });
});

describe("a GraphQL plugin", () => {
  it("answers nested selections, the first time, the second and compiled", async () => {
    const ask = await asker();
    const query =
      "query($n: Long) { block(number: $n) { number parent { number } transactions(first: 1) { index block { number } } } }";
    for (const number of [5, "5", "0x5"]) {
      expect(await ask(query, { n: number })).toEqual({
        status: 200,
        type: "application/graphql-response+json; charset=utf-8",
        data: {
          block: { number: "0x5", parent: { number: "0x4" }, transactions: [{ index: 0, block: { number: "0x5" } }] },
        },
      });
    }
  });

  it("reads integers beyond 2^53 without rounding, as literal and as variable, compiled or not", async () => {
    const app = await serve();
    const query = "query($n: Long) { literal: echo(of: 9007199254740993) variable: echo(of: $n) }";
    const payload = `{"query":${JSON.stringify(query)},"variables":{"n":9007199254740993}}`;
    const headers = { "content-type": "application/json" };
    for (const _attempt of [1, 2, 3]) {
      const response = await app.inject({ method: "POST", url: "/node/graphql", headers, payload });
      expect(response.json()).toEqual({ data: { literal: "0x20000000000001", variable: "0x20000000000001" } });
    }
  });

  it("refuses a long integer where an Int is wanted, compiled or not", async () => {
    const app = await serve();
    const payload = '{"query":"query($n: Int!) { count(of: $n) }","variables":{"n":9007199254740993}}';
    for (const _attempt of [1, 2, 3]) {
      const response = await app.inject({
        method: "POST",
        url: "/node/graphql",
        headers: { "content-type": "application/json" },
        payload,
      });
      expect(response.statusCode).toBe(400);
      expect(response.json().errors[0].extensions.code).toBe("BAD_USER_INPUT");
    }
  });

  it("keeps partial data and maps the failure of a field", async () => {
    const ask = await asker();
    for (const _attempt of [1, 2]) {
      expect(await ask("{ blocks { number broken } }")).toMatchObject({
        status: 200,
        data: {
          blocks: [
            { number: "0x1", broken: null },
            { number: "0x2", broken: null },
          ],
        },
        errors: [
          { message: "The node is away", path: ["blocks", 0, "broken"], extensions: { code: "UPSTREAM_UNAVAILABLE" } },
          { path: ["blocks", 1, "broken"] },
        ],
      });
    }
  });

  it("returns 400 to any error under application/json", async () => {
    const ask = await asker({}, "application/json");
    expect(await ask("{ blocks { broken } }")).toMatchObject({ status: 400, data: { blocks: [{ broken: null }, {}] } });
    expect(await ask("{ block { number } }")).toMatchObject({ status: 200 });
  });

  it("returns 503 and 504 under application/json when nothing could be answered for the node alone", async () => {
    const ask = await asker({}, "application/json");
    const away = { data: { block: null }, errors: [{ extensions: { code: "UPSTREAM_UNAVAILABLE" } }] };
    expect(await ask("{ block(number: 503) { number } }")).toMatchObject({ status: 503, ...away });
    expect(await ask("{ block(number: 504) { number } }")).toMatchObject({
      status: 504,
      errors: [{ extensions: { code: "UPSTREAM_TIMEOUT" } }],
    });
    const partly = "{ block(number: 503) { number } other: block(number: 5) { number } }";
    expect(await ask(partly)).toMatchObject({ status: 400, data: { block: null, other: { number: "0x5" } } });
    expect(await ask("{ block(number: 503) { number } secret }")).toMatchObject({ status: 400 });

    const askAsGraphql = await asker({}, "application/graphql-response+json");
    expect(await askAsGraphql("{ block(number: 503) { number } }")).toMatchObject({ status: 200, ...away });
  });

  it("keeps what is not for callers out of the response", async () => {
    const seen: unknown[] = [];
    const ask = await asker({ onError: ({ cause }) => seen.push(cause) });
    for (const _attempt of [1, 2]) {
      const answer = await ask("{ secret }");
      expect(answer.errors).toMatchObject([
        { message: "Internal error", path: ["secret"], extensions: { code: "INTERNAL_SERVER_ERROR" } },
      ]);
      expect(JSON.stringify(answer)).not.toMatch(/hunter2|password|stack|\.ts/);
    }
    expect(seen.map(String)).toEqual(Array(2).fill(expect.stringContaining("hunter2")));
  });

  it("sends the details of a failure as extensions", async () => {
    const ask = await asker();
    const answer = await ask('mutation { send(data: "low") }');
    expect(answer.errors[0].extensions).toEqual({ code: "RATE_LIMITED", limit: 5 });
  });

  it("answers a field without handler with NOT_IMPLEMENTED", async () => {
    const ask = await asker();
    expect((await ask("{ gone }")).errors[0].extensions.code).toBe("NOT_IMPLEMENTED");
  });

  it("tells callers what is wrong with their documents, variables and arguments", async () => {
    const ask = await asker();
    const refused = [
      await ask("{ nothing }"),
      await ask("{"),
      await ask("query($n: Long) { block(number: $n) { number } }", { n: true }),
      await ask("{ block(number: [1]) { number } }"),
      await ask("query A { blocks { number } } query B { blocks { number } }"),
      await ask("{ blocks { number } } type Own { of: Int }"),
    ];
    for (const { status, errors, data } of refused) {
      expect([status, errors[0].extensions.code, data]).toEqual([400, "BAD_USER_INPUT", undefined]);
    }
  });

  it("takes queries by GET, refuses mutations there with 405, and a GET without query with 400", async () => {
    const app = await serve();
    const get = async (query: Record<string, string>) => app.inject({ url: "/node/graphql", query });
    const found = await get({ query: "query($n: Long) { block(number: $n) { number } }", variables: '{"n":3}' });
    expect(found.json()).toEqual({ data: { block: { number: "0x3" } } });
    const mutation = await get({ query: 'mutation { send(data: "x") }' });
    expect([mutation.statusCode, mutation.headers["allow"]]).toEqual([405, "POST"]);
    expect((await get({})).statusCode).toBe(400);
    expect((await get({ query: "{ blocks { number } }", variables: "{" })).statusCode).toBe(400);
    expect((await get({ query: "{ blocks { number } }", extensions: "{" })).statusCode).toBe(400);
    expect((await get({ query: "{ blocks { number } }", extensions: "{}", operationName: "" })).statusCode).toBe(200);
  });

  it("takes the empty name of an operation for none", async () => {
    const app = await serve();
    const payload = { query: "{ blocks { number } }", operationName: "" };
    expect((await app.inject({ method: "POST", url: "/node/graphql", payload })).statusCode).toBe(200);
  });

  it("tells clients that send digests of queries to send the queries", async () => {
    const app = await serve();
    const extensions = { persistedQuery: { version: 1, sha256Hash: "00" } };
    const posted = await app.inject({ method: "POST", url: "/node/graphql", payload: { extensions } });
    const got = await app.inject({ url: "/node/graphql", query: { extensions: JSON.stringify(extensions) } });
    for (const { statusCode, body } of [posted, got]) {
      expect([statusCode, JSON.parse(body).errors[0].message]).toEqual([400, "PersistedQueryNotSupported"]);
    }
    const both = { extensions, query: "{ blocks { number } }" };
    expect((await app.inject({ method: "POST", url: "/node/graphql", payload: both })).statusCode).toBe(200);
  });

  it("says of a compressed body that it has to be sent as it is", async () => {
    const app = await serve();
    const send = (coding: string) => {
      const headers = { "content-type": "application/json", "content-encoding": coding };
      return app.inject({
        method: "POST",
        url: "/node/graphql",
        headers,
        payload: '{"query":"{ blocks { number } }"}',
      });
    };
    const refused = await send("gzip");
    expect([refused.statusCode, refused.json().errors[0].message]).toEqual([
      415,
      expect.stringContaining("compressed"),
    ]);
    expect((await send("identity")).statusCode).toBe(200);
  });

  it("says that there are no subscriptions where the schema has none", async () => {
    for (const accept of ["application/json", "text/event-stream"]) {
      const answer = await (await serve()).inject({
        method: "POST",
        url: "/node/graphql",
        headers: { accept },
        payload: { query: "subscription { x }" },
      });
      expect(answer.body).toContain("The schema has no subscriptions");
    }
  });

  it("refuses other methods with 405, other media types with 415 and batches with 400", async () => {
    const app = await serve();
    const put = await app.inject({ method: "PUT", url: "/node/graphql" });
    expect([put.statusCode, put.headers["allow"]]).toEqual([405, "GET, HEAD, POST"]);
    expect(put.json().errors[0].message).toBe("Method not allowed: use GET or POST");
    const post = async (payload: string, type: string) =>
      (await app.inject({ method: "POST", url: "/node/graphql", payload, headers: { "content-type": type } }))
        .statusCode;
    expect(await post("{ block { number } }", "application/graphql")).toBe(415);
    expect(await post('{"query":"{ blocks { number } }"}', "text/plain")).toBe(415);
    expect(await post('[{"query":"{ blocks { number } }"}]', "application/json")).toBe(400);
    expect(await post('{"query":"{ blocks { number } }"}', "application/json; charset=utf-8")).toBe(200);
  });

  it.each([
    ["tokens", `{ ${"blocks { number } ".repeat(5000)} }`],
    ["depth", `{ block ${"{ parent ".repeat(25)} { number } ${"}".repeat(25)} }`],
    ["depth by inline fragments", `{ ${"... { ".repeat(200)} blocks { number } ${"}".repeat(200)} }`],
    ["a depth that parsers give up at", `{ ${"a{".repeat(4900)}`],
    ["aliases", `{ ${Array.from({ length: 600 }, (_, index) => `a${index}: blocks { number }`).join(" ")} }`],
    ["fields", `{ blocks { ${"number ".repeat(4999)} } } `],
    [
      "fragments that double",
      `{ block { ...f0 } } ${Array.from({ length: 18 }, (_, index) => `fragment f${index} on Block { ...f${index + 1} ...f${index + 1} }`).join(" ")} fragment f18 on Block { number }`,
    ],
  ])("refuses a document beyond the limit of %s, fast", async (_name, query) => {
    const ask = await asker({ limits: { fields: 4000 } });
    const refused = async () => {
      const { status, errors, data } = await ask(query);
      expect([status, errors[0].extensions.code, data]).toEqual([400, "BAD_USER_INPUT", undefined]);
    };
    expect(await cpuMillisecondsDuring(refused)).toBeLessThan(1000);
  });

  it("refuses fragments that spread themselves", async () => {
    const ask = await asker();
    expect((await ask("{ block { ...a } } fragment a on Block { parent { ...a } }")).status).toBe(400);
  });

  it("answers introspection, deep as it is", async () => {
    const { getIntrospectionQuery } = await import("graphql");
    const ask = await asker();
    expect((await ask(getIntrospectionQuery())).data.__schema.queryType.name).toBe("Query");
  });

  it("requests the cost of an operation and refuses what is beyond the limit", async () => {
    const ask = await asker({ cost: ({ variables }) => Number(variables["n"] ?? 0), limits: { cost: 10 } });
    const query = "query($n: Long) { block(number: $n) { number } }";
    expect((await ask(query, { n: 10 })).status).toBe(200);
    expect((await ask(query, { n: 11 })).errors[0].extensions).toEqual({
      code: "BAD_USER_INPUT",
      limit: "cost",
      maximum: 10,
      actual: 11,
    });
  });

  it("tells what an operation costs before it is executed, around it, and after it", async () => {
    const seen: unknown[] = [];
    const ask = await asker({
      cost: async () => 7,
      admitRequest: (_operations, _request, _members, cost) => void seen.push(["admit", cost]),
      execute(run, context, { cost }) {
        seen.push(["execute", context, cost]);
        return run();
      },
      onOperation: (_operation, _request, { cost }) => void seen.push(["answered", cost]),
    });
    expect((await ask("{ blocks { number } }")).status).toBe(200);
    expect(seen).toEqual([
      ["admit", 7],
      ["execute", "here", 7],
      ["answered", 7],
    ]);
  });

  it("responds with nothing but what ended an execution early", async () => {
    const ended = new ServiceError("upstream_timeout", "It took too long", { details: { limit: "milliseconds" } });
    for (const accept of ["application/json", "application/graphql-response+json"]) {
      const ask = await asker({ execute: () => Promise.reject(ended) }, accept);
      const { status, errors, data } = await ask("{ blocks { number } }");
      expect([status, data]).toEqual([504, undefined]);
      expect(errors).toEqual([
        { message: "It took too long", extensions: { code: "UPSTREAM_TIMEOUT", limit: "milliseconds" } },
      ]);
    }
  });

  it("checks a document that it knows against the limits of each request", async () => {
    let depth = 3;
    const ask = await asker({ limits: () => ({ depth }) });
    const query = "{ block { parent { number } } }";
    expect((await ask(query)).status).toBe(200);
    depth = 2;
    for (const _time of [1, 2]) {
      expect((await ask(query)).errors[0].extensions).toEqual({
        code: "BAD_USER_INPUT",
        limit: "depth",
        maximum: 2,
        actual: 3,
      });
    }
  });

  it("takes other names of scalars for variables, shows none of them, and points to what was written", async () => {
    const ask = await asker({ scalarAliases: { Number: "Long", Block: "Long" } });
    for (const _time of [1, 2, 3]) {
      expect((await ask("query($n: Number!) { echo(of: $n) }", { n: 5 })).data).toEqual({ echo: "0x5" });
    }
    const wrong = await ask("query($n: Number!) { echo(of: $n) }", { n: true });
    expect(wrong.errors[0].locations).toEqual([{ line: 1, column: 7 }]);
    expect((await ask('{ __type(name: "Number") { name } }')).data).toEqual({ __type: null });
    // A type of the schema stays unchanged.
    expect((await ask("query($n: Block) { echo(of: $n) }", { n: 5 })).status).toBe(400);
    expect((await ask("query($n: [[Number!]!]) { echo(of: 1) count(of: 1) }")).errors[0].message).toMatch("never used");
  });

  it("tells 500 errors of a response, and how many more there are", async () => {
    const ask = await asker();
    const { errors } = await ask(
      `{ ${Array.from({ length: 300 }, (_, index) => `a${index}: blocks { broken }`).join(" ")} }`,
    );
    expect(errors).toHaveLength(501);
    expect(errors.at(-1).message).toBe("100 more errors are left out");
  });

  it("asks whether each root field is admitted, in fragments too, and executes nothing when one is not", async () => {
    const asked: string[] = [];
    const ask = await asker({
      admit: ({ name }) => {
        asked.push(name);
        return name === "secret" ? new ServiceError("method_disabled", "Off") : undefined;
      },
    });
    const answer = await ask("{ blocks { number } ...f } fragment f on Query { ... { secret } }");
    expect(answer).toMatchObject({ status: 400, errors: [{ message: "Off", extensions: { code: "FORBIDDEN" } }] });
    expect(answer.data).toBeUndefined();
    expect(asked).toEqual(["blocks", "secret"]);
  });

  it("requests each root field once where whoever admits takes time", async () => {
    const asked: string[] = [];
    const ask = await asker({
      admit: async ({ name }) => {
        asked.push(name);
        return name === "secret" ? new ServiceError("method_disabled", "Off") : undefined;
      },
    });
    expect((await ask("{ a: blocks { number } count(of: 1) }")).data.count).toBe(1);
    expect((await ask("{ blocks { number } count(of: 1) secret }")).status).toBe(400);
    expect(asked).toEqual(["blocks", "count", "blocks", "count", "secret"]);
  });

  it("reports what is wrong with a document, and keeps what a handler broke to itself", async () => {
    const reported: string[] = [];
    const ask = await asker({ onError: ({ code }) => reported.push(code) });
    expect((await ask("{ nothing }")).errors[0].message).toContain("nothing");
    expect((await ask("{ count(of: 0) }")).errors[0].message).toBe("Internal error");
    expect(reported).toEqual(["invalid_input", "internal"]);
  });

  it("answers a refused request with the status that HTTP has for it", async () => {
    const ask = await asker({
      admitRequest: () => new ServiceError("rate_limited", "Too fast", { retryAfterSeconds: 2 }),
    });
    expect(await ask("{ blocks { number } }")).toMatchObject({
      status: 429,
      errors: [{ extensions: { code: "RATE_LIMITED" } }],
    });
  });

  it("reports each root field with its outcome", async () => {
    const seen: unknown[] = [];
    const ask = await asker({ onOperation: ({ name }, _request, { error }) => seen.push([name, error?.code]) });
    await ask("{ a: secret blocks { number } }");
    expect(seen).toEqual([
      ["secret", "internal"],
      ["blocks", undefined],
    ]);
  });
});
