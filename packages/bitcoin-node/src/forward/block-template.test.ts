import { toHex } from "@nodewright/bitcoin-primitives";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getblocktemplate } from "../handlers/getblocktemplate.ts";
import { submitblock } from "../handlers/submitblock.ts";
import { createScriptedNode, likeBtcd, likeCore, refused, type ScriptedAnswer } from "../testing/scripted-node.ts";
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

/** As btcd gives it on a chain for tests. */
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

/** Asks for a template by the handler; gives the answer, and what the node was asked. */
async function ask(answers: Readonly<Record<string, ScriptedAnswer>>, templateRequest?: object) {
  const node = createScriptedNode(answers);
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

  it("of btcd is told in Bitcoin Core's form", async () => {
    const answers = { ...likeBtcd, getblocktemplate: templateOfBtcd, getblockchaininfo: { bip9_softforks: softForks } };
    const { outcome, asked } = await ask(answers, { rules, capabilities: ["coinbasetxn", "longpoll"], maxversion: 4 });
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

  it("of Bitcoin Core is told as it is", async () => {
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

  it("is waited for until the best block is another one", async () => {
    const known = { ...templateOfBtcd, longpollid: `${"11".repeat(32)}7` };
    // Not the best block, so out of date: answered at once, and the node is not told of the wait.
    const { outcome, asked } = await ask(
      { ...likeCore, getblocktemplate: templateOfBtcd },
      { rules, longpollid: known.longpollid },
    );
    expect(outcome).toMatchObject({ longpollid: templateOfBtcd.longpollid });
    expect(asked).toEqual([[{ mode: "template", rules, capabilities: ["coinbasevalue"] }]]);
    // The best block here, but the node has gone on.
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
    const answers = { ...likeBtcd, getblocktemplate: refused(code, text) };
    expect((await ask(answers, { rules })).outcome).toMatchObject({ rpcCode: code, message });
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
  ])("that is proposed is judged", async (software, answer, expected) => {
    const { outcome, asked } = await ask({ ...software, getblocktemplate: answer }, { mode: "proposal", data: block });
    expect(outcome).toBe(expected);
    expect(asked).toEqual([[{ mode: "proposal", data: block }]]);
  });

  async function submit(answers: Readonly<Record<string, ScriptedAnswer>>): Promise<unknown> {
    const { upstream } = createScriptedNode(answers);
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

  it("that btcd has taken is told with its place", async () => {
    const taken = { ...likeBtcd, submitblock: null };
    expect(await submit({ ...taken, getblockheader: {} })).toBeNull();
    expect(await submit({ ...taken, getblockheader: refused(-5, "Block not found") })).toBe("prev-blk-not-found");
    const beside = refused(-32603, "block ab is not in the main chain");
    expect(await submit({ ...taken, getblockheader: beside })).toBe("inconclusive");
  });

  it("is judged by Bitcoin Core in its own words", async () => {
    for (const answer of [null, "inconclusive", "bad-cb-amount"]) {
      expect(await submit({ ...likeCore, submitblock: answer })).toBe(answer);
    }
    expect(await submit({ ...likeCore, submitblock: 7 })).toMatchObject({ code: "upstream_unavailable" });
  });
});
