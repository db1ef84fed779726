import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTimeSlice } from "node:timers/promises";
import { networks, toHex } from "@nodewright/bitcoin-primitives";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openChainIndex } from "../chain-index-reader.ts";
import { blockFilters } from "../optional/block-filters.ts";
import { coinStatistics } from "../optional/coin-statistics.ts";
import { optionalDirectory } from "../optional/optional-directory.ts";
import type { OptionalIndexName } from "../optional/optional-progress.ts";
import { optionalTables } from "../optional/optional-table.ts";
import { OptionalIndexWriter } from "../optional/optional-writer.ts";
import { runIndexer } from "../sync/run-indexer.ts";
import { createArraySource } from "../source/array-source.ts";
import { dataDirectory } from "../store/data-directory.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { Environment } from "../store/environment.ts";
import { scriptStatistics } from "../store/layout.ts";
import { applyBlocks } from "../testing/apply-blocks.ts";
import { buildOptionalIndexes } from "../testing/build-optional-indexes.ts";
import { demoBlocks } from "../testing/demo-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { buildClean, createRandom, WalkingChain } from "../testing/walking-chain.ts";
import { flipRowBit, writeOptionalRows } from "../testing/write-optional-rows.ts";
import type { IndexDamage } from "./index-damage.ts";
import { verifyIndex, type VerifyOptions } from "./verify-index.ts";

const { mainnet, regtest } = networks;
const mainnetHeight = 3_000;
const both = { blockFilters: true, coinStatistics: true };
const names: readonly OptionalIndexName[] = [blockFilters.name, coinStatistics.name];
/** Tables of both: the keys are the same. */
const { best, stale, tips } = optionalTables(blockFilters);

async function verify(directory: string, options: VerifyOptions = {}) {
  const damage: IndexDamage[] = [];
  const result = await verifyIndex(directory, { ...options, onDamage: (each) => damage.push(each) });
  expect(result.damaged).toBe(damage.length);
  return { ...result, damage };
}

function fileOf(directory: string, index: OptionalIndexName): string {
  return join(directory, "optional", index, "rows", "data.mdb");
}

function soundAt(height: number) {
  return names.map((index) => ({ index, height, comparedHeight: height, damaged: 0 }));
}

async function replaceBlocks(directory: string, forkHeight: number, chain: WalkingChain): Promise<void> {
  const store = await openEmbeddedStore(directory, regtest);
  const above = chain.tips.slice(forkHeight + 1).map(({ bytes }) => bytes);
  await applyBlocks(store, forkHeight, above);
  await store.close();
}

const length = 40;

/** Builds a chain that was reorganized by the given number of blocks; its optional indexes followed. */
async function makeReorganised(directory: string, depth: number): Promise<WalkingChain> {
  const chain = new WalkingChain(createRandom(3));
  chain.grow(length);
  await buildClean(directory, chain.tips);
  await buildOptionalIndexes(directory, regtest, both);
  chain.reorganise(depth);
  await replaceBlocks(directory, length - depth, chain);
  return chain;
}

describe("optional indexes of mainnet's first blocks", () => {
  const base = mkdtempSync(join(tmpdir(), "nodewright-verify-optional-"));

  beforeAll(async () => {
    const store = await openEmbeddedStore(base, mainnet);
    await runIndexer({ store, source: createArraySource(mainnet, demoBlocks(mainnetHeight + 1)) });
    await store.close();
    await buildOptionalIndexes(base, mainnet, both);
  });

  afterAll(() => rmSync(base, { recursive: true }));

  it("are sound as they were written", async () => {
    const phases = new Set<string>();
    const onProgress: VerifyOptions["onProgress"] = ({ index, phase }) => phases.add(`${index} ${phase}`);
    expect(await verify(base, { onProgress })).toMatchObject({ damage: [], optional: soundAt(mainnetHeight) });
    for (const index of names) expect(phases).toContain(`${index} rows`);
  });

  it("are damaged at each row in which a bit was changed, and at no other one", async () => {
    await withTemporaryDirectory(async (parent) => {
      const directory = join(parent, "copy");
      cpSync(base, directory, { recursive: true });
      // The hash, the data after it (header; counts), the state from which the rows above are derived, and the end.
      const changes = new Map([
        [0, 0],
        [1, 40],
        [170, 32],
        [2_812, 63],
        [mainnetHeight, -1],
      ]);
      for (const index of names) {
        await writeOptionalRows(directory, index, (environment) => {
          for (const [height, byte] of changes) flipRowBit(environment, best, best.key(height), byte);
        });
      }
      const { damage, areRowsCompared, optional } = await verify(directory);
      expect(areRowsCompared).toBe(true);
      expect(optional).toMatchObject(
        names.map((index) => ({ index, damaged: changes.size, comparedHeight: mainnetHeight })),
      );
      expect(damage).toEqual(
        names.flatMap((index) =>
          [...changes.keys()].map((height) => ({
            kind: "row",
            index,
            file: fileOf(directory, index),
            table: "best",
            height,
            key: toHex(best.key(height)),
            reason: "this row has another value",
          })),
        ),
      );
    });
  });
});

