import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpOperation, RpcOperation, ValueFacts } from "@nodewright/runtime";
import { afterEach, describe, expect, test } from "vitest";
import { type HttpSuite, type Report, renderReport, type RpcSuite, runSuite } from "./index.ts";

const key = "secret-key-0001";
const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

type Answering = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Starts a server on a free port; gives its address. */
async function serve(answer: Answering): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => answer(request, response, body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function factsOf(is: (value: unknown) => boolean): ValueFacts<unknown> {
  return {
    is,
    violationsOf: (value, pointer = "") =>
      is(value) ? [] : [{ pointer, keyword: "type", message: "is of a wrong type" }],
  };
}

const isShip = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";

const marks = { disabledByDefault: false, nodeControl: false, units: 1 };

const getShip: HttpOperation = {
  kind: "http",
  name: "getShip",
  origin: "GET /ships/{number}",
  tags: [],
  method: "GET",
  path: "/ships/{number}",
  parameters: [{ name: "number", property: "number", location: "path", required: true, decoding: "number" }],
  successes: [{ status: 200, content: { mediaType: "application/json", form: "json" }, headers: [] }],
  failures: [
    { name: "BadRequest", status: 400 },
    { name: "NotFound", status: 404 },
  ],
  answers: "body",
  marks,
  idempotent: true,
  input: factsOf(() => true),
  output: factsOf(isShip),
};

const text = [{ mediaType: "text/plain", form: "text" as const }];

const shipSuite: HttpSuite = {
  name: "ships",
  title: "Ships",
  version: "1",
  source: "ships.yaml",
  protocol: "http",
  key: { location: "query", parameter: "apikey" },
  operations: [
    {
      operation: getShip,
      headers: [{ status: 200, checks: [{ name: "cache-control", required: true, values: ["no-store"] }] }],
      failures: [
        { name: "BadRequest", status: 400, contents: text },
        { name: "NotFound", status: 404, contents: text },
      ],
      writes: false,
      unprovoked: [],
      cases: [
        {
          name: "first",
          group: "example",
          input: { number: 1 },
          expect: { kind: "value", status: 200, value: { name: "Ark" } },
        },
        { name: "any", group: "example", input: { number: 1 }, expect: { kind: "type", status: 200 } },
        {
          name: "unknown",
          group: "failure",
          input: { number: 99 },
          expect: { kind: "failure", status: 404, message: "No ship" },
        },
        {
          name: "number-word",
          group: "parameter",
          input: { number: "x y" },
          expect: { kind: "refusal", message: "Bad number" },
        },
        { name: "number-zero", group: "parameter", input: { number: 0 }, expect: { kind: "documented" } },
      ],
    },
  ],
};

/** A server that does all that the suite asks for. */
const goodShips: Answering = (request, response) => {
  const url = new URL(request.url ?? "/", "http://localhost");
  const number = decodeURIComponent(url.pathname.replace("/ships/", ""));
  const send = (status: number, type: string, body: string, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { "content-type": type, ...headers }).end(body);
  };
  if (!url.pathname.startsWith("/ships/")) return send(404, "text/plain", "No such path");
  if (url.searchParams.get("apikey") !== key) return send(401, "text/plain", "No key", { "www-authenticate": "Basic" });
  if (request.method !== "GET") return send(405, "text/plain", "GET only", { allow: "GET, HEAD" });
  if (!/^[0-9]+$/.test(number)) return send(400, "text/plain", "Bad number");
  if (number !== "1") return send(404, "text/plain", "No ship");
  return send(200, "application/json", '{"name":"Ark"}', { "cache-control": "no-store" });
};

function failedCases(report: Report): readonly string[] {
  return report.operations.flatMap(({ cases }) =>
    cases.filter(({ verdict }) => verdict === "failed").map(({ id }) => id),
  );
}

/** Changes what the good server sends. */
function changed(change: (status: number, type: string, body: string) => readonly [number, string, string]): Answering {
  return (request, response, body) => {
    const writeHead = response.writeHead.bind(response);
    const end = response.end.bind(response);
    let status = 0;
    let headers: Record<string, string> = {};
    const recorder = Object.assign(response, {
      writeHead: (code: number, given: Record<string, string>) => {
        status = code;
        headers = given;
        return recorder;
      },
      end: (sent: string) => {
        const [code, type, text] = change(status, headers["content-type"] ?? "", sent);
        writeHead(code, { ...headers, "content-type": type });
        return end(text);
      },
    });
    goodShips(request, recorder as ServerResponse, body);
  };
}

