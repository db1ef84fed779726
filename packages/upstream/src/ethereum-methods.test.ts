import { describe, expect, it } from "vitest";
import { ethereumWords } from "./ethereum-methods.ts";
import { fakeNodeCall } from "./testing/fake-node-call.ts";
import { UpstreamRpcError } from "./upstream-rpc-error.ts";

const hash = `0x${"00ff".repeat(16)}`;
const parentHash = `0x${"ab".repeat(32)}`;
const block = { hash, number: "0x1f", parentHash };
const missing = new UpstreamRpcError(-32_601, "The method does not exist");
const down = new Error("Down");

const fetchHead = async (response: unknown) =>
  await ethereumWords.fetchHead(fakeNodeCall({ eth_getBlockByNumber: response }).ask, undefined);

describe("the best block of an execution client", () => {
  it("is the latest one", async () => {
    const { ask, asked } = fakeNodeCall({ eth_getBlockByNumber: block });
    expect(await ethereumWords.fetchHead(ask, undefined)).toEqual({ hash, height: 31, parentHash });
    expect(asked).toEqual([["eth_getBlockByNumber", "latest", false]]);
  });

  it("may have no parent, and any height that is exact", async () => {
    expect(await fetchHead({ hash, number: "0x0", parentHash: null })).toEqual({ hash, height: 0 });
    expect(await fetchHead({ hash, number: "0xfffffffffffff" })).toEqual({ hash, height: 2 ** 52 - 1 });
  });

  it.each([
    null,
    undefined,
    "latest",
    {},
    { ...block, hash: 5 },
    { ...block, hash: hash.slice(2) },
    { ...block, hash: `${hash}0` },
    { ...block, hash: ` ${hash}` },
    { ...block, hash: hash.toUpperCase() },
    { ...block, number: 31 },
    { ...block, number: "0x" },
    { ...block, number: "31" },
    { ...block, number: " 0x1f" },
    { ...block, number: "0x1fg" },
    { ...block, number: `0x1${"0".repeat(13)}` },
  ])("is none in %j", async (response) => {
    await expect(fetchHead(response)).rejects.toThrow("The latest block is not a block");
  });

  it("is unknown where the node fails or refuses", async () => {
    await expect(fetchHead(down)).rejects.toBe(down);
    await expect(fetchHead(missing)).rejects.toBe(missing);
  });
});

describe("a block", () => {
  it("is on the chain of an execution client that has it at its height", async () => {
    const { ask, asked } = fakeNodeCall({ eth_getBlockByNumber: block });
    expect(await ethereumWords.fetchIsOnChain(ask, { hash, height: 31 })).toBe(true);
    expect(await ethereumWords.fetchIsOnChain(ask, { hash: parentHash, height: 30 })).toBe(false);
    expect(asked).toEqual([
      ["eth_getBlockByNumber", "0x1f", false],
      ["eth_getBlockByNumber", "0x1e", false],
    ]);
  });

  it("is not on the chain of one that has no block of that height; of one that fails, that is unknown", async () => {
    for (const response of [null, missing]) {
      const { ask } = fakeNodeCall({ eth_getBlockByNumber: response });
      expect(await ethereumWords.fetchIsOnChain(ask, { hash, height: 31 })).toBe(false);
    }
    const { ask } = fakeNodeCall({ eth_getBlockByNumber: down });
    await expect(ethereumWords.fetchIsOnChain(ask, { hash, height: 31 })).rejects.toBe(down);
  });
});

describe("the chain of an execution client", () => {
  it("is told by its id and its first block", async () => {
    const { ask, asked } = fakeNodeCall({ eth_chainId: "0x01", eth_getBlockByNumber: block });
    expect(await ethereumWords.fetchChain(ask)).toEqual({ chainId: "0x1", genesisHash: hash });
    expect(asked).toEqual([["eth_chainId"], ["eth_getBlockByNumber", "0x0", false]]);
  });

  it.each([
    ["0xAA36A7", "0xaa36a7"],
    [`0x${"f".repeat(64)}`, `0x${"f".repeat(64)}`],
  ])("has the id %s in the shortest form", async (eth_chainId, chainId) => {
    const { ask } = fakeNodeCall({ eth_chainId, eth_getBlockByNumber: null });
    expect(await ethereumWords.fetchChain(ask)).toEqual({ chainId, genesisHash: undefined });
  });

  it.each([null, 1, "1", "0x", "0xg", " 0x1", "0x1 ", `0x${"f".repeat(65)}`])("has no id %j", async (eth_chainId) => {
    const { ask } = fakeNodeCall({ eth_chainId, eth_getBlockByNumber: block });
    await expect(ethereumWords.fetchChain(ask)).rejects.toThrow("The chain ID is not a number");
  });

  it("is told by its id alone where the first block is not kept, and unknown where the node fails", async () => {
    const { ask } = fakeNodeCall({ eth_chainId: "0x1", eth_getBlockByNumber: missing });
    expect(await ethereumWords.fetchChain(ask)).toEqual({ chainId: "0x1", genesisHash: undefined });
    const failing = fakeNodeCall({ eth_chainId: "0x1", eth_getBlockByNumber: down });
    await expect(ethereumWords.fetchChain(failing.ask)).rejects.toBe(down);
  });
});

describe("the program of an execution client", () => {
  it.each([
    ["Geth/v1.17.0-stable", "Geth/v1.17.0-stable"],
    ["g".repeat(201), "g".repeat(200)],
    [17, undefined],
    [missing, undefined],
  ])("%j is %j", async (web3_clientVersion, version) => {
    const { ask, asked } = fakeNodeCall({ web3_clientVersion });
    expect(await ethereumWords.fetchSoftware(ask)).toEqual({ version });
    expect(asked).toEqual([["web3_clientVersion"]]);
  });

  it("is unknown where the node fails, and asked of one that stands alone", async () => {
    await expect(ethereumWords.fetchSoftware(fakeNodeCall({ web3_clientVersion: down }).ask)).rejects.toBe(down);
    expect(ethereumWords.needsSoftwareOfOne).toBe(true);
  });
});
