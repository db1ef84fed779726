import type { MempoolQueries } from "@nodewright/bitcoin-indexer";
import { displayHash, toHex } from "@nodewright/bitcoin-primitives";
import { ServiceError } from "@nodewright/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { estimatefee } from "../handlers/estimatefee.ts";
import { estimatesmartfee } from "../handlers/estimatesmartfee.ts";
import { testmempoolaccept } from "../handlers/testmempoolaccept.ts";
import { createScriptedNode, likeBtcd, likeCore, refused, type ScriptedResponse } from "../testing/scripted-node.ts";
import { type IndexedChain, indexChain, openScript, spend } from "../testing/test-chain.ts";
import { createTransactionTest } from "./transaction-test.ts";

let chain: IndexedChain;

beforeAll(async () => {
  chain = await indexChain(2);
});

afterAll(() => chain.close());

type Answers = Readonly<Record<string, ScriptedResponse>>;

async function attempt(action: () => unknown): Promise<unknown> {
  try {
    return await action();
  } catch (error) {
    return error;
  }
}

describe("testmempoolaccept", () => {
  function made(position: number) {
    const [coin] = chain.tip.coins.slice(position);
    const transaction = spend(coin === undefined ? [] : [coin], [{ value: 1_000n, scriptPubKey: openScript }]);
    const names = { txid: displayHash(transaction.txid), wtxid: displayHash(transaction.wtxid) };
    return { transaction, hex: toHex(transaction.bytes), names };
  }

  async function test(responses: Answers, input: Parameters<typeof testmempoolaccept>[0]) {
    const node = createScriptedNode(responses);
    const outcome = await attempt(() => testmempoolaccept(input, chain.context({ upstream: node.upstream })));
    return {
      outcome,
      asked: node.calls.filter(({ method }) => method === "testmempoolaccept").map(({ params }) => params),
    };
  }

  it("is asked of btcd with both parameters, and told without its empty ones", async () => {
    const { hex, names } = made(0);
    const fees = { base: 1e-5, "effective-feerate": 0.00016393, "effective-includes": null };
    const testmempoolaccept = [{ ...names, "package-error": "", allowed: true, vsize: 61, fees }];
    const { outcome, asked } = await test({ ...likeBtcd, testmempoolaccept }, { rawtxs: [hex.toUpperCase()] });
    expect(outcome).toEqual([
      {
        ...names,
        allowed: true,
        vsize: 61,
        fees: { base: 1_000n, "effective-feerate": 16_393n, "effective-includes": [names.wtxid] },
      },
    ]);
    expect(asked).toEqual([[[hex], 0.1]]);
    const rate = async (maxfeerate: bigint | string) =>
      (await test({ ...likeBtcd, testmempoolaccept }, { rawtxs: [hex], maxfeerate })).asked;
    expect(await rate(1_234n)).toEqual([[[hex], 0.00001234]]);
    expect(await rate("0")).toEqual([[[hex], 21_000_000]]);
  });

  it("is asked of Bitcoin Core as the caller asks it, and told as it is", async () => {
    const [first, second] = [made(0), made(1)];
    const results = [
      { ...first.names, "package-error": "package-too-many-transactions" },
      {
        ...second.names,
        allowed: false,
        "reject-reason": "min relay fee not met",
        "reject-details": "min relay fee not met, 0 < 6",
      },
    ];
    const responses = { ...likeCore, testmempoolaccept: results };
    const rawtxs = [first.hex, second.hex];
    expect(await test(responses, { rawtxs })).toEqual({ outcome: results, asked: [[rawtxs]] });
    expect((await test(responses, { rawtxs, maxfeerate: 5n })).asked).toEqual([[rawtxs, "0.00000005"]]);
  });

  it.each([
    ["missing-inputs", { "reject-reason": "missing-inputs" }],
    ["max-fee-exceeded", { "reject-reason": "max-fee-exceeded" }],
    [
      "transaction 1b has 5 fees which is under the required amount of 61",
      { "reject-reason": "min relay fee not met", "reject-details": "min relay fee not met, 5 < 61" },
    ],
    [
      "already have transaction in mempool 1b",
      { "reject-reason": "txn-already-in-mempool", "reject-details": "txn-already-in-mempool" },
    ],
    [
      "transaction already exists in blockchain",
      { "reject-reason": "txn-already-known", "reject-details": "txn-already-known" },
    ],
    ["a rule that nobody has heard of", { "reject-reason": "a rule that nobody has heard of" }],
  ])("tells btcd's reason in Bitcoin Core's words: %s", async (reason, expected) => {
    const { hex, names } = made(0);
    const testmempoolaccept = [{ ...names, "package-error": "", "reject-reason": reason }];
    const { outcome } = await test({ ...likeBtcd, testmempoolaccept }, { rawtxs: [hex] });
    expect(outcome).toEqual([{ ...names, allowed: false, ...expected }]);
  });

  it("refuses over btcd what that would judge wrongly", async () => {
    const { hex, transaction } = made(0);
    const child = spend([{ outpoint: { txid: transaction.txid, vout: 0 } }], [{ value: 1n, scriptPubKey: openScript }]);
    const { outcome, asked } = await test(likeBtcd, { rawtxs: [hex, toHex(child.bytes)] });
    expect(outcome).toMatchObject({
      rpcCode: -1,
      message: "The upstream node does not check transactions that spend each other's outputs",
    });
    expect(asked).toEqual([]);
  });

  it("believes no node that tells of other transactions", async () => {
    const { hex, names } = made(0);
    const strange = [
      [],
      [{ ...names, txid: "00".repeat(32) }],
      [names, names],
      "yes",
      [7],
      [{ ...names, allowed: true, fees: {} }],
    ];
    for (const testmempoolaccept of strange) {
      const { outcome } = await test({ ...likeCore, testmempoolaccept }, { rawtxs: [hex] });
      expect(outcome).toMatchObject({ code: "upstream_unavailable" });
    }
  });

  it("has nothing where the node tells nothing", async () => {
    const { hex, names } = made(0);
    const reported = async (more: object) =>
      (await test({ ...likeCore, testmempoolaccept: [{ ...names, ...more }] }, { rawtxs: [hex] })).outcome;
    expect(await reported({})).toStrictEqual([names]);
    expect(await reported({ "reject-reason": "" })).toStrictEqual([names]);
    expect(await reported({ "reject-reason": "dust" })).toStrictEqual([
      { ...names, allowed: false, "reject-reason": "dust" },
    ]);
    const fees = { base: 1e-8 };
    expect(await reported({ allowed: true, vsize: 2_147_483_648 })).toStrictEqual([{ ...names, allowed: true }]);
    expect(await reported({ allowed: true, vsize: 2_147_483_647, fees })).toStrictEqual([
      {
        ...names,
        allowed: true,
        vsize: 2_147_483_647,
        fees: { base: 1n, "effective-feerate": 0n, "effective-includes": [names.wtxid] },
      },
    ]);
    // A rejected transaction has neither sizes nor fees.
    expect(await reported({ allowed: false, vsize: 7, fees })).toStrictEqual([{ ...names, allowed: false }]);
  });

  it("is worded by btcd where it can't check at all", async () => {
    const { hex } = made(0);
    const refusal = async (code: number, text: string) =>
      (await test({ ...likeBtcd, testmempoolaccept: refused(code, text) }, { rawtxs: [hex] })).outcome;
    expect(await refusal(-25, "already have transaction in mempool 1b")).toMatchObject({
      rpcCode: -25,
      message: "txn-already-in-mempool",
    });
    expect(await refusal(-25, "a rule that nobody has heard of")).toMatchObject({
      rpcCode: -25,
      message: "a rule that nobody has heard of",
    });
    expect(await refusal(-8, "already have transaction in mempool 1b")).toMatchObject({
      rpcCode: -8,
      message: "already have transaction in mempool 1b",
    });
  });

  it("is given to other interfaces with amounts as numbers of bitcoin", async () => {
    const { hex, names } = made(0);
    const fees = { base: 1e-5, "effective-feerate": 0.00016393, "effective-includes": [names.wtxid] };
    const node = createScriptedNode({ ...likeCore, testmempoolaccept: [{ ...names, allowed: true, vsize: 61, fees }] });
    const check = createTransactionTest(node.upstream);
    expect(await check([hex], undefined)).toStrictEqual([{ ...names, allowed: true, vsize: 61, fees }]);
    expect(node.calls.at(-1)?.params).toEqual([[hex]]);
    await check([hex], 0.0001);
    expect(node.calls.at(-1)?.params).toEqual([[hex], "0.00010000"]);
    await check([hex], 0);
    expect(node.calls.at(-1)?.params).toEqual([[hex], "0.00000000"]);
    await expect(check([hex], 1)).rejects.toMatchObject({ rpcCode: -8 });
    node.script({ testmempoolaccept: [{ ...names, allowed: false, "reject-reason": "dust" }] });
    expect(await check([hex], undefined)).toStrictEqual([{ ...names, allowed: false, "reject-reason": "dust" }]);
  });

  it("takes 1 to 25 transactions, and no other texts", async () => {
    const { hex } = made(0);
    const count = "Array must contain between 1 and 25 transactions.";
    expect((await test(likeCore, { rawtxs: [] })).outcome).toMatchObject({ rpcCode: -8, message: count });
    expect((await test(likeCore, { rawtxs: new Array<string>(26).fill(hex) })).outcome).toMatchObject({ rpcCode: -8 });
    const { outcome } = await test(likeCore, { rawtxs: [hex, "zz"] });
    expect(outcome).toMatchObject({
      rpcCode: -22,
      message: "TX decode failed: zz Make sure the tx has at least one input.",
    });
  });
});

