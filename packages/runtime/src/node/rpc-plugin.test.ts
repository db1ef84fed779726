import fastify, { type FastifyInstance } from "fastify";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { PreparedJson } from "../json/prepared-json.ts";
import { ServiceError } from "../errors/service-error.ts";
import { rpcOperations } from "../testing/hand-made-operations.ts";
import type { RpcOptions } from "./plugin-options.ts";
import { createRpcPlugin, type RpcEnvelopeMembers, type RpcHandlers } from "./rpc-plugin.ts";

const opened: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

const handlers: RpcHandlers<string> = {
  getblockhash: (input: { height: number }) => {
    if (input.height > 100) throw new ServiceError("not_found", "Block height out of range", { rpcCode: -8 });
    return input;
  },
  getbalance: () => 1n,
  send: () => "sent",
};

async function serve(
  changes: Partial<RpcOptions<string>> = {},
  own: RpcHandlers<string> = handlers,
  members: RpcEnvelopeMembers = "both",
) {
  const app = fastify();
  opened.push(app);
  await app.register(createRpcPlugin(rpcOperations, own, { context: () => "here", ...changes }, members), {
    prefix: "/node",
  });
  return async (payload: unknown, headers: Record<string, string> = { "content-type": "application/json" }) => {
    const text = typeof payload === "string" || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
    const response = await app.inject({ method: "POST", url: "/node/?apikey=k", payload: text, headers });
    return { status: response.statusCode, headers: response.headers, body: response.body };
  };
}

const call = (params: unknown, id: unknown = "1", method = "getblockhash") => ({ jsonrpc: "2.0", id, method, params });

