import { describe, expect, test } from "vitest";
import { readBaseUrl } from "./base-url.ts";

describe("a base URL", () => {
  test.each([
    ["https://eth-mainnet.g.example.com/v2/Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z", ["Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z"]],
    ["https://rpc.example.com/0123456789abcdef0123456789abcdef/", ["0123456789abcdef0123456789abcdef"]],
    ["https://node.example.com/4f1c2b3a-9d8e-4f7a-8b6c-5d4e3f2a1b0c/mainnet", ["4f1c2b3a-9d8e-4f7a-8b6c-5d4e3f2a1b0c"]],
    ["https://example.com/api?apikey=short1&chain=mainnet", ["short1"]],
    ["https://example.com/bitcoin/mainnet/v1/json-rpc", []],
    ["https://example.com/some-rather-long-but-readable-path", []],
    ["https://example.com/index?x-token=abc", ["abc"]],
  ])("%s holds the secrets %j", (url, secrets) => {
    expect(readBaseUrl(url)?.secrets.map(({ value }) => value)).toEqual(secrets);
  });

  test("may hold user and password, which do not stay in it", () => {
    expect(readBaseUrl("http://me:p%40ss@127.0.0.1:8332/wallet/")).toMatchObject({
      address: "http://127.0.0.1:8332/wallet/",
      basic: { user: "me", password: "p@ss" },
    });
  });

  test.each(["", "127.0.0.1:8332", "ftp://example.com", "//example.com"])("is not %j", (text) => {
    expect(readBaseUrl(text)).toBeUndefined();
  });
});