describe("fee estimates", () => {
  const rates = new Map([
    [1, 20.5],
    [6, 3.21],
    [144, 1],
  ]);
  const mempool: Pick<MempoolQueries, "feeEstimates"> = { feeEstimates: async () => rates };

  async function estimate(
    responses: Answers | undefined,
    input: Parameters<typeof estimatesmartfee>[0],
    isQueued = true,
  ) {
    const node = createScriptedNode(responses ?? {});
    const context = chain.context({
      upstream: responses === undefined ? undefined : node.upstream,
      mempool: isQueued ? (mempool as MempoolQueries) : undefined,
    });
    const outcome = await attempt(() => estimatesmartfee(input, context));
    return { outcome, asked: node.calls.at(-1) };
  }

  it("are the node's where it has one", async () => {
    const core = { ...likeCore, estimatesmartfee: { feerate: 0.00012345, blocks: 2 } };
    expect(await estimate(core, { confTarget: 1 })).toEqual({
      outcome: { feerate: 12_345n, blocks: 2 },
      asked: { method: "estimatesmartfee", params: [1] },
    });
    expect((await estimate(core, { confTarget: 1, estimateMode: "CONSERVATIVE" })).asked).toEqual({
      method: "estimatesmartfee",
      params: [1, "conservative"],
    });
    const btcd = { ...likeBtcd, estimatefee: 0.00004321987 };
    expect(await estimate(btcd, { confTarget: 7 })).toEqual({
      outcome: { feerate: 4_322n, blocks: 7 },
      asked: { method: "estimatefee", params: [7] },
    });
    const context = chain.context({ upstream: createScriptedNode(btcd).upstream });
    expect(await estimatefee({ numblocks: 7 }, context)).toBe(4_322n);
  });

  it.each([
    ["has none", { ...likeCore, estimatesmartfee: { errors: ["Insufficient data or no feerate found"], blocks: 6 } }],
    ["can't estimate", { ...likeBtcd, estimatefee: refused(-32600, "Invalid request: malformed") }],
    ["says -1", { ...likeBtcd, estimatefee: -1 }],
    ["is away", { getnetworkinfo: new ServiceError("upstream_timeout", "The node did not respond in time") }],
    ["talks nonsense", { ...likeCore, estimatesmartfee: "cheap" }],
  ])("are the service's own where the node %s", async (_name, responses) => {
    expect((await estimate(responses, { confTarget: 6 })).outcome).toEqual({ feerate: 3_210n, blocks: 6 });
    expect((await estimate(responses, { confTarget: 143 })).outcome).toEqual({ feerate: 3_210n, blocks: 6 });
    expect((await estimate(responses, { confTarget: 1_008 })).outcome).toEqual({ feerate: 1_000n, blocks: 144 });
  });

  it.each([
    [
      { feerate: 1e-8, blocks: 0 },
      { feerate: 1n, blocks: 0 },
    ],
    [
      { feerate: 1e-8, blocks: 1_008 },
      { feerate: 1n, blocks: 1_008 },
    ],
    [
      { feerate: 1e-8, blocks: 1_009 },
      { feerate: 1n, blocks: 7 },
    ],
    [{ feerate: 1e-8 }, { feerate: 1n, blocks: 7 }],
    [
      { feerate: 0, blocks: 2 },
      { feerate: 3_210n, blocks: 6 },
    ],
    [
      { feerate: "cheap", blocks: 2 },
      { feerate: 3_210n, blocks: 6 },
    ],
  ])("are of use, or the service's own: %j", async (reported, expected) => {
    expect((await estimate({ ...likeCore, estimatesmartfee: reported }, { confTarget: 7 })).outcome).toStrictEqual(
      expected,
    );
  });

  it("hold for no fewer blocks than are known of", async () => {
    expect((await estimate(undefined, { confTarget: 1 })).outcome).toStrictEqual({ feerate: 20_500n, blocks: 1 });
    expect((await estimate(undefined, { confTarget: 144 })).outcome).toStrictEqual({ feerate: 1_000n, blocks: 144 });
    expect((await estimate(undefined, { confTarget: 0 })).outcome).toStrictEqual({
      errors: ["Insufficient data or no feerate found"],
      blocks: 0,
    });
  });

  it("wait no longer than three seconds for the node, and end with the caller", async () => {
    const patience: unknown[] = [];
    const node = createScriptedNode({ ...likeCore, estimatesmartfee: { feerate: 1e-8, blocks: 2 } });
    const call: typeof node.upstream.call = async (method, params, options) => {
      if (method === "estimatesmartfee") patience.push(options);
      return await node.upstream.call(method, params);
    };
    await estimatesmartfee({ confTarget: 2 }, chain.context({ upstream: { ...node.upstream, call } }));
    expect(patience).toStrictEqual([{ timeoutMilliseconds: 3_000 }]);
    const gone = new Error("The client disconnected");
    expect((await estimate({ ...likeCore, estimatesmartfee: gone }, { confTarget: 2 })).outcome).toBe(gone);
  });

  it("are not made where nothing waits", async () => {
    expect((await estimate(undefined, { confTarget: 3 }, false)).outcome).toEqual({
      errors: ["Insufficient data or no feerate found"],
      blocks: 3,
    });
  });

  it("are refused for a mode that there is not", async () => {
    const { outcome, asked } = await estimate(likeCore, { confTarget: 3, estimateMode: "careless" });
    expect(outcome).toMatchObject({
      rpcCode: -8,
      message: 'Invalid estimate_mode parameter, must be one of: "unset", "economical", "conservative"',
    });
    expect(asked).toBeUndefined();
  });
});
