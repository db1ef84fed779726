import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { networks, parseBlock, serializeBlock } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { runIndexer } from "../sync/run-indexer.ts";
import { createBlockFileSource } from "../source/block-file-source.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { blockFileOf } from "../testing/block-file.ts";
import { RegtestChain } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";

const network = networks.regtest;
const script: Uint8Array = Uint8Array.of(0x51);
const reserved = new Uint8Array(32);

/** Returns a chain of three blocks whose last one has a transaction with a witness, and that witness in its coinbase. */
function chainWith(coinbaseWitness: readonly Uint8Array[]): readonly Uint8Array[] {
  const chain = new RegtestChain();
  const first = chain.extend(chain.genesis, script);
  const outputs = [{ value: 1n, scriptPubKey: script }];
  const payment = { coins: first.coins.slice(-1), outputs, witness: [Uint8Array.of(1, 2, 3)] };
  const { header, transactions } = parseBlock(chain.extend(first, script, [payment]).bytes);
  const [coinbase, ...others] = transactions;
  const [input] = coinbase?.inputs ?? [];
  if (coinbase === undefined || input === undefined) throw new Error("The block has no coinbase");
  const changed = { ...coinbase, inputs: [{ ...input, witness: coinbaseWitness }] };
  return [chain.genesis.bytes, first.bytes, serializeBlock({ header, transactions: [changed, ...others] })];
}

/** Indexes the blocks and returns the resulting height of the index. */
async function heightOf(blocks: readonly Uint8Array[], minimumBytes: number): Promise<number | undefined> {
  let height: number | undefined;
  await withTemporaryDirectory(async (directory) => {
    const files = join(directory, "blocks");
    mkdirSync(files);
    writeFileSync(join(files, "blk00000.dat"), blockFileOf(blocks, network));
    const store = await openEmbeddedStore(join(directory, "index"), network);
    const source = createBlockFileSource(files, network);
    try {
      await runIndexer({ store, source, bulkLimits: { minimumBytes, threads: 0 } });
    } catch (reason) {
      expect(reason).toMatchObject({
        code: "bad-block",
        message: expect.stringContaining("lacks the reserved value of the witness commitment"),
      });
    } finally {
      height = (await store.queries().tip())?.height;
      await source.close();
      await store.close();
    }
  });
  return height;
}

describe.each([
  ["block by block", Number.POSITIVE_INFINITY],
  ["in bulk", 0],
])("the coinbase's witness of a block that is indexed %s", (_, minimumBytes) => {
  it("is one value of 32 bytes", async () => {
    expect(await heightOf(chainWith([reserved]), minimumBytes)).toBe(2);
  });

  // BIP 141: "The coinbase's input's witness must consist of a single 32-byte array for the witness reserved value."
  it.each([
    ["no item", []],
    ["an item of 33 bytes", [new Uint8Array(33)]],
    ["a second item", [reserved, Uint8Array.of(1)]],
    ["a second item of 32 bytes", [reserved, reserved]],
    ["an item before it", [Uint8Array.of(1), reserved]],
  ])("with %s makes the block invalid", async (_name, witness) => {
    expect(await heightOf(chainWith(witness), minimumBytes)).toBe(1);
  });
});
