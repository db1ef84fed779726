import { describe, expect, it } from "vitest";
import { findBlockNeed, indicatesMissingBlock } from "./block-need.ts";
import { UpstreamFailure } from "./upstream-failure.ts";
import { UpstreamRpcError } from "./upstream-rpc-error.ts";

const hash = `0x${"ab".repeat(32)}`;

describe("the block that a call needs", () => {
  it.each<[method: string, params: readonly unknown[], need: unknown]>([
    ["eth_getBlockByHash", [hash, true], { hash }],
    ["eth_getBlockByNumber", ["0x10", false], { height: 16 }],
    ["eth_getBlockByNumber", ["latest", false], "latest"],
    ["eth_getBlockByNumber", ["finalized", false], undefined],
    ["eth_getBlockReceipts", [{ blockHash: hash }], { hash }],
    ["eth_getBalance", ["0x00", { blockHash: hash, requireCanonical: true }], { hash }],
    ["eth_getBalance", ["0x00", { blockNumber: "0x2" }], { height: 2 }],
    ["eth_getBalance", ["0x00"], "latest"],
    ["eth_getStorageAt", ["0x00", hash, "0x3"], { height: 3 }],
    ["eth_getProof", ["0x00", [hash], { blockHash: hash }], { hash }],
    ["eth_getStorageValues", [{ "0x00": [hash] }, { blockHash: hash }], { hash }],
    ["eth_call", [{ to: "0x00" }, "pending"], "latest"],
    ["eth_getLogs", [{ blockHash: hash, topics: [hash] }], { hash }],
    ["eth_getLogs", [{ fromBlock: "0x1", toBlock: "0x9" }], { height: 9 }],
    ["eth_getLogs", [{ fromBlock: "0x1" }], "latest"],
    ["eth_getTransactionByHash", [hash], undefined],
    ["eth_gasPrice", [], undefined],
    ["getblockhash", [7], undefined],
  ])("%s %j", (method, params, need) => {
    expect(findBlockNeed({ method, params })).toEqual(need);
  });

  const byHashAndNumber = ["Hash", "Number"].flatMap((by) => [
    `eth_getBlockBy${by}`,
    `eth_getHeaderBy${by}`,
    `eth_getBlockTransactionCountBy${by}`,
    `eth_getUncleCountByBlock${by}`,
    `eth_getTransactionByBlock${by}AndIndex`,
    `eth_getUncleByBlock${by}AndIndex`,
    `eth_getBlockAccessListByBlock${by}`,
    `debug_traceBlockBy${by}`,
  ]);

  it.each([
    ...byHashAndNumber,
    "debug_getRawBlock",
    "debug_getRawHeader",
    "debug_getRawReceipts",
    "eth_getBlockAccessList",
    "eth_getBlockReceipts",
  ])("%s is its first parameter", (method) => {
    expect(findBlockNeed({ method, params: ["0x3", "0x4", "0x5"] })).toEqual({ height: 3 });
  });

  it.each([
    "debug_traceCall",
    "eth_call",
    "eth_createAccessList",
    "eth_estimateGas",
    "eth_feeHistory",
    "eth_getAccount",
    "eth_getAccountInfo",
    "eth_getBalance",
    "eth_getCode",
    "eth_getStorageValues",
    "eth_getTransactionCount",
    "eth_simulateV1",
  ])("%s is its second parameter", (method) => {
    expect(findBlockNeed({ method, params: ["0x3", "0x4", "0x5"] })).toEqual({ height: 4 });
  });

  it.each(["eth_getProof", "eth_getStorageAt"])("%s is its third parameter", (method) => {
    expect(findBlockNeed({ method, params: ["0x3", "0x4", "0x5"] })).toEqual({ height: 5 });
  });

  it.each<[reference: unknown, need: unknown]>([
    [undefined, "latest"],
    [null, "latest"],
    ["latest", "latest"],
    ["pending", "latest"],
    ["safe", undefined],
    ["earliest", undefined],
    ["16", undefined],
    ["", undefined],
    [17, undefined],
    [true, undefined],
    ["0x0", { height: 0 }],
    [hash, { hash }],
    [{ blockHash: hash, blockNumber: "0x1" }, { hash }],
    [{ blockNumber: "0x1" }, { height: 1 }],
    [{}, "latest"],
  ])("is named by %j: %j", (reference, need) => {
    expect(findBlockNeed({ method: "eth_getBlockByNumber", params: [reference] })).toEqual(need);
    expect(findBlockNeed({ method: "eth_getLogs", params: [{ toBlock: reference }] })).toEqual(need);
  });

  it("is the latest for its number", () => {
    expect(findBlockNeed({ method: "eth_blockNumber", params: [] })).toBe("latest");
    expect(findBlockNeed({ method: "eth_getLogs", params: ["latest"] })).toBeUndefined();
  });

  it("is none that can be read where parameters are given by name or are nonsense", () => {
    expect(findBlockNeed({ method: "eth_getBlockByHash", params: { hash } })).toBeUndefined();
    expect(findBlockNeed({ method: "eth_getBlockByHash", params: [17] })).toBeUndefined();
    expect(findBlockNeed({ method: "eth_getLogs", params: [null] })).toBeUndefined();
  });
});