describe.each(names)("the optional index %s", (index) => {
  const only = { blockFilters: index === "block-filters", coinStatistics: index === "coin-statistics" };

  it("is damaged where rows are missing, or are of no block", async () => {
    await withTemporaryDirectory(async (directory) => {
      await makeReorganised(directory, 5);
      await buildOptionalIndexes(directory, regtest, only);
      const { height } = await verify(directory);
      const noHash = new Uint8Array(32).fill(7);
      await writeOptionalRows(directory, index, (environment) => {
        const row = Uint8Array.from(environment.getBytes(best, best.key(9)) ?? expect.unreachable("no row"));
        environment.remove(best, 3);
        environment.putBytes(best, best.key(height + 1), row, false);
        environment.putBytes(stale, stale.key(noHash), row, false);
      });
      const { damage } = await verify(directory);
      const place = { kind: "row", index, file: fileOf(directory, index) };
      const reasons = [
        { ...place, table: "best", key: toHex(best.key(3)), height: 3, reason: "this row is missing" },
        { ...place, table: "best", key: toHex(best.key(height + 1)), reason: "no block makes this row" },
        { ...place, table: "stale", key: toHex(noHash), reason: "this row belongs to another block" },
      ];
      expect(damage).toHaveLength(reasons.length);
      expect(damage).toEqual(expect.arrayContaining(reasons.map((each) => expect.objectContaining(each))));
    });
  });

  it("is damaged where a row of a stale block has another value", async () => {
    await withTemporaryDirectory(async (directory) => {
      await makeReorganised(directory, 5);
      await buildOptionalIndexes(directory, regtest, only);
      expect((await verify(directory)).damage).toEqual([]);
      const keys: Uint8Array[] = [];
      await writeOptionalRows(directory, index, (environment) => {
        for (const { key } of environment.everyRow(stale)) keys.push(Uint8Array.from(key));
        for (const key of keys) flipRowBit(environment, stale, key, 33);
      });
      expect(keys).toHaveLength(5);
      const { damage } = await verify(directory);
      expect(new Set(damage.map(({ key }) => key))).toEqual(new Set(keys.map((key) => toHex(key))));
      expect(damage.map(({ height }) => height)).toEqual([36, 37, 38, 39, 40]);
    });
  });

  it("is damaged where its tip is missing, can't be read, or has no row", async () => {
    for (const tip of [undefined, Uint8Array.of(1), Uint8Array.of(0x7f, 0, 0, 0)]) {
      await withTemporaryDirectory(async (directory) => {
        await makeReorganised(directory, 1);
        await writeOptionalRows(directory, index, (environment) => {
          if (tip === undefined) environment.remove(tips);
          else environment.putBytes(tips, tips.key(), tip, false);
        });
        const { damage } = await verify(directory);
        expect(damage).toMatchObject([{ kind: "table", index, file: fileOf(directory, index) }]);
      });
    }
  });

  it("is damaged where its pages were overwritten, and is neither written nor read then", async () => {
    await withTemporaryDirectory(async (directory) => {
      const chain = await makeReorganised(directory, 1);
      const file = fileOf(directory, index);
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.fill(0x77, 3 * 4_096));
      const { damage, optional } = await verify(directory);
      expect(damage.length).toBeGreaterThan(0);
      for (const each of damage) expect(each).toMatchObject({ kind: "table", index, file });
      expect(optional.find((each) => each.index === index)?.comparedHeight).toBe(-1);
      const wayOut = `delete ${join(directory, "optional", index)} to index anew`;
      await expect(buildOptionalIndexes(directory, regtest, only)).rejects.toThrow(new RegExp(wayOut, "i"));
      const reader = openChainIndex(directory, { network: regtest, optional: only });
      const rows = index === "block-filters" ? reader.optional.blockFilters : reader.optional.coinStatistics;
      await expect(rows?.height()).rejects.toThrow(new RegExp(wayOut, "i"));
      expect(await reader.tipHeight()).toBe(chain.height);
      await reader.close();
    });
  });

  it("is unfinished where it has less blocks than the main index", async () => {
    await withTemporaryDirectory(async (directory) => {
      const chain = new WalkingChain(createRandom(4));
      chain.grow(length);
      await buildClean(directory, chain.tips);
      const stop = new AbortController();
      await buildOptionalIndexes(directory, regtest, only, {
        signal: stop.signal,
        limits: { blocks: 3, milliseconds: 1_000, bytes: 1_000_000 },
        onProgress: () => stop.abort(),
      });
      const { damage, optional } = await verify(directory);
      expect(damage).toEqual([]);
      expect(optional).toMatchObject([{ index, height: 2, comparedHeight: 2, damaged: 0 }]);
      expect(optional[0]).not.toHaveProperty("problem");
    });
  });
});

