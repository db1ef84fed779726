import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ChainIndexReader,
  createArraySource,
  type MempoolQueries,
  openChainIndex,
  openEmbeddedStore,
  runIndexer,
} from "@nodewright/bitcoin-indexer";
import { createTestMempool, type RegtestCoin, type RegtestTip } from "@nodewright/bitcoin-indexer/testing";
import { displayHash, networks, parseBlock, parseTransaction, type Transaction } from "@nodewright/bitcoin-primitives";
import { buildChain, type ChainBlock, type ChainOptions, type TestChain } from "@nodewright/bitcoin-test-chain";
import { createCommandReference } from "../description/command-reference.ts";
import type { BitcoinNodeContext } from "../context/context.ts";

/** A generated chain, its index and a mempool above it. */
export interface ChainNode {
  readonly directory: string;
  readonly index: ChainIndexReader;
  readonly mempool: MempoolQueries;
  readonly chain: TestChain;
  /** All blocks, including stale ones, in the order in which a node receives them. */
  readonly blocks: readonly ChainBlock[];
  /** The blocks of the best chain, by height. */
  readonly best: readonly ChainBlock[];
  /** Transactions in the mempool, parents before their children. */
  readonly unconfirmed: readonly Transaction[];
  context(more?: Partial<BitcoinNodeContext>): BitcoinNodeContext;
  close(): Promise<void>;
}

const { regtest } = networks;

const noCommands = createCommandReference({ openrpc: "1.3.2", info: { title: "Test", version: "1.0.0" }, methods: [] });

/** Returns a context for handlers, over an index alone. */
export function contextOver(index: ChainIndexReader, more: Partial<BitcoinNodeContext> = {}): BitcoinNodeContext {
  return {
    index,
    identity: { version: 100, protocolVersion: 70_016 },
    methodAccess: { isEnabled: () => true, enableHint: "" },
    commands: noCommands,
    isShared: true,
    startedAt: 0,
    now: () => 1_700_000_000_000,
    ...more,
  };
}

/** Generates a chain, lets an index follow it over its stale branches, and fills a mempool with the remaining steps before a block. */
export async function openChainNode(options: ChainOptions): Promise<ChainNode> {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-"));
  const chain = buildChain(options);
  const blocks = await indexAll(join(directory, "data"), chain);
  const best = blocks.filter(({ branch }) => branch === undefined);
  const unconfirmed = await unconfirmedOf(chain);
  const mempool = createTestMempool(join(directory, "pool"), tipOf(best), unconfirmed);
  const index = openChainIndex(join(directory, "data"), { network: regtest });
  return {
    directory,
    index,
    mempool: mempool.queries,
    chain,
    blocks,
    best,
    unconfirmed,
    context: (more) => contextOver(index, { mempool: mempool.queries, ...more }),
    async close() {
      await mempool.close();
      await index.close();
      rmSync(directory, { recursive: true });
    },
  };
}

async function indexAll(directory: string, chain: TestChain): Promise<readonly ChainBlock[]> {
  const store = await openEmbeddedStore(directory, regtest);
  const source = createArraySource(regtest, []);
  const blocks: ChainBlock[] = [];
  for await (const block of chain.blocks) {
    // The index must be on a branch where that ends.
    if (blocks.at(-1)?.branch !== block.branch) await runIndexer({ store, source });
    source.add(block.bytes);
    blocks.push(block);
  }
  await runIndexer({ store, source });
  await store.close();
  return blocks;
}

async function unconfirmedOf(chain: TestChain): Promise<readonly Transaction[]> {
  const unconfirmed = new Map<string, Transaction>();
  for await (const step of chain.mempool) {
    if (step.kind === "block") break;
    if (step.kind === "replacement") for (const txid of step.replaced) unconfirmed.delete(displayHash(txid));
    unconfirmed.set(displayHash(step.transaction.txid), parseTransaction(step.transaction.bytes));
  }
  return [...unconfirmed.values()];
}

/** Returns the tip of a chain with all its spendable outputs. */
function tipOf(best: readonly ChainBlock[]): RegtestTip {
  const coins = new Map<string, RegtestCoin>();
  for (const { bytes } of best) {
    for (const { txid, inputs, outputs } of parseBlock(bytes).transactions) {
      for (const { previousOutput } of inputs)
        coins.delete(`${displayHash(previousOutput.txid)}:${previousOutput.vout}`);
      for (const [vout, { value, scriptPubKey }] of outputs.entries()) {
        coins.set(`${displayHash(txid)}:${vout}`, { outpoint: { txid, vout }, value, scriptPubKey });
      }
    }
  }
  const last = best.at(-1);
  if (last === undefined) throw new Error("A chain has blocks");
  const { time } = parseBlock(last.bytes).header;
  return { bytes: last.bytes, hash: last.hash, height: last.height, time, coins: [...coins.values()] };
}