describe("a REST suite", () => {
  test("passes against a server that does what the document says", async () => {
    const report = await runSuite(shipSuite, { baseUrl: await serve(goodShips), apiKey: key });
    expect(failedCases(report)).toEqual([]);
    expect(report.conforms).toBe(true);
    expect(report.totals.passed).toBe(10);
  });

  test.each([
    ["another value", '{"name":"Argo"}', ["getShip/example/first"]],
    ["a member too many", '{"name":"Ark","masts":3}', ["getShip/example/first"]],
    ["another type", '{"title":"Ark"}', ["getShip/example/first", "getShip/example/any"]],
    ["no JSON", "Ark", ["getShip/example/first", "getShip/example/any"]],
  ])("notices %s", async (_, body, failed) => {
    const baseUrl = await serve(changed((status, type, sent) => [status, type, status === 200 ? body : sent]));
    expect(failedCases(await runSuite(shipSuite, { baseUrl, apiKey: key }))).toEqual(failed);
  });

  test("notices a wrong status, text, media type and header", async () => {
    const otherText = await serve(changed((status, type, sent) => [status, type, status === 404 ? "Nothing" : sent]));
    expect(failedCases(await runSuite(shipSuite, { baseUrl: otherText, apiKey: key }))).toEqual([
      "getShip/failure/unknown",
    ]);

    const otherType = await serve(changed((status, type, sent) => [status, status === 200 ? "text/html" : type, sent]));
    expect(failedCases(await runSuite(shipSuite, { baseUrl: otherType, apiKey: key }))).toHaveLength(2);

    const accepting = await serve(changed((status, type, sent) => [status === 400 ? 404 : status, type, sent]));
    expect(failedCases(await runSuite(shipSuite, { baseUrl: accepting, apiKey: key }))).toEqual([
      "getShip/parameter/number-word",
    ]);

    const noCache = await serve((request, response) => {
      response.setHeader("cache-control", "public");
      goodShips(request, Object.assign(response, {}), "");
    });
    expect((await runSuite(shipSuite, { baseUrl: noCache, apiKey: key })).conforms).toBe(true);
  });

  test("notices a server that takes any key, and one that fails instead of refusing", async () => {
    const open = await serve((request, response, body) => {
      request.url = request.url?.replace(/([?&]apikey=)[^&]*|$/, `?apikey=${key}`) ?? "";
      goodShips(request, response, body);
    });
    const failed = failedCases(await runSuite(shipSuite, { baseUrl: open, apiKey: key }));
    expect(failed).toContain("getShip/key/no-key");

    const broken = await serve(changed((status, type, sent) => [status === 404 ? 500 : status, type, sent]));
    expect(failedCases(await runSuite(shipSuite, { baseUrl: broken, apiKey: key }))).toEqual([
      "getShip/failure/unknown",
      "getShip/parameter/number-zero",
      "(protocol)/protocol/unknown-path",
    ]);
  });

  test.each(["body", "header"])(
    "notices a server that repeats the key in a %s, whether it is right or wrong",
    async (place) => {
      const baseUrl = await serve((request, response, body) => {
        if (place === "header") response.setHeader("link", `<${request.url}>; rel="self"`);
        else {
          const end = response.end.bind(response) as (text: string) => ServerResponse;
          response.end = ((text: string) => end(`${text} ${request.url}`)) as typeof response.end;
        }
        goodShips(request, response, body);
      });
      const report = await runSuite(shipSuite, { baseUrl, apiKey: key });
      const repeated = report.operations.flatMap(({ cases }) =>
        cases.filter(({ problems }) => problems.includes("the answer repeats the key")).map(({ id }) => id),
      );
      expect(repeated).toEqual(
        expect.arrayContaining(["getShip/example/first", "getShip/failure/unknown", "getShip/key/wrong-key"]),
      );
      expect(repeated).not.toContain("getShip/key/no-key");
      expect(JSON.stringify(report)).not.toContain(key);
    },
  );

  test("says what was sent, what came and how to repeat it, without the key", async () => {
    const baseUrl = await serve(
      changed((status, type, sent) => [status, type, status === 200 ? `{"name":"${key}"}` : sent]),
    );
    const report = await runSuite(shipSuite, { baseUrl, apiKey: key });
    const everything = `${renderReport(report)}${JSON.stringify(report)}`;
    expect(everything).not.toContain(key);
    expect(renderReport(report)).toContain(`curl -sS '${baseUrl}/ships/1?apikey='"$API_KEY"`);
    expect(renderReport(report)).toContain('/name is "');
    expect(renderReport(report)).toContain("1 operations × 10 cases: 8 passed, 2 failed");
  });

  test("allows what it is told may be missing, and nothing else", async () => {
    const baseUrl = await serve(
      changed((status, type, sent) => (status < 401 ? [501, type, sent] : [status, type, sent])),
    );
    const strict = await runSuite(shipSuite, { baseUrl, apiKey: key });
    const patient = await runSuite(shipSuite, { baseUrl, apiKey: key, mayBeMissing: ["getShip"] });
    expect(strict.totals.failed).toBe(3);
    expect(patient.totals).toMatchObject({ failed: 0, missing: 3 });
  });

  test("sends nothing that would change something unless it is allowed to, and never guesses there", async () => {
    const [one] = shipSuite.operations;
    const writing: HttpSuite = { ...shipSuite, operations: one === undefined ? [] : [{ ...one, writes: true }] };
    const baseUrl = await serve(goodShips);
    const careful = await runSuite(writing, { baseUrl, apiKey: key });
    expect(careful.totals).toMatchObject({ withheld: 2, failed: 0 });
    expect(careful.operations[0]?.cases.some(({ group }) => group === "parameter")).toBe(false);
    expect((await runSuite(writing, { baseUrl, apiKey: key, allowWrites: true })).totals).toMatchObject({
      withheld: 0,
      failed: 0,
    });
  });

  test("waits when it is told to, and judges nothing that was never answered", async () => {
    let refused = 0;
    const baseUrl = await serve((request, response, body) => {
      refused += 1;
      if (refused % 2 === 1) response.writeHead(429, { "retry-after": "0" }).end();
      else goodShips(request, response, body);
    });
    const options = { baseUrl, apiKey: key, concurrency: 1 };
    expect((await runSuite(shipSuite, options)).conforms).toBe(true);

    const busy = await serve((_request, response) => void response.writeHead(429, { "retry-after": "0" }).end());
    const report = await runSuite(shipSuite, { ...options, baseUrl: busy });
    expect(report.totals).toMatchObject({ passed: 0, failed: 0, untested: 10 });
    expect(report.conforms).toBe(false);
  });

  test("asks for several operations at once, but for each of them once at a time", async () => {
    const under = new Map<string, number>();
    const most = { all: 0, ofOne: 0 };
    const baseUrl = await serve((request, response, body) => {
      const name = request.url?.split("/")[1] ?? "";
      const change = (by: number) => under.set(name, (under.get(name) ?? 0) + by);
      change(1);
      most.all = Math.max(
        most.all,
        [...under.values()].reduce((sum, count) => sum + count),
      );
      most.ofOne = Math.max(most.ofOne, under.get(name) ?? 0);
      setTimeout(() => {
        change(-1);
        goodShips(request, response, body);
      }, 5);
    });
    const [ships] = shipSuite.operations;
    if (ships === undefined) return expect.unreachable();
    const boats = { ...ships, operation: { ...getShip, name: "getBoat", path: "/boats/{number}" } };
    await runSuite(
      { ...shipSuite, operations: [ships, boats] },
      { baseUrl, apiKey: key, only: ["getShip", "getBoat"] },
    );
    expect(most).toEqual({ all: 2, ofOne: 1 });
  });

  test("fails every case of a server that is not there, or never answers", async () => {
    const gone = await runSuite(shipSuite, { baseUrl: "http://127.0.0.1:9", apiKey: key });
    expect(gone.totals).toMatchObject({ passed: 0, failed: 10 });

    const silent = await serve(() => undefined);
    const report = await runSuite(shipSuite, { baseUrl: silent, apiKey: key, timeoutMilliseconds: 50 });
    expect(report.totals).toMatchObject({ passed: 0, failed: 10 });
    expect(renderReport(report)).toContain("no answer came in time");
    for (const server of servers) server.closeAllConnections();
  });

  test("does not take an address with a key or credentials in it", async () => {
    for (const baseUrl of ["http://h/?apikey=1", "http://u:p@h/", "nothing"]) {
      await expect(runSuite(shipSuite, { baseUrl })).rejects.toThrow("The base URL has to be");
    }
  });
});

