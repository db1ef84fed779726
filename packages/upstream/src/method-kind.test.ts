import { describe, expect, it } from "vitest";
import { describeUncertainty, methodKindOf } from "./method-kind.ts";

describe("the kind of a method", () => {
  it.each(["getblockcount", "getrawtransaction", "testmempoolaccept", "estimatesmartfee", "help", "eth_call"])(
    "%s reads",
    (method) => expect(methodKindOf(method)).toBe("read"),
  );

  it.each(["sendrawtransaction", "submitblock", "submitpackage", "eth_sendRawTransaction"])("%s hands in", (method) => {
    expect(methodKindOf(method)).toBe("hand-in");
    expect(describeUncertainty(method)).toMatch(/ reached it: look for its (?:txid|hash) with \w+/);
  });

  it.each([
    "generate",
    "generatetoaddress",
    "invalidateblock",
    "stop",
    "setban",
    "scantxoutset",
    // By their names they read.
    "getblocktemplate",
    "getnewaddress",
    "getwork",
    "eth_getFilterChanges",
    "debug_setHead",
    // Names of methods are case-sensitive.
    "GetBlockCount",
    "constructor",
    "",
  ])("%s acts", (method) => {
    expect(methodKindOf(method)).toBe("act");
    expect(describeUncertainty(method)).toBe(`${method} may or may not have reached it`);
  });
});
