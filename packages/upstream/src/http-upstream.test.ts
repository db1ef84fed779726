import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { isServiceError } from "@nodewright/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpUpstream, type HttpUpstream, type HttpUpstreamOptions } from "./http-upstream.ts";
import type { ListingUpstream } from "./upstream.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";

interface Call {
  readonly jsonrpc: string;
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

type Responder = (body: Call | Call[], request: IncomingMessage, response: ServerResponse) => void;

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Starts a node on loopback with the given responses. */
async function startNode(respond: Responder): Promise<{ readonly url: string; readonly bodies: (Call | Call[])[] }> {
  const bodies: (Call | Call[])[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += String(chunk)));
    request.on("end", () => {
      const body = JSON.parse(text) as Call | Call[];
      bodies.push(body);
      respond(body, request, response);
    });
  });
  return { url: `http://127.0.0.1:${await listen(server)}/`, bodies };
}

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        if ("closeAllConnections" in server) server.closeAllConnections();
        server.close(resolve);
      }),
  );
  return (server.address() as AddressInfo).port;
}

function connect(url: string, options: Partial<HttpUpstreamOptions> = {}): HttpUpstream {
  const upstream = createHttpUpstream({ url, timeoutMilliseconds: 20_000, ...options });
  closers.push(() => upstream.close());
  return upstream;
}

