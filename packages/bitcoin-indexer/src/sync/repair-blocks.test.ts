import { readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { networks, parseBlock, displayHash } from "@nodewright/bitcoin-primitives";
import { expect, it, vi } from "vitest";
import { openChainIndex } from "../chain-index-reader.ts";
import { createArraySource } from "../source/array-source.ts";
import type { BlockSource } from "../source/block-source.ts";
import { applyBlocks } from "../testing/apply-blocks.ts";
import { RegtestChain } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { readDamageReports } from "../store/damage-reports.ts";
import { dataDirectory } from "../store/data-directory.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { type BlockRepairOutcome, repairReportedBlocks, repairReportedBlocksOnce } from "./repair-blocks.ts";

const network = networks.regtest;

const chain = new RegtestChain();
const tips = [chain.genesis];
while (tips.length < 9) tips.push(chain.extend(tips.at(-1) ?? chain.genesis, Uint8Array.of(0x51)));
const blocks = tips.map(({ bytes }) => bytes);
const [coinbase] = parseBlock(blocks[4] ?? new Uint8Array(0)).transactions;
const txid = displayHash(coinbase?.txid ?? new Uint8Array(32));

/** Creates an index, damages block 4, detects that by reading, and runs the repair until `isDone`. */
async function repairFrom(
  source: BlockSource,
  check: (found: {
    readonly error: unknown;
    readonly reports: number;
    readonly isSame: boolean;
    readonly outcomes: readonly BlockRepairOutcome[];
  }) => void,
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
    // The block has been requested from it: one more check comes after the attempt.
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
    const outcomes: BlockRepairOutcome[] = [];
    const run = repairReportedBlocks(repair, counted, stopping.signal, (each) => outcomes.push(each), 1);
    await expect.poll(() => asked).toBe(1);
    stopping.abort();
    await run;
    const error = await reader.rawTransaction(txid).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const reports = readDamageReports(dataDirectory(directory)).length;
    check({ error, reports, isSame: readFileSync(path).equals(sound), outcomes });
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
  await repairFrom(sourceOf(blocks), (found) =>
    expect(found).toEqual({
      error: undefined,
      reports: 0,
      isSame: true,
      outcomes: [
        {
          path: expect.stringContaining("blk00000.dat"),
          offset: expect.any(Number),
          reason: expect.stringContaining("were changed"),
        },
      ],
    }),
  );
});

it("writes nothing that is not the block, and keeps refusing it", async () => {
  const others = [blocks[0] ?? new Uint8Array(0)];
  for (let tip = chain.genesis; others.length < 9; others.push(tip.bytes)) tip = chain.extend(tip, Uint8Array.of(0x52));
  await repairFrom(sourceOf(others), (found) =>
    expect(found).toMatchObject({ error: { code: "block-unreadable" }, reports: 1, isSame: false }),
  );
});

it.each([
  [
    "has other bytes",
    chain.extend(tips[3] ?? chain.genesis, Uint8Array.of(0x52)).bytes,
    /^a node has other bytes for it: put the file back/,
  ],
  ["gives nothing", undefined, /^a node does not have it now/],
])("reports once why a block can't be repaired: its source %s", async (_name, bytes, problem) => {
  await withTemporaryDirectory(async (directory) => {
    const store = await openEmbeddedStore(directory, network);
    await applyBlocks(store, -1, blocks);
    await store.close();
    rmSync(join(directory, "blocks", "blk00000.dat"));
    const damaged = await openEmbeddedStore(directory, network);
    const reader = openChainIndex(directory, { network });
    await expect(reader.rawTransaction(txid)).rejects.toMatchObject({ code: "block-unreadable" });
    const source: BlockSource = {
      ...sourceOf(blocks),
      async *blocks([header]) {
        if (bytes !== undefined && header !== undefined) yield { header, bytes, origin: { name: "a node", offset: 0 } };
      },
    };
    const outcomes: BlockRepairOutcome[] = [];
    if (damaged.repairs === undefined) throw new Error("The store can't be repaired");
    const { signal } = new AbortController();
    await repairReportedBlocksOnce(damaged.repairs, source, signal, (each) => outcomes.push(each));
    expect(outcomes).toMatchObject([{ problem: expect.stringMatching(problem) }]);
    await reader.close();
    await damaged.close();
  });
});

