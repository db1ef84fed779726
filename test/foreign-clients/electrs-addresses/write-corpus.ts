/**
 * Writes `addresses.tsv`: addresses from a seed, and what electrs responds to each according to rust-bitcoin.
 *
 *     node --conditions=source test/foreign-clients/electrs-addresses/write-corpus.ts
 */
import { writeFileSync } from "node:fs";
import { requireProgram } from "../../support/requirement.ts";
import { corpusRounds, corpusSeed, listAddresses } from "./list-addresses.ts";
import { readWithRustBitcoin } from "./read-with-rust-bitcoin.ts";

const { path } = requireProgram("cargo");
if (path === undefined) process.exit(2);
const addresses = listAddresses(corpusSeed, corpusRounds);
writeFileSync(new URL("addresses.tsv", import.meta.url), readWithRustBitcoin(path, addresses));
console.log(`${addresses.length} addresses`);
