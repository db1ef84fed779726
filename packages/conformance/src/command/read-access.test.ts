import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Access, type Environment, readAccess } from "./read-access.ts";
import { readGiven } from "../testing/read-given.ts";

const directory = mkdtempSync(join(tmpdir(), "nodewright-access-"));
const keyFile = join(directory, "key");
writeFileSync(keyFile, "from-a-file\n");
afterAll(() => rmSync(directory, { recursive: true }));

function read(url: string, words: readonly string[] = [], environment: Environment = {}): Access {
  return readAccess(readGiven(words, "nodewright conform", url), environment);
}

describe("the access to a target", () => {
  it("takes the key from the words, a file or the environment", () => {
    expect(read("http://x", ["--key", "abcdef"]).options.apiKey).toBe("abcdef");
    expect(read("http://x", ["--key-file", keyFile]).options.apiKey).toBe("from-a-file");
    expect(read("http://x", [], { NODEWRIGHT_API_KEY: "from-env" }).options.apiKey).toBe("from-env");
    expect(read("http://x").options.apiKey).toBeUndefined();
  });

  it("puts the key where the URL has a hole for it, and sends it nowhere else", () => {
    const { options, secrets } = read("http://x/v3/{key}/rpc", ["--key", "a/b c".replace(" ", "")]);
    expect(options).toEqual({ baseUrl: "http://x/v3/a%2Fbc/rpc" });
    expect(secrets).toContainEqual({ value: "a/bc", placeholder: "$API_KEY" });
    expect(read("http://x/v3/$API_KEY", ["--key", "abc"]).options.baseUrl).toBe("http://x/v3/abc");
  });

  it("reads headers, and their values from the environment", () => {
    const { options } = read("http://x", ["--header", "X-Token: $TOKEN", "--header", "X-Tier: free"], {
      TOKEN: "t0ken",
    });
    expect(options.headers).toEqual({ "x-token": "t0ken", "x-tier": "free" });
  });

  it("reads basic credentials from both places", () => {
    expect(read("http://x", ["--basic", "me:se:cret"]).options.basic).toEqual({ user: "me", password: "se:cret" });
    expect(read("http://x", [], { NODEWRIGHT_BASIC: "me:pw" }).options.basic).toEqual({ user: "me", password: "pw" });
  });

  it.each<readonly [string, string, readonly string[], string]>([
    ["no address", "localhost:8332", [], "Did you mean http://localhost:8332?"],
    ["another scheme", "ftp://x", [], "is not a target's URL"],
    ["a fragment", "http://x/#a", [], "fragment"],
    ["a hole without a key", "http://x/{key}", [], "The URL contains {key}, and no key"],
    ["a part that a report left out", "http://x/$URL_KEY", [], "give the complete URL"],
    ["a key that no header can hold", "http://x", ["--key", "a b"], "white space"],
    ["a key's file that is not there", "http://x", ["--key-file", "/no/such"], "can't be read"],
    ["a header without a name", "http://x", ["--header", "token"], "--header needs a name"],
    ["a header's variable that is not set", "http://x", ["--header", "X: $NOPE"], "$NOPE, which is not set"],
    ["a header with a line feed", "http://x", ["--header", "X: a\nY: b"], "--header needs a name"],
    ["a password without a user", "http://x", ["--basic", ":x"], "USER:PASSWORD"],
    ["two users", "http://a:b@x", ["--basic", "c:d"], "leave one of them out"],
    ["an invalid second target", "http://x", ["--against", "y"], "is not a target's URL"],
  ])("is refused with %s", (_, url, words, message) => {
    expect(() => read(url, words)).toThrow(message);
  });

  it("does not say a password back", () => {
    expect(() => read("htp://me:hunter2@x/?key=hunter2")).toThrow(/^(?!.*hunter2)/s);
  });
});
