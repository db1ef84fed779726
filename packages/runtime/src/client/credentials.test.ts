import { describe, expect, it } from "vitest";
import type { SecuritySchemeFacts } from "../operations/operation.ts";
import { createSecurityWriter, type SecurityFacts } from "./credentials.ts";

const inHeader = { location: "header", parameter: "X-Key" } as const;
const schemes: Readonly<Record<string, SecuritySchemeFacts>> = {
  header: { kind: "api-key", ...inHeader },
  query: { kind: "api-key", location: "query", parameter: "a key" },
  cookie: { kind: "api-key", location: "cookie", parameter: "key" },
  basic: { kind: "basic", ...inHeader },
  bearer: { kind: "bearer", location: "query", parameter: "x" },
  digest: { kind: "other-http", ...inHeader, scheme: "Digest" },
  unnamed: { kind: "other-http", ...inHeader },
  certificate: { kind: "mutual-tls", ...inHeader },
};
const security = Object.fromEntries(Object.keys(schemes).map((name) => [`${name}Option`, name]));
const facts: SecurityFacts = { schemes, security };
const nothing = { query: [], headers: {}, cookies: [], secrets: [] };

const write = (given: object | undefined, ...alternatives: readonly (readonly string[])[]) =>
  createSecurityWriter(
    facts,
    given,
  )({
    name: "call",
    security: alternatives.map((names) => names.map((scheme) => ({ scheme, scopes: [] }))),
  });

describe("credentials of a client", () => {
  it.each<[string, unknown, object]>([
    ["header", "k&", { headers: { "x-key": "k&" }, secrets: ["k&"] }],
    ["query", "k&", { query: ["a%20key=k%26"], secrets: ["k&"] }],
    ["cookie", "k;", { cookies: ["key=k%3B"], secrets: ["k;"] }],
    ["bearer", "t", { headers: { authorization: "Bearer t" }, secrets: ["t"] }],
    ["digest", "a=b", { headers: { authorization: "Digest a=b" }, secrets: ["a=b"] }],
    ["unnamed", "a", { headers: { authorization: " a" }, secrets: ["a"] }],
    [
      "basic",
      { username: "ü", password: "p:q" },
      {
        headers: { authorization: `Basic ${Buffer.from("ü:p:q").toString("base64")}` },
        secrets: ["p:q", Buffer.from("ü:p:q").toString("base64")],
      },
    ],
  ])("are written as the scheme %s says", async (scheme, given, additions) => {
    for (const credential of [given, () => given, async () => await Promise.resolve(given)]) {
      expect(await write({ [`${scheme}Option`]: credential }, [scheme])).toEqual({ ...nothing, ...additions });
    }
  });

  it("are those of the first alternative that needs some and has all of them", async () => {
    const given = { headerOption: "h", queryOption: "q", cookieOption: "c" };
    expect(await write(given, [], ["bearer"], ["header", "bearer"], ["query", "header", "cookie"], ["cookie"])).toEqual(
      {
        query: ["a%20key=q"],
        headers: { "x-key": "h" },
        cookies: ["key=c"],
        secrets: ["q", "h", "c"],
      },
    );
    expect(await write(given, ["bearer"], [])).toEqual(nothing);
    expect(await write(given)).toEqual(nothing);
    expect(await write(undefined, ["header"])).toEqual(nothing);
    expect(await createSecurityWriter(facts, given)({ name: "call" })).toEqual(nothing);
    expect(
      await createSecurityWriter({}, given)({ name: "call", security: [[{ scheme: "header", scopes: [] }]] }),
    ).toEqual(nothing);
  });

  it("of TLS are there with the connection", async () => {
    const given = { headerOption: "h" };
    expect(await write(given, ["certificate", "header"])).toEqual({
      ...nothing,
      headers: { "x-key": "h" },
      secrets: ["h"],
    });
    expect(await write({}, ["certificate"], ["header"])).toEqual(nothing);
  });

  it("are the client's own members, of schemes of the document", async () => {
    const inherited = Object.create({ headerOption: "h" }) as object;
    expect(await write(inherited, ["header"])).toEqual(nothing);
    const odd = createSecurityWriter({ schemes, security: { odd: "toString" } }, { odd: "x" });
    expect(await odd({ name: "call", security: [[{ scheme: "toString", scopes: [] }]] })).toEqual(nothing);
  });

  it.each([
    ["basic", "text", "The security scheme basic takes a username and a password"],
    ["bearer", { username: "u", password: "p" }, "The security scheme bearer takes a text"],
    ["header", { username: "u", password: "p" }, "The security scheme header takes a text"],
  ])("of another kind than the scheme %s takes are a mistake", async (scheme, given, message) => {
    await expect(write({ [`${scheme}Option`]: given }, [scheme])).rejects.toThrow(new TypeError(message));
  });
});