describe("a response that says that the node lacks a block", () => {
  const refusal = (code: number, message: string) =>
    ({ ok: false, error: new UpstreamRpcError(code, message) }) as const;
  const call = { method: "eth_call", params: [{}, { blockHash: hash }] };

  it.each([
    ["geth", -32_000, "header not found"],
    ["geth", -32_000, "header for hash not found"],
    ["geth", -32_000, "unknown block"],
    ["geth", -32_000, "missing trie node 0a0b (path ) state 0x00 is not available, not found"],
    ["geth", -32_000, "historical state 0xab is not available"],
    ["geth", 4_444, "pruned history unavailable"],
    ["Besu", -32_000, "Unknown block"],
    ["Besu", -32_000, "World state unavailable"],
    ["Besu", -39_001, "Unknown block"],
    ["Nethermind", -32_001, "Block 0xab could not be found"],
    ["Nethermind", -32_001, "header not found"],
    ["Erigon", -32_000, "block not found: 12"],
    ["Reth", -32_001, "block not found: hash 0xab"],
    ["anvil", -32_602, "BlockOutOfRangeError: block height is 1 but requested was 2"],
    ["geth", -32_000, "block receipts not found"],
    ["geth", -32_000, "resource not available"],
    ["geth", -32_000, "unknown header"],
    ["geth", -32_000, "state 0x00 is unavailable"],
    ["any", -32_601, "the method debug_traceCall does not exist"],
  ])("by the text of %s: %i %s", (_name, code, message) => {
    expect(indicatesMissingBlock(call, refusal(code, message), 0)).toBe(true);
  });

  it.each([
    [3, "execution reverted: block not found"],
    [-32_000, "execution reverted: unknown block"],
    [-32_000, "insufficient funds for gas * price + value"],
    [-32_000, "contract not found"],
    [-32_000, "subunknown block"],
    [-32_000, "estate not found"],
    [-32_000, "blocks not found"],
    [-32_602, "invalid argument 0: hex string has odd length"],
  ])("is no refusal of the call itself: %i %s", (code, message) => {
    expect(indicatesMissingBlock(call, refusal(code, message), 0)).toBe(false);
  });

  it("is null for a hash, and for a height that another node has, and nothing else", () => {
    const none = { ok: true, result: null } as const;
    const asked = (method: string, ...params: readonly unknown[]) =>
      indicatesMissingBlock({ method, params }, none, 20);
    expect(asked("eth_getBlockByHash", hash, false)).toBe(true);
    expect([asked("eth_getBlockByNumber", "0x14", false), asked("eth_getBlockByNumber", "0x15", false)]).toEqual([
      true,
      false,
    ]);
    expect(asked("eth_getTransactionReceipt", hash)).toBe(true);
    expect(asked("eth_getTransactionByHash", hash)).toBe(true);
    expect(asked("eth_getBlockByNumber", "latest", false)).toBe(true);
    expect([asked("eth_getBlockByNumber", "finalized", false), asked("eth_syncing")]).toEqual([false, false]);
    expect(indicatesMissingBlock({ method: "eth_getBlockByHash", params: [hash] }, { ok: true, result: {} }, 20)).toBe(
      false,
    );
  });

  it("is never looked for in the response to what acts", () => {
    const sent = { method: "eth_sendRawTransaction", params: ["0x00"] };
    expect(indicatesMissingBlock(sent, refusal(-32_000, "header not found"), 0)).toBe(false);
  });

  it("is not indicated without a response", () => {
    const error = new UpstreamFailure("header not found", { kind: "broken", mayHaveArrived: true });
    expect(indicatesMissingBlock(call, { ok: false, error }, 0)).toBe(false);
  });
});
