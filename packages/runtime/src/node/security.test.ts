import { TLSSocket } from "node:tls";
import { Socket } from "node:net";
import type { FastifyRequest } from "fastify";
import { describe, expect, it } from "vitest";
import type { HttpOperation, SecuritySchemeFacts } from "../operations/operation.ts";
import { ServiceError } from "../errors/service-error.ts";
import { restOperations } from "../testing/hand-made-operations.ts";
import {
  createSecurityCheck,
  type Credentials,
  restSecurity,
  type SecurityHandler,
  SecurityRefusal,
  type SecuritySchemes,
} from "./security.ts";

const inHeader = { location: "header", parameter: "X-Key" } as const;
const schemes: SecuritySchemes = {
  header: { kind: "api-key", ...inHeader },
  query: { kind: "api-key", location: "query", parameter: "a key" },
  cookie: { kind: "api-key", location: "cookie", parameter: "key" },
  basic: { kind: "basic", ...inHeader },
  bearer: { kind: "bearer", ...inHeader },
  digest: { kind: "other-http", ...inHeader, scheme: "Digest" },
  unnamed: { kind: "other-http", ...inHeader },
  certificate: { kind: "mutual-tls", ...inHeader },
};

interface Requested {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly socket?: Socket;
}

const requestWith = ({ url = "/", headers = {}, socket = new Socket() }: Requested): FastifyRequest =>
  ({ url, headers, raw: { socket } }) as unknown as FastifyRequest;

/** Creates an operation with these alternatives: each a list of schemes, with a scope after a colon. */
const needs = (...alternatives: readonly (readonly string[])[]): HttpOperation => ({
  ...restOperations.getHeight,
  security: alternatives.map((names) =>
    names.map((name) => {
      const [scheme = "", ...scopes] = name.split(":");
      return { scheme, scopes };
    }),
  ),
});

type Handlers = Readonly<Record<string, SecurityHandler<never, object>>>;

async function check(operation: HttpOperation, handlers: Handlers, requested: Requested = {}): Promise<object> {
  const every = Object.fromEntries(Object.keys(schemes).map((name) => [name, () => undefined]));
  return await createSecurityCheck([operation], schemes, { ...every, ...handlers })(operation, requestWith(requested));
}

async function refusalOf(...parameters: Parameters<typeof check>): Promise<SecurityRefusal> {
  const reason = await check(...parameters).catch((error: unknown) => error);
  if (!(reason instanceof SecurityRefusal)) throw new Error(`It was not refused: ${String(reason)}`);
  return reason;
}

/** Returns the credentials that the handler of a scheme receives; undefined when it is not called. */
async function credentialsOf(scheme: string, requested: Requested): Promise<Credentials | undefined> {
  let seen: Credentials | undefined;
  const handler = (credentials: Credentials) => {
    seen = credentials;
    return {};
  };
  await check(needs([scheme], []), { [scheme]: handler }, requested);
  return seen;
}

const authorization = (value: string): Requested => ({ headers: { authorization: value } });

