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
import { RegtestChain, type RegtestTip } from "@nodewright/bitcoin-indexer/testing";
import { displayHash, networks } from "@nodewright/bitcoin-primitives";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Branch, branchOf } from "./branch.ts";

const { regtest } = networks;

/** Script that anyone may spend. */
const openScript: Uint8Array = Uint8Array.of(0x51);
const chain = new RegtestChain();

/** Returns blocks above one, which pay different scripts on different branches. */
function blocksAbove(start: RegtestTip, count: number, script: Uint8Array): readonly RegtestTip[] {
  const blocks: RegtestTip[] = [];
  for (let last = start; blocks.length < count; blocks.push(last)) last = chain.extend(last, script);
  return blocks;
}

const shared = [chain.genesis, ...blocksAbove(chain.genesis, 2, openScript)];
const fork = shared.at(-1) ?? chain.genesis;
const stale = blocksAbove(fork, 3, Uint8Array.of(0x52));
const winning = blocksAbove(fork, 5, openScript);

const directory = mkdtempSync(join(tmpdir(), "nodewright-"));
let index: ChainIndexReader;

beforeAll(async () => {
  const store = await openEmbeddedStore(directory, regtest);
  const source = createArraySource(
    regtest,
    [...shared, ...stale].map(({ bytes }) => bytes),
  );
  await runIndexer({ store, source });
  source.add(...winning.map(({ bytes }) => bytes));
  await runIndexer({ store, source });
  await store.close();
  index = openChainIndex(directory, { network: regtest });
});

afterAll(async () => {
  await index.close();
  rmSync(directory, { recursive: true });
});

const hashOf = ({ hash }: RegtestTip): string => displayHash(hash);

async function branchTo(tip: RegtestTip): Promise<Branch> {
  return await branchOf(index, (await index.blockByHash(hashOf(tip))) ?? expect.unreachable());
}

describe.each([
  ["the best chain", [...shared, ...winning]],
  ["a stale branch of several blocks", [...shared, ...stale]],
  ["the middle of a stale branch", [...shared, ...stale.slice(0, 2)]],
  ["a block of the best chain", shared],
])("%s", (_name, blocks) => {
  const hashes = blocks.map(hashOf);

  it("has one block at each height, and none above", async () => {
    const branch = await branchTo(blocks.at(-1) ?? expect.unreachable());
    expect(branch.tip.hash).toBe(hashes.at(-1));
    for (const [height, hash] of hashes.entries()) {
      expect(await branch.recordAt(height)).toMatchObject({ hash, height });
    }
  });

  it("is given downward, as far as it goes", async () => {
    const branch = await branchTo(blocks.at(-1) ?? expect.unreachable());
    for (const height of hashes.keys()) {
      for (const count of [0, 1, 2, height, height + 1, height + 2]) {
        const expected = hashes.slice(Math.max(height + 1 - count, 0), height + 1).reverse();
        const records = await branch.recordsFrom(height, count);
        expect(records.map(({ hash }) => hash)).toEqual(expected);
      }
    }
  });
});

it("a branch has no block below the first", async () => {
  const tip = stale.at(-1) ?? expect.unreachable();
  const branch = await branchTo(tip);
  await expect(branch.recordAt(-1)).rejects.toThrow(`The chain of block ${hashOf(tip)} has no block at height -1`);
});