function answer(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Responds to each call with its method and params. */
const echo: Responder = (body, _request, response) => {
  const reply = (call: Call): unknown => ({ jsonrpc: "2.0", id: call.id, result: [call.method, ...call.params] });
  answer(response, Array.isArray(body) ? body.map(reply) : reply(body));
};

/** Returns nested arrays as JSON. */
function nest(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

async function failureOf(work: Promise<unknown>): Promise<Error> {
  const outcome: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(outcome instanceof Error)) throw new Error("Expected a failure");
  return outcome;
}

function codeOf(error: unknown): unknown {
  return isServiceError(error) || isUpstreamRpcError(error) ? error.code : error;
}

describe("a call", () => {
  it("sends a JSON-RPC 2.0 request and gives its result", async () => {
    const node = await startNode(echo);
    expect(await connect(node.url).call("getblockhash", [170])).toEqual(["getblockhash", 170]);
    expect(node.bodies).toEqual([{ jsonrpc: "2.0", id: 1, method: "getblockhash", params: [170] }]);
  });

  it("waits for the response behind informational ones", async () => {
    const { url } = await startNode((body, _request, response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: "</a>; rel=preload" });
      response.end(JSON.stringify({ id: (body as Call).id, result: 5 }));
    });
    expect(await connect(url).call("getblockcount")).toBe(5);
  });

  it.each([
    ["on a connection that lasts", "keep-alive"],
    ["on a connection for one request", "close"],
  ])("fails behind informational responses without end %s", async (_where, connection) => {
    let isEndless = false;
    const sent = "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100);
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (chunk) => {
        if (!String(chunk).endsWith("}")) return;
        const flood = () => void (socket.destroyed || socket.write(sent, () => setImmediate(flood)));
        if (isEndless) flood();
        else
          socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 19\r\nconnection: ${connection}\r\n\r\n{"id":1,"result":5}`);
        if (connection === "close" && !isEndless) socket.end();
      });
    });
    const upstream = connect(`http://127.0.0.1:${await listen(server)}/`);
    await upstream.call("getblockcount").catch(() => undefined);
    isEndless = true;
    expect(await failureOf(upstream.call("getblockcount"))).toMatchObject({ message: "The node could not be reached" });
  });

  it("gives a null result as null, also next to the null error of JSON-RPC 1.0", async () => {
    const node = await startNode((body, _request, response) => {
      answer(response, { result: null, error: null, id: (body as Call).id });
    });
    expect(await connect(node.url).call("ping")).toBeNull();
  });

  it("throws the node's own error with code, message and data, whatever the HTTP status", async () => {
    const node = await startNode((body, _request, response) => {
      const error = { code: -5, message: "Block not found", data: "0x01" };
      answer(response, { result: null, error, id: (body as Call).id }, 500);
    });
    const failure = await failureOf(connect(node.url).call("getblock", ["00"]));
    expect(isUpstreamRpcError(failure) && [failure.code, failure.message, failure.data]).toEqual([
      -5,
      "Block not found",
      "0x01",
    ]);
  });

  it("takes an error with a null id as the response to its request", async () => {
    const node = await startNode((_body, _request, response) => {
      answer(response, { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } });
    });
    expect(codeOf(await failureOf(connect(node.url).call("ping")))).toBe(-32700);
  });

  it.each([
    ["HTML", "<html>Bad gateway</html>"],
    ["truncated JSON", '{"jsonrpc":"2.0","id":1,"resu'],
    ["nothing", ""],
    ["a bare value", "17"],
    ["an array", "[]"],
    ["another call's id", '{"jsonrpc":"2.0","id":99,"result":1}'],
    ["the id as text", '{"jsonrpc":"2.0","id":"1","result":1}'],
    ["neither result nor error", '{"jsonrpc":"2.0","id":1}'],
    ["an error that is no object", '{"jsonrpc":"2.0","id":1,"error":"secret"}'],
    ["an error without a code", '{"jsonrpc":"2.0","id":1,"error":{"message":"secret"}}'],
  ])("fails with upstream_unavailable when the answer is %s", async (_name, text) => {
    const node = await startNode((_body, _request, response) => response.end(text));
    const failure = await failureOf(connect(node.url).call("ping"));
    expect(codeOf(failure)).toBe("upstream_unavailable");
    expect(failure.message).not.toMatch(/secret|html/);
  });

  it("fails with upstream_unavailable on an error status without JSON-RPC", async () => {
    const node = await startNode((_body, _request, response) => answer(response, { message: "slow down" }, 503));
    const failure = await failureOf(connect(node.url).call("ping"));
    expect([codeOf(failure), failure.message]).toEqual([
      "upstream_unavailable",
      "The node's response has HTTP status 503",
    ]);
  });

  it.each([
    ["seconds", () => "7", 7],
    ["a date", () => new Date(Date.now() + 3_600_000).toUTCString(), 3_600],
    ["a date that has passed", () => "Sun, 06 Nov 1994 08:49:37 GMT", 1],
    ["nonsense", () => "soon", undefined],
  ])("tells callers when a busy node wants to be asked again, given in %s", async (_name, header, seconds) => {
    const node = await startNode((_body, _request, response) => {
      response.writeHead(429, { "retry-after": header() }).end("Slow down");
    });
    const failure = await failureOf(connect(node.url).call("ping"));
    expect(isServiceError(failure) && failure.retryAfterSeconds).toSatisfy((given: unknown) =>
      seconds === undefined ? given === undefined : Math.abs(Number(given) - seconds) <= 2,
    );
  });

  it("fails with upstream_unavailable when nobody listens", async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await closers.pop()?.();
    expect(codeOf(await failureOf(connect(`http://127.0.0.1:${port}`).call("ping")))).toBe("upstream_unavailable");
  });

  it("does not follow redirections", async () => {
    const other = await startNode(echo);
    const node = await startNode((_body, _request, response) => response.writeHead(307, { location: other.url }).end());
    expect(codeOf(await failureOf(connect(node.url).call("ping")))).toBe("upstream_unavailable");
    expect(other.bodies).toEqual([]);
  });

  it("drops a response that is larger than the limit", async () => {
    const node = await startNode((body, _request, response) => {
      answer(response, { id: (body as Call).id, result: "x".repeat(100_000) });
    });
    const failure = await failureOf(connect(node.url, { maximumResponseBytes: 50_000 }).call("ping"));
    expect([codeOf(failure), failure.message]).toEqual([
      "upstream_unavailable",
      "The node's response is larger than the service accepts",
    ]);
  });

  it("gives a large result as JSON.parse does, over kept connections and over those of single use", async () => {
    const result = Array.from({ length: 2_000 }, (_, index) => ({
      index,
      data: "ab".repeat(index % 300),
      list: [index],
    }));
    let endsConnections = false;
    const node = await startNode((body, _request, response) => {
      if (endsConnections) response.setHeader("connection", "close");
      answer(response, { id: (body as Call).id, result });
    });
    const upstream = connect(node.url, { timeoutMilliseconds: 60_000 });
    expect(await Promise.all([1, 2, 3].map((index) => upstream.call("eth_getLogs", [index])))).toEqual(
      Array(3).fill(result),
    );
    endsConnections = true;
    for (let time = 0; time < 4; time += 1) await upstream.call("eth_getLogs");
    expect(await Promise.all([1, 2, 3].map((index) => upstream.call("eth_getLogs", [index])))).toEqual(
      Array(3).fill(result),
    );
  });

  it.each([
    ["a longer result than its method has", "getblockhash", "x".repeat(100_000), "unusable"],
    ["more values than a call may have", "getrawmempool", Array(1_100_000).fill("0123456789abcdef"), "limit"],
    ["more than a call may hold", "eth_getLogs", Array(35).fill("x".repeat(1_000_000)), "limit"],
    ["deep nesting", "eth_getLogs", nest(20_000), "unusable"],
    ["deep nesting of a short response", "eth_getLogs", nest(8_000), "unusable"],
    ["many small values", "eth_getLogs", Array(100_000).fill({}), "unusable"],
  ])("fails on %s", async (_what, method, result, kind) => {
    const node = await startNode((body, _request, response) => {
      const text = `{"jsonrpc":"2.0","id":${(body as Call).id},"result":`;
      response.end(`${text}${typeof result === "string" && result.startsWith("[") ? result : JSON.stringify(result)}}`);
    });
    const failure = await failureOf(connect(node.url, { timeoutMilliseconds: 60_000 }).call(method));
    expect(failure).toMatchObject({ code: "upstream_unavailable", kind });
  });

  it("gives brackets in strings and nesting of 100 levels", async () => {
    const result = [`${"[".repeat(500)}"\\`, JSON.parse(nest(100)), '"{['.repeat(200)];
    const node = await startNode((body, _request, response) => answer(response, { id: (body as Call).id, result }));
    expect(await connect(node.url).call("eth_getLogs")).toEqual(result);
  });

  it("reads responds with the reader it is given", async () => {
    const node = await startNode((_body, _request, response) => response.end('{"id":1,"result":0.10000000}'));
    const texts: string[] = [];
    const readJson = (text: string): unknown => {
      texts.push(text);
      return { id: 1, result: "exact" };
    };
    expect(await connect(node.url, { readJson }).call("ping")).toBe("exact");
    expect(texts).toEqual(['{"id":1,"result":0.10000000}']);
  });
});

