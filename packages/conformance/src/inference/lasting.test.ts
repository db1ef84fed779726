import { describe, expect, it } from "vitest";
import { isNamedByHash, isNamedByHeight, isNamedDaily } from "./lasting.ts";

const hash = "ab".repeat(32);

describe("what stays as it is", () => {
  it.each([
    ["getblock", { blockhash: hash }, true],
    ["/tx/{txid}", { txid: hash }, true],
    ["/tx/{txid}/status", { txid: hash }, false],
    ["/blobs/{digest}", { digest: "ab".repeat(16) }, true],
    ["/payments/{transactionId}", { transactionId: "17" }, false],
    ["/orders/{id}", { id: hash }, false],
    ["eth_getBalance", { address: `0x${"ab".repeat(20)}`, block: hash }, false],
    ["eth_call", { blockHash: hash, block: "latest" }, false],
  ])("%s with %j by a hash: %s", (name, input, expected) => {
    expect(isNamedByHash(name, input)).toBe(expected);
  });

  it("is below a height, but for what is counted or spent", () => {
    expect(isNamedByHeight("getblockhash", { height: 17 })).toBe(true);
    expect(isNamedByHeight("eth_getBlockByNumber", { blockNumber: "0x11" })).toBe(true);
    expect(isNamedByHeight("getbalance", { height: 17 })).toBe(false);
  });

  it("is nothing of the day", () => {
    expect(isNamedDaily("eth_gasPrice")).toBe(true);
    expect(isNamedDaily("getblock")).toBe(false);
  });
});