describe("a JSON-RPC plugin", () => {
  it("responds with result, error and id, always all three, and echoes jsonrpc", async () => {
    const ask = await serve();
    const { status, headers, body } = await ask(call([5]));
    expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
    expect(body).toBe('{"jsonrpc":"2.0","result":{"height":5,"verbose":true},"error":null,"id":"1"}');
  });

  it("checks what it has written, which is right", async () => {
    const checked: unknown[] = [];
    const output = {
      is: (value: unknown) => {
        checked.push(value);
        return true;
      },
      violationsOf: () => [],
    };
    const app = fastify();
    opened.push(app);
    const operations = { getblockhash: { ...rpcOperations.getblockhash, output } };
    const options = { context: () => "here", validateResponses: "throw" } as const;
    await app.register(createRpcPlugin(operations, { getblockhash: () => ({ a: undefined, b: 1 }) }, options, "both"));
    const { body } = await app.inject({ method: "POST", url: "/", payload: call([5]) as object });
    expect(JSON.parse(body).result).toEqual({ b: 1 });
    expect(checked).toStrictEqual([{ b: 1 }]);
  });

  it("reports a call of no method with no operation", async () => {
    const reported: unknown[] = [];
    const ask = await serve({ onError: ({ code }, _request, operation) => reported.push([code, operation?.name]) });
    await ask(call([], 1, "nothing"));
    await ask("[{}]");
    expect(reported.map((one) => (one as unknown[])[1])).toEqual([undefined, undefined]);
  });

  it("responds with one of result and error where the document says so", async () => {
    const ask = await serve({}, handlers, "one");
    expect((await ask(call([5]))).body).toBe('{"jsonrpc":"2.0","result":{"height":5,"verbose":true},"id":"1"}');
    expect(JSON.parse((await ask(call([500]))).body)).not.toHaveProperty("result");
  });

  it("tolerates a missing jsonrpc, an older one, a missing id and missing params", async () => {
    const ask = await serve();
    expect((await ask({ method: "getbalance" })).body).toBe('{"result":0.00000001,"error":null,"id":null}');
    expect((await ask({ jsonrpc: "1.0", method: "getbalance", id: 7 })).body).toBe(
      '{"jsonrpc":"1.0","result":0.00000001,"error":null,"id":7}',
    );
    expect((await ask({ jsonrpc: "2.0", method: "getbalance", id: 7, params: null })).status).toBe(200);
  });

  it.each([
    ["a string", '"é"', '"é"'],
    ["a number", "1.5", "1.5"],
    ["a long integer, digit for digit", "12345678901234567890", "12345678901234567890"],
    ["null", "null", "null"],
  ])("echoes an id that is %s", async (_name, id, echoed) => {
    const ask = await serve();
    const { body } = await ask(`{"jsonrpc":"1.0","method":"getbalance","id":${id}}`);
    expect(body.endsWith(`"id":${echoed}}`)).toBe(true);
  });

  it.each(["1e400", "-1E+999", "1.50", "0.1e-400", `${"9".repeat(1_200)}`, "123456789012345678901234567890"])(
    "echoes a number as it was sent that no number of JavaScript is: %s",
    async (id) => {
      const ask = await serve();
      const single = await ask(`{"id":${id},"params":{"id":1e500},"jsonrpc":"2.0","method":"getbalance"}`);
      expect(single.body.endsWith(`"id":${id}}`)).toBe(true);
      const request = (own: string): string => `{"jsonrpc":"2.0","method":"getblockhash","params":["x"],"id":${own}}`;
      const batch = await ask(`[${request("1")},1,${request(id)},${request('"a"')}]`);
      expect(batch.body.match(/"id":[^,}]+/g)).toEqual(['"id":1', '"id":null', `"id":${id}`, '"id":"a"']);
    },
  );

  it.each([["[1]"], ["{}"], ["true"]])("refuses the id %s", async (id) => {
    const ask = await serve();
    const { status, body } = await ask(`{"jsonrpc":"2.0","method":"getbalance","id":${id}}`);
    expect([status, JSON.parse(body).error.code, JSON.parse(body).id]).toEqual([200, -32600, null]);
  });

  it("takes any media type, or none", async () => {
    const ask = await serve();
    for (const headers of [{}, { "content-type": "text/plain" }, { "content-type": "nonsense" }]) {
      expect((await ask(call([5]), headers as Record<string, string>)).status).toBe(200);
    }
  });

  it("takes parameters by name, fills in defaults, and takes null for a parameter left out", async () => {
    const ask = await serve();
    const result = async (params: unknown) => JSON.parse((await ask(call(params))).body).result;
    expect(await result({ height: 5 })).toEqual({ height: 5, verbose: true });
    expect(await result([5, null])).toEqual({ height: 5, verbose: true });
    expect(await result([5, false, null])).toEqual({ height: 5, verbose: false, note: null });
  });

  it("refuses parameters that are wrong, missing, unknown or too many", async () => {
    const ask = await serve();
    const violations = async (params: unknown) => {
      const { error } = JSON.parse((await ask(call(params))).body);
      expect(error.code).toBe(-32602);
      return error.data.violations.map(({ pointer, keyword }: { pointer: string; keyword: string }) => [
        pointer,
        keyword,
      ]);
    };
    expect(await violations(["5"])).toEqual([["/height", "type"]]);
    expect(await violations([])).toEqual([["/height", "required"]]);
    expect(await violations([1, true, "", 4])).toEqual([["/3", "maxItems"]]);
    expect(await violations({ height: 1, "a/b": 2 })).toEqual([["/a~1b", "additionalProperties"]]);
  });

  it("speaks the API's own dialect about wrong parameters", async () => {
    const ask = await serve({
      invalidParameters: (method, violations, params) =>
        new ServiceError("invalid_input", `${method} ${violations.length} ${JSON.stringify(params)}`, { rpcCode: -1 }),
    });
    const { error } = JSON.parse((await ask(call([]))).body);
    expect(error).toEqual({ code: -1, message: "getblockhash 1 []" });
  });

  it("finds no parameters in a prototype", async () => {
    const ask = await serve();
    const { body } = await ask('{"jsonrpc":"2.0","id":1,"method":"getblockhash","params":{"__proto__":{"height":5}}}');
    expect(JSON.parse(body).error.code).toBe(-32602);
    const { body: inner } = await ask('{"__proto__":{"jsonrpc":"2.0","id":1,"method":"getbalance"}}');
    expect(JSON.parse(inner).error.code).toBe(-32600);
    const { body: named } = await ask({ jsonrpc: "2.0", id: 1, method: "__proto__" });
    expect(JSON.parse(named).error.code).toBe(-32601);
  });

  it("takes the first parameters by position among named ones where the API knows a member for that", async () => {
    const ask = await serve({ positionalMember: "args" });
    const answer = async (params: unknown) => JSON.parse((await ask(call(params))).body);
    const violations = async (params: unknown) =>
      (await answer(params)).error.data.violations.map(({ pointer, keyword }: Record<string, string>) => [
        pointer,
        keyword,
      ]);
    expect((await answer({ args: [5], verbose: false })).result).toEqual({ height: 5, verbose: false });
    expect((await answer({ args: [5, null, null] })).result).toEqual({ height: 5, verbose: true, note: null });
    expect((await answer({ args: [], height: 5 })).result).toEqual({ height: 5, verbose: true });
    expect(await violations({ args: [5], height: 6 })).toEqual([["/height", "givenTwice"]]);
    expect(await violations({ args: [5, true, "", 4] })).toEqual([["/3", "maxItems"]]);
    expect(await violations({ args: 5, height: 5 })).toEqual([["/args", "additionalProperties"]]);
    expect(await violations({ args: [5], other: 6 })).toEqual([["/other", "additionalProperties"]]);
    const without = await serve();
    expect(JSON.parse((await without(call({ args: [5] }))).body).error.code).toBe(-32602);
  });

  it("takes parameters under other names that the API knows for them, once", async () => {
    const ask = await serve({ positionalMember: "args", parameterAliases: { getblockhash: { level: "height" } } });
    const answer = async (params: unknown) => JSON.parse((await ask(call(params))).body);
    const pointers = async (params: unknown) =>
      (await answer(params)).error.data.violations.map(({ pointer }: Record<string, string>) => pointer);
    expect((await answer({ level: 5, verbose: false })).result).toEqual({ height: 5, verbose: false });
    expect(await pointers({ level: "5" })).toEqual(["/height"]);
    expect(await pointers({ level: 5, height: 5 })).toEqual(["/level"]);
    expect(await pointers({ args: [5], level: 5 })).toEqual(["/height"]);
    expect(await pointers({ constructor: 5, height: 5 })).toEqual(["/constructor"]);
  });

  it("tells of wrong parameters by name where they were sent both ways", async () => {
    const seen: unknown[] = [];
    const ask = await serve({
      positionalMember: "args",
      invalidParameters: (_method, _violations, params) => {
        seen.push(params);
        return new ServiceError("invalid_input", "");
      },
    });
    await ask(call({ args: ["5"], verbose: 1 }));
    await ask(call(["5"]));
    expect(seen).toEqual([{ args: ["5"], height: "5", verbose: 1 }, ["5"]]);
  });

  it("lets the API decide over the HTTP status of an error by the version that was spoken", async () => {
    const ask = await serve({
      httpStatus: ({ rpcCode }, version) => (version === undefined ? 400 - rpcCode : undefined),
    });
    const status = async (version: string | undefined, isBatch = false) => {
      const request = { ...call([500]), jsonrpc: version };
      return (await ask(isBatch ? [request] : request)).status;
    };
    expect(await status(undefined)).toBe(408);
    expect(await status("2.0")).toBe(200);
    expect(await status(undefined, true)).toBe(200);
  });

  it("answers the error of a method under status 200 with the dialect's code", async () => {
    const ask = await serve();
    const { status, body } = await ask(call([500], 9));
    expect(status).toBe(200);
    expect(body).toBe(
      '{"jsonrpc":"2.0","result":null,"error":{"code":-8,"message":"Block height out of range"},"id":9}',
    );
  });

  it("names the reason why a method is not found", async () => {
    const ask = await serve({
      admit: ({ name }) =>
        name === "send"
          ? new ServiceError("method_disabled", "Off", { details: { reason: "method-disabled", method: "send" } })
          : undefined,
    });
    const error = async (method: string) => JSON.parse((await ask(call([], 1, method))).body).error;
    expect(await error("nothing")).toEqual({
      code: -32601,
      message: "Method not found",
      data: { reason: "unknown-method" },
    });
    expect(await error("missing")).toMatchObject({
      code: -32601,
      data: { reason: "not-implemented", method: "missing" },
    });
    expect(await error("send")).toMatchObject({ code: -32601, data: { reason: "method-disabled" } });
  });

  it("takes out of the messages of errors what must not be repeated, and leaves results, ids and error data as they are", async () => {
    const seen: string[] = [];
    const secret = "secret";
    const long = "x".repeat(2_000_000);
    const details = { reason: secret };
    const own = {
      send: () => {
        throw new ServiceError("upstream_unavailable", `Not ${secret}`, { rpcCode: -9, retryAfterSeconds: 5, details });
      },
      getbalance: () => new PreparedJson(`"${secret}${long}"`),
    };
    const ask = await serve(
      {
        redactMessage: (message, { method }) => message.replaceAll(/secret|JSON/g, `(${method})`),
        onError: ({ message }) => void seen.push(message),
      },
      own,
    );
    const send = call([], secret, "send");
    const error = { code: -9, message: "Not (POST)", data: details };

    const alone = await ask(send);
    expect(JSON.parse(alone.body)).toEqual({ jsonrpc: "2.0", result: null, error, id: secret });
    expect([alone.status, alone.headers["retry-after"]]).toEqual([503, "5"]);
    expect(JSON.parse((await ask([send, call([], 2, "getbalance")])).body)).toEqual([
      { jsonrpc: "2.0", result: null, error, id: secret },
      { jsonrpc: "2.0", result: secret + long, error: null, id: 2 },
    ]);
    expect(JSON.parse((await ask("{")).body).error.message).toBe("The request body is not valid (POST)");
    expect(seen).toEqual(["Not secret", "Not secret", "The request body is not valid JSON"]);
  });

  it("says when an upstream is away, with the status that HTTP has for it", async () => {
    const own = {
      send: () => {
        throw new ServiceError("upstream_unavailable", "The node is away", { retryAfterSeconds: 5 });
      },
    };
    const ask = await serve({}, own);
    const single = await ask(call([], 1, "send"));
    expect([single.status, single.headers["retry-after"], JSON.parse(single.body).error.code]).toEqual([
      503,
      "5",
      -32603,
    ]);
    expect((await ask([call([], 1, "send")])).status).toBe(200);
  });

  it("keeps what is not for callers out of the response", async () => {
    const own = {
      send: () => {
        throw new Error("hunter2");
      },
    };
    const ask = await serve({}, own);
    const { body } = await ask(call([], 1, "send"));
    expect(JSON.parse(body).error).toEqual({ code: -32603, message: "Internal error" });
  });

  it.each([
    ["nothing", ""],
    ["half an object", '{"jsonrpc"'],
    ["two objects", "{}{}"],
    ["bytes that are not UTF-8", Buffer.from([0x22, 0xff, 0x22])],
  ])("answers -32700 to %s", async (_name, payload) => {
    const ask = await serve();
    const { status, body } = await ask(payload);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ result: null, error: { code: -32700 }, id: null });
  });

  it.each([
    ["5"],
    ['"x"'],
    ["null"],
    ["{}"],
    ['{"id":1}'],
    ['{"id":1,"method":1}'],
    ['{"id":1,"method":"a","params":"b"}'],
  ])("answers -32600 to %s", async (payload) => {
    const ask = await serve();
    expect(JSON.parse((await ask(payload)).body).error.code).toBe(-32600);
  });

  it("refuses a jsonrpc that is no known version, with the id", async () => {
    const ask = await serve();
    const answer = JSON.parse((await ask({ jsonrpc: "3.0", id: 4, method: "getbalance" })).body);
    expect([answer.error, answer.id]).toEqual([{ code: -32600, message: "JSON-RPC version not supported" }, 4]);
    expect(JSON.parse((await ask({ jsonrpc: 2, id: 4, method: "getbalance" })).body).error.message).toBe(
      "jsonrpc field must be a string",
    );
    expect((await ask({ jsonrpc: null, id: 4, method: "getbalance" })).body).toBe(
      '{"result":0.00000001,"error":null,"id":4}',
    );
  });

  it("refuses JSON that is nested too deep, at once", async () => {
    const ask = await serve();
    const { body } = await ask(`{"jsonrpc":"2.0","id":1,"method":"send","params":${"[".repeat(400_000)}`);
    expect(JSON.parse(body).error.code).toBe(-32600);
  });

  it("answers a batch in its order, whatever takes long", async () => {
    const own: RpcHandlers<string> = {
      getblockhash: async ({ height }: { height: number }) => {
        await new Promise((resolve) => setTimeout(resolve, 20 - height));
        return height;
      },
    };
    const ask = await serve({}, own);
    const { status, body } = await ask([call([1], "a"), 5, call([20], "b"), call([10], "c", "nothing")]);
    expect(status).toBe(200);
    expect(
      JSON.parse(body).map(({ id, result, error }: Record<string, unknown>) => [id, result, error !== null]),
    ).toEqual([
      ["a", 1, false],
      [null, null, true],
      ["b", 20, false],
      ["c", null, true],
    ]);
  });

  it("works on no more members at once than it may", async () => {
    let running = 0;
    let most = 0;
    const own: RpcHandlers<string> = {
      send: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      },
    };
    const ask = await serve({ concurrency: 3 }, own);
    await ask(Array.from({ length: 20 }, (_, id) => call([], id, "send")));
    expect(most).toBe(3);
  });

  it("refuses an empty batch and one that is too long with one object", async () => {
    const ask = await serve({ batchLimit: 2 });
    const empty = await ask("[]");
    expect([empty.status, JSON.parse(empty.body).error.code]).toEqual([200, -32600]);
    const long = await ask([call([1]), call([1]), call([1])]);
    expect([long.status, JSON.parse(long.body).error.code, JSON.parse(long.body).id]).toEqual([413, -32600, null]);
  });

  it("requests the limit of each batch, and counts members that nobody knows towards it", async () => {
    const executed: unknown[] = [];
    const own: RpcHandlers<string> = { send: () => void executed.push("sent") };
    const ask = await serve({ batchLimit: ({ headers }) => Number(headers["x-limit"] ?? 1) }, own);
    const kinds = {
      known: call([], 1, "send"),
      unknown: call([], 1, "nothing"),
      notification: { jsonrpc: "2.0", method: "send" },
      "no request": 5,
    };
    for (const member of Object.values(kinds)) {
      const long = await ask([member, member, member], { "x-limit": "2" });
      expect([long.status, JSON.parse(long.body)]).toEqual([
        413,
        expect.objectContaining({
          error: expect.objectContaining({ code: -32600, message: "The batch has more than 2 members" }),
          id: null,
        }),
      ]);
      expect(executed).toEqual([]);
    }
    expect((await ask([kinds.known, kinds.unknown, 5], { "x-limit": "3" })).status).toBe(200);
    expect((await ask([kinds.known, kinds.known])).status).toBe(413);
    expect((await ask(kinds.known)).status).toBe(200);
  });

  it("executes notifications and answers none of them", async () => {
    const seen: unknown[] = [];
    const own: RpcHandlers<string> = { send: () => void seen.push("sent") };
    const ask = await serve({}, own);
    const notification = { jsonrpc: "2.0", method: "send" };
    const single = await ask(notification);
    expect([single.status, single.body]).toEqual([204, ""]);
    const all = await ask([notification, { jsonrpc: "2.0", method: "nothing" }]);
    expect([all.status, all.body]).toEqual([204, ""]);
    const mixed = await ask([notification, call([], 1, "send")]);
    expect(JSON.parse(mixed.body)).toHaveLength(1);
    expect(seen).toHaveLength(4);
  });

  it("admits a request whole: a refused batch gets one object and nothing of it is executed", async () => {
    const counts: unknown[] = [];
    const ask = await serve({
      admitRequest: (operations, _request, members) => {
        counts.push([operations.length, members]);
        return operations.length > 1
          ? new ServiceError("rate_limited", "Too fast", { retryAfterSeconds: 3 })
          : undefined;
      },
    });
    const { status, headers, body } = await ask([call([1]), call([2]), call([], 1, "nothing")]);
    expect([status, headers["retry-after"], JSON.parse(body).error.code]).toEqual([429, "3", -32005]);
    expect((await ask(call([1]))).status).toBe(200);
    expect(counts).toEqual([
      [2, 3],
      [1, 1],
    ]);
  });

  it("refuses bodies beyond the limit with 413 and one object", async () => {
    const ask = await serve({ bodyLimitBytes: 20 });
    const { status, body } = await ask(call([1]));
    expect([status, JSON.parse(body)]).toMatchObject([413, { result: null, error: { code: -32600 }, id: null }]);
  });

  it("returns 405 with Allow to everything but POST", async () => {
    await serve();
    const response = await opened[0]?.inject({ method: "GET", url: "/node/" });
    expect([response?.statusCode, response?.headers["allow"]]).toEqual([405, "POST"]);
    expect(response?.json().error.code).toBe(-32600);
  });

  it("makes one context for a batch, and none for one that needs none", async () => {
    let made = 0;
    const ask = await serve({
      context: () => {
        made += 1;
        return "";
      },
    });
    await ask([call([1]), call([2])]);
    await ask(call([], 1, "nothing"));
    expect(made).toBe(1);
  });

  describe("whose handlers answer prepared JSON", () => {
    const text = '{"é":"₿"}';

    async function* parts(): AsyncGenerator<string | Uint8Array> {
      yield text.slice(0, 3);
      yield Buffer.from(text.slice(3));
    }

    it.each([
      ["as text", () => new PreparedJson(text)],
      ["as bytes", () => new PreparedJson(Buffer.from(text))],
      ["as bytes that stand among others", () => new PreparedJson(Buffer.from(`[${text}]`).subarray(1, -1))],
      ["written late", () => new PreparedJson(() => Buffer.from(text))],
      ["in parts", () => new PreparedJson(parts())],
      ["in pieces", () => new PreparedJson([text.slice(0, 3), Buffer.from(text.slice(3)), ""])],
    ])("puts the text into its envelope: %s", async (_name, prepare) => {
      const ask = await serve({ validateResponses: "off" }, { ...handlers, send: prepare });
      const answer = (id: string): string => `{"jsonrpc":"2.0","result":${text},"error":null,"id":"${id}"}`;
      const single = await ask(call([], "ü", "send"));
      expect([single.headers["content-type"], single.body]).toEqual(["application/json", answer("ü")]);
      expect(single.headers["content-length"]).toBe(String(Buffer.byteLength(answer("ü"))));
      const batch = await ask([call([5], "a"), call([], "b", "send"), call([], "c", "nothing")]);
      expect(JSON.parse(batch.body).map(({ id }: { id: string }) => id)).toEqual(["a", "b", "c"]);
      expect(batch.body).toContain(`,${answer("b")},`);
    });

    it("sends long pieces of a text as they are", async () => {
      const long = "x".repeat(300_000);
      const pieces = ['"ü', Buffer.from(long), Buffer.from(long), '"'];
      const ask = await serve({ validateResponses: "off" }, { ...handlers, send: () => new PreparedJson(pieces) });
      const { body, headers } = await ask(call([], "ü", "send"));
      expect(JSON.parse(body).result).toBe(`ü${long}${long}`);
      expect(headers["content-length"]).toBe(String(Buffer.byteLength(body)));
      const [first] = JSON.parse((await ask([call([], "a", "send")])).body);
      expect(first.result).toHaveLength(600_001);
    });

    it.each([
      ["as text", () => new PreparedJson('"7"')],
      ["in bytes", () => new PreparedJson(Buffer.from('"7"'))],
      ["that is no JSON", () => new PreparedJson('{"a":')],
    ])("holds the text against its type where answers are: %s", async (_name, prepare) => {
      const ask = await serve({ validateResponses: "throw" }, { getbalance: prepare });
      expect(JSON.parse((await ask(call([], 1, "getbalance"))).body).error.code).toBe(-32603);
    });

    it("answers an error when a text fails that is written late", async () => {
      const fail = () => {
        throw new ServiceError("upstream_timeout", "Too slow");
      };
      const ask = await serve({}, { send: () => new PreparedJson(fail) });
      const { status, body } = await ask(call([], 1, "send"));
      expect([status, JSON.parse(body).error.code]).toEqual([504, -32015]);
    });
  });

  it("answers whatever JSON it is sent, in JSON-RPC's words", async () => {
    const ask = await serve();
    const member = fc.record(
      {
        jsonrpc: fc.constantFrom("2.0", "1.0", 2, null),
        id: fc.jsonValue({ maxDepth: 1 }),
        method: fc.oneof(fc.constantFrom("getblockhash", "getbalance", "missing", "constructor"), fc.jsonValue()),
        params: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), member, fc.array(member, { maxLength: 5 })), async (payload) => {
        const { status, body } = await ask(JSON.stringify(payload));
        expect([200, 204]).toContain(status);
        const responses = status === 204 ? [] : [JSON.parse(body)].flat();
        for (const answer of responses) {
          expect(answer).toMatchObject({ result: expect.toSatisfy(isPresent), error: expect.toSatisfy(isPresent) });
          if (answer.error !== null) expect([-8, -32600, -32601, -32602]).toContain(answer.error.code);
        }
      }),
    );
  });
});

function isPresent(value: unknown): boolean {
  return value !== undefined;
}