describe("deadlines", () => {
  it("fails with upstream_timeout when the node is silent", async () => {
    const node = await startNode(() => {});
    const failure = await failureOf(connect(node.url, { timeoutMilliseconds: 50 }).call("ping"));
    expect(codeOf(failure)).toBe("upstream_timeout");
  });

  it("fails with upstream_timeout when the node stops in the middle of its response", async () => {
    const node = await startNode((_body, _request, response) => response.write('{"jsonrpc":'));
    const failure = await failureOf(connect(node.url).call("ping", [], { timeoutMilliseconds: 50 }));
    expect(codeOf(failure)).toBe("upstream_timeout");
  });

  it("rejects with the caller's reason when the caller gives up", async () => {
    const node = await startNode(() => {});
    const controller = new AbortController();
    const work = connect(node.url).batch([{ method: "ping", params: [] }], { signal: controller.signal });
    const reason = new Error("No longer wanted");
    setTimeout(() => controller.abort(reason), 20);
    expect(await failureOf(work)).toBe(reason);
  });

  it("fails calls under way and later ones when it is closed", async () => {
    const node = await startNode(() => {});
    const upstream = connect(node.url);
    const work = failureOf(upstream.call("ping"));
    await expect.poll(() => node.bodies.length).toBe(1);
    await upstream.close();
    expect(codeOf(await work)).toBe("upstream_unavailable");
    expect(codeOf(await failureOf(upstream.call("ping")))).toBe("upstream_unavailable");
  });
});

describe("broken connections", () => {
  /** Starts a node that breaks the first connections as soon as a request arrives, then responds. */
  async function startBreakingNode(breaks: number): Promise<{ readonly url: string; connections(): number }> {
    let connections = 0;
    const server = createTcpServer((socket: Socket) => {
      connections += 1;
      const breaksNow = connections <= breaks;
      socket.on("error", () => {});
      socket.on("data", (data) => {
        if (breaksNow) return socket.resetAndDestroy();
        const id = /"id":(\d+)/.exec(String(data))?.[1];
        const text = `{"jsonrpc":"2.0","id":${id},"result":"late"}`;
        return socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
      });
    });
    const port = await listen(server);
    return { url: `http://127.0.0.1:${port}`, connections: () => connections };
  }

  it("sends a reading call once more", async () => {
    const node = await startBreakingNode(1);
    expect(await connect(node.url).call("eth_getBalance", [])).toBe("late");
    expect(node.connections()).toBe(2);
  });

  it("gives up after the second break", async () => {
    const node = await startBreakingNode(9);
    expect(codeOf(await failureOf(connect(node.url).call("eth_getBalance", [])))).toBe("upstream_unavailable");
    expect(node.connections()).toBe(2);
  });

  it.each(["eth_sendRawTransaction", "sendrawtransaction", "submitblock", "stop", "unknown"])(
    "never repeats %s",
    async (method) => {
      const node = await startBreakingNode(1);
      expect(codeOf(await failureOf(connect(node.url).call(method)))).toBe("upstream_unavailable");
      expect(node.connections()).toBe(1);
    },
  );
});

