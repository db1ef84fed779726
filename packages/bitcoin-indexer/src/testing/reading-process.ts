/** Opens the index in the directory of its first argument, reads all its blocks, transactions and scripts, and prints a line for each. */
import { networks } from "@nodewright/bitcoin-primitives";
import { openChainIndex } from "../chain-index-reader.ts";
import { isIndexerError } from "../basics/indexer-error.ts";

const [, , directory = "", listing = "[]"] = process.argv;
const scripts: readonly string[] = JSON.parse(listing);

async function print(name: string, read: () => Promise<unknown>): Promise<void> {
  let result: string;
  try {
    result = JSON.stringify(await read(), spell) ?? "nothing";
  } catch (reason) {
    // Anything else would be an internal error.
    result = isIndexerError(reason) ? "refused" : `failed: ${String(reason)}`;
  }
  process.stdout.write(`${name} ${result}\n`);
}

function spell(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value;
}

try {
  const reader = openChainIndex(directory, { network: networks.regtest });
  const tip = await reader.tipHeight();
  for (let height = 0; height <= (tip ?? -1); height += 1) {
    await print(`block ${height}`, () => reader.blockByHeight(height));
    const block = await reader.blockByHeight(height).catch(() => undefined);
    await print(`raw ${height}`, () => reader.rawBlock(block?.hash ?? ""));
    const ids = await reader.transactionIds(block?.hash ?? "").catch(() => undefined);
    for (const txid of ids ?? []) {
      await print(`transaction ${txid}`, () => reader.transaction(txid));
      await print(`spends ${txid}`, () => reader.spends(txid));
    }
  }
  for (const script of scripts) {
    await print(`statistics ${script}`, () => reader.scriptStatistics(script));
    await print(`history ${script}`, () => reader.scriptHistory(script, { limit: 200 }));
    await print(`unspent ${script}`, () => reader.unspentOutputs(script, { limit: 200 }));
  }
  await reader.close();
} catch (reason) {
  if (!isIndexerError(reason)) throw reason;
  process.stdout.write(`refused ${reason.code} ${reason.place?.offset ?? -1}\n`);
}
