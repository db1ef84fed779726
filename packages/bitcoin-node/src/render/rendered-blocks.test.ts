import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ChainIndexReader,
  type ChainQueries,
  createArraySource,
  openChainIndex,
  openEmbeddedStore,
  runIndexer,
} from "@nodewright/bitcoin-indexer";
import { RegtestChain, type RegtestTip } from "@nodewright/bitcoin-indexer/testing";
import { displayHash, networks, parseBlockHeader } from "@nodewright/bitcoin-primitives";
import { buildChain } from "@nodewright/bitcoin-test-chain";
import { afterAll, describe, expect, it } from "vitest";
import type { BitcoinNodeContext } from "../context/context.ts";
import { getblock } from "../handlers/getblock.ts";
import { getblockheader } from "../handlers/getblockheader.ts";
import { foundPart } from "./rendered-blocks.ts";
import { responseText, responseValue } from "../testing/response-text.ts";

const { regtest } = networks;
const script: Uint8Array = Uint8Array.of(0x51);
const directory = mkdtempSync(join(tmpdir(), "nodewright-"));
const readers: ChainIndexReader[] = [];

afterAll(async () => {
  for (const reader of readers) await reader.close();
  rmSync(directory, { recursive: true });
});

function contextOf(index: ChainQueries): BitcoinNodeContext {
  return { index } as unknown as BitcoinNodeContext;
}

function open(name: string): ChainIndexReader {
  const reader = openChainIndex(join(directory, name), { network: regtest });
  readers.push(reader);
  return reader;
}

function hashOf({ hash }: RegtestTip): string {
  return displayHash(hash);
}

describe("a block that was rendered before", () => {
  it("is reported with what has changed since: blocks above it, and that it has become stale", async () => {
    const chain = new RegtestChain();
    const first = chain.extend(chain.genesis, script);
    const lost = chain.extend(first, script);
    const store = await openEmbeddedStore(join(directory, "reorganised"), regtest);
    const source = createArraySource(regtest, [chain.genesis.bytes, first.bytes]);
    await runIndexer({ store, source });
    const context = contextOf(open("reorganised"));
    const reported = async (of: RegtestTip): Promise<unknown> => {
      const header = (await responseValue(getblockheader({ hash: hashOf(of) }, context))) as object;
      for (const verbosity of [1, 2, 3]) {
        // Members of the header are in the block, and equal.
        expect(await responseValue(getblock({ blockhash: hashOf(of), verbosity }, context))).toMatchObject(header);
      }
      const { confirmations, nextblockhash } = header as { confirmations: number; nextblockhash?: string };
      return { confirmations, nextblockhash };
    };

    expect(await reported(first)).toEqual({ confirmations: 1, nextblockhash: undefined });
    source.add(lost.bytes);
    await runIndexer({ store, source });
    expect(await reported(first)).toEqual({ confirmations: 2, nextblockhash: hashOf(lost) });
    expect(await reported(lost)).toEqual({ confirmations: 1, nextblockhash: undefined });

    const winner = chain.extend(first, script);
    const tip = chain.extend(winner, script);
    source.add(winner.bytes, tip.bytes);
    await runIndexer({ store, source });
    expect(await reported(first)).toEqual({ confirmations: 3, nextblockhash: hashOf(winner) });
    expect(await reported(lost)).toEqual({ confirmations: -1, nextblockhash: undefined });
    await store.close();
  });
});

it("a part of a block that was dropped meanwhile is not found", async () => {
  expect(await foundPart(Promise.resolve(7))).toBe(7);
  await expect(foundPart(Promise.resolve(undefined))).rejects.toMatchObject({
    rpcCode: -5,
    message: "Block not found",
  });
});

describe("a block of more than a thousand transactions", () => {
  it("is rendered once for all who ask meanwhile, and lets others have the event loop", async () => {
    const { index, hash } = await largeBlock();
    let reads = 0;
    const counted: ChainQueries = Object.create(index, {
      network: { value: index.network },
      blockByHash: { value: index.blockByHash.bind(index) },
      tipHeight: { value: index.tipHeight.bind(index) },
      blockTransactions: {
        value: (...input: Parameters<ChainQueries["blockTransactions"]>) => {
          reads += 1;
          return index.blockTransactions(...input);
        },
      },
    });
    const ask = () => responseText(getblock({ blockhash: hash, verbosity: 2 }, contextOf(counted)));
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);

    const responses = await Promise.all([ask(), ask(), ask()]);
    isDone = true;

    expect(turns).toBeGreaterThan(5);
    const once = reads;
    expect(new Set(responses).size).toBe(1);
    expect(JSON.parse(responses[0]).tx.length).toBeGreaterThan(1_000);
    expect(await ask()).toBe(responses[0]);
    expect(reads).toBe(once);
    // Every transaction was read once.
    expect(once).toBeLessThan(JSON.parse(responses[0]).tx.length / 8);
  });

  async function largeBlock(): Promise<{ readonly index: ChainIndexReader; readonly hash: string }> {
    const blocks: Uint8Array[] = [];
    const chain = buildChain({ seed: 3, transactions: 2_500, blocks: 102, signatures: "placeholder" });
    let largest = new Uint8Array();
    for await (const { bytes } of chain.blocks) {
      blocks.push(bytes);
      if (bytes.length > largest.length) largest = Uint8Array.from(bytes);
    }
    const store = await openEmbeddedStore(join(directory, "large"), regtest);
    await runIndexer({ store, source: createArraySource(regtest, blocks) });
    await store.close();
    return { index: open("large"), hash: displayHash(parseBlockHeader(largest.subarray(0, 80)).hash) };
  }
});
