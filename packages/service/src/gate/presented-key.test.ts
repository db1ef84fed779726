import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { maximumKeyLength } from "../registry/api-key.ts";
import { presentedKey } from "./presented-key.ts";

/** A request with these headers, in their order. */
function requestWith(...rawHeaders: readonly string[]): IncomingMessage {
  const headers: Record<string, string> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) headers[rawHeaders[at] ?? ""] = rawHeaders[at + 1] ?? "";
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
  });
});
