import { describe, expect, it } from "vitest";
import { finalityOf, isNamedByCall } from "./finality.ts";

/** Hash of the mainnet genesis block. */
const genesisHash = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f";
const genesisHeader =
  "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c";

describe("how long a response stays true", () => {
  it.each([
    ["getblock", [genesisHash, 0], "hash"],
    ["getblock", [genesisHash, false], "hash"],
    // The results contain the number of confirmations.
    ["getblock", [genesisHash], "head"],
    ["getblock", [genesisHash, 2], "head"],
    ["getblock", ["00"], "never"],
    ["getblock", [genesisHash, null], "head"],
    ["getblock", [], "never"],
    ["getblock", [`${genesisHash}0`, 0], "never"],
    ["getblock", [`0${genesisHash}`, 0], "never"],
    ["getblock", [genesisHash.toUpperCase(), 0], "never"],
    ["getblock", [[genesisHash], 0], "never"],
    ["getblockheader", [genesisHash, false], "hash"],
    ["getblockheader", [genesisHash], "head"],
    ["getblockheader", ["00", false], "never"],
    ["getblockheader", [genesisHash, true], "head"],
    ["getblockhash", [94], "buried"],
    ["getblockhash", [95], "head"],
    ["getblockhash", ["94"], "head"],
    ["getrawtransaction", [genesisHash, 0, genesisHash], "hash"],
    ["getrawtransaction", [genesisHash, 1, genesisHash], "head"],
    ["getrawtransaction", [genesisHash, false, genesisHash], "hash"],
    ["getrawtransaction", [genesisHash, undefined, genesisHash], "hash"],
    ["getrawtransaction", [genesisHash, true, genesisHash], "head"],
    ["getrawtransaction", ["00", 0, genesisHash], "never"],
    ["getrawtransaction", [genesisHash, 0, "00"], "never"],
    // It may be unconfirmed.
    ["getrawtransaction", [genesisHash, 0], "never"],
    ["gettxoutproof", [[genesisHash], genesisHash], "hash"],
    ["gettxoutproof", [[genesisHash]], "never"],
    ["gettxout", [genesisHash, 0, false], "head"],
    ["gettxout", [genesisHash, 0], "never"],
    ["getblockstats", [genesisHash], "hash"],
    ["getblockstats", [12], "never"],
    ["getcfilter", [genesisHash, 0], "hash"],
    ["getcfilterheader", [genesisHash, 0], "hash"],
    ["getblockfilter", [genesisHash, "basic"], "hash"],
    ["getblockfilter", ["00", "basic"], "never"],
    ["getbestblock", [], "head"],
    ["getbestblockhash", [], "head"],
    ["getblockchaininfo", [], "head"],
    ["getblockcount", [], "head"],
    ["getchaintips", [], "head"],
    ["getchaintxstats", [4], "head"],
    ["getdeploymentinfo", [genesisHash], "head"],
    ["getdifficulty", [], "head"],
    ["getmininginfo", [], "head"],
    ["getnetworkhashps", [], "head"],
    ["eth_chainId", [], "buried"],
    ["eth_getBlockByHash", [genesisHash], "never"],
    ["getrawmempool", [], "never"],
    ["getpeerinfo", [], "never"],
    ["getconnectioncount", [], "never"],
    ["sendrawtransaction", ["00"], "never"],
  ] as const)("%s %j: %s", (method, params, finality) => expect(finalityOf(method, params, 100)).toBe(finality));

  it("is not known of parameters by name", () => {
    expect(finalityOf("getblock", { blockhash: genesisHash, verbosity: 0 }, 100)).toBe("never");
  });
});

describe("a block or header in hex", () => {
  it("is the one that its call names, or not", () => {
    expect(isNamedByCall("getblockheader", [genesisHash, false], genesisHeader)).toBe(true);
    expect(isNamedByCall("getblock", [genesisHash, 0], `${genesisHeader}0101`)).toBe(true);
    expect(isNamedByCall("getblock", [genesisHash, 0], genesisHeader.replace("29ab", "29ac"))).toBe(false);
    expect(isNamedByCall("getblock", [genesisHash, 0], "")).toBe(false);
    expect(isNamedByCall("getblock", [genesisHash, 0], null)).toBe(false);
    expect(isNamedByCall("getblock", [genesisHash, 0], genesisHeader.slice(0, -2))).toBe(false);
    expect(isNamedByCall("getblockheader", [genesisHash, false], genesisHeader.replace("29ab", "29ac"))).toBe(false);
    expect(isNamedByCall("getblock", { blockhash: genesisHash }, genesisHeader)).toBe(false);
  });

  it("is all that is looked at", () => {
    expect(isNamedByCall("getblockstats", [genesisHash], { height: 0 })).toBe(true);
    expect(isNamedByCall("getrawtransaction", { txid: genesisHash }, null)).toBe(true);
  });
});
