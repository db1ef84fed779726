import { describe, expect, it } from "vitest";
import { hedgeDelayOf } from "./hedge-delay.ts";

describe("the time that a silent node has before another one is called as well", () => {
  it.each([
    ["getnetworkinfo", undefined, 1_000],
    ["getnetworkinfo", 20, 1_000],
    ["eth_getLogs", undefined, 5_000],
    ["getdescriptoractivity", undefined, 5_000],
    ["debug_traceCall", 100, 5_000],
    // All nodes are slow.
    ["getnetworkinfo", 800, 2_400],
    ["eth_call", 4_000, 12_000],
    ["getnetworkinfo", 333, 1_000],
    ["getnetworkinfo", 334, 1_002],
    ["eth_getLogs", 1_666, 5_000],
    ["eth_getLogs", 1_667, 5_001],
    ["gettxoutsetinfo", undefined, undefined],
    ["verifychain", 100, undefined],
    // Blocks of any size, and the work of a client's code.
    ["getblock", 20, 5_000],
    ["getblockstats", 20, 5_000],
    ["getblocktemplate", 20, 5_000],
    ["getrawmempool", 20, 5_000],
    ["eth_call", 20, 5_000],
    ["eth_callMany", 20, 5_000],
    ["eth_createAccessList", 20, 5_000],
    ["eth_estimateGas", 20, 5_000],
    ["eth_getBlockReceipts", 20, 5_000],
    ["eth_getProof", 20, 5_000],
    ["eth_simulateV1", 20, 5_000],
    ["txpool_content", 20, 5_000],
    ["trace_filter", 20, 5_000],
    // By their names they only look like these.
    ["eth_trace_x", 20, 1_000],
    ["debug", 20, 1_000],
  ])("of %s, which mostly takes %s ms, is %s ms", (method, slow, milliseconds) => {
    expect(hedgeDelayOf(method, slow)).toBe(milliseconds);
  });
});
