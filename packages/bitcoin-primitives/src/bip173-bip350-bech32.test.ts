import { describe, expect, test } from "vitest";
import { addressOfScript, type AddressResult, fromHex, networks, scriptOfAddress } from "./index.ts";

/** Returns the results of both networks' parsers: the vectors identify the network by their prefix alone. */
function resultsOf(address: string): AddressResult[] {
  return [scriptOfAddress(address, networks.mainnet), scriptOfAddress(address, networks.testnet3)];
}

describe("BIP 350: addresses of witness programs", () => {
  test.each([
    ["BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "0014751e76e8199196d454941c45d1b3a323f1433bd6"],
    [
      "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7",
      "00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262",
    ],
    [
      "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y",
      "5128751e76e8199196d454941c45d1b3a323f1433bd6751e76e8199196d454941c45d1b3a323f1433bd6",
    ],
    ["BC1SW50QGDZ25J", "6002751e"],
    ["bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs", "5210751e76e8199196d454941c45d1b3a323"],
    [
      "tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy",
      "0020000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433",
    ],
    [
      "tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c",
      "5120000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433",
    ],
    [
      "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
      "512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
    ],
  ])("%s stands for %s", (address, script) => {
    const isMainnet = address.toLowerCase().startsWith("bc");
    const [own, other] = isMainnet ? [networks.mainnet, networks.testnet3] : [networks.testnet3, networks.mainnet];
    const scriptPubKey = fromHex(script) ?? new Uint8Array();
    expect(scriptOfAddress(address, own)).toEqual({ kind: "script", scriptPubKey });
    expect(scriptOfAddress(address, other)).toEqual({ kind: "wrong-network" });
    expect(addressOfScript(scriptPubKey, own)).toBe(address.toLowerCase());
  });

  test.each([
    [
      "an unknown human-readable part",
      "tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut",
      "unknown-human-readable-part",
    ],
    ["bech32 for version 1", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", "bad-witness-program"],
    ["bech32 for version 2", "tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf", "bad-witness-program"],
    ["bech32 for version 16", "BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL", "bad-witness-program"],
    ["bech32m for version 0", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh", "bad-witness-program"],
    [
      "bech32m for version 0 of a script",
      "tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47",
      "bad-witness-program",
    ],
    [
      "a character that is not in the alphabet",
      "bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4",
      "malformed",
    ],
    ["version 17", "BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R", "bad-witness-program"],
    ["a program of 1 byte", "bc1pw5dgrnzv", "bad-witness-program"],
    [
      "a program of 41 bytes",
      "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav",
      "bad-witness-program",
    ],
    ["a program of 16 bytes for version 0", "BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P", "bad-witness-program"],
    ["mixed case", "tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq", "malformed"],
    [
      "padding of more than 4 bits",
      "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf",
      "bad-witness-program",
    ],
    [
      "padding that is not zero",
      "tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j",
      "bad-witness-program",
    ],
    ["no data", "bc1gmk9yu", "bad-witness-program"],
    ["a wrong checksum", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", "bad-checksum"],
  ])("refuses %s: %s", (_, address, problem) => {
    for (const result of resultsOf(address)) expect(result).toEqual({ kind: "invalid", problem });
  });
});

describe("BIP 173: what BIP 350 no longer allows", () => {
  test.each([
    "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7k7grplx",
    "BC1SW50QA3JX3S",
    "bc1zw508d6qejxtdg4y5r3zarvaryvg6kdaj",
  ])("%s is bech32 for a later version", (address) => {
    for (const result of resultsOf(address))
      expect(result).toEqual({ kind: "invalid", problem: "bad-witness-program" });
  });

  test.each([
    "tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty",
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
    "BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2",
    "bc1rw5uspcuh",
    "bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90",
    "BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P",
    "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7",
    "bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du",
    "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv",
    "bc1gmk9yu",
    "A12UEL5L",
    "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs",
    "11qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqc8247j",
    "?1ezyfcl",
  ])("%s is no address", (address) => {
    for (const result of resultsOf(address)) expect(result.kind).toBe("invalid");
  });
});
