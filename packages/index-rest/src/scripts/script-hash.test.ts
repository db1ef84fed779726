import { readFileSync } from "node:fs";
import { addressOfScript, type Network, networks } from "@nodewright/bitcoin-primitives";
import { describe, expect, test } from "vitest";
import { scriptHashOfAddress } from "./script-hash.ts";

const { mainnet, testnet3, regtest } = networks;

function addressNumber(number: number): string {
  const script = Buffer.concat([Uint8Array.of(0, 20), Buffer.alloc(20, `${number} `)]);
  return addressOfScript(script, mainnet) ?? expect.unreachable("a witness program has an address");
}

describe("the script hash of an address", () => {
  test("is the SHA-256 of its script, not reversed", () => {
    expect(scriptHashOfAddress("1AbHNFdKJeVL8FRZyRZoiTzG9VCmzLrtvm", mainnet)).toBe(
      "974d93e1190cc6ae049c535a190e4c60bd17f846599ad51f69fbaf3b4fd110b5",
    );
  });

  test("is the same for bech32 in upper case", () => {
    const lower = scriptHashOfAddress("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", mainnet);
    expect(scriptHashOfAddress("BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", mainnet)).toBe(lower);
  });

  test("is the same when it is requested again, also behind more than can be remembered", () => {
    const first = addressNumber(0);
    const hash = scriptHashOfAddress(first, mainnet);
    for (let number = 0; number < 10_500; number += 1) scriptHashOfAddress(addressNumber(number), mainnet);
    expect([scriptHashOfAddress(first, mainnet), scriptHashOfAddress(first, mainnet)]).toEqual([hash, hash]);
    expect(() => scriptHashOfAddress(first, testnet3)).toThrow("Address on invalid network");
  });

  test.each([
    ["mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", mainnet],
    ["tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", mainnet],
    ["tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", regtest],
    ["1AbHNFdKJeVL8FRZyRZoiTzG9VCmzLrtvm", testnet3],
  ])("of another network, %s, is refused", (address, network) => {
    expect(() => scriptHashOfAddress(address, network)).toThrow("Address on invalid network");
  });

  test.each(["", "abc", "1AbHNFdKJeVL8FRZyRZoiTzG9VCmzLrtvN", "bcrt1qqqqqq", "bc1qqqqqq", "💥"])(
    "that cannot be read, %j, is refused in Esplora's words",
    (address) => {
      expect(() => scriptHashOfAddress(address, mainnet)).toThrow("base58 error");
    },
  );

  describe("or the text of its refusal is that of electrs", () => {
    const corpus = readFileSync(
      new URL("../../../../test/foreign-clients/electrs-addresses/addresses.tsv", import.meta.url),
      "utf8",
    );
    const lines = corpus.trimEnd().split("\n");
    const addresses = lines.map((line) => line.split("\t"));

    test.each([
      [mainnet, 1],
      [testnet3, 2],
      [networks.testnet4, 2],
      [networks.signet, 2],
      [regtest, 3],
    ])("on $name", (network, column) => {
      expect(addresses.length).toBeGreaterThan(1_000);
      const responses = addresses.map(([address = ""]) => [address, responseTo(address, network)]);
      expect(responses).toEqual(addresses.map((cells) => [cells[0], cells[column]]));
    });
  });
});

/** Returns the corpus's form: `ok`, or the error message. */
function responseTo(address: string, network: Network): string {
  try {
    scriptHashOfAddress(address, network);
    return "ok";
  } catch (reason) {
    return (reason as Error).message;
  }
}