describe("credentials", () => {
  it.each<[string, string, Requested, string]>([
    ["a header", "header", { headers: { "x-key": "k" } }, "k"],
    ["a header that came several times", "header", { headers: { "x-key": ["k", "l"] } }, "k"],
    ["a query", "query", { url: "/a?b=c&a%20key=k%2B&a+key=l" }, "k+"],
    ["a cookie", "cookie", { headers: { cookie: "other=x; key=k=l" } }, "k=l"],
    ["a cookie with spaces", "cookie", { headers: { cookie: " key = k ;other=x" } }, "k"],
    ["the first of two cookies", "cookie", { headers: { cookie: "key=k; key=l" } }, "k"],
  ])("of an API key are in %s", async (_name, scheme, requested, key) => {
    expect(await credentialsOf(scheme, requested)).toEqual({ kind: "api-key", key });
  });

  it.each<[string, string, Requested]>([
    ["no header", "header", {}],
    ["an empty header", "header", { headers: { "x-key": "" } }],
    ["no query", "query", { url: "/a%20key=k" }],
    ["another parameter", "query", { url: "/?A%20key=k" }],
    ["an empty parameter", "query", { url: "/?a%20key=" }],
    ["no cookie", "cookie", {}],
    ["another cookie", "cookie", { headers: { cookie: "keys=k; Key=k" } }],
    ["a cookie without a value", "cookie", { headers: { cookie: "key; =key" } }],
    ["an empty cookie", "cookie", { headers: { cookie: "key=" } }],
  ])("of an API key are missing: %s", async (_name, scheme, requested) => {
    expect(await credentialsOf(scheme, requested)).toBeUndefined();
  });

  const base64 = (text: string) => Buffer.from(text).toString("base64");

  it.each([
    [`Basic ${base64("user:pass:word")}`, "user", "pass:word"],
    [`bASIC   ${base64("üser:")} `, "üser", ""],
    [`Basic ${base64(":p")}`, "", "p"],
  ])("of Basic are a user name and a password (RFC 7617): %s", async (value, username, password) => {
    expect(await credentialsOf("basic", authorization(value))).toEqual({ kind: "basic", username, password });
  });

  it.each([
    `Basic ${base64("user")}`,
    "Basic",
    "Basic ",
    `Basic ${base64("user:p")}===`,
    "Basic dTpw!",
    "Basic !dTpw",
    "Basic dT pw",
    `Basics ${base64("user:p")}`,
    `Bearer ${base64("user:p")}`,
    "",
  ])("of Basic are none: %s", async (value) => {
    expect(await credentialsOf("basic", authorization(value))).toBeUndefined();
  });

  it.each([
    ["bearer", "Bearer a.b", { kind: "bearer", token: "a.b" }],
    ["bearer", "BEARER  a b ", { kind: "bearer", token: "a b" }],
    ["digest", "digest a=b, c", { kind: "other-http", scheme: "digest", text: "a=b, c" }],
    ["bearer", "Bearer", undefined],
    ["bearer", "Bearer  ", undefined],
    ["bearer", "Basic a", undefined],
    ["digest", "Bearer a", undefined],
    ["digest", "Digest", undefined],
    ["unnamed", "Digest a", undefined],
    ["unnamed", " a", { kind: "other-http", scheme: "", text: "a" }],
  ])("of %s in %j", async (scheme, value, credentials) => {
    expect(await credentialsOf(scheme, authorization(value))).toEqual(credentials);
  });

  it("of TLS are a certificate that was accepted", async () => {
    const certificate = { subject: { CN: "kim" } };
    const socketOf = (authorized: boolean): Socket =>
      Object.assign(new TLSSocket(new Socket()), { authorized, getPeerCertificate: () => certificate });

    expect(await credentialsOf("certificate", { socket: socketOf(true) })).toEqual({ kind: "mutual-tls", certificate });
    expect(await credentialsOf("certificate", { socket: socketOf(false) })).toBeUndefined();
    expect(await credentialsOf("certificate", { socket: Object.assign(new Socket(), { authorized: true }) })).toBe(
      undefined,
    );
  });
});

