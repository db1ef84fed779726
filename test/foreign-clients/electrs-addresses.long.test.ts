import { readFileSync } from "node:fs";
import { networks } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { scriptHashOfAddress } from "../../packages/index-rest/src/scripts/script-hash.ts";
import { requireProgram } from "../support/requirement.ts";
import { corpusRounds, corpusSeed, listAddresses } from "./electrs-addresses/list-addresses.ts";
import { readWithRustBitcoin } from "./electrs-addresses/read-with-rust-bitcoin.ts";

// Builds a program of Rust from its registry: too much for every change.

const cargo = requireProgram("cargo").path;
const seed = Number(process.env["NODEWRIGHT_SEED"] ?? 1);
const compared = [networks.mainnet, networks.testnet3, networks.regtest] as const;

describe.skipIf(cargo === undefined)("rust-bitcoin", { timeout: 900_000 }, () => {
  it("makes the committed corpus", () => {
    const corpus = readFileSync(new URL("electrs-addresses/addresses.tsv", import.meta.url), "utf8");
    expect(readWithRustBitcoin(cargo ?? "", listAddresses(corpusSeed, corpusRounds))).toBe(corpus);
  });

  it("refuses addresses of another seed with the same texts", () => {
    const addresses = listAddresses(seed, 1_000);
    const ours = addresses.map((address) => [address, ...compared.map((network) => responseTo(address, network))]);
    const theirs = readWithRustBitcoin(cargo ?? "", addresses);
    console.log(`${addresses.length} addresses of seed ${seed}`);
    expect(ours).toEqual(
      theirs
        .trimEnd()
        .split("\n")
        .map((line) => line.split("\t")),
    );
  });
});

function responseTo(address: string, network: (typeof compared)[number]): string {
  try {
    scriptHashOfAddress(address, network);
    return "ok";
  } catch (reason) {
    return (reason as Error).message;
  }
}
