import { networks, parseBlock } from "@nodewright/bitcoin-primitives";
import { openChainIndex } from "../chain-index-reader.ts";
import type { ChainQueries } from "../query/chain-queries.ts";
import { runIndexer } from "../sync/run-indexer.ts";
import { createArraySource } from "../source/array-source.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { Environment } from "../store/environment.ts";
import { dataDirectory } from "../store/data-directory.ts";
import { RegtestChain, type RegtestTip } from "./regtest-chain.ts";
import { withTemporaryDirectory } from "./temporary-directory.ts";

const network = networks.regtest;
/** Script that all blocks of `spendingChain` pay. */
export const script: Uint8Array = Uint8Array.of(0x51);

/** Indexes batches of blocks one after the other. */
export async function indexBlocks(directory: string, batches: readonly (readonly RegtestTip[])[]): Promise<void> {
  const store = await openEmbeddedStore(directory, network);
  const source = createArraySource(network, []);
  for (const batch of batches) {
    source.add(...batch.map(({ bytes }) => bytes));
    await runIndexer({ store, source });
  }
  await store.close();
}

/** Runs `action` with the queries of a reading process. */
export async function withReader(directory: string, action: (reader: ChainQueries) => Promise<void>): Promise<void> {
  const reader = openChainIndex(directory, { network });
  try {
    await action(reader);
  } finally {
    await reader.close();
  }
}

/** Returns a chain whose third block spends the first's output, and whose fourth spends the third's. */
export function spendingChain(): readonly RegtestTip[] {
  const chain = new RegtestChain();
  const pay = (tip: RegtestTip, witness?: readonly Uint8Array[]): RegtestTip => {
    const coins = tip.coins.slice(-1);
    const value = coins.reduce((sum, coin) => sum + coin.value, 0n) / 2n;
    const outputs = [
      { value, scriptPubKey: script },
      { value: 1n, scriptPubKey: Uint8Array.of(0x6a) },
    ];
    return chain.extend(tip, script, [{ coins, outputs, witness }]);
  };
  const first = chain.extend(chain.genesis, script);
  const second = pay(first);
  const third = pay(second, [Uint8Array.of(1, 2, 3)]);
  return [chain.genesis, first, second, third];
}

/** Function that changes rows of an index of these blocks. */
export type Damage = (environment: Environment, tips: readonly RegtestTip[]) => void;

/** Indexes `spendingChain`, damages the index and reads it. */
export async function withDamaged(damage: Damage, action: (reader: ChainQueries) => Promise<void>): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const tips = spendingChain();
    await indexBlocks(directory, [tips]);
    const environment = new Environment(dataDirectory(directory).index, "write");
    environment.write(() => damage(environment, tips));
    await environment.close();
    await withReader(directory, action);
  });
}

/** Returns a txid in wire order. */
export function txidOf(tip: RegtestTip | undefined, position: number): Uint8Array {
  return parseBlock(tip?.bytes ?? script).transactions[position]?.txid ?? new Uint8Array(32);
}
