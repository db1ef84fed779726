import { describe, expect, it } from "vitest";
import { limitsOfResponse } from "./response-limits.ts";

const mebibyte = 1_048_576;
const limits = (...methods: readonly string[]) =>
  limitsOfResponse(
    methods.map((method) => ({ method })),
    32 * mebibyte,
  );

describe("the limits of a response", () => {
  it("are those of what its method can return", () => {
    expect(limits("getblockhash")).toMatchObject({ bytes: 65_536, isPassedByCorrectNodes: false });
    expect(limits("getpeerinfo")).toMatchObject({ bytes: 4 * mebibyte, isPassedByCorrectNodes: false });
    expect(limits("eth_getLogs")).toMatchObject({ bytes: 32 * mebibyte, isPassedByCorrectNodes: true });
    expect(limits("nobodyKnowsIt")).toEqual(limits("getpeerinfo"));
  });

  it("of a batch are those of its calls together, within the limit of any response", () => {
    expect(limits("getblockhash", "getblockhash")).toMatchObject({ bytes: 131_072, isPassedByCorrectNodes: false });
    expect(limits("getblockhash", "eth_getLogs")).toMatchObject({ bytes: 32 * mebibyte, isPassedByCorrectNodes: true });
    const many = limits(...Array<string>(100).fill("getpeerinfo"));
    expect(many).toMatchObject({ bytes: 32 * mebibyte, isPassedByCorrectNodes: true });
  });

  it("have room for the largest results of correct nodes", () => {
    // 8,000,000 hex digits of a block; the values of 30,000 logs.
    expect(limits("getblock").bytes).toBeGreaterThan(8_000_100);
    expect(limits("eth_getLogs").values).toBeGreaterThan(30_000 * 14);
    // 1,000 peers of Bitcoin Core.
    expect(limits("getpeerinfo").values).toBeGreaterThan(1_000 * 75);
  });

  it.each(["eth_call", "eth_estimateGas", "debug_traceCall", "eth_simulateV1", "eth_createAccessList"])(
    "of %s may be passed by correct nodes, because the client's code gives its length, also that of its errors",
    (method) => {
      expect(limits(method)).toMatchObject({ bytes: 16 * mebibyte, isPassedByCorrectNodes: true });
    },
  );

  it.each([
    "getmempoolfeeratediagram",
    "decodepsbt",
    "getdescriptoractivity",
    "getorphantxs",
    "utxoupdatepsbt",
    "joinpsbts",
    "combinepsbt",
    "analyzepsbt",
    "combinerawtransaction",
    "converttopsbt",
    "finalizepsbt",
    "getprioritisedtransactions",
    "decoderawtransaction",
    "deriveaddresses",
    "scantxoutset",
    "searchrawtransactions",
  ])("of %s may be passed by correct nodes, because its result grows with what is asked", (method) => {
    expect(limits(method)).toMatchObject({ bytes: 32 * mebibyte, isPassedByCorrectNodes: true });
  });
});
