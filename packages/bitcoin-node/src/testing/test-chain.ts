import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ChainIndexReader,
  createArraySource,
  openChainIndex,
  openEmbeddedStore,
  runIndexer,
} from "@nodewright/bitcoin-indexer";
import { RegtestChain, type RegtestCoin, type RegtestTip } from "@nodewright/bitcoin-indexer/testing";
import {
  networks,
  parseTransaction,
  serializeTransaction,
  type Transaction,
  type TransactionOutput,
} from "@nodewright/bitcoin-primitives";
import { createCommandReference } from "../description/command-reference.ts";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Script that anyone may spend. */
export const openScript: Uint8Array = Uint8Array.of(0x51);

/** An index of a few blocks, with contexts for handlers. */
export interface IndexedChain {
  readonly chain: RegtestChain;
  readonly tip: RegtestTip;
  readonly index: ChainIndexReader;
  /** Returns the context of a node of the client's own with every method enabled, without an upstream node. */
  context(more?: Partial<BitcoinNodeContext>): BitcoinNodeContext;
  close(): Promise<void>;
}

/** Indexes `length` blocks above the first one. */
export async function indexChain(length: number): Promise<IndexedChain> {
  const network = networks.regtest;
  const directory = mkdtempSync(join(tmpdir(), "nodewright-"));
  const chain = new RegtestChain();
  const source = createArraySource(network, [chain.genesis.bytes]);
  let tip = chain.genesis;
  for (let height = 1; height <= length; height += 1) {
    tip = chain.extend(tip, openScript);
    source.add(tip.bytes);
  }
  const store = await openEmbeddedStore(directory, network);
  await runIndexer({ store, source });
  await store.close();
  const index = openChainIndex(directory, { network });
  return {
    chain,
    tip,
    index,
    context: (more = {}) => ({
      index,
      isShared: false,
      identity: { version: 10_203, protocolVersion: 70_016 },
      methodAccess: { isEnabled: () => true, enableHint: "Ask the operator." },
      commands: createCommandReference({
        openrpc: "1.3.2",
        info: { title: "Test", version: "1.2.3" },
        methods: [],
      }),
      startedAt: 0,
      now: () => 1_000,
      ...more,
    }),
    async close() {
      await index.close();
      rmSync(directory, { recursive: true });
    },
  };
}

/** Returns a transaction that spends coins which anyone may spend. */
export function spend(
  coins: readonly Pick<RegtestCoin, "outpoint">[],
  outputs: readonly TransactionOutput[],
): Transaction {
  const inputs = coins.map(({ outpoint }) => ({
    previousOutput: outpoint,
    scriptSig: new Uint8Array(0),
    sequence: 0xfffffffd,
    witness: [],
  }));
  return parseTransaction(serializeTransaction({ version: 2, inputs, outputs, locktime: 0 }));
}
