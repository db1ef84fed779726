import { connect } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { HttpFailure } from "../errors/http-failure.ts";
import { ServiceError, type ServiceErrorCode, errorAppearances } from "../errors/service-error.ts";
import { restOperations } from "../testing/hand-made-operations.ts";
import { sendFrameworkError } from "./framework-error.ts";
import type { RestOptions } from "./plugin-options.ts";
import { createRestPlugin, type RestHandlers } from "./rest-plugin.ts";

const txid = "ab".repeat(32);

const handlers: RestHandlers<string> = {
  getTransaction: ({ txid: id }: { txid: string }) => ({ headers: { cacheControl: "max-age=10" }, body: { txid: id } }),
  getOutspend: (input, context) => ({ input, context }),
  getHeight: () => 14_131,
  getRaw: () => new Uint8Array([0, 255, 10]),
  broadcast: ({ body }: { body: string }) => `got ${body}`,
  createNote: () => undefined,
  getBalance: () => 2_099_999_997_690_000n,
};

const opened: FastifyInstance[] = [];

async function serve(changes: Partial<RestOptions<string>> = {}, own: RestHandlers<string> = handlers) {
  const app = fastify({ frameworkErrors: sendFrameworkError, routerOptions: { maxParamLength: 1000 } });
  opened.push(app);
  const plugin = createRestPlugin(restOperations, own, { context: () => "here", ...changes });
  await app.register(plugin, { prefix: "/node/rest" });
  return app;
}

