import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { segwitAddressText } from "./address-text.ts";
import { addressOfScript, concatBytes, fromHex, networks, scriptOfAddress } from "./index.ts";

const { mainnet, testnet3, signet, regtest } = networks;

function bytesOf(hex: string): Uint8Array {
  return fromHex(hex) ?? new Uint8Array();
}

describe("base58check addresses", () => {
  test.each([
    // The first P2PKH output of the chain's early explorers: the hash of the genesis block's key.
    ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac", mainnet],
    ["1111111111111111111114oLvT2", "76a914000000000000000000000000000000000000000088ac", mainnet],
    ["3P14159f73E4gFr7JterCCQh9QjiTjiZrG", "a914e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a87", mainnet],
    ["mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", "76a914243f1394f44554f4ce3fd68649c19adc483ce92488ac", testnet3],
    ["2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc", "a9144e9f39ca4688ff102128ea4ccda34105324305b087", testnet3],
  ])("%s stands for %s", (address, script, network) => {
    expect(scriptOfAddress(address, network)).toEqual({ kind: "script", scriptPubKey: bytesOf(script) });
    expect(addressOfScript(bytesOf(script), network)).toBe(address);
  });

  test.each([
    ["", "malformed"],
    ["1", "malformed"],
    ["abc", "malformed"],
    ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "bad-checksum"],
    // Base58 of another chain that begins as addresses of testnet do.
    ["tb15tfoXiP68yNsgvMLAhi4Rws3dvnnaNk", "unknown-prefix"],
    ["1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf0a", "malformed"],
    ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa ", "malformed"],
    ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNé", "malformed"],
    // A private key for import: 33 bytes.
    ["5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", "bad-length"],
    // Litecoin's prefix, 0x30.
    ["LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9", "unknown-prefix"],
    // Litecoin's BIP 173.
    ["ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9", "unknown-human-readable-part"],
    // One byte short after the prefix of P2PKH.
    ["111111111111111111117K4nzc", "bad-length"],
    // Begins as bech32 does, but has no separator.
    ["bcrtz", "bad-checksum"],
    ["1".repeat(100_000), "malformed"],
    ["z".repeat(1_000_000), "malformed"],
  ])("refuses %.60s", (address, problem) => {
    expect(scriptOfAddress(address, mainnet)).toEqual({ kind: "invalid", problem });
  });

  test.each([
    [90, "unknown-human-readable-part"],
    [91, "malformed"],
  ])("of %i characters is %s: BIP 173 allows 90", (length, problem) => {
    const address = segwitAddressText("x".repeat(length - 72), 1, new Uint8Array(40));
    expect(address).toHaveLength(length);
    expect(scriptOfAddress(address, mainnet)).toEqual({ kind: "invalid", problem });
  });

  test("testnets and regtest share their base58 prefixes, mainnet has its own", () => {
    const address = "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn";
    expect(scriptOfAddress(address, mainnet)).toEqual({ kind: "wrong-network" });
    expect(scriptOfAddress(address, regtest).kind).toBe("script");
    expect(scriptOfAddress(address, signet).kind).toBe("script");
    expect(scriptOfAddress("2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc", mainnet)).toEqual({ kind: "wrong-network" });
    expect(scriptOfAddress("3P14159f73E4gFr7JterCCQh9QjiTjiZrG", testnet3)).toEqual({ kind: "wrong-network" });
  });

  test("of every network have its first bytes", () => {
    const scripts = { publicKeyHash: `76a914${"00".repeat(20)}88ac`, scriptHash: `a914${"00".repeat(20)}87` };
    const addresses = Object.values(networks).map((network) => [
      network.name,
      addressOfScript(bytesOf(scripts.publicKeyHash), network),
      addressOfScript(bytesOf(scripts.scriptHash), network),
    ]);
    const test = ["mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8", "2MsFDzHRUAMpjHxKyoEHU3aMCMsVtMqs1PV"];
    expect(addresses).toEqual([
      ["mainnet", "1111111111111111111114oLvT2", "31h1vYVSYuKP6AhS86fbRdMw9XHieotbST"],
      ["testnet3", ...test],
      ["testnet4", ...test],
      ["signet", ...test],
      ["regtest", ...test],
    ]);
  });
});

describe("scripts without an address", () => {
  test.each([
    ["nothing", ""],
    [
      "P2PK",
      "4104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac",
    ],
    ["OP_RETURN", "6a0548656c6c6f"],
    ["a program of version 0 with a length that it does not know", `0015${"00".repeat(21)}`],
    ["a program of 41 bytes", `5129${"00".repeat(41)}`],
    ["a P2PKH with a byte behind it", "76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac00"],
  ])("%s", (_, script) => {
    expect(addressOfScript(bytesOf(script), mainnet)).toBeUndefined();
  });
});

describe("addresses and scripts", () => {
  const hash = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  const script = fc.oneof(
    hash(20).map((bytes) => concatBytes(bytesOf("76a914"), bytes, bytesOf("88ac"))),
    hash(20).map((bytes) => concatBytes(bytesOf("a914"), bytes, bytesOf("87"))),
    hash(20).map((bytes) => concatBytes(bytesOf("0014"), bytes)),
    hash(32).map((bytes) => concatBytes(bytesOf("0020"), bytes)),
    fc
      .tuple(fc.integer({ min: 1, max: 16 }), fc.uint8Array({ minLength: 2, maxLength: 40, size: "max" }))
      .map(([version, bytes]) => concatBytes(Uint8Array.of(0x50 + version, bytes.length), bytes)),
  );

  test("the address of a script stands for that script, on every network", () => {
    fc.assert(
      fc.property(script, fc.constantFrom(...Object.values(networks)), (scriptPubKey, network) => {
        const address = addressOfScript(scriptPubKey, network);
        expect(address).toBeDefined();
        expect(scriptOfAddress(address ?? "", network)).toEqual({ kind: "script", scriptPubKey });
      }),
    );
  });

  test("no text is more than refused", () => {
    const text = fc.oneof(
      fc.string({ maxLength: 120, size: "max" }),
      fc.stringMatching(/^(bc|tb|bcrt)1[a-z0-9]{0,80}$/),
    );
    fc.assert(
      fc.property(text, (address) => {
        expect(["script", "invalid", "wrong-network"]).toContain(scriptOfAddress(address, mainnet).kind);
      }),
    );
  });

  test("a changed character is noticed", () => {
    const address = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    fc.assert(
      fc.property(fc.integer({ min: 3, max: address.length - 1 }), fc.constantFrom(..."qpzry9x8"), (index, letter) => {
        const changed = `${address.slice(0, index)}${letter}${address.slice(index + 1)}`;
        expect(scriptOfAddress(changed, mainnet).kind).toBe(changed === address ? "script" : "invalid");
      }),
    );
  });
});
