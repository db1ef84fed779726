import { describe, expect, test } from "vitest";
import { relationFunctions } from "./relation-functions.ts";

function call(name: string, ...values: readonly unknown[]): unknown {
  const found = relationFunctions[name];
  if (found === undefined) throw new Error(`There is no function ${name}`);
  return found(...values);
}

/** Header of the genesis block of mainnet. */
const genesisHeader =
  "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c";
/** Signed transaction of "Native P2WPKH" in BIP 143. */
const witnessTransaction =
  "01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000";

describe("the functions of relations", () => {
  test("hash as Bitcoin and Ethereum do", () => {
    expect(call("doubleSha256", genesisHeader)).toBe(
      "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
    );
    expect(call("bitcoinTransactionId", witnessTransaction)).toBe(
      "e8151a2af31c368a35053ddd4bdb285a8595c769a3ad83e0fa02314a602d4609",
    );
    expect(call("keccak256", "0x")).toBe("0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
    expect(call("sha256", "")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  });

  test("say nothing of what is no hex or no transaction", () => {
    for (const name of ["sha256", "doubleSha256", "keccak256", "bitcoinTransactionId", "reverseHex"]) {
      for (const value of ["0", "xy", undefined, 5]) expect(call(name, value), `${name} ${value}`).toBeUndefined();
    }
    expect(call("bitcoinTransactionId", genesisHeader)).toBeUndefined();
    expect(call("bitcoinTransactionId", `${witnessTransaction}00`)).toBeUndefined();
  });

  test("count exactly", () => {
    expect(call("sumOf", [0.1, 0.2])).toBe(0.3);
    expect(call("sumOf", [9_007_199_254_740_993n, 2])).toBe(9_007_199_254_740_995n);
    expect(call("sumOf", undefined)).toBe(0);
    expect(call("sumOf", [1, "2"])).toBeUndefined();
    expect(call("near", 0.1 + 0.2, 0.3)).toBe(true);
    expect(call("near", 0.3, 0.30000001)).toBe(false);
    expect(call("near", 9_007_199_254_740_993n, 9_007_199_254_740_992)).toBe(false);
    expect(call("hexToNumber", "0x1b")).toBe(27);
    expect(call("hexToNumber", "0x20000000000001")).toBe(9_007_199_254_740_993n);
  });

  test("compare lists and objects", () => {
    expect(call("isDescending", [3, 2, 2])).toBe(true);
    expect(call("isDescending", [1, 2])).toBe(false);
    expect(call("isAscending", ["a", 1])).toBeUndefined();
    expect(call("isSame", { a: 1, b: [2n] }, { b: [2], a: 1 })).toBe(true);
    expect(call("isSameSet", ["a", "b"], ["b", "a"])).toBe(true);
    expect(call("isSameSet", ["a"], "a")).toBe(true);
    expect(call("isSameSet", ["a", "a"], ["a", "b"])).toBe(false);
    expect(call("overlap", ["a", "b"], ["b", "c", "d", "a"])).toBe(0.5);
    expect(call("overlap", undefined, [])).toBe(1);
    expect(call("agree", { a: [1] }, { a: [1], b: 2 })).toBe(true);
    expect(call("agree", { a: [1], b: 2 }, { a: [1] })).toBe(false);
    expect(call("agree", undefined, {})).toBeUndefined();
    expect(call("merkleRoot", ["ab".repeat(32)])).toBe("ab".repeat(32));
    expect(call("has", [{ a: 1 }], { a: 1 })).toBe(true);
  });
});