/** Reads two blocks from the file after `damage`, and tries once to repair them with `source`. */
async function repairFileOnce(
  damage: (path: string) => void,
  source: BlockSource,
  check: (
    rawBlock: (height: number) => Promise<Uint8Array | undefined>,
    reports: number,
    outcomes: readonly BlockRepairOutcome[],
  ) => Promise<void>,
  scan?: () => never,
): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const first = await openEmbeddedStore(directory, network);
    await applyBlocks(first, -1, blocks);
    await first.close();
    const path = join(directory, "blocks", "blk00000.dat");
    damage(path);
    const store = await openEmbeddedStore(directory, network);
    const reader = openChainIndex(directory, { network });
    const rawBlock = async (height: number): Promise<Uint8Array | undefined> =>
      await reader.rawBlock(displayHash(tips[height]?.hash ?? new Uint8Array(32)));
    for (const height of [5, 7]) await expect(rawBlock(height)).rejects.toMatchObject({ code: "block-unreadable" });
    expect(readDamageReports(dataDirectory(directory))).toHaveLength(2);
    if (store.repairs === undefined) throw new Error("The store can't be repaired");
    const scans = vi.spyOn(store.repairs.environment, "rows");
    if (scan !== undefined) scans.mockImplementation(scan);
    const outcomes: BlockRepairOutcome[] = [];
    const { signal } = new AbortController();
    await repairReportedBlocksOnce(store.repairs, source, signal, (each) => outcomes.push(each));
    expect(scans).toHaveBeenCalledTimes(1);
    await check(rawBlock, readDamageReports(dataDirectory(directory)).length, outcomes);
    await reader.close();
    await store.close();
  });
}

it.each([
  { name: "was deleted", damage: (path: string) => rmSync(path) },
  { name: "was cut", damage: (path: string) => truncateSync(path, 300) },
])("repairs each block that is read in a file that $name", async ({ damage }) => {
  await repairFileOnce(damage, sourceOf(blocks), async (rawBlock, reports) => {
    expect(reports).toBe(0);
    for (const height of [5, 7]) {
      expect(Buffer.from((await rawBlock(height)) ?? []).equals(blocks[height] ?? Buffer.alloc(0))).toBe(true);
    }
    await expect(rawBlock(6)).rejects.toMatchObject({ code: "block-unreadable" });
  });
});

it("goes on with the next block when one can't be written, and logs the reason once", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  try {
    // Refers to a directory that does not exist.
    const damage = (path: string): void => {
      rmSync(path);
      symlinkSync(join(path, "..", "missing", "blk00000.dat"), path);
    };
    await repairFileOnce(damage, sourceOf(blocks), async (_rawBlock, reports, outcomes) => {
      expect(reports).toBe(2);
      expect(logged.mock.calls).toMatchObject([[{ code: "ENOENT" }]]);
      expect(outcomes).toMatchObject(Array.from({ length: 2 }, () => ({ problem: "it can't be written (ENOENT)" })));
    });
  } finally {
    logged.mockRestore();
  }
});

it("keeps the reports of blocks whose rows can't be read", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const failure = new Error("The table can't be read");
  try {
    const check = async (_rawBlock: unknown, reports: number, outcomes: readonly BlockRepairOutcome[]) => {
      expect(reports).toBe(2);
      expect(outcomes).toMatchObject(Array.from({ length: 2 }, () => ({ problem: "its row can't be read" })));
      expect(logged.mock.calls).toEqual([[failure]]);
    };
    await repairFileOnce(rmSync, sourceOf(blocks), check, () => {
      throw failure;
    });
  } finally {
    logged.mockRestore();
  }
});

it("repairs a stale block from a source that still has it", async () => {
  await withTemporaryDirectory(async (directory) => {
    const store = await openEmbeddedStore(directory, network);
    await applyBlocks(store, -1, blocks);
    await applyBlocks(store, 7, [chain.extend(tips[7] ?? chain.genesis, Uint8Array.of(0x52)).bytes]);
    const path = join(directory, "blocks", "blk00000.dat");
    const sound = readFileSync(path);
    const stale = blocks[8] ?? expect.unreachable();
    const damaged = Buffer.from(sound);
    damaged[sound.indexOf(stale) + stale.length - 1] = 0xff;
    writeFileSync(path, damaged);
    const reader = openChainIndex(directory, { network });
    const rawBlock = () => reader.rawBlock(displayHash(tips[8]?.hash ?? expect.unreachable()));
    await expect(rawBlock()).rejects.toMatchObject({ code: "block-unreadable" });
    if (store.repairs === undefined) return expect.unreachable();
    await repairReportedBlocksOnce(store.repairs, sourceOf(blocks), new AbortController().signal);
    expect(readDamageReports(dataDirectory(directory))).toEqual([]);
    expect(Buffer.from((await rawBlock()) ?? []).equals(stale)).toBe(true);
    expect(readFileSync(path).equals(sound)).toBe(true);
    await reader.close();
    await store.close();
  });
});
