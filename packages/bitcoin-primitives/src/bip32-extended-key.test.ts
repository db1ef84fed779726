import { HDKey } from "@scure/bip32";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHex } from "./bytes.ts";
import { ExtendedKey, hardenedIndex } from "./extended-key.ts";
import { networks } from "./network.ts";

const master =
  "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi";
const testMaster =
  "tprv8ZgxMBicQKsPd7Uf69XL1XwhmjHopUGep8GuEiJDZmbQz6o58LninorQAfcKZWARbtRtfnLcJ5MQ2AtHcQJCCRUcMRvmDUjyEmNUWwx8UbK";

function parse(text: string): ExtendedKey {
  return ExtendedKey.parse(text, networks.mainnet) ?? expect.unreachable(text);
}

function descend(key: ExtendedKey, path: readonly number[]): ExtendedKey {
  return path.reduce((parent, index) => parent.child(index) ?? expect.unreachable(), key);
}

describe("ExtendedKey", () => {
  it("derives the chain of BIP 32's first vector", () => {
    const path = [hardenedIndex, 1, hardenedIndex + 2, 2, 1_000_000_000];
    expect(descend(parse(master), path).publicText()).toBe(
      "xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy",
    );
  });

  it("derives public children of a public key and of a private one alike, both ways", () => {
    const keys = [parse(master), parse(parse(master).publicText())];
    const reference = HDKey.fromExtendedKey(master);
    fc.assert(
      fc.property(fc.nat(hardenedIndex - 1), (index) => {
        const expected = toHex(reference.deriveChild(index).publicKey ?? expect.unreachable());
        for (const key of keys) {
          expect(toHex(key.child(index)?.publicKey ?? expect.unreachable())).toBe(expected);
          expect(toHex(key.publicChild(index) ?? expect.unreachable())).toBe(expected);
        }
      }),
      { numRuns: 10 },
    );
  });

  it("derives hardened children of a private key alone", () => {
    const key = parse(parse(master).publicText());
    expect(key.isPrivate).toBe(false);
    expect(key.child(hardenedIndex)).toBeUndefined();
    expect(key.publicChild(hardenedIndex)).toBeUndefined();
    expect(parse(master).child(hardenedIndex)?.isPrivate).toBe(true);
  });

  it.each([
    [networks.mainnet, "xpub"],
    [networks.testnet3, "tpub"],
    [networks.testnet4, "tpub"],
    [networks.signet, "tpub"],
    [networks.regtest, "tpub"],
  ])("of $name begins with %s", (network, prefix) => {
    const key = ExtendedKey.ofPublicKey(parse(master).publicKey, new Uint8Array(32), network);
    expect(key.isPrivate).toBe(false);
    const text = key.publicText();
    expect(text.slice(0, 4)).toBe(prefix);
    expect(toHex(ExtendedKey.parse(text, network)?.publicKey ?? expect.unreachable())).toBe(toHex(key.publicKey));
    const other = network === networks.mainnet ? networks.regtest : networks.mainnet;
    expect(ExtendedKey.parse(text, other)).toBeUndefined();
  });

  it("reads the private key of a test network there alone", () => {
    for (const { name } of Object.values(networks)) {
      expect(ExtendedKey.parse(testMaster, networks[name])?.isPrivate).toBe(name === "mainnet" ? undefined : true);
    }
  });

  it("has the fingerprint of BIP 32's first vector", () => {
    expect(toHex(parse(master).fingerprint)).toBe("3442193e");
  });

  it("ends where a depth is no byte any more", () => {
    const deepest = descend(
      parse(parse(master).publicText()),
      Array.from({ length: 255 }, () => 0),
    );
    expect(deepest.child(0)).toBeUndefined();
  });

  it.each([
    ["nothing", ""],
    ["a wrong checksum", `${master.slice(0, -1)}j`],
    ["a key of another network", testMaster],
    // BIP 32's fifth vector.
    [
      "a public version with a private key",
      "xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6LBpB85b3D2yc8sfvZU521AAwdZafEz7mnzBBsz4wKY5fTtTQBm",
    ],
    [
      "a key of no point",
      "xpub661MyMwAqRbcEYS8w7XLSVeEsBXy79zSzH1J8vCdxAZningWLdN3zgtU6Q5JXayek4PRsn35jii4veMimro1xefsM58PgBMrvdYre8QyULY",
    ],
    ["a long text", "x".repeat(1_000_000)],
  ])("is not read from %s", (_what, text) => {
    expect(ExtendedKey.parse(text, networks.mainnet)).toBeUndefined();
  });
});
