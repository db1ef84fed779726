import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { ContentFacts, HttpCall, HttpOperation, SuccessFacts } from "../operations/operation.ts";
import { restOperations } from "../testing/hand-made-operations.ts";
import { type Responder, listen as listenOnce, type TestServer } from "../testing/listen.ts";
import { FileBytes } from "../wire/file-bytes.ts";
import { isApiError, isInvalidResponseError, isTransportError } from "./client-errors.ts";
import type { ResponseHead, ClientFacts, GivenClientOptions } from "./client-options.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import { serverUrl } from "./server-url.ts";

const keyNames = { query: "apikey", header: "X-API-Key" };

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function listen(answer: Responder): Promise<TestServer> {
  const server = await listenOnce(answer);
  servers.push(server);
  return server;
}

const json: ContentFacts = { mediaType: "application/json", form: "json" };
const events: ContentFacts = { mediaType: "text/event-stream", form: "event-stream" };
const lines: ContentFacts = { mediaType: "application/x-ndjson", form: "json-lines" };
const bytes: ContentFacts = { mediaType: "application/octet-stream", form: "binary" };

function responses(content: ContentFacts, status: SuccessFacts["status"] = 200): SuccessFacts {
  return { status, content, headers: [] };
}

function operation(changes: Partial<HttpOperation>): HttpOperation {
  const base: HttpOperation = {
    ...restOperations.createNote,
    method: "POST",
    path: "/x",
    successes: [responses(json)],
  };
  return {
    ...base,
    input: { is: () => true, violationsOf: () => [] },
    output: { is: () => true, violationsOf: () => [] },
    ...changes,
  };
}

function clientOf(url: string, options: GivenClientOptions = {}, facts: Partial<ClientFacts> = {}): HttpClient {
  return createHttpClient({ baseUrl: url, retryDelayMilliseconds: 1, ...options }, { ...keyNames, ...facts });
}

const echo: Responder = (_request, response, body) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
};

function stream(texts: readonly string[], contentType = "text/event-stream"): Responder {
  return (_request, response) => {
    response.writeHead(200, { "content-type": contentType });
    for (const text of texts) response.write(text);
    response.end();
  };
}

async function collect(items: unknown): Promise<readonly unknown[]> {
  const collected: unknown[] = [];
  for await (const item of items as AsyncIterable<unknown>) collected.push(item);
  return collected;
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable("the call should have failed"),
    (error: unknown) => error,
  );
}

