import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { describeUncertainty, methodKindOf } from "./method-kind.ts";

interface DescribedMethod {
  readonly name: string;
  /** Whether it changes nothing. */
  readonly "x-safe"?: boolean;
}

function readDocument(name: string): readonly DescribedMethod[] {
  const text = readFileSync(new URL(`../../../specs/${name}/openrpc.yaml`, import.meta.url), "utf8");
  return (parse(text) as { readonly methods: readonly DescribedMethod[] }).methods;
}

/** Methods that change nothing, but whose result belongs to each caller, or that are handled without a node. */
const safeButNotShared: ReadonlySet<string> = new Set([
  // They wait for something new.
  "getblocktemplate",
  "waitforblock",
  "waitforblockheight",
  "waitfornewblock",
  // Its inputs stand in another order each time.
  "joinpsbts",
  // It is started, watched and aborted by name.
  "scantxoutset",
  // No node has them.
  "rpc.discover",
  "verifytxoutput",
]);

describe("the kind of a method", () => {
  it.each(["bitcoin", "ethereum-node"])("reads where the document of %s calls it safe, and only there", (name) => {
    const methods = readDocument(name);
    expect(methods.length).toBeGreaterThan(20);
    // Bitcoin Core's peers are pinged anew each time, which a second ping does not spoil.
    const reading = methods.filter((method) => method["x-safe"] === true || method.name === "ping");
    const expected = reading.map((method) => method.name).filter((method) => !safeButNotShared.has(method));
    expect(methods.map((method) => method.name).filter((method) => methodKindOf(method) === "read")).toEqual(expected);
  });

  it.each(
    ["Hash", "Number"].flatMap((by) => [
      `eth_getBlockBy${by}`,
      `eth_getHeaderBy${by}`,
      `eth_getBlockTransactionCountBy${by}`,
      `eth_getUncleCountByBlock${by}`,
      `eth_getBlockAccessListByBlock${by}`,
      `eth_getTransactionByBlock${by}AndIndex`,
      `eth_getRawTransactionByBlock${by}AndIndex`,
      `eth_getUncleByBlock${by}AndIndex`,
      `debug_traceBlockBy${by}`,
      `debug_getModifiedAccountsBy${by}`,
    ]),
  )("%s reads, however the block is named", (method) => expect(methodKindOf(method)).toBe("read"));

  // Methods beyond the documents: as the programs document them.
  it.each([
    ["Bitcoin Core", "", "createpsbt estimaterawfee listbanned signmessagewithprivkey signrawtransactionwithkey"],
    [
      "all execution clients",
      "eth_",
      "accounts baseFee blobBaseFee capabilities coinbase config createAccessList getAccount getAccountInfo getBlockAccessList getProof getStorageValues hashrate mining pendingTransactions protocolVersion simulateV1 syncing",
    ],
    ["all execution clients", "net_", "listening peerCount version"],
    ["all execution clients", "web3_", "clientVersion sha3"],
    ["geth", "admin_", "nodeInfo peers"],
    [
      "geth",
      "debug_",
      "accountRange getAccessibleState getBadBlocks getRawBlock getRawBlockAccessList getRawHeader getRawReceipts getRawTransaction storageRangeAt traceBlock traceCall traceTransaction",
    ],
    ["geth", "txpool_", "content contentFrom inspect status"],
    ["geth", "rpc_", "modules"],
    ["Erigon", "eth_", "callMany getTransactionBySenderAndNonce getTransactionReceiptsByBlock"],
    ["Erigon", "debug_", "traceCallMany"],
    [
      "Erigon",
      "trace_",
      "block call callMany filter get rawTransaction replayBlockTransactions replayTransaction transaction",
    ],
    ["Nethermind", "parity_", "pendingTransactions"],
    ["Besu", "txpool_", "besuPendingTransactions besuStatistics besuTransactions"],
    ["anvil", "anvil_", "metadata nodeInfo"],
  ])("reads where %s only tells something: %s", (_program, prefix, names) => {
    const methods = names.split(" ").map((name) => `${prefix}${name}`);
    expect(methods.filter((method) => methodKindOf(method) !== "read")).toEqual([]);
  });

  it.each(["getblockcount", "getrawtransaction", "testmempoolaccept", "estimatesmartfee", "help", "eth_call"])(
    "%s reads",
    (method) => expect(methodKindOf(method)).toBe("read"),
  );

  it.each([
    ["sendrawtransaction", "txid", "getmempoolentry or getrawtransaction"],
    ["submitpackage", "txid", "getmempoolentry or getrawtransaction"],
    ["submitblock", "hash", "getblockheader"],
    ["submitheader", "hash", "getblockheader"],
    ["eth_sendRawTransaction", "hash", "eth_getTransactionByHash"],
    ["eth_sendRawTransactionSync", "hash", "eth_getTransactionByHash"],
  ])("%s hands in what is known by its %s", (method, name, where) => {
    expect(methodKindOf(method)).toBe("hand-in");
    expect(describeUncertainty(method)).toBe(
      `${method} may or may not have reached it: look for its ${name} with ${where} before sending it again`,
    );
  });

  it.each([
    "generate",
    "generatetoaddress",
    "invalidateblock",
    "stop",
    "setban",
    "scantxoutset",
    // By their names they only read.
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
