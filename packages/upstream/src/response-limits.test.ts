import { describe, expect, it } from "vitest";
import { limitsOfResponse } from "./response-limits.ts";

const mebibyte = 1_048_576;
const limits = (...methods: readonly string[]) =>
  limitsOfResponse(
    methods.map((method) => ({ method })),
    0,
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

  it("have space for the largest results of correct nodes", () => {
    // 8,000,000 hex digits of a block; the values of 30,000 logs.
    expect(limits("getblock").bytes).toBeGreaterThan(8_000_100);
    expect(limits("eth_getLogs").values).toBeGreaterThan(30_000 * 14);
    // 1,000 peers of Bitcoin Core.
    expect(limits("getpeerinfo").values).toBeGreaterThan(1_000 * 75);
  });

  it.each([
    // Hashes, heights and other numbers.
    "estimatefee getbestblock getbestblockhash getblockcount getblockhash getconnectioncount getdifficulty",
    "gethashespersec getnetworkhashps sendrawtransaction submitblock submitheader uptime",
    "eth_blobBaseFee eth_blockNumber eth_chainId eth_gasPrice eth_getBalance eth_getBlockTransactionCountByHash",
    "eth_getBlockTransactionCountByNumber eth_getStorageAt eth_getTransactionCount eth_maxPriorityFeePerGas",
    "eth_protocolVersion eth_sendRawTransaction net_version web3_clientVersion",
    // Objects that have the same members always, or nothing.
    "estimatesmartfee getblockchaininfo getblockheader getcurrentnet getgenerate getinfo getmempoolinfo getmininginfo",
    "getnettotals getnetworkinfo ping version eth_syncing txpool_status",
  ])("of what is never long are short: %s", (methods) => {
    for (const method of methods.split(" ")) expect(limits(method), method).toEqual(limits("getblockhash"));
  });

  it.each([
    "getblocktemplate",
    "getnodeaddresses",
    "gettxout",
    "eth_getProof",
    "eth_getRawTransactionByHash",
    "eth_getTransactionByBlockHashAndIndex",
    "eth_getTransactionByBlockNumberAndIndex",
    "eth_getTransactionByHash",
    "eth_getTransactionReceipt",
  ])("of %s are those of one transaction, or of as much as a block has", (method) => {
    expect(limits(method)).toMatchObject({ bytes: 16 * mebibyte, isPassedByCorrectNodes: false });
  });

  it("of values are one for 32 bytes, and of nesting 128 levels", () => {
    expect(limits("getblockhash")).toMatchObject({ values: 2_048, depth: 128 });
    expect(limits("getblockhash", "getpeerinfo")).toMatchObject({ values: 2_048 + 131_072, depth: 128 });
    expect(limitsOfResponse([{ method: "getblockhash" }], 0, 65_535)).toEqual({
      bytes: 65_535,
      values: 2_048,
      depth: 128,
      isPassedByCorrectNodes: true,
    });
    // At exactly this length, it is still the limit of the method.
    expect(limitsOfResponse([{ method: "getblockhash" }], 0, 65_536).isPassedByCorrectNodes).toBe(false);
  });

  it.each(["eth_call", "eth_callMany", "eth_estimateGas", "eth_simulateV1", "eth_createAccessList"])(
    "of %s may be passed by correct nodes, because the client's code gives its length, also that of its errors",
    (method) => {
      expect(limits(method)).toMatchObject({ bytes: 16 * mebibyte, isPassedByCorrectNodes: true });
    },
  );

  it.each([
    "getmempoolfeeratediagram",
    "getdescriptoractivity",
    "getprioritisedtransactions",
    "deriveaddresses",
    "scantxoutset",
    "getrawaddrman",
    "getrawmempool",
    "gettxspendingprevout",
    "scanblocks",
    "eth_feeHistory",
    "debug_getRawBlock",
    "debug_getRawReceipts",
    "eth_getBlockByHash",
    "eth_getBlockByNumber",
    "eth_getBlockReceipts",
    "eth_getLogs",
    "txpool_content",
  ])("of %s may be passed by correct nodes, because its result grows with what is asked", (method) => {
    expect(limits(method)).toMatchObject({ bytes: 32 * mebibyte, isPassedByCorrectNodes: true });
  });

  it.each(
    [
      "analyzepsbt combinepsbt combinerawtransaction converttopsbt decodepsbt decoderawtransaction descriptorprocesspsbt",
      "finalizepsbt getblock getorphantxs getrawtransaction joinpsbts searchrawtransactions utxoupdatepsbt",
      "debug_traceBlock debug_traceBlockByHash debug_traceBlockByNumber debug_traceCall debug_traceCallMany",
      "debug_traceTransaction trace_block trace_call trace_callMany trace_filter",
    ].flatMap((methods) => methods.split(" ")),
  )("of %s may be passed in depth and density, too, because others write what it contains", (method) => {
    expect(limits(method)).toMatchObject({
      bytes: 32 * mebibyte,
      isPassedByCorrectNodes: true,
      isShapedByClients: true,
    });
  });

  it("leave space for an error that repeats what was sent, of any method", () => {
    const sent = 100_000;
    for (const method of ["sendrawtransaction", "submitblock", "testmempoolaccept", "submitpackage", "nobodyKnowsIt"]) {
      const { bytes, values } = limitsOfResponse([{ method }], sent, 32 * mebibyte);
      expect(bytes - limits(method).bytes).toBe(8 * sent);
      expect(values).toBe(Math.ceil(bytes / 32));
    }
    expect(limitsOfResponse([{ method: "submitblock" }], 8 * mebibyte, 32 * mebibyte)).toMatchObject({
      bytes: 32 * mebibyte,
      isPassedByCorrectNodes: true,
    });
  });
});
