import { type AddressInfo, connect } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { HttpFailure } from "../errors/http-failure.ts";
import type { HttpOperation } from "../operations/operation.ts";
import { ServiceError } from "../errors/service-error.ts";
import { recordFacts, restOperations } from "../testing/hand-made-operations.ts";
import type { RestOptions } from "./plugin-options.ts";
import { createRestPlugin, type RestHandlers } from "./rest-plugin.ts";
import { restSecurity, type SecuritySchemes } from "./security.ts";

type Context = { readonly name: string; readonly role?: string };

const { getHeight, broadcast } = restOperations;
const opened: FastifyInstance[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

function createApp(): FastifyInstance {
  const app = fastify();
  opened.push(app);
  return app;
}

async function serve(
  operations: Readonly<Record<string, HttpOperation>>,
  handlers: RestHandlers<Context>,
  options: Partial<RestOptions<Context>> = {},
  security?: { readonly schemes: SecuritySchemes; readonly handlers: object },
): Promise<FastifyInstance> {
  const app = createApp();
  const plugin = createRestPlugin(
    operations,
    handlers,
    { context: () => ({ name: "nobody" }), ...options },
    security && restSecurity<Context>(security.schemes, security.handlers),
  );
  await app.register(plugin, { prefix: "/api" });
  return app;
}

const schemes: SecuritySchemes = {
  key: { kind: "api-key", location: "header", parameter: "X-Key" },
  digest: { kind: "other-http", location: "header", parameter: "Authorization", scheme: "Digest" },
  certificate: { kind: "mutual-tls", location: "header", parameter: "" },
};
const needs = (...names: readonly string[]): HttpOperation => ({
  ...getHeight,
  security: names.map((scheme) => [{ scheme, scopes: [] }]),
});
const nameOf = (_input: unknown, { name, role = "none" }: Context): unknown => `${name} ${role}`;
const text: HttpOperation["successes"] = [
  { status: 200, content: { mediaType: "text/plain", form: "text" }, headers: [] },
];

describe("security of a REST plugin", () => {
  it("adds to the context of a request what its handler has found out", async () => {
    const handlers = { key: ({ key }: { key: string }) => (key === "k" ? { name: "kim", role: "admin" } : undefined) };
    const operations = { getHeight: { ...needs("key"), successes: text, output: recordFacts() } };
    const app = await serve(operations, { getHeight: nameOf }, { validateResponses: "off" }, { schemes, handlers });
    const ask = async (headers: Record<string, string>) => (await app.inject({ url: "/api/height", headers })).body;
    expect(await ask({ "x-key": "k" })).toBe("kim admin");
    expect(await ask({ "x-key": "other" })).toBe("Credentials are missing or not accepted");
  });

  it("refuses to start where an operation needs a scheme that nobody decides over", () => {
    const start = () =>
      createRestPlugin(
        { getHeight: needs("key") },
        {},
        { context: () => "" },
        restSecurity(schemes, { digest: () => ({}) }),
      );
    expect(start).toThrow('getHeight needs the security scheme "key", which has no handler');
  });

  it("names every way in, and takes a connection without certificate for none", async () => {
    const handlers = { key: () => undefined, digest: () => undefined, certificate: () => ({}) };
    const operations = { getHeight: needs("key", "digest", "certificate") };
    const app = await serve(operations, { getHeight: () => 1 }, {}, { schemes, handlers });
    const { statusCode, headers } = await app.inject("/api/height");
    expect([statusCode, headers["www-authenticate"]]).toEqual([
      401,
      'ApiKey realm="api", in="header", name="X-Key", Digest realm="api"',
    ]);
  });

  it("returns 401 before it looks at the body or at what it is called", async () => {
    const operations = { broadcast: { ...broadcast, security: [[{ scheme: "key", scopes: [] }]] } };
    const app = await serve(operations, {}, { bodyLimitBytes: 5 }, { schemes, handlers: { key: () => undefined } });
    const request = { method: "POST", url: "/api/tx", payload: "too long by far" } as const;
    expect((await app.inject({ ...request, headers: { "content-type": "nonsense" } })).statusCode).toBe(401);
    expect((await app.inject(request)).statusCode).toBe(401);
  });

  it("leaves a broken security handler an internal error", async () => {
    const handlers = {
      key() {
        throw new Error("The store is down");
      },
    };
    const app = await serve({ getHeight: needs("key") }, {}, {}, { schemes, handlers });
    const { statusCode, body } = await app.inject({ url: "/api/height", headers: { "x-key": "k" } });
    expect([statusCode, body]).toEqual([500, "Internal error"]);
  });
});

describe("failures of a REST plugin", () => {
  it("are sent as a handler makes them", async () => {
    const getHeightFails = () => {
      throw new HttpFailure(418, { body: { code: 1n }, headers: { "x-why": "tea" } });
    };
    const app = await serve({ getHeight }, { getHeight: getHeightFails });
    const { statusCode, headers, body } = await app.inject("/api/height");
    expect([statusCode, headers["x-why"], headers["content-type"], body]).toEqual([
      418,
      "tea",
      "application/json",
      '{"code":1}',
    ]);
  });

  it("have the form that the API gives them", async () => {
    const failureResponse: RestOptions<Context>["failureResponse"] = (error, _request, operation) =>
      new HttpFailure(error.httpStatus, { body: { error: error.message, of: operation?.name ?? null } });
    const failing = () => {
      throw new ServiceError("not_found", "No height yet");
    };
    const app = await serve({ getHeight }, { getHeight: failing }, { failureResponse });
    expect((await app.inject("/api/height")).json()).toEqual({ error: "No height yet", of: "getHeight" });
    expect((await app.inject("/api/none")).json()).toEqual({ error: "No operation has this path", of: null });
  });
});

describe("a body that breaks off", () => {
  it("is no error of the server", async () => {
    const reported = Promise.withResolvers<ServiceError>();
    const app = await serve({ broadcast }, { broadcast: () => "" }, { onError: reported.resolve });
    await app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = app.server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1");
    socket.end("POST /api/tx HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 50\r\n\r\nhalf");
    expect((await reported.promise).code).toBe("invalid_request");
  });
});

describe("answers of a REST plugin that do not match their document", () => {
  const wrong: RestHandlers<Context> = { getHeight: () => "high" };

  it("are sent and told of where they are only logged", async () => {
    const reported: unknown[] = [];
    const onInvalidResponse: RestOptions<Context>["onInvalidResponse"] = ({ name }, violations) =>
      void reported.push([name, violations.length]);
    const app = await serve({ getHeight }, wrong, { validateResponses: "log", onInvalidResponse });
    expect((await app.inject("/api/height")).body).toBe("high");
    expect(reported).toEqual([["getHeight", 1]]);
  });

  it("are not looked at where nobody requests it", async () => {
    const app = await serve({ getHeight }, wrong, { validateResponses: "off" });
    expect((await app.inject("/api/height")).body).toBe("high");
  });

  it("are refused where the status is none of the document", async () => {
    const operations = { getHeight: { ...getHeight, returns: "reply" } as const };
    const app = await serve(operations, { getHeight: () => ({ status: 299, body: 1 }) });
    expect((await app.inject("/api/height")).statusCode).toBe(500);
  });
});

describe("a REST plugin among others", () => {
  it("leaves OPTIONS to what answers it already", async () => {
    const app = createApp();
    app.options("*", (_request, reply) => reply.code(204).send());
    await app.register(createRestPlugin({ getHeight }, { getHeight: () => 1 }, { context: () => "" }));
    expect((await app.inject({ method: "OPTIONS", url: "/height" })).statusCode).toBe(204);
    expect((await app.inject("/height")).body).toBe("1");
  });

  it("is next to routes of the same application, and under a prefix with parameters", async () => {
    const app = createApp();
    app.get("/health", () => "well");
    await app.register(createRestPlugin({ getHeight }, { getHeight: () => 1 }, { context: () => "" }));
    await app.register(createRestPlugin({ getHeight }, { getHeight: () => 2 }, { context: () => "" }), {
      prefix: "/:tenant/api",
    });
    const bodies = await Promise.all(["/health", "/height", "/some%2Fbody/api/height"].map((url) => app.inject(url)));
    expect(bodies.map(({ body }) => body)).toEqual(["well", "1", "2"]);
  });

  it("says that it needs a prefix where another plugin has taken all paths", async () => {
    const app = createApp();
    app.register(createRestPlugin({ getHeight }, {}, { context: () => "" }));
    app.register(createRestPlugin({ getHeight }, {}, { context: () => "" }));
    await expect(app.ready()).rejects.toThrow("register with a prefix");
  });
});
