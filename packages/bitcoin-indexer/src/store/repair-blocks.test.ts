import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { networks, parseBlock, displayHash } from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import { openChainIndex } from "../chain-index-reader.ts";
import { createArraySource } from "../source/array-source.ts";
import type { BlockSource } from "../source/block-source.ts";
import { applyBlocks } from "../testing/apply-blocks.ts";
import { RegtestChain } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { readDamageReports } from "./damage-reports.ts";
import { dataDirectory } from "./data-directory.ts";
import { openEmbeddedStore } from "./embedded-store.ts";
import { repairReportedBlocks } from "./repair-blocks.ts";

const network = networks.regtest;

const chain = new RegtestChain();
const tips = [chain.genesis];
while (tips.length < 9) tips.push(chain.extend(tips.at(-1) ?? chain.genesis, Uint8Array.of(0x51)));
const blocks = tips.map(({ bytes }) => bytes);
const [coinbase] = parseBlock(blocks[4] ?? new Uint8Array(0)).transactions;
const txid = displayHash(coinbase?.txid ?? new Uint8Array(32));

/** Makes an index, damages block 4, finds that by reading, and runs the repair until `isDone`. */
async function repairFrom(
  source: BlockSource,
  check: (found: { readonly error: unknown; readonly reports: number; readonly isSame: boolean }) => void,
): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const store = await openEmbeddedStore(directory, network);
    await applyBlocks(store, -1, blocks);
    const path = join(directory, "blocks", "blk00000.dat");
    const sound = readFileSync(path);
    const damaged = Buffer.from(sound);
    const end = sound.indexOf(blocks[4] ?? "none") + (blocks[4]?.length ?? 0);
    damaged[end - 1] = 0xff;
    writeFileSync(path, damaged);
    const reader = openChainIndex(directory, { network });
    await expect(reader.rawTransaction(txid)).rejects.toMatchObject({ code: "block-unreadable" });
    expect(readDamageReports(dataDirectory(directory))).toHaveLength(1);
    const stopping = new AbortController();
    // It has been asked for the block: one more look comes after the attempt.
    let asked = 0;
    const counted: BlockSource = {
      ...source,
      blocks: (headers, signal) => {
        asked += 1;
        return source.blocks(headers, signal);
      },
    };
    const repair = store.repairs;
    if (repair === undefined) throw new Error("The store can't be repaired");
    const run = repairReportedBlocks(repair, counted, stopping.signal, 1);
    await expect.poll(() => asked, { timeout: 20_000 }).toBe(1);
    stopping.abort();
    await run;
    const error = await reader.rawTransaction(txid).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const reports = readDamageReports(dataDirectory(directory)).length;
    check({ error, reports, isSame: readFileSync(path).equals(sound) });
    await reader.close();
    await store.close();
  });
}

function sourceOf(list: readonly Uint8Array[]): BlockSource {
  const source = createArraySource(network, list);
  return {
    network,
    name: "a node",
    chain: (known) => source.chain(known, new AbortController().signal),
    blocks: (headers, signal) => source.blocks(headers, signal),
    close: async () => undefined,
  };
}

it("mends a damaged block with the bytes of the source, and readers read it again", async () => {
  await repairFrom(sourceOf(blocks), (found) => expect(found).toEqual({ error: undefined, reports: 0, isSame: true }));
});

it("writes nothing that is not the block, and keeps refusing it", async () => {
  const others = [blocks[0] ?? new Uint8Array(0)];
  for (let tip = chain.genesis; others.length < 9; others.push(tip.bytes)) tip = chain.extend(tip, Uint8Array.of(0x52));
  await repairFrom(sourceOf(others), (found) =>
    expect(found).toMatchObject({ error: { code: "block-unreadable" }, reports: 1, isSame: false }),
  );
});
