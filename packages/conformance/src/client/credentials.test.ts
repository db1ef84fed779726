import { describe, expect, test } from "vitest";
import { readBaseUrl } from "./base-url.ts";
import { secretsOf } from "./credentials.ts";
import { createSecretMask } from "@nodewright/secret-mask";

function maskOf(headers: Readonly<Record<string, string>>): (text: string) => string {
  const baseUrl = readBaseUrl("http://127.0.0.1");
  if (baseUrl === undefined) throw new Error("no base URL");
  return createSecretMask(secretsOf({ baseUrl: "http://127.0.0.1", headers }, baseUrl)).mask;
}

describe("of a header", () => {
  test.each([
    ["authorization", "Bearer abcdef-123", "abcdef-123"],
    ["authorization", 'Token token="abc=def/1"', "abc=def/1"],
    ["authorization", 'Digest username="ops", response="6629fae49393"', "6629fae49393"],
    ["authorization", `Basic ${Buffer.from("ops:pass word").toString("base64")}`, "pass word"],
    ["cookie", "theme=dark; session=abc=def/1", "abc=def/1"],
    ["x-token", "abcdef-123", "abcdef-123"],
  ])("%s: %s no part is shown that a server gives back: %s", (name, value, secret) => {
    const mask = maskOf({ [name]: value });
    expect(mask(`you sent <${secret}>`)).not.toContain(secret);
    expect(mask(value)).not.toContain(secret);
  });

  test("that is no secret answers stay as they are", () => {
    const mask = maskOf({ accept: "application/json", "accept-language": "en-GB,en;q=0.9" });
    expect(mask("content-type: application/json, en-GB")).toBe("content-type: application/json, en-GB");
  });
});