describe("a node that ends its connections", () => {
  /** Starts a node with the given responses after it has ended a few connections, so that none is kept alive. */
  async function startEndingNode(respond: Responder): Promise<{ readonly url: string; connections(): number }> {
    let connections = 0;
    const server = createServer((request, response) => {
      let text = "";
      response.setHeader("connection", "close");
      request.on("data", (chunk) => (text += String(chunk)));
      request.on("end", () => {
        const body = JSON.parse(text) as Call;
        (body.method === "warmup" ? echo : respond)(body, request, response);
      });
    });
    server.on("connection", () => (connections += 1));
    return { url: `http://127.0.0.1:${await listen(server)}/v1?key=k`, connections: () => connections };
  }

  async function connectWarm(url: string, options: Partial<HttpUpstreamOptions> = {}): Promise<ListingUpstream> {
    const upstream = connect(url, options);
    for (let time = 0; time < 5; time += 1) await upstream.call("warmup");
    return upstream;
  }

  it("is called over a connection for each request", async () => {
    const targets = new Set<unknown>();
    const node = await startEndingNode((body, request, response) => {
      targets.add(`${request.headers.host} ${request.url} ${request.headers["content-type"]}`);
      echo(body, request, response);
    });
    const upstream = await connectWarm(node.url);
    const responses = await Promise.all(Array.from({ length: 40 }, (_, index) => upstream.call("echo", [index, "ü"])));
    expect(responses).toEqual(Array.from({ length: 40 }, (_, index) => ["echo", index, "ü"]));
    expect(node.connections()).toBe(45);
    expect([...targets]).toEqual([`${new URL(node.url).host} /v1?key=k application/json`]);
  });

  it("may answer at length and in pieces", async () => {
    const node = await startEndingNode((body, _request, response) => {
      response.write('{"id":');
      setTimeout(() => response.end(`${(body as Call).id},"result":"${"x".repeat(300_000)}"}`), 5);
    });
    const upstream = await connectWarm(node.url);
    expect(await upstream.call("long")).toHaveLength(300_000);
    const narrow = await connectWarm(node.url, { maximumResponseBytes: 50_000 });
    expect((await failureOf(narrow.call("getpeerinfo"))).message).toBe(
      "The node's response is larger than the service accepts",
    );
  });

  it("fails a call when it is silent", async () => {
    let asked = 0;
    const node = await startEndingNode(() => (asked += 1));
    const upstream = await connectWarm(node.url);
    // Long enough for the request to arrive on a busy machine.
    expect(codeOf(await failureOf(upstream.call("getpeerinfo", [], { timeoutMilliseconds: 1_000 })))).toBe(
      "upstream_timeout",
    );
    expect(asked).toBe(1);
  });

  it.each<[name: string, responder: Responder, code: string, asked: number]>([
    [
      "breaks within its answer",
      (_body, _request, response) => {
        response.write("{");
        setTimeout(() => response.destroy(), 5);
      },
      "upstream_unavailable",
      1,
    ],
    ["breaks before its answer", (_body, request) => request.socket.resetAndDestroy(), "upstream_unavailable", 2],
    ["speaks no HTTP", (_body, request) => request.socket.end("hello\r\n\r\n"), "upstream_unavailable", 1],
  ])("fails a call when it %s", async (_name, responder, code, asked) => {
    let times = 0;
    const node = await startEndingNode((...all) => {
      times += 1;
      responder(...all);
    });
    const upstream = await connectWarm(node.url);
    expect(codeOf(await failureOf(upstream.call("getpeerinfo")))).toBe(code);
    expect(times).toBe(asked);
  });

  it("is left when the caller gives up, when it is closed, and when it is gone", async () => {
    let asked = 0;
    let ended = 0;
    const node = await startEndingNode((_body, request) => {
      asked += 1;
      request.socket.on("close", () => (ended += 1));
    });
    const upstream = await connectWarm(node.url);
    const controller = new AbortController();
    const given = failureOf(upstream.call("getpeerinfo", [], { signal: controller.signal }));
    const closed = failureOf(upstream.call("getpeerinfo"));
    await expect.poll(() => asked).toBe(2);
    controller.abort(new Error("Gone"));
    expect((await given).message).toBe("Gone");
    await expect.poll(() => ended).toBe(1);
    await upstream.close();
    expect(codeOf(await closed)).toBe("upstream_unavailable");
    await expect.poll(() => ended).toBe(2);
    const other = await connectWarm(node.url);
    await closers.shift()?.();
    expect(codeOf(await failureOf(other.call("sendrawtransaction")))).toBe("upstream_unavailable");
  });
});