describe("the body of a request", () => {
  const form: ContentFacts = {
    mediaType: "application/x-www-form-urlencoded",
    form: "form",
    properties: [{ name: "items", form: "text", style: "deepObject", decoding: { list: "string" } }],
  };
  const multipart: ContentFacts = {
    mediaType: "multipart/form-data",
    form: "multipart",
    properties: [{ name: "file", form: "binary" }],
  };
  const text: ContentFacts = { mediaType: "text/plain", form: "text" };
  const anyImage: ContentFacts = { mediaType: "image/*", form: "binary" };
  const takes = (...contents: ContentFacts[]): HttpOperation => operation({ body: { required: true, contents } });

  async function sent(one: HttpOperation, input: object): Promise<readonly [string | undefined, string]> {
    const { url, requests, bodies } = await listen(echo);
    await clientOf(url).call(one, input, undefined);
    return [requests[0]?.headers["content-type"], bodies[0] ?? ""];
  }

  it("is written in the content that its document has, JSON where there is a choice", async () => {
    expect(await sent(takes(form), { body: { items: ["a b", "c"] } })).toEqual([
      "application/x-www-form-urlencoded",
      "items%5B0%5D=a%20b&items%5B1%5D=c",
    ]);
    expect(await sent(takes(text, form, json), { body: { a: 1 } })).toEqual(["application/json", '{"a":1}']);
  });

  it("is written in the content that the input names", async () => {
    expect(await sent(takes(json, text), { contentType: "text/plain", body: "a" })).toEqual(["text/plain", "a"]);
    const image = Uint8Array.of(65);
    expect(await sent(takes(anyImage), { contentType: "image/png", body: image })).toEqual(["image/png", "A"]);
    const file = new FileBytes(image, { contentType: "image/webp" });
    expect(await sent(takes(anyImage), { body: file })).toEqual(["image/webp", "A"]);
  });

  it("may have parts with files", async () => {
    const file = new FileBytes(Uint8Array.of(65), { filename: "a.txt", contentType: "text/plain" });
    const [type, body] = await sent(takes(multipart), { body: { file } });
    expect(type).toMatch(/^multipart\/form-data; boundary=nodewright-[0-9a-f]{32}$/);
    expect(body).toContain(
      'content-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\nA\r\n',
    );
  });

  it("may be a sequence of items, sent as they are made and never again", async () => {
    const { url, requests, bodies } = await listen((_request, response) => response.writeHead(503).end());
    async function* items(): AsyncGenerator<unknown> {
      yield { a: 1 };
      yield [2];
    }
    const upload = { ...takes(lines), idempotent: true };
    expect(isApiError(await failureOf(clientOf(url).call(upload, { body: items() }, undefined)))).toBe(true);
    expect([bodies, requests[0]?.headers["content-type"]]).toEqual([['{"a":1}\n[2]\n'], "application/x-ndjson"]);
  });

  it("may be a sequence of events, whose data is written as the document says", async () => {
    const { url, bodies } = await listen((_request, response) => response.writeHead(204).end());
    async function* items(): AsyncGenerator<unknown> {
      yield { event: "tick", data: 1 };
    }
    const codec = { encode: (data: unknown) => ({ at: data }), decode: (data: unknown) => data };
    const upload: HttpOperation = { ...takes(events), inputItemCodec: codec };
    await clientOf(url)
      .call(upload, { body: items() }, undefined)
      .catch(() => undefined);
    expect(bodies).toEqual(['event: tick\ndata: {"at":1}\n\n']);
  });
});

describe("what is requested", () => {
  const negotiated = operation({
    negotiates: true,
    successes: [responses(json), responses(events), responses({ mediaType: "text/csv", form: "text" }, 202)],
  });

  it("is the first media type of each status, or the one that the input names", async () => {
    const { url, requests } = await listen(echo);
    await clientOf(url).call(negotiated, {}, undefined);
    await clientOf(url).call(negotiated, { accept: "text/event-stream" }, undefined);
    expect(requests.map(({ headers }) => headers.accept)).toEqual([
      "application/json, text/csv, */*;q=0.1",
      "text/event-stream, */*;q=0.1",
    ]);
  });

  it("is read as what came", async () => {
    const { url } = await listen((request, response, body) => {
      const answer = request.headers.accept?.startsWith("text/event-stream") ? stream(["data: 1\n\n"]) : echo;
      answer(request, response, body);
    });
    expect(await clientOf(url).call(negotiated, {}, undefined)).toBe("");
    const items = await clientOf(url).call(negotiated, { accept: "text/event-stream" }, undefined);
    expect(await collect(items)).toEqual([{ data: 1 }]);
  });

  it("succeeds and fails by classes of statuses", async () => {
    const classes = operation({
      successes: [responses(json, "2XX")],
      failures: [
        { name: "Teapot", status: 418 },
        { name: "Client", status: "4XX" },
        { name: "Any", status: "default" },
      ],
    });
    const { url } = await listen((_request, response, body) => {
      response.writeHead(Number(body), { "content-type": "application/json" }).end("1");
    });
    const status = (code: number): Promise<unknown> =>
      clientOf(url).call({ ...classes, body: { required: true, contents: [json] } }, { body: code }, undefined);
    expect(await status(203)).toBe(1);
    for (const [code, failure] of [
      [418, "Teapot"],
      [404, "Client"],
      [500, "Any"],
      [301, "Any"],
    ] as const) {
      const error = await failureOf(status(code));
      expect(isApiError(error) && [error.status, error.failure]).toEqual([code, failure]);
    }
  });
});