describe("the security requirements of an operation", () => {
  const key = { headers: { "x-key": "k", authorization: "Bearer t" } };

  it("are met by one alternative, the first that is, with the additions of all its schemes", async () => {
    const header = () => ({ header: 1, both: "header" });
    const bearer = () => ({ bearer: 2, both: "bearer" });

    expect(await check(needs(["header", "bearer"]), { header, bearer }, key)).toEqual({
      header: 1,
      bearer: 2,
      both: "bearer",
    });
    expect(await check(needs(["bearer"], ["header"]), { header, bearer }, key)).toEqual({ bearer: 2, both: "bearer" });
    expect(await check(needs(["basic"], ["header"]), { header, bearer }, key)).toEqual({ header: 1, both: "header" });
    expect(await check(needs(["header", "basic"], ["bearer"]), { header, bearer }, key)).toEqual(bearer());
  });

  it("are none without alternatives, and no handler is called", async () => {
    const handlers = {
      header() {
        throw new Error("It is called");
      },
    };
    const { security: _security, ...open } = needs();

    expect(await check(open, handlers, key)).toEqual({});
    expect(await check(needs(), handlers, key)).toEqual({});
  });

  it("recognise who has credentials where strangers are let in", async () => {
    const header = () => ({ name: "kim" });

    expect(await check(needs([], ["header"]), { header }, key)).toEqual({ name: "kim" });
    expect(await check(needs([], ["header"]), { header })).toEqual({});
    expect(await check(needs([], ["header"]), {}, key)).toEqual({});
    const forbid = () => {
      throw new ServiceError("forbidden", "Not you");
    };
    expect(await check(needs(["header"], []), { header: forbid }, key)).toEqual({});
  });

  it("give handlers the operation and the scopes that it requests", async () => {
    const operation = needs(["bearer:read:write"]);
    let seen: unknown;
    const bearer: SecurityHandler<never, object> = async (_credentials, request, demand) => {
      seen = { url: request.url, ...demand };
      return {};
    };
    await check(operation, { bearer }, { ...key, url: "/asked" });

    expect(seen).toEqual({ url: "/asked", operation, scopes: ["read", "write"] });
  });

  it("are not met without credentials, or with some that are not accepted: 401 with every way in", async () => {
    const unauthenticated = () => {
      throw new ServiceError("unauthenticated", "Expired");
    };
    const operation = needs(
      ["header"],
      ["query", "basic"],
      ["bearer:read:write"],
      ["digest"],
      ["header"],
      ["certificate"],
    );

    for (const handlers of [{}, { header: unauthenticated, bearer: unauthenticated }]) {
      for (const requested of [{}, key]) {
        const { name, message, error, challenge } = await refusalOf(operation, handlers, requested);
        expect([name, message]).toEqual(["SecurityRefusal", "Credentials are missing or not accepted"]);
        expect(error).toMatchObject({ code: "unauthenticated", message });
        expect(challenge).toBe(
          'ApiKey realm="api", in="header", name="X-Key", ApiKey realm="api", in="query", name="a key", ' +
            'Basic realm="api", charset="UTF-8", Bearer realm="api", scope="read write", Digest realm="api"',
        );
      }
    }
  });

  it("forbid who is known and may not do this: the first reason, with the scopes that are missing", async () => {
    const forbid = (message: string) => () => {
      throw new ServiceError("forbidden", message);
    };
    const operation = needs(["header"], ["bearer:write"]);
    const { message, error, challenge } = await refusalOf(
      operation,
      { header: forbid("first"), bearer: forbid("second") },
      key,
    );

    expect([message, error.code]).toEqual(["first", "forbidden"]);
    expect(challenge).toBe(
      'ApiKey realm="api", in="header", name="X-Key", Bearer realm="api", error="insufficient_scope", scope="write"',
    );
    expect((await refusalOf(needs(["bearer"]), {}, key)).challenge).toBe('Bearer realm="api"');
    expect(await check(operation, { header: forbid("first"), bearer: () => ({ a: 1 }) }, key)).toEqual({ a: 1 });
  });

  it("fail with any other error of a handler", async () => {
    const fail = (error: unknown) => () => {
      throw error;
    };
    for (const error of [new Error("disk"), new ServiceError("internal", "disk")]) {
      await expect(check(needs(["header"], []), { header: fail(error) }, key)).rejects.toBe(error);
    }
  });

  it("are met by nobody where the document describes no such scheme", async () => {
    const { challenge } = await refusalOf(needs(["toString"], ["unknown"]), {}, key);

    expect(challenge).toBe("");
  });

  it("name a key in a quoted string (RFC 9110, section 5.6.4)", async () => {
    const odd: SecuritySchemeFacts = { kind: "api-key", location: "cookie", parameter: 'a"b\\cé\n~ ' };
    const operation = needs(["odd"]);
    const decide = createSecurityCheck([operation], { odd }, { odd: () => undefined });

    await expect(decide(operation, requestWith({}))).rejects.toMatchObject({
      challenge: 'ApiKey realm="api", in="cookie", name="a\\"b\\\\c~ "',
    });
  });
});

describe("a server whose operations need schemes", () => {
  it.each([[{}], [{ header: undefined }], [Object.create({ header: () => ({}) }) as object]])(
    "does not start without their handlers: %o",
    (handlers) => {
      expect(() => createSecurityCheck([needs([], ["header"])], schemes, handlers as Handlers)).toThrow(
        'getHeight needs the security scheme "header", which has no handler',
      );
    },
  );

  it("starts without handlers of schemes that no operation needs, or that nobody describes", () => {
    const { security: _security, ...open } = needs();

    expect(() => createSecurityCheck([open, needs(), needs([]), needs(["unknown"])], schemes, {})).not.toThrow();
  });

  it("has a copy of the handlers, or none", () => {
    const handlers = { header: () => ({}) };
    expect(restSecurity(schemes, undefined)).toEqual({ schemes, handlers: undefined });
    const security = restSecurity(schemes, handlers);
    expect(security).toEqual({ schemes, handlers });
    expect(security.handlers).not.toBe(handlers);
  });
});
