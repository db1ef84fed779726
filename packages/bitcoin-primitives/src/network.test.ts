import { expect, test } from "vitest";
import { networks, toHex } from "./index.ts";

const testPrefixes = [111, 196, 239];
const testVersions = { public: 0x043587cf, private: 0x04358394 };

// The columns: name, chain, magic, human-readable part, prefixes of base58 (P2PKH, P2SH, private key), extended keys, easiest target.
test.each([
  [
    "mainnet",
    "main",
    "f9beb4d9",
    "bc",
    [0, 5, 128],
    { public: 0x0488b21e, private: 0x0488ade4 },
    "00000000".padEnd(64, "f"),
  ],
  ["testnet3", "test", "0b110907", "tb", testPrefixes, testVersions, "00000000".padEnd(64, "f")],
  ["testnet4", "testnet4", "1c163f28", "tb", testPrefixes, testVersions, "00000000".padEnd(64, "f")],
  ["signet", "signet", "0a03cf40", "tb", testPrefixes, testVersions, "00000377ae".padEnd(64, "0")],
  ["regtest", "regtest", "fabfb5da", "bcrt", testPrefixes, testVersions, "7".padEnd(64, "f")],
] as const)("%s has the parameters of Bitcoin Core", (name, chain, magic, segwitPrefix, prefixes, versions, target) => {
  const network = networks[name];
  expect(network).toMatchObject({ name, chain, segwitPrefix, extendedKeyVersions: versions });
  expect(toHex(network.magic)).toBe(magic);
  expect([network.publicKeyHashPrefix, network.scriptHashPrefix, network.privateKeyPrefix]).toEqual(prefixes);
  expect(network.powLimit.toString(16).padStart(64, "0")).toBe(target);
});
