import { doubleSha256, toHex } from "@nodewright/bitcoin-primitives";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { getblocktemplate } from "../handlers/getblocktemplate.ts";
import { submitblock } from "../handlers/submitblock.ts";
import { createScriptedNode, likeBtcd, likeCore, refused, type ScriptedResponse } from "../testing/scripted-node.ts";
import { type IndexedChain, indexChain } from "../testing/test-chain.ts";

let chain: IndexedChain;
let tipHash: string;
let block: string;

beforeAll(async () => {
  chain = await indexChain(2);
  tipHash = (await chain.index.tip())?.hash ?? "";
  block = toHex(chain.tip.bytes);
});

afterAll(() => chain.close());

/** Template in btcd's form on a chain for tests. */
const templateOfBtcd = {
  bits: "1d00ffff",
  curtime: 1795300551,
  height: 2,
  previousblockhash: "4ebdc2c396f4426ac555bb5343947bdd6dd8071e91e1d6c34a3073c10481b744",
  sigoplimit: 80_000,
  sizelimit: 4_000_000,
  weightlimit: 4_000_000,
  transactions: [],
  version: 536870912,
  coinbaseaux: { flags: "0b2f503253482f627463642f" },
  coinbasevalue: 5_000_000_000,
  longpollid: "4ebdc2c396f4426ac555bb5343947bdd6dd8071e91e1d6c34a3073c10481b744-1795300550",
  target: "7fffff0000000000000000000000000000000000000000000000000000000000",
  maxtime: 1795307751,
  mintime: 1795300551,
  mutable: ["time", "transactions/add", "prevblock", "coinbase/append"],
  noncerange: "00000000ffffffff",
  capabilities: ["proposal"],
};

const softForks = {
  csv: { status: "active", bit: 0 },
  segwit: { status: "active", bit: 1 },
  taproot: { status: "started", bit: 2 },
  dummy: { status: "active", bit: 28 },
};

const emptyCommitment = "6a24aa21a9ede2f61c3f71d1defd3fa999dfa36953755c690689799962b48bebd836974e8cf9";

/** Requests a template by the handler; returns the result, and the calls to the node. */
async function ask(responses: Readonly<Record<string, ScriptedResponse>>, templateRequest?: object) {
  const node = createScriptedNode(responses);
  const input = templateRequest === undefined ? {} : { templateRequest };
  const outcome = await attempt(async () => await getblocktemplate(input, chain.context({ upstream: node.upstream })));
  return {
    outcome,
    asked: node.calls.filter(({ method }) => method === "getblocktemplate").map(({ params }) => params),
  };
}

async function attempt(action: () => Promise<unknown>): Promise<unknown> {
  try {
    return await action();
  } catch (error) {
    return error;
  }
}

