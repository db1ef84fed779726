import { type NetworkName, networks, sha256, toHex } from "@nodewright/bitcoin-primitives";
import { createBase58check } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAddress } from "./read-address.ts";

function problemOf(text: string, network: NetworkName): readonly [message: string, ...locations: number[]] {
  const reading = readAddress(text, networks[network]);
  return reading.kind === "problem" ? [reading.message, ...reading.locations] : expect.unreachable(text);
}

/** Returns zeros after a prefix, with their checksum. */
function base58Text(prefix: number, length: number): string {
  return createBase58check(sha256).encode(Uint8Array.of(prefix, ...new Uint8Array(length)));
}

describe("readAddress", () => {
  it.each([
    ["BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "0014751e76e8199196d454941c45d1b3a323f1433bd6"],
    [
      "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y",
      "5128751e76e8199196d454941c45d1b3a323f1433bd6751e76e8199196d454941c45d1b3a323f1433bd6",
    ],
    ["BC1SW50QGDZ25J", "6002751e"],
    ["bc1pfeessrawgf", "51024e73"],
    [" 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa\n", "76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac"],
  ])("takes %s", (text, script) => {
    const reading = readAddress(text, networks.mainnet);
    if (reading.kind === "problem") expect.unreachable(reading.message);
    expect(toHex(reading.scriptPubKey)).toBe(script);
    expect(reading.address).toBe(text.startsWith("B") ? text.toLowerCase() : text.trim());
  });

  it.each([
    [
      "an unknown prefix",
      "tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty",
      "Invalid or unsupported Segwit (Bech32) or Base58 encoding.",
    ],
    [
      "the prefix of another network that begins alike",
      "bcrt1q6rhpng9evdsfnn833a4f4vej0asu6dk5srld6x",
      "Invalid or unsupported prefix for Segwit (Bech32) address (expected bc, got bcrt).",
    ],
    ["a wrong last character", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", "Invalid Bech32 checksum", 41],
    [
      "bech32 of version 17",
      "BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2",
      "Version 1+ witness address must use Bech32m checksum",
    ],
    [
      "bech32m of version 17",
      "BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R",
      "Invalid Bech32 address witness version",
    ],
    [
      "bech32m of version 0",
      "bc1qfysxzmfq2phhyarvv9hxgtjgfazycwjypqqqfm706a",
      "Version 0 witness address must use Bech32 checksum",
    ],
    [
      "a program of 16 bytes",
      "BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P",
      "Invalid Bech32 v0 address program size (16 bytes), per BIP141",
    ],
    ["a program of one byte", "bc1pw5dgrnzv", "Invalid Bech32 address program size (1 byte)"],
    [
      "a program of 41 bytes",
      "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav",
      "Invalid Bech32 address program size (41 bytes)",
    ],
    [
      "padding that is not zero",
      "bc1qfysxzmfq2phhyarvv9hxgtjgdajxcw3fpkpph893lw",
      "Invalid padding in Bech32 data section",
    ],
    [
      "padding of five bits",
      "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf",
      "Invalid padding in Bech32 data section",
    ],
    ["no data", "bc1gmk9yu", "Empty Bech32 data section"],
    ["a capital letter", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3t4", "Invalid character or mixed case", 40],
    ["a space behind bech32", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4 ", "Invalid character or mixed case", 42],
    ["a testnet address", "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", "Invalid or unsupported Base58-encoded address."],
    [
      "a wrong character of base58",
      "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb",
      "Invalid checksum or length of Base58 address (P2PKH or P2SH)",
    ],
    ["19 bytes of a public key's hash", base58Text(0, 19), "Invalid length for Base58 address (P2PKH or P2SH)"],
    ["19 bytes of a script's hash", base58Text(5, 19), "Invalid length for Base58 address (P2PKH or P2SH)"],
    ["no bytes behind the prefix", base58Text(5, 0), "Invalid length for Base58 address (P2PKH or P2SH)"],
    ["20 bytes behind another prefix", base58Text(111, 20), "Invalid or unsupported Base58-encoded address."],
    ["19 bytes behind another prefix", base58Text(111, 19), "Invalid or unsupported Base58-encoded address."],
    ["21 bytes", base58Text(0, 21), "Invalid checksum or length of Base58 address (P2PKH or P2SH)"],
    ["100 bytes of base58", "1".repeat(100), "Invalid checksum or length of Base58 address (P2PKH or P2SH)"],
    ["101 bytes of base58", "1".repeat(101), "Invalid or unsupported Segwit (Bech32) or Base58 encoding."],
    ["137 characters of base58", "z".repeat(137), "Invalid or unsupported Segwit (Bech32) or Base58 encoding."],
    ["nothing", "", "Invalid checksum or length of Base58 address (P2PKH or P2SH)"],
    [
      "a character of no encoding",
      "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfN0",
      "Invalid or unsupported Segwit (Bech32) or Base58 encoding.",
    ],
  ])("says what is wrong on the main chain: %s", (_what, text, ...problem) => {
    expect(problemOf(text, "mainnet")).toEqual(problem);
  });

  it.each([
    ["bcrt1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7k0ylj5q", "Invalid Bech32m checksum", 75],
    ["bcrt1q049edschfnwystcqnsvyfpj23mpsg3jcedq9xv", "Invalid Bech32 checksum", 9],
    ["BCRT1QPLMTZKC2XHARPPZDLNPAQL78RSHJ68U32RAH7R", "Invalid Bech32 checksum", 38],
    ["bcrt1qax9suht3qv95sw33xavx8crpxduefdrsvgsklu", "Invalid Bech32 checksum", 22, 43],
    ["bcrt1qdg3myrgvzw7ml8q0ejxhlkyxn7vl9r56yzkfgvzclrf4hkpx9yfqhpsuks", "Invalid Bech32 checksum", 19, 30],
    ["bcrt1ptmp74ayg7p24uslctssvjm06q5phz4yrxucgnv", "Invalid Bech32 checksum", 5],
    ["bcrtq049ldschfnwystcqnsvyfpj23mpsg3jcedq9xv", "Missing separator"],
    ["bcrt1q04oldschfnwystcqnsvyfpj23mpsg3jcedq9xv", "Invalid Base 32 character", 8],
    ["bcrt1q04", "Invalid separator position", 4],
    ["17VZNX1SN5NtKa8UQFxwQbFeFc3iqRYhem", "Invalid or unsupported Base58-encoded address."],
    [
      "2VKf7XKMrp4bVNVmuRbyCewkP8FhGLP2E54LHDPakr9Sq5mtU2",
      "Invalid checksum or length of Base58 address (P2PKH or P2SH)",
    ],
    ["n3ZL2oNbV", "Invalid checksum or length of Base58 address (P2PKH or P2SH)"],
  ])("says what is wrong on regtest, and where: %s", (text, ...problem) => {
    expect(problemOf(text, "regtest")).toEqual(problem);
  });

  it("lists the characters beyond the longest bech32, up to a bound", () => {
    const [message, ...locations] = problemOf(`bc1${"q".repeat(97)}`, "mainnet");
    expect([message, ...locations]).toEqual(["Bech32 string too long", 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]);
    expect(problemOf(`bc1${"q".repeat(1_000_000)}`, "mainnet").length).toBeLessThan(2_000);
  });

  it("answers any text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `bc1${text}`),
        ),
        (text) => {
          const reading = readAddress(text, networks.mainnet);
          if (reading.kind === "problem") expect(reading.message).not.toBe("");
        },
      ),
    );
  });
});