describe("optional indexes", () => {
  it("are sound on a branch that the main index has left, and after they have followed it", async () => {
    await withTemporaryDirectory(async (directory) => {
      const chain = await makeReorganised(directory, 12);
      expect(await verify(directory)).toMatchObject({ damage: [], height: chain.height, optional: soundAt(length) });
      await buildOptionalIndexes(directory, regtest, both);
      expect(await verify(directory)).toMatchObject({ damage: [], optional: soundAt(chain.height) });
    });
  });

  it("are compared as far as a main index goes that is made anew", async () => {
    await withTemporaryDirectory(async (directory) => {
      const chain = await makeReorganised(directory, 1);
      await buildOptionalIndexes(directory, regtest, both);
      for (const part of ["index", "blocks", "layout.json"]) rmSync(join(directory, part), { recursive: true });
      await buildClean(directory, chain.tips.slice(0, 11));
      const optional = names.map((index) => ({ index, height: chain.height, comparedHeight: 10, damaged: 0 }));
      expect(await verify(directory)).toMatchObject({ damage: [], height: 10, optional });
    });
  });

  it("are verified in the state that they had, while blocks are written", async () => {
    await withTemporaryDirectory(async (directory) => {
      const chain = await makeReorganised(directory, 3);
      await buildOptionalIndexes(directory, regtest, both);
      const { height } = chain;
      const store = await openEmbeddedStore(directory, regtest);
      const main = openChainIndex(directory, { network: regtest });
      const writers = [
        new OptionalIndexWriter(directory, blockFilters),
        new OptionalIndexWriter(directory, coinStatistics),
      ];
      const { signal } = new AbortController();
      let writing: Promise<void> | undefined;
      const onProgress: VerifyOptions["onProgress"] = ({ index }) => {
        // From then on the state of all three is fixed.
        if (index !== undefined) return;
        writing ??= (async () => {
          chain.reorganise(6);
          const above = chain.tips.slice(height - 5).map(({ bytes }) => bytes);
          await applyBlocks(store, height - 6, above);
          for (const writer of writers) while (!(await writer.advance(main, signal)).isLevel) await nextTimeSlice();
        })();
      };
      expect(await verify(directory, { onProgress })).toMatchObject({ damage: [], height, optional: soundAt(height) });
      await (writing ?? expect.unreachable("nothing was written"));
      for (const each of [...writers, main, store]) await each.close();
      expect(await verify(directory)).toMatchObject({ damage: [], optional: soundAt(chain.height) });
    });
  });

  it("are not compared where a row of the main index is wrong", async () => {
    await withTemporaryDirectory(async (directory) => {
      const chain = await makeReorganised(directory, 1);
      await buildOptionalIndexes(directory, regtest, both);
      const environment = new Environment(dataDirectory(directory).index, "write");
      environment.write(() => environment.clearTable(scriptStatistics));
      await environment.close();
      const { damage, optional } = await verify(directory);
      for (const each of damage) expect(each).not.toHaveProperty("index");
      const expected = names.map((index) => ({ index, height: chain.height, comparedHeight: -1, damaged: 0 }));
      expect(optional).toMatchObject(expected);
    });
  });

  it("can't be verified in another layout, and have no block while they are begun", async () => {
    await withTemporaryDirectory(async (directory) => {
      await makeReorganised(directory, 1);
      const [filters, statistics] = names.map((index) => optionalDirectory(directory, index));
      writeFileSync(filters?.description ?? "", '{"layout":99}\n');
      rmSync(statistics?.description ?? "");
      const { damage, optional } = await verify(directory);
      expect(damage).toEqual([]);
      expect(optional).toEqual([
        expect.objectContaining({ height: -1, problem: expect.stringContaining("delete that directory") }),
        { index: "coin-statistics", directory: statistics?.path, height: -1, comparedHeight: -1, damaged: 0 },
      ]);
    });
  });

  it("are not mentioned where there are none", async () => {
    await withTemporaryDirectory(async (directory) => {
      const chain = new WalkingChain(createRandom(5));
      chain.grow(3);
      await buildClean(directory, chain.tips);
      expect((await verify(directory)).optional).toEqual([]);
    });
  });
});