describe("a template", () => {
  const rules = ["segwit"];

  it("of btcd is reported in Bitcoin Core's form", async () => {
    const responses = {
      ...likeBtcd,
      getblocktemplate: templateOfBtcd,
      getblockchaininfo: { bip9_softforks: softForks },
    };
    const { outcome, asked } = await ask(responses, {
      rules,
      capabilities: ["coinbasetxn", "longpoll"],
      maxversion: 4,
    });
    const { submitold, maxtime, ...shared } = { ...templateOfBtcd, submitold: true };
    expect([submitold, maxtime]).toHaveLength(2);
    expect(outcome).toEqual({
      ...shared,
      rules: ["csv", "!segwit"],
      vbavailable: { taproot: 2 },
      vbrequired: 0,
      default_witness_commitment: emptyCommitment,
    });
    expect(asked).toEqual([[{ mode: "template", rules, capabilities: ["longpoll", "coinbasevalue"] }]]);
  });

  it("of btcd commits to the witnesses of its transactions behind a coinbase that counts as zero", async () => {
    const hash = "ab".repeat(32);
    const transactions = [
      { data: "00".repeat(60), txid: "cd".repeat(32), hash, depends: [], fee: 7, sigops: 1, weight: 240 },
    ];
    const node = {
      getblocktemplate: { ...templateOfBtcd, transactions },
      getblockchaininfo: { bip9_softforks: softForks },
    };
    const { outcome } = await ask({ ...likeBtcd, ...node }, { rules });
    // BIP 141: the root of the two, and then the reserved value of zero.
    const root = doubleSha256(Buffer.from("00".repeat(32) + hash, "hex"));
    const commitment = toHex(doubleSha256(Buffer.concat([root, Buffer.alloc(32)])));
    expect(outcome).toMatchObject({ default_witness_commitment: `6a24aa21a9ed${commitment}` });
  });

  it("of Bitcoin Core is reported as it is", async () => {
    const [hash, data] = ["ab".repeat(32), "00".repeat(60)];
    const transactions = [{ data, txid: hash, hash, depends: [], fee: 7, sigops: 1, weight: 240 }];
    const template = {
      ...templateOfBtcd,
      transactions,
      rules: ["csv", "!segwit", "taproot"],
      vbavailable: { testdummy: 28 },
      vbrequired: 0,
      coinbaseaux: {},
      bits: "1d00ffff",
      signet_challenge: "51",
      default_witness_commitment: `6a24aa21a9ed${"11".repeat(32)}`,
    };
    const { maxtime, ...expected } = template;
    expect(maxtime).toBeDefined();
    expect((await ask({ ...likeCore, getblocktemplate: template }, { rules })).outcome).toEqual(expected);
  });

  it("that lacks something is not told", async () => {
    for (const name of ["coinbasevalue", "previousblockhash", "longpollid", "height", "transactions"]) {
      const getblocktemplate = { ...templateOfBtcd, [name]: undefined };
      expect((await ask({ ...likeCore, getblocktemplate }, { rules })).outcome).toMatchObject({
        code: "upstream_unavailable",
      });
    }
  });

  it.each<[name: string, values: readonly unknown[], fitting: readonly unknown[]]>([
    ["version", ["1", 1.5, -2_147_483_649, 2_147_483_648], [-2_147_483_648, 2_147_483_647]],
    ["previousblockhash", [7, null], ["ab"]],
    ["coinbasevalue", [-1, "1", 0.5], [0, 2_100_000_000_000_000]],
    ["longpollid", [7], ["x"]],
    ["target", [7], ["00"]],
    ["mintime", [-1, 4_294_967_296], [0, 4_294_967_295]],
    ["curtime", [-1, 4_294_967_296, "1"], [0, 4_294_967_295]],
    ["noncerange", [7], ["00"]],
    ["sigoplimit", [-1, 4_294_967_296], [0, 4_294_967_295]],
    ["sizelimit", [-1, 4_294_967_296], [0, 4_294_967_295]],
    ["bits", [7], ["1d00ffff"]],
    ["height", [-1, 2_147_483_648], [0, 2_147_483_647]],
    ["transactions", ["x", {}, [7], [{}]], [[]]],
  ])("has a %s that fits, or is not told", async (name, values, fitting) => {
    const withValue = async (value: unknown) =>
      (await ask({ ...likeCore, getblocktemplate: { ...templateOfBtcd, [name]: value } }, { rules })).outcome;
    for (const value of values) expect(await withValue(value)).toMatchObject({ code: "upstream_unavailable" });
    for (const value of fitting) expect(await withValue(value)).toMatchObject({ [name]: value });
  });

  it("is reported without what is not understood", async () => {
    const odd = {
      ...templateOfBtcd,
      bits: "ffff",
      rules: ["csv", 7],
      vbavailable: { fits: 28, high: 29, low: -1, zero: 0, text: "1" },
      vbrequired: -1,
      coinbaseaux: { flags: 7, text: "00" },
      weightlimit: "many",
      mutable: ["time", 7],
      signet_challenge: 7,
      default_witness_commitment: 7,
    };
    const { outcome } = await ask({ ...likeCore, getblocktemplate: odd }, { rules });
    expect(outcome).toMatchObject({
      bits: "0000ffff",
      rules: ["csv"],
      vbavailable: { fits: 28, zero: 0 },
      vbrequired: 0,
      coinbaseaux: { text: "00" },
      mutable: ["time"],
    });
    for (const name of ["weightlimit", "signet_challenge", "default_witness_commitment"])
      expect(outcome).not.toHaveProperty(name);
    const bare = { ...templateOfBtcd, coinbaseaux: 7, vbavailable: [], rules: 7, mutable: undefined };
    expect(
      (await ask({ ...likeCore, getblocktemplate: { ...bare, vbrequired: 4_294_967_295 } }, { rules })).outcome,
    ).toMatchObject({ coinbaseaux: {}, vbavailable: {}, rules: [], mutable: [], vbrequired: 4_294_967_295 });
  });

  it("has the transactions of the node, with what they depend on", async () => {
    const hash = "ab".repeat(32);
    const transaction = { data: "00", txid: "cd", hash, depends: [1, 0, "2", 3.5, 2], fee: 7, sigops: 0, weight: 4 };
    const withTransaction = async (more: object) =>
      (
        await ask(
          { ...likeCore, getblocktemplate: { ...templateOfBtcd, transactions: [{ ...transaction, ...more }] } },
          { rules },
        )
      ).outcome;
    expect(await withTransaction({})).toMatchObject({ transactions: [{ ...transaction, depends: [1, 2] }] });
    expect(await withTransaction({ depends: undefined })).toMatchObject({ transactions: [{ depends: [] }] });
    for (const more of [
      { data: 7 },
      { txid: 7 },
      { hash: 7 },
      { fee: "7" },
      { fee: -7 },
      { sigops: -1 },
      { weight: -1 },
      { depends: 7 },
    ])
      expect(await withTransaction(more), JSON.stringify(more)).toMatchObject({ code: "upstream_unavailable" });
  });

  it("of btcd commits to witnesses where segwit is in force, and has what is signalled", async () => {
    const withForks = async (bip9_softforks: unknown) =>
      (await ask({ ...likeBtcd, getblocktemplate: templateOfBtcd, getblockchaininfo: { bip9_softforks } }, { rules }))
        .outcome;
    for (const none of [undefined, [], { segwit: 7 }, { segwit: { status: "defined", bit: 1 } }]) {
      const outcome = await withForks(none);
      expect(outcome).toMatchObject({ rules: [], vbavailable: {}, vbrequired: 0 });
      expect(outcome).not.toHaveProperty("default_witness_commitment");
    }
    const forks = {
      csv: { status: "lockedin", bit: 0 },
      segwit: { status: "active", bit: 1 },
      taproot: { status: "started", bit: 29 },
    };
    expect(await withForks(forks)).toMatchObject({
      rules: ["!segwit"],
      vbavailable: { csv: 0 },
      default_witness_commitment: emptyCommitment,
    });
    expect(await withForks({ segwit: { status: "started", bit: 1 }, csv: { status: "failed", bit: 0 } })).toMatchObject(
      {
        rules: [],
        vbavailable: { "!segwit": 1 },
      },
    );
  });

  it("of which the wait is over at once where the id is of another block, in whatever case", async () => {
    const id = `${"AB".repeat(32)}-7`;
    expect(
      (await ask({ ...likeCore, getblocktemplate: templateOfBtcd }, { rules, longpollid: id })).outcome,
    ).toMatchObject({
      height: 2,
    });
    const short = "ab".repeat(32).slice(1);
    expect((await ask(likeCore, { rules, longpollid: short })).outcome).toMatchObject({
      rpcCode: -8,
      message: `longpollid must be of length 64 (not 63, for '${short}')`,
    });
    for (const hash of [`g${"a".repeat(63)}`, `${"a".repeat(63)}g`])
      expect((await ask(likeCore, { rules, longpollid: hash })).outcome).toMatchObject({
        rpcCode: -8,
        message: `longpollid must be hexadecimal string (not '${hash}')`,
      });
  });

  it("is waited for until the best block is another one", async () => {
    const known = { ...templateOfBtcd, longpollid: `${"11".repeat(32)}7` };
    // Not the best block, so out of date: the response is immediate, and the node is not asked to wait.
    const { outcome, asked } = await ask(
      { ...likeCore, getblocktemplate: templateOfBtcd },
      { rules, longpollid: known.longpollid },
    );
    expect(outcome).toMatchObject({ longpollid: templateOfBtcd.longpollid });
    expect(asked).toEqual([[{ mode: "template", rules, capabilities: ["coinbasevalue"] }]]);
    // The best block here, but the node has a later one.
    let looks = 0;
    const node = createScriptedNode({ ...likeCore, getblocktemplate: templateOfBtcd });
    const waiting = getblocktemplate(
      { templateRequest: { rules, longpollid: `${tipHash}-9` } },
      chain.context({
        upstream: node.upstream,
        index: {
          ...chain.index,
          network: chain.index.network,
          tip: async () => {
            looks += 1;
            return looks > 3 ? undefined : await chain.index.tip();
          },
        },
      }),
    );
    expect(await waiting).toMatchObject({ height: 2 });
    expect(looks).toBeGreaterThan(3);
  });

  it("is given as it is after half a minute in which nothing has changed", async () => {
    const longpollid = `${tipHash.toUpperCase()}-9`;
    const node = createScriptedNode({ ...likeCore, getblocktemplate: { ...templateOfBtcd, longpollid } });
    const clock = vi.spyOn(performance, "now").mockReturnValueOnce(5_000).mockReturnValue(35_000);
    try {
      const context = chain.context({ upstream: node.upstream });
      const template = await getblocktemplate({ templateRequest: { rules, longpollid } }, context);
      expect(template).toMatchObject({ longpollid, height: 2 });
      expect(node.calls.filter(({ method }) => method === "getblocktemplate")).toHaveLength(1);
    } finally {
      clock.mockRestore();
    }
  });

  it.each([
    [undefined, -8, 'getblocktemplate must be called with the segwit rule set (call with {"rules": ["segwit"]})'],
    [
      { rules: ["taproot"] },
      -8,
      'getblocktemplate must be called with the segwit rule set (call with {"rules": ["segwit"]})',
    ],
    [{ mode: "guess" }, -8, "Invalid mode"],
    [{ rules, longpollid: "zz" }, -8, "longpollid must be of length 64 (not 2, for 'zz')"],
    [{ rules, longpollid: "z".repeat(80) }, -8, `longpollid must be hexadecimal string (not '${"z".repeat(64)}')`],
    [{ mode: "proposal" }, -3, "Missing data String key for proposal"],
    [{ mode: "proposal", data: "00" }, -22, "Block decode failed"],
  ])("is not given for %o", async (request, rpcCode, message) => {
    const { outcome, asked } = await ask({ ...likeCore, getblocktemplate: templateOfBtcd }, request);
    expect(outcome).toMatchObject({ rpcCode, message });
    expect(asked).toEqual([]);
  });

  it.each([
    [-9, "Bitcoin is not connected", "Bitcoin Core is not connected!"],
    [-10, "Bitcoin is downloading blocks...", "Bitcoin Core is in initial sync and waiting for blocks..."],
  ])("is refused by btcd with %i in Bitcoin Core's words", async (code, text, message) => {
    const responses = { ...likeBtcd, getblocktemplate: refused(code, text) };
    expect((await ask(responses, { rules })).outcome).toMatchObject({ rpcCode: code, message });
  });
});