describe("a batch", () => {
  const calls = (count: number): { method: string; params: number[] }[] =>
    Array.from({ length: count }, (_, position) => ({ method: "m", params: [position] }));

  it("gives results in the order of the calls, whatever the order of the responses", async () => {
    const node = await startNode((body, _request, response) => {
      const members = (body as Call[]).map((call) => ({ id: call.id, result: call.params[0] }));
      answer(response, members.reverse());
    });
    const results = await connect(node.url).batch(calls(5));
    expect(results.map((result) => result.ok && result.result)).toEqual([0, 1, 2, 3, 4]);
    expect(node.bodies).toHaveLength(1);
  });

  it("is cut into requests of the batch limit", async () => {
    const node = await startNode(echo);
    const results = await connect(node.url, { batchLimit: 3 }).batch(calls(7));
    expect(results.map((result) => result.ok && result.result)).toEqual(calls(7).map(({ params }) => ["m", ...params]));
    expect(node.bodies.map((body) => (Array.isArray(body) ? body.length : "single")).sort()).toEqual([3, 3, "single"]);
  });

  it("sends single requests when the limit is one", async () => {
    const node = await startNode(echo);
    expect((await connect(node.url, { batchLimit: 1 }).batch(calls(3))).every((result) => result.ok)).toBe(true);
    expect(node.bodies.some((body) => Array.isArray(body))).toBe(false);
  });

  it("requests nothing when it is empty", async () => {
    const node = await startNode(echo);
    expect(await connect(node.url).batch([])).toEqual([]);
    expect(node.bodies).toEqual([]);
  });

  it("tells failed members from the others", async () => {
    const node = await startNode((body, _request, response) => {
      const [first, second, third, fourth] = (body as Call[]).map((call) => call.id);
      answer(response, [
        { id: first, result: "fine" },
        { id: second, error: { code: 3, message: "execution reverted", data: "0x" } },
        { id: third },
        { id: 4711, result: "nobody asked" },
        { id: fourth, result: "once" },
        { id: fourth, result: "again" },
        null,
      ]);
    });
    const results = await connect(node.url).batch(readingCalls(4));
    expect(results.map((result) => (result.ok ? result.result : result.error.message))).toEqual([
      "fine",
      "execution reverted",
      "The node's response has neither a result nor an error",
      "The node's response to a batch has two responses to one call",
    ]);
  });

  it.each<[name: string, change: (members: { id: unknown }[]) => unknown[], said: string]>([
    ["leaves out a call", (members) => members.slice(0, 2), "The node's response to a batch leaves out a call"],
    [
      "has ids of another type",
      (members) => members.map((member, index) => (index === 2 ? { ...member, id: String(member.id) } : member)),
      "The node's response to a batch has ids that are not those of the calls",
    ],
    [
      "has an id of nobody",
      (members) => members.map((member, index) => (index === 2 ? { ...member, id: 1e9 } : member)),
      "The node's response to a batch leaves out a call",
    ],
  ])("fails the call in question where the answer %s", async (_name, change, said) => {
    const node = await startNode((body, _request, response) => {
      const members = (body as Call[]).map((call) => ({ id: call.id, result: call.params[0] }));
      answer(response, change(members));
    });
    const results = await connect(node.url).batch(readingCalls(3));
    expect(results.map((result) => (result.ok ? result.result : result.error.message))).toEqual([0, 1, said]);
  });

  it.each([
    ["text", '"no"'],
    ["nothing", ""],
  ])("fails each member when the answer is %s", async (_name, text) => {
    const node = await startNode((_body, _request, response) => response.end(text));
    const results = await connect(node.url).batch(calls(2));
    expect(results.map((result) => result.ok || codeOf(result.error))).toEqual([
      "upstream_unavailable",
      "upstream_unavailable",
    ]);
  });

  it("is sent in halves when its results are longer together than a response may be", async () => {
    const node = await startNode((body, _request, response) => {
      const reply = ({ id, params }: Call): unknown => ({ id, result: String(params[0]).repeat(30_000) });
      answer(response, Array.isArray(body) ? body.map(reply) : reply(body));
    });
    const upstream = connect(node.url, { maximumResponseBytes: 100_000 });
    const calls = [..."abcdefgh"].map((letter) => ({ method: "getrawtransaction", params: [letter] }));
    const results = await upstream.batch(calls);
    expect(results.map((result) => result.ok && String(result.result)[0]).join("")).toBe("abcdefgh");
    expect(node.bodies.map((body) => (Array.isArray(body) ? body.length : 1))).toEqual([8, 4, 2, 2, 4, 2, 2]);
    // A single result that is too long stays a failure.
    const narrow = connect(node.url, { maximumResponseBytes: 20_000 });
    expect(await narrow.batch(calls.slice(0, 2))).toMatchObject(Array(2).fill({ ok: false, error: { kind: "limit" } }));
  });

  it("is sent in halves when its results have more values together than a response may have", async () => {
    // 6,000 values in 114,000 bytes, of at most 5,000 in 160,000.
    const values = Array(3_000).fill("0123456789abcdef");
    const node = await startNode((body, _request, response) => {
      const reply = ({ id }: Call): unknown => ({ id, result: values });
      answer(response, Array.isArray(body) ? body.map(reply) : reply(body));
    });
    const upstream = connect(node.url, { maximumResponseBytes: 160_000 });
    const results = await upstream.batch(Array(2).fill({ method: "getrawmempool", params: [] }));
    expect(results).toEqual(Array(2).fill({ ok: true, result: values }));
    expect(node.bodies.map((body) => (Array.isArray(body) ? body.length : 1))).toEqual([2, 1, 1]);
  });

  it("gives each member the error that the node answered the complete batch with", async () => {
    const node = await startNode((_body, _request, response) => {
      answer(response, { id: null, error: { code: -32005, message: "limit exceeded" } });
    });
    const results = await connect(node.url).batch(calls(2));
    expect(results.map((result) => result.ok || codeOf(result.error))).toEqual([-32005, -32005]);
    expect(node.bodies).toHaveLength(1);
    const reads = await connect(node.url).batch(readingCalls(3));
    expect(reads.map((result) => result.ok || codeOf(result.error))).toEqual([-32005, -32005, -32005]);
    // A call by itself shows that the error is not about the batch.
    expect(node.bodies).toHaveLength(3);
  });

  it("finds the limit of a node that takes shorter batches, and keeps to it", async () => {
    const node = await startNode((body, request, response) => {
      if (!Array.isArray(body) || body.length <= 2) return echo(body, request, response);
      return answer(response, [{ jsonrpc: "2.0", id: null, error: { code: -32600, message: "batch too large" } }]);
    });
    const upstream = connect(node.url);
    const results = await upstream.batch(calls(8));
    expect(results.map((result) => result.ok && result.result)).toEqual(calls(8).map(({ params }) => ["m", ...params]));
    node.bodies.length = 0;
    await upstream.batch(calls(4));
    expect(node.bodies.map((body) => (body as Call[]).length)).toEqual([2, 2]);
  });

  it("sends single calls to a node that knows no batches", async () => {
    const node = await startNode((body, request, response) => {
      if (!Array.isArray(body)) return echo(body, request, response);
      return answer(response, { id: null, error: { code: -32600, message: "Invalid request" } }, 400);
    });
    expect((await connect(node.url).batch(calls(5))).every((result) => result.ok)).toBe(true);
  });
});