describe("the body of a failure", () => {
  const failures = [
    { name: "Conflict", status: 409 },
    { name: "Gone", status: 410, decode: (wire: unknown) => ({ decoded: (wire as { readonly id: unknown }).id }) },
  ] as const;
  const failing = operation({ failures });

  it.each([
    ["JSON", 409, "application/problem+json; charset=utf-8", '{"title":"taken"}', { title: "taken" }],
    [
      "JSON that has another form in memory",
      410,
      "application/json",
      '{"id":9007199254740993}',
      { decoded: 2n ** 53n + 1n },
    ],
    ["JSON that can't be decoded", 410, "application/json", "null", undefined],
    ["JSON of a status that the document does not know", 418, "application/json", "[1]", [1]],
    ["text", 409, "text/plain", "taken", "taken"],
    ["what is no JSON", 409, "application/json", "<html>", undefined],
    ["anything else", 409, "image/png", "x", undefined],
    ["JSON that quotes the key", 409, "application/json", '{"key":"sesame"}', { key: "<API_KEY>" }],
    ["JSON that is nested too deeply", 409, "application/json", `${"[".repeat(9e4)}1${"]".repeat(9e4)}`, undefined],
  ])("is read where it is %s", async (_kind, status, contentType, text, value) => {
    const { url } = await listen((_request, response) => {
      response.writeHead(status, { "content-type": contentType }).end(text);
    });
    const error = await failureOf(clientOf(url, { apiKey: "sesame" }).call(failing, {}, undefined));
    expect(isApiError(error) && error.value).toEqual(value);
  });
});

describe("a response of bytes", () => {
  const download = operation({ method: "GET", successes: [responses(bytes)] });

  it("may be had piece by piece, and given up", async () => {
    const { url, requests } = await listen((_request, response) => {
      response.writeHead(200, { "content-type": "application/octet-stream" });
      response.write("abc");
    });
    const call: (input: unknown, options: { inChunks: true }) => Promise<AsyncIterable<Uint8Array>> =
      clientOf(url).method(download);
    for await (const chunk of await call({}, { inChunks: true })) {
      expect(new TextDecoder().decode(chunk)).toBe("abc");
      break;
    }
    if (requests[0]?.socket.destroyed === false) await once(requests[0].socket, "close");
  });

  it("is a failure when it breaks off", async () => {
    const { url } = await listen((_request, response) => {
      response.writeHead(200, { "content-type": "application/octet-stream" });
      response.write("abc", () => response.destroy());
    });
    const call: (input: unknown, options: { inChunks: true }) => Promise<unknown> = clientOf(url).method(download);
    expect(isTransportError(await failureOf(collect(await call({}, { inChunks: true }))))).toBe(true);
  });
});

