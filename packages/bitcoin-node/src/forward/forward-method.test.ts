import { toHex } from "@nodewright/bitcoin-primitives";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BitcoinNodeContext } from "../context/context.ts";
import { handlers } from "../handlers/index.ts";
import { submitpackage } from "../handlers/submitpackage.ts";
import { createScriptedNode, likeBtcd, likeCore, refused, type ScriptedResponse } from "../testing/scripted-node.ts";
import { type IndexedChain, indexChain, openScript, spend } from "../testing/test-chain.ts";

let chain: IndexedChain;
let parent: string;
let child: string;
let wtxid: string;
let txid: string;
let burning: string;

const displayed = (bytes: Uint8Array): string => toHex(bytes.toReversed());

beforeAll(async () => {
  chain = await indexChain(1);
  const coin = chain.tip.coins[0] ?? expect.unreachable();
  const first = spend([coin], [{ value: 1_000n, scriptPubKey: openScript }]);
  const second = spend([{ outpoint: { txid: first.txid, vout: 0 } }], [{ value: 900n, scriptPubKey: openScript }]);
  [parent, child] = [toHex(first.bytes), toHex(second.bytes)];
  [txid, wtxid] = [displayed(second.txid), displayed(second.wtxid)];
  burning = toHex(spend([coin], [{ value: 7n, scriptPubKey: Uint8Array.of(0x6a) }]).bytes);
});

afterAll(() => chain.close());

type AnyHandler = (input: unknown, context: BitcoinNodeContext) => unknown;

async function call(method: string, input: unknown, responses: Readonly<Record<string, ScriptedResponse>>) {
  const node = createScriptedNode(responses);
  const handler = (handlers as Readonly<Record<string, AnyHandler | undefined>>)[method] ?? expect.unreachable(method);
  const outcome = await handler(input, chain.context({ upstream: node.upstream }));
  return { outcome, asked: node.calls.filter((made) => made.method === method).map(({ params }) => params) };
}

const hash = "ab".repeat(32);
const activity = { type: "receive", amount: 1e-8, txid: hash, vout: 0, output_spk: { hex: "51" } };

/** Input, the call to the node for it, its result, and the result for clients where that differs. */
const cases: Readonly<Record<string, readonly [unknown, readonly unknown[], unknown, unknown?]>> = {
  getdescriptoractivity: [
    { blockhashes: [hash], scanobjects: ["raw(51)"], includeMempool: false },
    [[hash], ["raw(51)"], false],
    { activity: [activity] },
    { activity: [{ ...activity, amount: 1n }] },
  ],
  getprioritisedtransactions: [{}, [], { [hash]: { fee_delta: -5, in_mempool: false } }],
  getorphantxs: [{ verbosity: 1 }, [1], [{ txid: hash, wtxid: hash, bytes: 1, vsize: 1, weight: 4, from: [3] }]],
  getmempoolcluster: [
    { txid: hash },
    [hash],
    { clusterweight: 4, txcount: 1, chunks: [{ chunkfee: 0.00001, chunkweight: 4, txs: [hash] }] },
    { clusterweight: 4, txcount: 1, chunks: [{ chunkfee: 1_000n, chunkweight: 4, txs: [hash] }] },
  ],
  getmempoolfeeratediagram: [{}, [], [{ weight: 4, fee: 0.5 }], [{ weight: 4, fee: 50_000_000n }]],
  getchainstates: [{}, [], { headers: 1, chainstates: [{ blocks: 1, bestblockhash: hash, validated: true }] }],
  getaddrmaninfo: [{}, [], { all_networks: { new: 1, tried: 2, total: 3 } }],
  combinerawtransaction: [{ txs: ["00", "01"] }, [["00", "01"]], "0001"],
  decodepsbt: [
    { psbt: "cHNidP8=" },
    ["cHNidP8="],
    { inputs: [{}], outputs: [], fee: 0.1, later: true },
    { inputs: [{}], outputs: [], fee: 10_000_000n, later: true },
  ],
  analyzepsbt: [
    { psbt: "cHNidP8=" },
    ["cHNidP8="],
    { next: "signer", fee: 0.1, estimated_feerate: 1e-5 },
    { next: "signer", fee: 10_000_000n, estimated_feerate: 1_000n },
  ],
  combinepsbt: [{ txs: ["a", "b"] }, [["a", "b"]], "c"],
  joinpsbts: [{ txs: ["a", "b"] }, [["a", "b"]], "c"],
  finalizepsbt: [{ psbt: "a", extract: false }, ["a", false], { psbt: "a", complete: false }],
  converttopsbt: [{ hexstring: "00", iswitness: true }, ["00", null, true], "a"],
  utxoupdatepsbt: [{ psbt: "a" }, ["a"], "b"],
};

