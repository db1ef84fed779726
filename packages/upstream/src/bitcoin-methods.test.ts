import { describe, expect, it } from "vitest";
import { bitcoinWords } from "./bitcoin-methods.ts";
import { fakeNodeCall } from "./testing/fake-node-call.ts";
import { UpstreamRpcError } from "./upstream-rpc-error.ts";

const hash = "00ff".repeat(16);
const head = { hash, height: 7, work: 0x1fn };

const header = (more: Readonly<Record<string, unknown>> = {}) => ({ height: 7, chainwork: "1f", ...more });
const down = new Error("Down");

describe("the best block of a Bitcoin node", () => {
  it("is read from its header", async () => {
    const { ask, asked } = fakeNodeCall({ getbestblockhash: hash, getblockheader: header() });
    expect(await bitcoinWords.fetchHead(ask, undefined)).toEqual(head);
    expect(asked).toEqual([["getbestblockhash"], ["getblockheader", hash, true]]);
  });

  it("is requested by its hash alone while that stays the same", async () => {
    const { ask, asked } = fakeNodeCall({ getbestblockhash: hash, getblockheader: header() });
    expect(await bitcoinWords.fetchHead(ask, head)).toBe(head);
    expect(asked).toEqual([["getbestblockhash"]]);
    expect(await bitcoinWords.fetchHead(ask, { hash: "ab".repeat(32), height: 6 })).toEqual(head);
  });

  it.each([
    ["btcd tells none", undefined],
    ["it is not a string", 31],
    ["it is empty", ""],
    ["it is not hexadecimal", "0x1f"],
    ["it is in capitals", "1F"],
    ["it does not end as it began", "1f "],
    ["it has more than 256 bits", "1".repeat(65)],
  ])("has no work where %s", async (_why, chainwork) => {
    const { ask } = fakeNodeCall({ getbestblockhash: hash, getblockheader: header({ chainwork }) });
    expect(await bitcoinWords.fetchHead(ask, undefined)).toEqual({ hash, height: 7, work: undefined });
  });

  it("has as much work as 256 bits hold, and may be the first one", async () => {
    const chainwork = "f".repeat(64);
    const { ask } = fakeNodeCall({ getbestblockhash: hash, getblockheader: header({ height: 0, chainwork }) });
    expect(await bitcoinWords.fetchHead(ask, undefined)).toEqual({ hash, height: 0, work: 2n ** 256n - 1n });
  });

  it.each([null, 7, "", "00", `${hash}0`, `0${hash}`, hash.toUpperCase()])("has no hash %j", async (response) => {
    const { ask } = fakeNodeCall({ getbestblockhash: response, getblockheader: header() });
    await expect(bitcoinWords.fetchHead(ask, undefined)).rejects.toThrow("The best block's hash is not a block hash");
  });

  it.each([null, {}, { height: "7" }, { height: -1 }, { height: 1.5 }, { height: 2 ** 53 }])(
    "has no height in %j",
    async (response) => {
      const { ask } = fakeNodeCall({ getbestblockhash: hash, getblockheader: response });
      await expect(bitcoinWords.fetchHead(ask, undefined)).rejects.toThrow("A header without a height");
    },
  );
});

describe("a block", () => {
  it("is on the chain of a Bitcoin node that has it at its height", async () => {
    const { ask, asked } = fakeNodeCall({ getblockhash: hash });
    expect(await bitcoinWords.fetchIsOnChain(ask, head)).toBe(true);
    expect(await bitcoinWords.fetchIsOnChain(ask, { hash: "ab".repeat(32), height: 8 })).toBe(false);
    expect(asked).toEqual([
      ["getblockhash", 7],
      ["getblockhash", 8],
    ]);
  });

  it("is not on the chain of one that has no block of that height; of one that fails, that is unknown", async () => {
    const low = fakeNodeCall({ getblockhash: new UpstreamRpcError(-8, "Block height out of range") });
    expect(await bitcoinWords.fetchIsOnChain(low.ask, head)).toBe(false);
    await expect(bitcoinWords.fetchIsOnChain(fakeNodeCall({ getblockhash: down }).ask, head)).rejects.toBe(down);
  });
});

describe("the chain of a Bitcoin node", () => {
  it("is reported by its first block", async () => {
    const { ask, asked } = fakeNodeCall({ getblockhash: hash });
    expect(await bitcoinWords.fetchChain(ask)).toEqual({ genesisHash: hash });
    expect(asked).toEqual([["getblockhash", 0]]);
  });

  it("has an empty genesis hash where the response is not a hash", async () => {
    expect(await bitcoinWords.fetchChain(fakeNodeCall({ getblockhash: null }).ask)).toEqual({ genesisHash: "" });
  });
});

describe("the program of a Bitcoin node", () => {
  it.each([
    ["core", { subversion: "/Satoshi:31.0.0/" }],
    ["btcd", { subversion: "/btcwire:0.5.0/BTCD:0.25.0/" }],
    ["btcd", {}],
    ["btcd", null],
    ["btcd", new UpstreamRpcError(-32_601, "Method not found")],
    ["btcd", new UpstreamRpcError(-1, "Command unimplemented")],
  ])("is of the family of %s by %j", async (family, getnetworkinfo) => {
    const { ask, asked } = fakeNodeCall({ getnetworkinfo });
    expect(await bitcoinWords.fetchSoftware(ask)).toEqual({ family });
    expect(asked).toEqual([["getnetworkinfo"]]);
  });

  it("is unknown while it reads its blocks, and where it fails", async () => {
    for (const failure of [new UpstreamRpcError(-28, "Loading block index…"), down]) {
      await expect(bitcoinWords.fetchSoftware(fakeNodeCall({ getnetworkinfo: failure }).ask)).rejects.toBe(failure);
    }
  });

  it("is not asked of a node that stands alone", () => expect(bitcoinWords.needsSoftwareOfOne).toBe(false));
});