const count: RpcOperation = {
  kind: "rpc",
  name: "count",
  origin: "count",
  tags: [],
  method: "count",
  parameters: [{ name: "from", property: "from", location: "argument", required: false }],
  failures: [{ name: "Wrong", rpcCode: -3 }],
  marks,
  idempotent: true,
  input: factsOf(() => true),
  output: factsOf((value) => typeof value === "number"),
};

const countSuite: RpcSuite = {
  name: "counting",
  title: "Counting",
  version: "1",
  source: "counting.yaml",
  protocol: "rpc",
  envelope: "both",
  operations: [
    {
      operation: count,
      writes: false,
      unprovoked: ["TooHigh"],
      cases: [
        { name: "all", group: "example", input: {}, expect: { kind: "value", status: 200, value: 7 } },
        { name: "from-2", group: "example", input: { from: 2 }, expect: { kind: "value", status: 200, value: 5 } },
        {
          name: "by-name",
          group: "parameter",
          input: {},
          params: { from: 2 },
          expect: { kind: "same-as", example: "from-2" },
        },
        { name: "word", group: "failure", input: { from: "x" }, expect: { kind: "failure", rpcCode: -3 } },
        { name: "from-list", group: "parameter", input: { from: [] }, expect: { kind: "refusal" } },
      ],
    },
  ],
};