/** Returns calls of a method that only reads. */
const readingCalls = (count: number): { method: string; params: number[] }[] =>
  Array.from({ length: count }, (_, position) => ({ method: "eth_getBalance", params: [position] }));

describe("a node that takes only short batches", () => {
  const error = (code: number, message: string, data?: string): unknown => ({
    jsonrpc: "2.0",
    id: null,
    error: { code, message, ...(data === undefined ? {} : { data }) },
  });

  const shapes: readonly (readonly [name: string, refuse: (response: ServerResponse) => void])[] = [
    ["geth", (response) => answer(response, [error(-32600, "batch too large")])],
    ["Besu", (response) => answer(response, error(-32005, "Number of requests exceeds max batch size"), 400)],
    ["Nethermind", (response) => answer(response, error(-32005, "Batch size limit exceeded"))],
    ["Reth", (response) => answer(response, error(-32010, "The batch request was too large"))],
    ["a service with status 413", (response) => response.writeHead(413).end("<html>Too large</html>")],
    ["a service with status 400", (response) => response.writeHead(400).end("Bad request")],
    ["a service with status 429", (response) => answer(response, error(429, "Too many calls in the batch"), 429)],
    ["one error for all", (response) => answer(response, error(-32000, "no"))],
    ["a number", (response) => answer(response, 17)],
    ["text", (response) => answer(response, "no")],
  ];

  /** Refuses a batch of more than `limit`; with 1, every batch. */
  async function startLimited(limit: number, refuse: (response: ServerResponse) => void) {
    return await startNode((body, request, response) => {
      if (Array.isArray(body) && (limit === 1 || body.length > limit)) refuse(response);
      else echo(body, request, response);
    });
  }

  it.each(shapes)("is asked by as many as it takes, in the way of %s", async (_name, refuse) => {
    const node = await startLimited(7, refuse);
    const upstream = connect(node.url);
    const results = await upstream.batch(readingCalls(50));
    expect(results.map((result) => result.ok && result.result)).toEqual(
      readingCalls(50).map(({ params }) => ["eth_getBalance", ...params]),
    );
    expect(upstream.batchLimit).toBeLessThanOrEqual(7);
    expect(upstream.batchLimit).toBeGreaterThan(3);
    node.bodies.length = 0;
    await upstream.batch(readingCalls(upstream.batchLimit * 2));
    expect(node.bodies).toHaveLength(2);
  });

  it.each(shapes)("is asked call by call when it takes none, in the way of %s", async (_name, refuse) => {
    const node = await startLimited(1, refuse);
    const upstream = connect(node.url);
    const results = await upstream.batch(readingCalls(20));
    expect(results.map((result) => result.ok && result.result)).toEqual(
      readingCalls(20).map(({ params }) => ["eth_getBalance", ...params]),
    );
    expect(upstream.batchLimit).toBe(1);
    node.bodies.length = 0;
    await upstream.batch(readingCalls(20));
    expect(node.bodies).toHaveLength(20);
  });

  it("is not asked more at once than it has connections, call by call", async () => {
    let [running, most] = [0, 0];
    const node = await startNode((body, request, response) => {
      if (Array.isArray(body)) return answer(response, error(-32600, "Batches are not supported"));
      most = Math.max(most, ++running);
      setTimeout(() => {
        running -= 1;
        echo(body, request, response);
      }, 2);
    });
    const results = await connect(node.url, { connections: 3 }).batch(readingCalls(30));
    expect([results.every((result) => result.ok), most]).toEqual([true, 3]);
  });

  it.each([
    ["batch limit 20 exceeded (can be increased). Requested batch of size: 100", undefined, 20],
    ["The batch request was too large", "Exceeded max limit of 33", 33],
  ])("may say how many it takes: %s", async (message, data, limit) => {
    const node = await startLimited(limit, (response) => answer(response, error(-32600, message, data)));
    const upstream = connect(node.url);
    await upstream.batch(readingCalls(100));
    expect(upstream.batchLimit).toBe(limit);
    expect(node.bodies.filter((body) => (body as Call[]).length > limit)).toHaveLength(1);
  });

  it("is never sent what acts once more, where it is unclear whether it took that", async () => {
    const node = await startNode((body, _request, response) => {
      answer(response, error(-32000, "no"));
      return body;
    });
    const acting = [...readingCalls(3), { method: "eth_sendRawTransaction", params: ["0x00"] }];
    const results = await connect(node.url).batch(acting);
    expect(results.map((result) => result.ok || codeOf(result.error))).toEqual([-32000, -32000, -32000, -32000]);
    expect(node.bodies).toHaveLength(1);
  });

  it("that is silent after that is given up when the time of the complete batch is over", async () => {
    const node = await startNode((body, _request, response) => {
      if (Array.isArray(body) && body.length > 5) answer(response, error(-32600, "batch too large"));
    });
    // Each of its smaller requests would wait as long, were the timeout not that of the complete batch: one at a time, and more than one
    // round.
    const timeoutMilliseconds = 1_000;
    const { promise: deadline, resolve: pass } = Promise.withResolvers<"deadline">();
    const results = connect(node.url, { connections: 1 }).batch(readingCalls(80), { timeoutMilliseconds });
    setTimeout(() => pass("deadline"), 3 * timeoutMilliseconds);
    expect(await Promise.race([results, deadline])).toHaveLength(80);
    expect((await results).map((result) => result.ok || codeOf(result.error))).toEqual(
      readingCalls(80).map(() => "upstream_timeout"),
    );
  });

  it("that counts members by the minute is asked by fewer at the next attempt", async () => {
    const node = await startLimited(60, (response) => response.writeHead(429, { "retry-after": "1" }).end());
    const upstream = connect(node.url);
    const [failed] = await upstream.batch(readingCalls(100));
    expect(failed?.ok === false && isServiceError(failed.error) && failed.error.retryAfterSeconds).toBe(1);
    expect((await upstream.batch(readingCalls(100))).every((result) => result.ok)).toBe(true);
    expect(upstream.batchLimit).toBe(50);
  });

  it("is queried once more for what it left out of a long response, by fewer at a time", async () => {
    const node = await startNode((body, request, response) => {
      if (!Array.isArray(body)) return echo(body, request, response);
      const tooLarge = { code: -32003, message: "response too large" };
      return answer(
        response,
        body.map(({ id, params }, index) => (index < 3 ? { id, result: params[0] } : { id, error: tooLarge })),
      );
    });
    const upstream = connect(node.url);
    const results = await upstream.batch(readingCalls(10));
    expect(results.map((result) => result.ok && result.result)).toEqual([
      0,
      1,
      2,
      3,
      4,
      5,
      6,
      7,
      8,
      ["eth_getBalance", 9],
    ]);
    expect(node.bodies.map((body) => (Array.isArray(body) ? body.length : 1))).toEqual([10, 3, 3, 1]);
    expect(upstream.batchLimit).toBe(100);
  });
});

