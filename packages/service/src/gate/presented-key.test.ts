import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { maximumKeyLength } from "../registry/api-key.ts";
import { hasBasicAlone, presentedKey, removeKeyHeaders } from "./presented-key.ts";

/** Returns a request with these headers, in their order. */
function requestWith(...rawHeaders: readonly string[]): IncomingMessage {
  const headers: Record<string, string> = {};
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers[(rawHeaders[at] ?? "").toLowerCase()] = rawHeaders[at + 1] ?? "";
  return { headers, rawHeaders } as unknown as IncomingMessage;
}

const basic = (text: string) => requestWith("authorization", `Basic ${Buffer.from(text).toString("base64")}`);

describe("a Basic password", () => {
  // RFC 7617, section 2: a user name has no colon, a password may.
  it.each([
    ["user:key", "key"],
    [":key", "key"],
    ["user:my:own:key", "my:own:key"],
    ["user::key", ":key"],
    ["user:key:", "key:"],
    ["::", ":"],
    ["üser:key", "key"],
  ])("of %s stands behind the first colon", (text, key) => {
    expect(presentedKey([], basic(text))).toBe(key);
  });

  it.each(["user", "user:", "", ":"])("is no key when there is none: %s", (text) => {
    expect(presentedKey([], basic(text))).toBeUndefined();
  });
});

describe("a key", () => {
  it.each([
    ["another header", "x-other", `Basic ${btoa("user:key")}`],
    ["a scheme that ends alike", "authorization", `zbasic ${btoa("user:key")}`],
    ["another scheme", "authorization", `Bearer ${btoa("user:key")}`],
  ])("is in no %s", (_what, name, value) => {
    expect(presentedKey([], requestWith(name, value))).toBeUndefined();
    expect(presentedKey([], requestWith("x-api-key", "own", name, value))).toBe("own");
  });

  it.each([
    [maximumKeyLength, true],
    [maximumKeyLength + 1, false],
  ])("of %i characters is presented: %s", (length, isKey) => {
    const key = "k".repeat(length);
    expect(presentedKey([key], requestWith()) === key).toBe(isKey);
    expect(presentedKey([], requestWith("x-api-key", key)) === key).toBe(isKey);
    expect(presentedKey([], basic(`user:${key}`)) === key).toBe(isKey);
  });

  it("is presented several times only if it is the same each time", () => {
    const both = requestWith("x-api-key", "a:b", "authorization", `Basic ${btoa("user:a:b")}`);
    expect(presentedKey(["a:b"], both)).toBe("a:b");
    expect(presentedKey(["a:b", "a"], both)).toBeUndefined();
    expect(presentedKey(["b"], both)).toBeUndefined();
    const last = requestWith("x-api-key", "a", "authorization", `Basic ${btoa("user:b")}`);
    expect(presentedKey(["a"], last)).toBeUndefined();
    expect(presentedKey(["a", "a", "a", "b"], requestWith())).toBeUndefined();
  });
});

describe("a header", () => {
  const password = Buffer.from("user:key").toString("base64");

  it.each([
    ["X-API-Key", "key"],
    ["x-api-key", "key"],
    ["Authorization", `Basic ${password}`],
    ["AUTHORIZATION", `basic ${password}`],
    ["authorization", `BASIC  ${password} `],
  ])("presents a key: %s: %s", (name, value) => {
    expect(presentedKey([], requestWith("host", "a", name, value, "accept", "key"))).toBe("key");
  });

  it.each([
    ["authorization", "Basic"],
    ["authorization", `Basics ${password}`],
    ["authorization", `basic-${password}`],
    ["authorization", `x Basic ${password}`],
    ["authorization", `Bearer ${password}`],
    ["authorization", ""],
    ["x-api-key", ""],
    ["x-api-keys", "key"],
    ["proxy-authorization", `Basic ${password}`],
    ["accept", "x-api-key"],
  ])("presents none: %s: %s", (name, value) => {
    expect(presentedKey([], requestWith("host", "a", name, value))).toBeUndefined();
  });

  it("of another scheme contradicts no key, a Basic one without a password does", () => {
    expect(presentedKey(["key"], requestWith("authorization", "Bearer other"))).toBe("key");
    expect(presentedKey(["key"], requestWith("authorization", "Basic"))).toBeUndefined();
    expect(presentedKey(["key"], basic(":"))).toBe("key");
    expect(presentedKey(["key"], basic("user"))).toBeUndefined();
  });
});

describe("removeKeyHeaders", () => {
  it("takes keys out of both lists of headers, and leaves the others", () => {
    const request = requestWith(
      "Host",
      "a",
      "X-API-Key",
      "k",
      "Authorization",
      "Basic x",
      "authorization",
      "y",
      "Accept",
      "b",
    );
    removeKeyHeaders(request);

    expect(request.headers).toEqual({ host: "a", accept: "b" });
    expect(request.rawHeaders).toEqual([
      "Host",
      "a",
      "X-API-Key",
      "",
      "Authorization",
      "",
      "authorization",
      "",
      "Accept",
      "b",
    ]);
  });

  it.each(["x-api-key", "authorization"])("takes away %s alone", (name) => {
    const request = requestWith("host", "a", name, "k");
    removeKeyHeaders(request);

    expect([request.headers, request.rawHeaders]).toEqual([{ host: "a" }, ["host", "a", name, ""]]);
  });

  it("changes nothing of a request without them", () => {
    const request = requestWith("host", "a", "accept", "x-api-key");
    removeKeyHeaders(request);

    expect([request.headers, request.rawHeaders]).toEqual([
      { host: "a", accept: "x-api-key" },
      ["host", "a", "accept", "x-api-key"],
    ]);
  });
});

describe("hasBasicAlone", () => {
  it.each([
    [[], { authorization: "Basic x" }, true],
    [[], { authorization: "" }, true],
    [["k"], { authorization: "Basic x" }, false],
    [[], { authorization: "Basic x", "x-api-key": "" }, false],
    [[], { "x-api-key": "k" }, false],
    [[], {}, false],
  ])("of the keys %j in the target and the headers %j is %s", (keys, headers, isAlone) => {
    expect(hasBasicAlone(keys, headers)).toBe(isAlone);
  });
});