describe("a block", () => {
  it.each([
    [likeBtcd, "bad-prevblk", "inconclusive-not-best-prevblk"],
    [likeBtcd, "bad-cb-value", "bad-cb-amount"],
    [likeBtcd, "rejected: block contains second coinbase at index 3", "bad-cb-multiple"],
    [likeBtcd, "constructor", "constructor"],
    [likeCore, "bad-prevblk", "bad-prevblk"],
    [likeCore, null, null],
  ])("that is proposed is judged", async (software, response, expected) => {
    const { outcome, asked } = await ask(
      { ...software, getblocktemplate: response },
      { mode: "proposal", data: block },
    );
    expect(outcome).toBe(expected);
    expect(asked).toEqual([[{ mode: "proposal", data: block }]]);
  });

  it("that is proposed goes on with its id of work, and only a text is a judgement", async () => {
    const proposal = { mode: "proposal", data: block, workid: "w" };
    const { outcome, asked } = await ask({ ...likeCore, getblocktemplate: 7 }, proposal);
    expect(outcome).toMatchObject({ code: "upstream_unavailable" });
    expect(asked).toEqual([[proposal]]);
    const core = await ask({ ...likeCore, getblocktemplate: "bad at /srv/blocks" }, proposal);
    expect(core.outcome).toBe("bad at (path)");
  });

  async function submit(responses: Readonly<Record<string, ScriptedResponse>>): Promise<unknown> {
    const { upstream } = createScriptedNode(responses);
    return await attempt(async () => await submitblock({ hexdata: block }, chain.context({ upstream })));
  }

  it.each([
    ["already have block ab", "duplicate"],
    ["already have block (orphan) ab", "duplicate"],
    ["block ab is known to be invalid", "duplicate-invalid"],
    ["previous block ab is known to be invalid", "bad-prevblk"],
    ["previous block ab is unknown", "prev-blk-not-found"],
    ["block hash of 00 is higher than expected max of 00", "high-hash"],
    ["block difficulty of 1 is not the expected value of 2", "bad-diffbits"],
    ["new blocks with version 1 are no longer valid", "bad-version(0x00000001)"],
    ["new blocks with version -1 are no longer valid", "bad-version(0xffffffff)"],
    [
      "output ab:0 referenced from transaction cd:1 either does not exist or has already been spent",
      "bad-txns-inputs-missingorspent",
    ],
    ["coinbase transaction for block pays 2 which is more than expected value of 1", "bad-cb-amount"],
    ["failed to validate input ab:0 which references output cd:1", "block-script-verify-flag-failed"],
    ["what nobody has heard of", "rejected"],
  ])("that btcd refuses with %s is refused as %s", async (text, expected) => {
    expect(await submit({ ...likeBtcd, submitblock: `rejected: ${text}` })).toBe(expected);
  });

  it("that btcd has taken is reported with its place", async () => {
    const taken = { ...likeBtcd, submitblock: null };
    expect(await submit({ ...taken, getblockheader: {} })).toBeNull();
    expect(await submit({ ...taken, getblockheader: refused(-5, "Block not found") })).toBe("prev-blk-not-found");
    const beside = refused(-32603, "block ab is not in the main chain");
    expect(await submit({ ...taken, getblockheader: beside })).toBe("inconclusive");
  });

  it("that btcd has taken is not told of without its place", async () => {
    const elsewhere = refused(-8, "Something else");
    expect(await submit({ ...likeBtcd, submitblock: null, getblockheader: elsewhere })).toMatchObject({
      rpcCode: -8,
      message: "Something else",
    });
  });

  it("that btcd refuses without its prefix, and Bitcoin Core with it, is told of as it is", async () => {
    expect(await submit({ ...likeBtcd, submitblock: "already have block in /srv/x" })).toBe(
      "already have block in (path)",
    );
    expect(await submit({ ...likeCore, submitblock: "rejected: already have block ab" })).toBe(
      "rejected: already have block ab",
    );
  });

  it("is checked by Bitcoin Core in its own words", async () => {
    for (const response of [null, "inconclusive", "bad-cb-amount"]) {
      expect(await submit({ ...likeCore, submitblock: response })).toBe(response);
    }
    expect(await submit({ ...likeCore, submitblock: 7 })).toMatchObject({ code: "upstream_unavailable" });
  });
});