describe("totals", () => {
  it("count bodies, and each member of a batch as one call", async () => {
    const node = await startNode(echo);
    const upstream = connect(node.url);
    expect(upstream.totals()).toEqual({ bytesSent: 0, bytesReceived: 0, methodCalls: 0 });
    await upstream.call("a");
    await upstream.batch([
      { method: "b", params: [] },
      { method: "c", params: [] },
    ]);
    expect(upstream.totals()).toEqual({
      bytesSent: node.bodies.map((body) => JSON.stringify(body).length).reduce((sum, length) => sum + length),
      bytesReceived:
        '{"jsonrpc":"2.0","id":1,"result":["a"]}'.length +
        '[{"jsonrpc":"2.0","id":2,"result":["b"]},{"jsonrpc":"2.0","id":3,"result":["c"]}]'.length,
      methodCalls: 3,
    });
  });
});

describe("credentials", () => {
  const header = (userAndPassword: string): string => `Basic ${Buffer.from(userAndPassword).toString("base64")}`;

  /** Starts a node that accepts only the current value of `accepted`. */
  async function startGuardedNode(accepted: { header: string }): Promise<{ url: string; bodies: (Call | Call[])[] }> {
    return await startNode((body, request, response) => {
      if (request.headers.authorization === accepted.header) return echo(body, request, response);
      return response.writeHead(401).end();
    });
  }

  async function temporaryFile(text: string): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), "upstream-"));
    closers.push(() => rm(directory, { recursive: true }));
    const path = join(directory, ".cookie");
    await writeFile(path, text);
    return path;
  }

  it("are sent as Basic authorization, from options or from the URL", async () => {
    const node = await startGuardedNode({ header: header("ann:pässword") });
    const credentials = { kind: "password", user: "ann", password: "pässword" } as const;
    expect(await connect(node.url, { credentials }).call("ping")).toEqual(["ping"]);
    const url = node.url.replace("http://", "http://ann:p%C3%A4ssword@");
    expect(await connect(url).call("ping")).toEqual(["ping"]);
  });

  it("are read anew from the cookie file after the node refused them", async () => {
    const accepted = { header: header("__cookie__:one") };
    const node = await startGuardedNode(accepted);
    const path = await temporaryFile("__cookie__:one\n");
    const upstream = connect(node.url, { credentials: { kind: "cookie-file", path } });
    expect(await upstream.call("ping")).toEqual(["ping"]);
    await writeFile(path, "__cookie__:two\n");
    accepted.header = header("__cookie__:two");
    expect(await upstream.call("ping")).toEqual(["ping"]);
    expect(node.bodies).toHaveLength(3);
  });

  it("fail the call when the cookie file is absent or empty, and work once it is there", async () => {
    const node = await startGuardedNode({ header: header("__cookie__:one") });
    const path = await temporaryFile("");
    const upstream = connect(node.url, { credentials: { kind: "cookie-file", path } });
    expect(codeOf(await failureOf(upstream.call("ping")))).toBe("upstream_unavailable");
    await rm(path);
    expect(codeOf(await failureOf(upstream.call("ping")))).toBe("upstream_unavailable");
    await writeFile(path, "__cookie__:one");
    expect(await upstream.call("ping")).toEqual(["ping"]);
  });

  it("appear in no error and no dump", async () => {
    const node = await startGuardedNode({ header: "never" });
    const url = node.url.replace("http://", "http://ann:hunter2@").replace(/$/, "v3/path-secret?key=query-secret");
    const upstream = connect(url);
    const failures = [await failureOf(upstream.call("ping"))];
    await closers[0]?.();
    failures.push(await failureOf(upstream.call("ping")));
    for (const value of [...failures, upstream]) {
      expect(inspect(value, { depth: 10, showHidden: true })).not.toMatch(/hunter2|YW5u|-secret/);
    }
  });
});