describe("a stream of events", () => {
  const watch = operation({ method: "GET", idempotent: true, successes: [responses(events)] });

  it("is given event by event, as they come", async () => {
    const { url, requests } = await listen((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('event: a\nid: 7\ndata: {"n":1}\n\n');
    });
    for await (const event of (await clientOf(url).call(watch, {}, undefined)) as AsyncIterable<unknown>) {
      expect(event).toEqual({ event: "a", id: "7", data: { n: 1 } });
      break;
    }
    if (requests[0]?.socket.destroyed === false) await once(requests[0].socket, "close");
  });

  it("decodes and checks the data of each event", async () => {
    const { url } = await listen(stream(["data: 1\n\ndata: 2\n\ndata: true\n\n"]));
    const output = {
      is: (wire: unknown) => typeof wire === "number",
      violationsOf: () => [],
      decode: (wire: unknown): unknown => BigInt(wire as number),
    };
    const items = await clientOf(url, { validateResponses: true }).call({ ...watch, output }, {}, undefined);
    const iterator = (items as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    expect([await iterator.next(), await iterator.next()]).toEqual([
      { done: false, value: { data: 1n } },
      { done: false, value: { data: 2n } },
    ]);
    expect(isInvalidResponseError(await failureOf(iterator.next()))).toBe(true);
  });

  it("that fails before it begins fails as any call does", async () => {
    const { url } = await listen((_request, response) => response.writeHead(404).end("no"));
    expect(isApiError(await failureOf(clientOf(url).call(watch, {}, undefined)))).toBe(true);
  });

  it("ends with the caller's signal, while an event is awaited and before anybody reads", async () => {
    const { url, requests } = await listen((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n");
    });
    const closed = async (request: IncomingMessage | undefined): Promise<void> => {
      if (request?.socket.destroyed === false) await once(request.socket, "close");
    };
    const controller = new AbortController();
    const { signal } = controller;
    const items = (await clientOf(url).call(watch, {}, { signal })) as AsyncIterable<unknown>;
    const iterator = items[Symbol.asyncIterator]();
    await iterator.next();
    const waiting = failureOf(iterator.next());
    controller.abort(new Error("enough"));
    expect(await waiting).toEqual(new Error("enough"));
    const unread = new AbortController();
    await clientOf(url).call(watch, {}, { signal: unread.signal });
    unread.abort();
    await Promise.all(requests.map(closed));
  });

  it("is closed while an event is awaited", async () => {
    const { url } = await listen((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
    });
    const items = (await clientOf(url).call(watch, {}, undefined)) as AsyncIterable<unknown>;
    const iterator = items[Symbol.asyncIterator]();
    const waiting = iterator.next();
    await iterator.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it("goes on after a lost connection where it was, as often as it may", async () => {
    const answersInTurn: readonly Responder[] = [
      (_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write("retry: 1\nid: 1\ndata: 1\n\nid: 2\ndata: 2\n\ndata: cut", () => response.destroy());
      },
      (_request, response) => response.writeHead(503).end(),
      (request, response) => request.socket.destroy(response.errored ?? undefined),
      stream(["data: 3\n\n"]),
      (_request, response) => response.writeHead(204).end(),
    ];
    const { url, requests } = await listen((request, response, body) =>
      answersInTurn[requests.length - 1]?.(request, response, body),
    );
    const items = await clientOf(url).call(watch, {}, { reconnections: 3 });
    expect(await collect(items)).toEqual([{ id: "1", data: 1 }, { id: "2", data: 2 }, { data: 3 }]);
    expect(requests.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "2", "2", "2", "2"]);
  });

  it("is not requested again once it has ended, nor where nobody allows it", async () => {
    const { url, requests } = await listen((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end("retry: 1\ndata: 1\n\n");
    });
    expect(await collect(await clientOf(url).call(watch, {}, undefined))).toEqual([{ data: 1 }]);
    expect(requests).toHaveLength(1);
    const { url: silent, requests: askedOfSilent } = await listen(stream([""]));
    expect(await collect(await clientOf(silent).call(watch, {}, undefined))).toEqual([]);
    expect(askedOfSilent).toHaveLength(1);
  });

  it("is not requested again once its maker has ended it", async () => {
    const { url, requests } = await listen(stream(["retry: 1\ndata: 1\n\ndata: [DONE]\n\n"]));
    expect(await collect(await clientOf(url).call(watch, {}, { reconnections: 3 }))).toEqual([{ data: 1 }]);
    expect(requests).toHaveLength(1);
  });

  it("is closed while it waits to be requested again", async () => {
    const { url } = await listen(stream(["retry: 30000\ndata: 1\n\n"]));
    const items = (await clientOf(url).call(watch, {}, { reconnections: 1 })) as unknown as AsyncIterable<unknown>;
    const iterator = items[Symbol.asyncIterator]();
    await iterator.next();
    const waiting = iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await iterator.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it("is a failure when its connection is lost and it may not go on", async () => {
    const { url } = await listen((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n", () => response.destroy());
    });
    expect(isTransportError(await failureOf(collect(await clientOf(url).call(watch, {}, undefined))))).toBe(true);
  });

  it("of JSON lines is read line by line", async () => {
    const { url } = await listen(stream(['{"a":1}\n{"a"', ":2}\n"], "application/x-ndjson"));
    const list = operation({ method: "GET", successes: [responses(lines)] });
    expect(await collect(await clientOf(url).call(list, {}, undefined))).toEqual([{ a: 1 }, { a: 2 }]);
    const { url: broken } = await listen(stream(["{\n"], "application/x-ndjson"));
    expect(isInvalidResponseError(await failureOf(collect(await clientOf(broken).call(list, {}, undefined))))).toBe(
      true,
    );
  });
});

describe("credentials", () => {
  const facts: Partial<ClientFacts> = {
    schemes: {
      petstore_auth: { kind: "bearer", location: "header", parameter: "Authorization" },
      key: { kind: "api-key", location: "query", parameter: "api key" },
      session: { kind: "api-key", location: "cookie", parameter: "session" },
      header: { kind: "api-key", location: "header", parameter: "X-Key" },
      login: { kind: "basic", location: "header", parameter: "Authorization" },
      digest: { kind: "other-http", location: "header", parameter: "Authorization", scheme: "Digest" },
      certificate: { kind: "mutual-tls", location: "header", parameter: "" },
    },
    security: {
      petstoreAuth: "petstore_auth",
      key: "key",
      session: "session",
      header: "header",
      login: "login",
      digest: "digest",
    },
  };
  const needs = (...alternatives: readonly (readonly string[])[]): HttpOperation =>
    operation({
      method: "GET",
      parameters: [{ name: "theme", property: "theme", location: "cookie", required: false }],
      security: alternatives.map((schemes) => schemes.map((scheme) => ({ scheme, scopes: [] }))),
    });

  async function sent(one: HttpOperation, security: object, input: object = {}): Promise<unknown> {
    const { url, requests } = await listen(echo);
    await clientOf(url, { security }, facts).call(one, input, undefined);
    const headers = requests[0]?.headers;
    const { authorization, cookie } = headers ?? {};
    return { target: requests[0]?.url, authorization, cookie, key: headers?.["x-key"] };
  }

  const none = { target: "/node/x", authorization: undefined, cookie: undefined, key: undefined };

  it("are sent where the document says, for the first alternative that they satisfy", async () => {
    const all = { key: "k y", session: "s;1", header: "h", petstoreAuth: "t" };
    expect(await sent(needs(["petstore_auth"], ["key"]), all)).toEqual({ ...none, authorization: "Bearer t" });
    expect(await sent(needs(["login"], ["key", "session"]), all, { theme: "dark" })).toEqual({
      ...none,
      target: "/node/x?api%20key=k%20y",
      cookie: "theme=dark; session=s%3B1",
    });
    expect(await sent(needs(["header", "certificate"]), all)).toEqual({ ...none, key: "h" });
    expect(await sent(needs(["login"], ["key", "session"]), all)).toMatchObject({ cookie: "session=s%3B1" });
    // A client with credentials is not treated as anonymous, even where anonymous clients are admitted.
    expect(await sent(needs([], ["header"]), all)).toEqual({ ...none, key: "h" });
    expect(await sent(needs(["digest"]), { digest: "a=b" })).toEqual({ ...none, authorization: "Digest a=b" });
    expect(await sent(needs(["login"]), { login: { username: "é", password: "p:" } })).toEqual({
      ...none,
      authorization: "Basic w6k6cDo=",
    });
  });

  it("are sent to no operation that does not request them", async () => {
    const all = { key: "k", petstoreAuth: "t" };
    for (const one of [needs(), needs([]), needs(["key", "session"]), operation({ method: "GET" })]) {
      expect(await sent(one, all)).toEqual(none);
    }
    expect(await sent(needs(["key"]), {})).toEqual(none);
    expect(await sent(needs(["key"]), { key: undefined })).toEqual(none);
  });

  it("are requested each time one is needed, and part of no error", async () => {
    const { url, requests } = await listen((request, response) => {
      response.writeHead(401).end(`no ${request.headers.authorization}`);
    });
    const tokens = ["token-1", "token-2"];
    const petstoreAuth = async (): Promise<string> => tokens[requests.length] ?? "";
    const client = clientOf(url, { security: { petstoreAuth } }, facts);
    for (const _attempt of [1, 2]) {
      const error = await failureOf(client.call(needs(["petstore_auth"]), {}, undefined));
      expect(isApiError(error) && [error.body, error.message]).toEqual([
        "no Bearer <API_KEY>",
        expect.not.stringContaining("token"),
      ]);
    }
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer token-1", "Bearer token-2"]);
  });

  it("of another kind than the scheme's are a mistake that is told without them", async () => {
    const client = clientOf("http://localhost", { security: { login: "secret" } }, facts);
    const error = await failureOf(client.call(needs(["login"]), {}, undefined));
    expect(String(error)).toBe("TypeError: The security scheme login takes a username and a password");
  });
});

describe("one call", () => {
  it("may have headers of its own, which are taken for secret", async () => {
    const { url, requests } = await listen((request, response) => {
      response.writeHead(400).end(`bad ${request.headers["x-trace"]}`);
    });
    const headers = { "X-Trace": "trace-1", accept: "text/html" };
    const error = await failureOf(clientOf(url).call(operation({ method: "GET" }), {}, { headers }));
    expect([requests[0]?.headers["x-trace"], requests[0]?.headers.accept]).toEqual(["trace-1", "text/html"]);
    expect(isApiError(error) && error.body).toBe("bad <API_KEY>");
  });

  it("receives the status and the headers of its response, as its client does", async () => {
    const { url } = await listen((request, response) => {
      response.writeHead(request.url?.endsWith("/gone") === true ? 410 : 201, { "X-Left": "7" }).end("1");
    });
    const reported: unknown[] = [];
    const notify =
      (who: string) =>
      ({ operation: name, status, header }: ResponseHead): number =>
        reported.push([who, name, status, header("X-Left"), header("x-none")]);
    const client = clientOf(url, { onResponse: notify("client") });
    const created = operation({ method: "GET", path: "/made", successes: [responses(json, 201)] });
    await client.call(created, {}, { onResponse: notify("call") });
    await failureOf(client.call({ ...created, path: "/gone" }, {}, undefined));
    expect(reported).toEqual([
      ["client", created.name, 201, "7", undefined],
      ["call", created.name, 201, "7", undefined],
      ["client", created.name, 410, "7", undefined],
    ]);
  });

  it("gives nothing for a response without a body, whatever the type of others", async () => {
    const { url } = await listen((_request, response) => {
      response.writeHead(202).end();
    });
    const sometimes = operation({
      method: "GET",
      successes: [responses(json), { status: 202, headers: [] }],
      output: { is: () => false, violationsOf: () => [], decode: () => "decoded" },
    });
    expect(await clientOf(url, { validateResponses: true }).call(sometimes, {}, undefined)).toBeUndefined();
  });

  it("fails with what is thrown while it is told", async () => {
    const { url } = await listen(stream(["data: 1\n\n"]));
    const watch = operation({ method: "GET", successes: [responses(events)] });
    const onResponse = (): never => {
      throw new RangeError("enough");
    };
    expect(await failureOf(clientOf(url).call(watch, {}, { onResponse }))).toMatchObject({ message: "enough" });
  });

  it("is checked against its type by the validators that are loaded when they are requested", async () => {
    const { url } = await listen(echo);
    const { input, output, ...others } = operation({ method: "GET" });
    const call: HttpCall = { ...others, input: {}, output: {} };
    const strict = { ...call, input, output: { is: () => false, violationsOf: () => [] } };
    const loaded: string[] = [];
    const operations = async (): Promise<{ readonly operations: object }> => {
      loaded.push("operations");
      return { operations: { [call.name]: strict } };
    };
    expect(await clientOf(url, {}, { operations }).call(call, {}, undefined)).toBe("");
    expect(loaded).toEqual([]);
    const checking = clientOf(url, { validateResponses: true }, { operations });
    expect(isInvalidResponseError(await failureOf(checking.call(call, {}, undefined)))).toBe(true);
  });

  it("speaks to the document's server where the options name none", async () => {
    const { url, requests } = await listen(echo);
    const client = createHttpClient({}, { ...keyNames, baseUrl: url });
    await client.call(operation({ method: "GET" }), {}, undefined);
    expect(requests).toHaveLength(1);
    expect(() => createHttpClient({}, keyNames)).toThrow(TypeError);
  });
});

describe("the URL of a server", () => {
  const server = {
    url: "https://{region}.example.com:{port}/{unknown}",
    variables: { region: { default: "eu", values: ["eu", "us"] }, port: { default: "443" } },
  };

  it("has the variables that were given, and else what the document says", () => {
    expect(serverUrl(server)).toBe("https://eu.example.com:443/{unknown}");
    expect(serverUrl(server, { region: "us", port: "8443" })).toBe("https://us.example.com:8443/{unknown}");
    expect(() => serverUrl(server, { region: "de" })).toThrow(RangeError);
  });
});
