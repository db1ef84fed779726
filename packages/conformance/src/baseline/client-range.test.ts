import { describe, expect, it } from "vitest";
import { isClientRange, isInClientRange } from "./client-range.ts";

describe("isInClientRange", () => {
  it.each([
    ["btcd 0.26.0", "btcd", true],
    ["btcd 0.26.0", "btcd 0.26", true],
    ["btcd 0.26.0", "btcd 0.2", false],
    ["btcd 0.26.0", "btcd >=0.24 <0.27", true],
    ["btcd 0.27.0", "btcd >=0.24 <0.27", false],
    ["Geth/v1.17.8-stable-abc/linux-amd64/go1.24", "geth >=1.17", true],
    ["Geth/v1.9.0/linux", "geth >=1.17", false],
    ["/Satoshi:28.0.0/", "satoshi >27 <=28", true],
    ["anvil/v1.0.0", "geth", false],
    ["btcd", "btcd >=0.24", undefined],
    ["btcd", "btcd", true],
  ])("holds %s against %s: %s", (client, range, expected) => {
    expect(isInClientRange(client, range)).toBe(expected);
  });
});

describe("isClientRange", () => {
  it.each([["btcd"], ["btcd 0.26"], ["btcd =v0.26.1"], ["geth >=1 <2"]])("takes %s", (text) => {
    expect(isClientRange(text)).toBe(true);
  });

  it.each([[""], [">=1"], ["btcd >= 1"], ["btcd ~1"], ["btcd 1.x"]])("refuses %s", (text) => {
    expect(isClientRange(text)).toBe(false);
  });
});