describe.each(Object.keys(cases))("%s", (method) => {
  const [input, params, response, result = response] = cases[method] ?? expect.unreachable();

  it("is sent to the node once, and its result is given with amounts in satoshi", async () => {
    const { outcome, asked } = await call(method, input, { ...likeCore, [method]: response });
    expect(asked).toEqual([params]);
    expect(outcome).toEqual(result);
  });

  it("gives no result that the document does not allow", async () => {
    await expect(call(method, input, { ...likeCore, [method]: 7 })).rejects.toMatchObject({
      code: "upstream_unavailable",
      message: `The node's response to ${method} can't be read`,
    });
  });

  it("passes the node's refusal on", async () => {
    await expect(
      call(method, input, { ...likeCore, [method]: refused(-8, "No such thing in /home/node/x") }),
    ).rejects.toMatchObject({ rpcCode: -8, message: "No such thing in (path)" });
  });

  it.each([
    ["has no such method", refused(-32601, "Method not found")],
    ["knows it as a wallet's", refused(-1, "This implementation does not implement wallet commands")],
  ])("is not offered by a btcd that %s", async (_what, error) => {
    await expect(call(method, input, { ...likeBtcd, [method]: error })).rejects.toMatchObject({
      rpcCode: -32601,
      details: { reason: "not-implemented", method },
    });
  });
});

describe("submitpackage", () => {
  const taken = () => ({
    package_msg: "success",
    "tx-results": {
      [wtxid]: { txid, vsize: 61, fees: { base: 1e-6, "effective-feerate": 1e-5, "effective-includes": [wtxid] } },
    },
    "replaced-transactions": [],
  });

  it("sends the transactions once, with the limits that are named, and gives fees in satoshi", async () => {
    const responses = { ...likeCore, submitpackage: taken() };
    const { outcome, asked } = await call("submitpackage", { package: [parent, child.toUpperCase()] }, responses);
    expect(asked).toEqual([[[parent, child]]]);
    expect(outcome).toMatchObject({
      "tx-results": { [wtxid]: { fees: { base: 100n, "effective-feerate": 1_000n, "effective-includes": [wtxid] } } },
    });
    const limited = { package: [child], maxfeerate: "0.5", maxburnamount: 3n };
    expect((await call("submitpackage", limited, responses)).asked).toEqual([[[child], "0.50000000", "0.00000003"]]);
    const burnt = { package: [child], maxburnamount: 3n };
    expect((await call("submitpackage", burnt, responses)).asked).toEqual([[[child], null, "0.00000003"]]);
  });

  it.each([
    ["an empty package", () => ({ package: [] }), -8, "Array must contain between 1 and 25 transactions."],
    [
      "26 transactions",
      () => ({ package: Array.from({ length: 26 }, () => child) }),
      -8,
      "Array must contain between 1 and 25 transactions.",
    ],
    [
      "bytes that are no transaction",
      () => ({ package: [child, "00"] }),
      -22,
      "TX decode failed: 00 Make sure the tx has at least one input.",
    ],
    [
      "more than may be burnt",
      () => ({ package: [burning], maxburnamount: 6n }),
      -25,
      "Unspendable output exceeds maximum configured by user (maxburnamount)",
    ],
    [
      "a fee rate of 1",
      () => ({ package: [child], maxfeerate: "1" }),
      -8,
      "Fee rates larger than or equal to 1BTC/kvB are not accepted",
    ],
  ])("refuses %s without asking the node", async (_what, input, rpcCode, message) => {
    const node = createScriptedNode({ ...likeCore, submitpackage: taken() });
    const work = async () => await submitpackage(input(), chain.context({ upstream: node.upstream }));
    await expect(work).rejects.toMatchObject({ rpcCode, message });
    expect(node.calls).toEqual([]);
  });

  it("takes as much to be burnt as is allowed", async () => {
    const responses = { ...likeCore, submitpackage: taken() };
    expect((await call("submitpackage", { package: [burning], maxburnamount: 7n }, responses)).asked).toHaveLength(1);
  });

  it("waits until the last transaction is shown here, if it was taken", async () => {
    const looked: string[] = [];
    const has = async (id: string) => {
      looked.push(id);
      return looked.length > 2;
    };
    const mempool = { has } as unknown as BitcoinNodeContext["mempool"];
    const node = createScriptedNode({ ...likeCore, submitpackage: taken() });
    await submitpackage({ package: [parent, child] }, chain.context({ upstream: node.upstream, mempool }));
    expect(looked).toEqual([txid, txid, txid]);
    const refusedOutcome = {
      package_msg: "transaction failed",
      "tx-results": { [wtxid]: { txid, error: "min relay" } },
    };
    const withoutResult = { package_msg: "transaction failed", "tx-results": {} };
    for (const outcome of [refusedOutcome, withoutResult]) {
      node.script({ submitpackage: outcome });
      await submitpackage({ package: [parent, child] }, chain.context({ upstream: node.upstream, mempool }));
      expect(looked).toHaveLength(3);
    }
  });
});