describe("a list", () => {
  async function read(upstream: ListingUpstream): Promise<readonly string[]> {
    const listed: string[] = [];
    await upstream.list("getrawmempool", [], (bytes, start, end) => {
      listed.push(Buffer.from(bytes.subarray(start, end)).toString());
    });
    return listed;
  }

  it("is given string by string, and counted", async () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => String(index).padStart(64, "0"));
    const node = await startNode((body, _request, response) => {
      if (!Array.isArray(body)) answer(response, { result: ids, error: null, id: body.id });
    });
    const upstream = connect(node.url);
    expect(await read(upstream)).toEqual(ids);
    expect(upstream.totals().bytesReceived).toBeGreaterThan(20_000 * 67);
  });

  it.each<[name: string, responder: Responder, code: unknown, message: string]>([
    [
      "the node's own error",
      (body, _request, response) =>
        answer(response, { id: Array.isArray(body) ? 0 : body.id, error: { code: -28 } }, 500),
      -28,
      "",
    ],
    [
      "an error with status 200",
      (body, _request, response) => answer(response, { id: Array.isArray(body) ? 0 : body.id, error: { code: -28 } }),
      -28,
      "",
    ],
    [
      "a result that is no list",
      (body, _request, response) => answer(response, { id: Array.isArray(body) ? 0 : body.id, result: { ids: ["a"] } }),
      "upstream_unavailable",
      "The node's response is not a list",
    ],
    [
      "a list of another call",
      (_body, _request, response) => answer(response, { id: 77, result: ["a"] }),
      "upstream_unavailable",
      "The node's response belongs to another call",
    ],
    [
      "a list that ends early",
      (_body, _request, response) => response.end('{"id":1,"result":["a","b'),
      "upstream_unavailable",
      "The node's response is not JSON",
    ],
    [
      "a connection that breaks within the list",
      (_body, _request, response) => {
        response.write('{"id":1,"result":["a",');
        setTimeout(() => response.destroy(), 20);
      },
      "upstream_unavailable",
      "The node could not be reached",
    ],
    [
      "a list above the limit",
      (body, _request, response) =>
        answer(response, { id: Array.isArray(body) ? 0 : body.id, result: new Array(2_000).fill("a".repeat(64)) }),
      "upstream_unavailable",
      "The node's response is larger than the service accepts",
    ],
  ])("fails with %s", async (_name, responder, code, message) => {
    const node = await startNode(responder);
    const failure = await failureOf(read(connect(node.url, { maximumResponseBytes: 100_000 })));
    expect(codeOf(failure)).toBe(code);
    expect(failure.message).toContain(message);
  });
});

describe("options", () => {
  it.each(["", "node", "ftp://node/", "http://"])("refuse the URL %j without repeating it", (url) => {
    expect(() => createHttpUpstream({ url })).toThrow("The node's address must be an http or https URL");
  });

  it("refuse limits that are not positive integers", () => {
    expect(() => createHttpUpstream({ url: "http://127.0.0.1", batchLimit: 0 })).toThrow("batchLimit");
    expect(() => createHttpUpstream({ url: "http://127.0.0.1", timeoutMilliseconds: 1.5 })).toThrow("timeout");
  });
});