const failing = (error: unknown): RestHandlers<string> => ({
  ...handlers,
  getHeight: () => {
    throw error;
  },
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

describe("a REST plugin", () => {
  it("responds with the status, the headers and the body of the handler", async () => {
    const app = await serve();
    const response = await app.inject(`/node/rest/tx/${txid}?apikey=k`);
    expect(response.statusCode).toBe(200);
    expect(response.headers["content-type"]).toBe("application/json");
    expect(response.headers["cache-control"]).toBe("max-age=10");
    expect(response.json()).toEqual({ txid });
  });

  it("answers text and bytes under their media types, as they are", async () => {
    const app = await serve();
    const height = await app.inject("/node/rest/height");
    expect([height.headers["content-type"], height.body]).toEqual(["text/plain", "14131"]);
    const raw = await app.inject("/node/rest/raw");
    expect([raw.headers["content-type"], [...raw.rawPayload]]).toEqual(["application/octet-stream", [0, 255, 10]]);
  });

  it("writes amounts with eight decimals", async () => {
    const app = await serve();
    expect((await app.inject("/node/rest/balance")).body).toBe("20999999.97690000");
  });

  it("decodes inputs of every place, with defaults, and hands on the context", async () => {
    const app = await serve();
    const response = await app.inject({
      url: `/node/rest/tx/${txid}/outspend/3?include=a,b`,
      headers: { "x-trace": "t", cookie: "other=1; session=s" },
    });
    const input = { id: txid, vout: 3, include: ["a", "b"], pretty: false, trace: "t", session: "s" };
    expect(response.json()).toEqual({ input, context: "here" });
  });

  it("refuses a wrong input with the text that its document fixes", async () => {
    const app = await serve();
    const response = await app.inject("/node/rest/tx/zz");
    expect([response.statusCode, response.headers["content-type"], response.body]).toEqual([
      400,
      "text/plain",
      "Invalid hex string",
    ]);
  });

  it("names every wrong input where the document fixes no text", async () => {
    const app = await serve();
    const response = await app.inject("/node/rest/tx/zz/outspend/x?pretty=perhaps");
    expect(response.statusCode).toBe(400);
    for (const name of ["path parameter id", "path parameter vout", "query parameter pretty"]) {
      expect(response.body).toContain(name);
    }
    expect(response.body).not.toContain("\n");
  });

  it("takes out of the messages of failures what must not be repeated, and leaves other responses as they are", async () => {
    const seen: string[] = [];
    const changes: Partial<RestOptions<string>> = {
      redactMessage: (message, { method }) => message.replaceAll("secret", `(${method})`),
      onError: ({ message }) => void seen.push(message),
      notFound: ({ url }) => new ServiceError("not_found", `No ${url}`),
    };
    const refusal = new ServiceError("rate_limited", "Too secret", { retryAfterSeconds: 5 });
    const app = await serve(changes, { ...failing(refusal), broadcast: ({ body }: { body: string }) => `got ${body}` });

    const failed = await app.inject("/node/rest/height");
    expect([failed.statusCode, failed.headers["retry-after"], failed.body]).toEqual([429, "5", "Too (GET)"]);
    const inJson = await app.inject({ url: "/node/rest/height", headers: { accept: "application/json" } });
    expect(inJson.json()).toEqual({ error: { code: "rate_limited", message: "Too (GET)" } });
    expect((await app.inject("/node/rest/secret")).body).toBe("No /node/rest/(GET)");
    const posted = {
      method: "POST",
      url: "/node/rest/tx",
      payload: "secret",
      headers: { "content-type": "text/plain" },
    };
    expect((await app.inject(posted as object)).body).toBe("got secret");
    expect(seen).toEqual(["Too secret", "Too secret", "No /node/rest/secret"]);

    const own = await serve(
      { ...changes, failureResponse: ({ message, code }) => new HttpFailure(400, { body: { message, code } }) },
      failing(refusal),
    );
    expect((await own.inject("/node/rest/height")).json()).toEqual({ message: "Too (GET)", code: "rate_limited" });
  });

  it("answers a failure in JSON to those who name JSON and would not take anything", async () => {
    const app = await serve();
    const ask = async (accept: string) => (await app.inject({ url: "/node/rest/tx/zz", headers: { accept } })).body;
    expect(JSON.parse(await ask("application/json"))).toEqual({
      error: { code: "invalid_input", message: "Invalid hex string" },
    });
    expect(await ask("application/json, */*")).toBe("Invalid hex string");
    expect(await ask("image/png")).toBe("Invalid hex string");
  });

  it.each(Object.keys(errorAppearances) as ServiceErrorCode[])(
    "answers %s with the status of the table",
    async (code) => {
      const app = await serve({}, failing(new ServiceError(code, "Why\nso", { retryAfterSeconds: 1.2 })));
      const response = await app.inject("/node/rest/height");
      expect(response.statusCode).toBe(errorAppearances[code].httpStatus);
      expect(response.body).toBe("Why so");
      expect(response.headers["retry-after"]).toBe("2");
      expect(response.headers["www-authenticate"] !== undefined).toBe(code === "unauthenticated");
      expect(response.headers["cache-control"]).toBeUndefined();
    },
  );

  it("keeps what is not for callers out of the response and tells the log of it", async () => {
    const seen: unknown[] = [];
    const cause = new TypeError("password is hunter2");
    const app = await serve({ onError: (error) => seen.push(error.cause) }, failing(cause));
    const response = await app.inject("/node/rest/height");
    expect([response.statusCode, response.body]).toEqual([500, "Internal error"]);
    expect(seen).toEqual([cause]);
  });

  it("returns 501 for an operation without handler", async () => {
    const app = await serve({}, {});
    const response = await app.inject("/node/rest/height");
    expect([response.statusCode, response.body]).toEqual([501, "GET /height is not implemented"]);
  });

  it("returns 404 for an unknown path, in the service's words where it has some", async () => {
    const app = await serve();
    expect((await app.inject("/node/rest/nowhere")).statusCode).toBe(404);
    const own = await serve({ notFound: ({ url }) => new ServiceError("not_found", `no ${url}`) });
    expect((await own.inject("/node/rest/nowhere")).body).toBe("no /node/rest/nowhere");
  });

  it("returns 405 with Allow for a method that a path does not have, without reading the body", async () => {
    const app = await serve();
    const response = await app.inject({
      method: "DELETE",
      url: `/node/rest/tx/${txid}`,
      payload: "{",
      headers: { "content-type": "application/json" },
    });
    expect([response.statusCode, response.headers["allow"]]).toEqual([405, "GET, HEAD"]);
    expect((await app.inject({ method: "GET", url: "/node/rest/note" })).headers["allow"]).toBe("PUT");
  });

  it("answers HEAD like GET, without body", async () => {
    const app = await serve();
    const response = await app.inject({ method: "HEAD", url: "/node/rest/height" });
    expect([response.statusCode, response.body, response.headers["content-length"]]).toEqual([200, "", "5"]);
  });

  it("never returns 406", async () => {
    const app = await serve();
    const response = await app.inject({ url: "/node/rest/height", headers: { accept: "image/png" } });
    expect(response.statusCode).toBe(200);
  });

  it("takes a text body under any media type or none", async () => {
    const app = await serve();
    for (const type of ["text/plain", "application/x-www-form-urlencoded", undefined]) {
      const headers = type === undefined ? {} : { "content-type": type };
      const response = await app.inject({ method: "POST", url: "/node/rest/tx", payload: "0200", headers });
      expect(response.body).toBe("got 0200");
    }
  });

  it("takes JSON bodies as JSON alone, and says what is wrong with them", async () => {
    const app = await serve();
    const put = async (payload: string | Buffer, type = "application/json") => {
      const response = await app.inject({
        method: "PUT",
        url: "/node/rest/note",
        payload,
        headers: { "content-type": type },
      });
      return [response.statusCode, response.body];
    };
    expect(await put('{"a":1}')).toEqual([201, ""]);
    expect(await put("{}", "text/html")).toEqual([415, "The request body has to be application/json"]);
    expect(await put("{")).toEqual([400, "The request body is not valid JSON"]);
    expect(await put(Buffer.from([0xff, 0xfe]))).toEqual([400, "The request body is not UTF-8"]);
    expect(await put("[".repeat(200_000))).toEqual([400, "The request body is nested deeper than 100 levels"]);
    expect(await put("")).toEqual([400, "The body is missing"]);
  });

  it("lets no member of a body become a prototype", async () => {
    const seen: object[] = [];
    const app = await serve({}, { createNote: ({ body }: { body: object }) => void seen.push(body) });
    const payload = '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}';
    const headers = { "content-type": "application/json" };
    expect((await app.inject({ method: "PUT", url: "/node/rest/note", payload, headers })).statusCode).toBe(201);
    expect("admin" in {}).toBe(false);
    expect(seen.map((body) => "admin" in body)).toEqual([false]);
  });

  it("refuses bodies beyond the limit with 413", async () => {
    const app = await serve({ bodyLimitBytes: 10 });
    const response = await app.inject({ method: "POST", url: "/node/rest/tx", payload: "0".repeat(11) });
    expect([response.statusCode, response.body]).toEqual([413, "The request body is too large"]);
  });

  it("asks whether an operation is admitted before it looks at the input", async () => {
    const app = await serve({
      admit: ({ name }) => (name === "getTransaction" ? new ServiceError("method_disabled", "Off") : undefined),
    });
    const response = await app.inject("/node/rest/tx/zz");
    expect([response.statusCode, response.body]).toEqual([403, "Off"]);
    expect((await app.inject("/node/rest/height")).statusCode).toBe(200);
  });

  it("checks answers against the document when it is asked to", async () => {
    const seen: unknown[] = [];
    const own: RestHandlers<string> = { getTransaction: () => ({ headers: { cacheControl: "x" }, body: { txid: 1 } }) };
    const app = await serve({ validateResponses: "throw", onError: ({ cause }) => seen.push(cause) }, own);
    const response = await app.inject(`/node/rest/tx/${txid}`);
    expect([response.statusCode, response.body]).toEqual([500, "Internal error"]);
    expect(String(seen[0])).toContain("/txid");
  });

  it("reports each operation with its outcome", async () => {
    const seen: unknown[] = [];
    const app = await serve({ onOperation: ({ name }, _request, { error }) => seen.push([name, error?.code]) });
    await app.inject("/node/rest/height");
    await app.inject("/node/rest/tx/zz");
    expect(seen).toEqual([
      ["getHeight", undefined],
      ["getTransaction", "invalid_input"],
    ]);
  });

  it("never quotes a URL that can't be decoded", async () => {
    const app = await serve();
    await app.listen({ host: "127.0.0.1", port: 0 });
    const address = app.server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const answer = await sendRaw(
      port,
      "GET /node/rest/tx/%zz?apikey=topsecret HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    );
    expect(answer).toContain("HTTP/1.1 400");
    expect(answer).not.toContain("topsecret");
    expect(answer).not.toContain("%zz");
  });
});

function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("end", () => resolve(Buffer.concat(chunks).toString()));
    socket.on("error", reject);
  });
}
