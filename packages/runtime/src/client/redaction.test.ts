import { describe, expect, it } from "vitest";
import { createRedaction } from "./redaction.ts";
import { type ServerFacts, serverUrl } from "./server-url.ts";
import { findFailure, patternsOf } from "./status-pattern.ts";

describe("a redaction", () => {
  const secret = 'k +/"é';

  it.each([
    secret,
    encodeURIComponent(secret),
    encodeURIComponent(secret).toLowerCase(),
    encodeURIComponent(secret).replaceAll("%20", "+"),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(`:${secret}`).toString("base64"),
    Buffer.from(secret).toString("base64"),
  ])("takes out a secret as it is spelled: %s", (spelling) => {
    expect(createRedaction([secret]).text(`a ${spelling} b ${spelling}`)).toBe("a <API_KEY> b <API_KEY>");
  });

  it("takes out the longer of two secrets first, and nothing for an empty one", () => {
    const { text } = createRedaction(["", "abc", "abcdef"]);
    expect(text("abcdef abc ab")).toBe("<API_KEY> <API_KEY> ab");
  });

  it("takes secrets out of every text of a value", () => {
    const { value } = createRedaction(["secret"]);
    expect(value({ "a secret": ["secret", 1, null, { b: "no" }], c: true })).toEqual({
      "a <API_KEY>": ["<API_KEY>", 1, null, { b: "no" }],
      c: true,
    });
    expect([value("secret"), value(undefined), value(5)]).toEqual(["<API_KEY>", undefined, 5]);
  });

  it("learns secrets, of which it keeps the latest hundred besides those that it had", () => {
    const redaction = createRedaction(["first"]);
    redaction.learn(["token-0-x"]);
    redaction.learn(["token-0-x", "first"]);
    expect(redaction.text("first token-0-x")).toBe("<API_KEY> <API_KEY>");
    for (let number = 1; number <= 100; number++) redaction.learn([`token-${number}-x`]);
    expect(redaction.text("first token-0-x token-1-x token-100-x")).toBe("<API_KEY> token-0-x <API_KEY> <API_KEY>");
  });
});

describe("the URL of a server", () => {
  const facts: ServerFacts<{ region: string; port: string }> = {
    url: "https://{region}.example:{port}/{other}/{}/{toString}",
    variables: { region: { default: "eu", values: ["eu", "us"] }, port: { default: "443" } },
  };

  it("has its variables, by default those of the document, and other braces as they are", () => {
    expect(serverUrl(facts)).toBe("https://eu.example:443/{other}/{}/{toString}");
    expect(serverUrl(facts, { region: "us", port: "1" })).toBe("https://us.example:1/{other}/{}/{toString}");
    expect(() => serverUrl(facts, { region: "asia", port: "1" })).toThrow(
      new RangeError("The server's variable region is one of eu, us"),
    );
  });
});

describe("a status", () => {
  it.each([
    [200, [200, "2XX", "default"]],
    [299, [299, "2XX", "default"]],
    [199, [199, "1XX"]],
    [300, [300, "3XX"]],
    [404, [404, "4XX"]],
  ])("of %i is described by %j, the narrowest first", (status, patterns) => {
    expect(patternsOf(status)).toEqual(patterns);
  });

  it("of a failure has the narrowest description", () => {
    const failure = (status: number | "4XX" | "default") => ({ status }) as Parameters<typeof findFailure>[0][number];
    const failures = [failure("default"), failure("4XX"), failure(404)];
    const statusesOf = (known: typeof failures) => [404, 400, 500].map((status) => findFailure(known, status)?.status);
    expect(statusesOf(failures)).toEqual([404, "4XX", "default"]);
    expect(statusesOf(failures.slice(1))).toEqual([404, "4XX", undefined]);
    expect(statusesOf([])).toEqual([undefined, undefined, undefined]);
  });
});
