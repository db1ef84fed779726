import { describe, expect, it } from "vitest";
import { patienceOf } from "./patience.ts";

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
    ["gettxoutsetinfo", undefined, undefined],
  ])("of %s, which mostly takes %s ms, is %s ms", (method, slow, milliseconds) => {
    expect(patienceOf(method, slow)).toBe(milliseconds);
  });
});