/** A small JSON-RPC server with the envelope of both members. */
const goodCounter: Answering = (_request, response, body) => {
  const text = answerText(body);
  if (text === undefined) response.writeHead(204).end();
  else response.writeHead(200, { "content-type": "application/json" }).end(text);
};

function answerText(body: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return JSON.stringify(failure(null, undefined, -32700));
  }
  if (!Array.isArray(value)) return single(value) && JSON.stringify(single(value));
  if (value.length === 0) return JSON.stringify(failure(null, undefined, -32600));
  const answers = value.map(single).filter((answer) => answer !== undefined);
  return answers.length === 0 ? undefined : JSON.stringify(answers);
}

function single(value: unknown): object | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return failure(null, undefined, -32600);
  const { id, jsonrpc, method, params } = value as Record<string, unknown>;
  if (typeof id === "object" && id !== null) return failure(null, jsonrpc, -32600);
  if (typeof method !== "string" || typeof params === "string") return failure(id ?? null, jsonrpc, -32600);
  if (id === undefined) return undefined;
  if (method !== "count") return failure(id, jsonrpc, -32601);
  const from = Array.isArray(params) ? params[0] : (params as { from?: unknown } | undefined)?.from;
  if (from !== undefined && typeof from !== "number") return failure(id, jsonrpc, -3);
  return { jsonrpc, result: 7 - (from ?? 0), error: null, id };
}

function failure(id: unknown, jsonrpc: unknown, code: number): object {
  return { ...(jsonrpc === undefined ? {} : { jsonrpc }), result: null, error: { code, message: "No" }, id };
}

describe("a JSON-RPC suite", () => {
  test("passes against a server that does what the document and the specification say", async () => {
    const report = await runSuite(countSuite, { baseUrl: await serve(goodCounter) });
    expect(failedCases(report)).toEqual([]);
    expect(report.totals.passed).toBe(5 + 13 + 7);
    expect(renderReport(report)).toContain("count: TooHigh");
  });

  test.each([
    ["a result that is wrong", (text: string) => text.replace('"result":5', '"result":6'), "count/example/from-2"],
    ["a result of another type", (text: string) => text.replace('"result":7', '"result":"7"'), "count/example/all"],
    ["another error code", (text: string) => text.replace('"code":-3,', '"code":-8,'), "count/failure/word"],
    ["a missing member", (text: string) => text.replace('"error":null,', ""), "count/example/all"],
    ["an id that is not echoed", (text: string) => text.replace('"id":"count all"', '"id":"x"'), "count/example/all"],
    ["a version that is not echoed", (text: string) => text.replaceAll('"jsonrpc":"2.0",', ""), "count/example/all"],
    [
      "an error without a message",
      (text: string) => text.replaceAll('"message":"No"', '"message":""'),
      "count/failure/word",
    ],
    [
      "a batch in another order",
      (text: string) => (text.startsWith("[") ? JSON.stringify(JSON.parse(text).toReversed()) : text),
      "(protocol)/protocol/mixed-batch",
    ],
  ])("notices %s", async (_, change, id) => {
    const baseUrl = await serve((_request, response, body) => {
      const answer = answerText(body);
      if (answer === undefined) response.writeHead(204).end();
      else response.writeHead(200, { "content-type": "application/json" }).end(change(answer));
    });
    expect(failedCases(await runSuite(countSuite, { baseUrl }))).toContain(id);
  });

  test("notices a notification that is answered", async () => {
    const baseUrl = await serve((request, response, body) => {
      if (answerText(body) !== undefined) goodCounter(request, response, body);
      else
        response.writeHead(200, { "content-type": "application/json" }).end('{"result":null,"error":null,"id":null}');
    });
    expect(failedCases(await runSuite(countSuite, { baseUrl }))).toEqual([
      "(protocol)/protocol/notification",
      "(protocol)/protocol/batch-of-notifications",
    ]);
  });
});
