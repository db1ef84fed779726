import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { networks } from "@nodewright/bitcoin-primitives";
import { expect, it } from "vitest";
import { openChainIndex } from "../chain-index-reader.ts";
import { startIndexer } from "../start-indexer.ts";
import { buildOptionalIndexes } from "../testing/build-optional-indexes.ts";
import { StubNode } from "../testing/stub-node.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { buildClean, createRandom, WalkingChain } from "../testing/walking-chain.ts";
import type { OptionalProgress } from "./optional-progress.ts";
import { prepareOptionalIndexes } from "./start-optional-indexes.ts";

const maximumWait = 200_000;

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + maximumWait;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Waited in vain until ${what}`);
    await sleep(5);
  }
}

async function withChain(blocks: number, action: (directory: string, walk: WalkingChain) => Promise<void>) {
  await withTemporaryDirectory(async (directory) => {
    const walk = new WalkingChain(createRandom(3));
    walk.grow(blocks);
    await buildClean(directory, walk.tips);
    await action(directory, walk);
  });
}

it("are kept next to an indexer, once it has a main index, and follow each block and reorganisation", async () => {
  await withTemporaryDirectory(async (directory) => {
    const walk = new WalkingChain(createRandom(2));
    walk.grow(40);
    const node = new StubNode(walk.tips);
    await node.start();
    const optional = { blockFilters: true, coinStatistics: true };
    const reported: OptionalProgress[] = [];
    const indexer = startIndexer({
      directory,
      network: "regtest",
      source: { kind: "node", upstream: { url: node.url }, pollMilliseconds: 5 },
      optional,
      onOptional: (progress) => reported.push(progress),
    });
    const reader = openChainIndex(directory, { network: networks.regtest, optional });
    const areLevel = async (): Promise<boolean> => {
      const tip = await reader.tip();
      if (tip?.height !== walk.height) return false;
      const rows = [reader.optional.blockFilters, reader.optional.coinStatistics];
      const found = await Promise.all(rows.map((each) => each?.find(tip.hash, tip.height)));
      return found.every((row) => row !== undefined);
    };
    try {
      await until("both are level", areLevel);
      for (const move of [() => walk.grow(1), () => walk.reorganise(7), () => walk.grow(3)]) {
        move();
        node.chain = walk.tips;
        await until("both are level again", areLevel);
      }
      const { height } = walk;
      await until("both are said to be ready", () => indexer.optional.every((each) => each.height === height));
      expect(indexer.optional.toSorted((left, right) => left.index.localeCompare(right.index))).toEqual([
        { index: "block-filters", state: "ready", height, targetHeight: height },
        { index: "coin-statistics", state: "ready", height, targetHeight: height },
      ]);
      expect(reported).toContainEqual({ index: "block-filters", state: "ready", height, targetHeight: height });
    } finally {
      await reader.close();
      await indexer.stop();
      await node.stop();
    }
  });
});

it("end when they have all of a main index that is complete", async () => {
  await withChain(30, async (directory) => {
    const options = { directory, network: "regtest", blockFilters: true, onProgress: () => undefined } as const;
    const indexes = prepareOptionalIndexes(options);
    indexes.reportChanged();
    await until("they are ready", () => indexes.progress.some(({ state }) => state === "ready"));
    expect(indexes.pid).toBeDefined();
    indexes.reportComplete();
    await until("the process has ended", () => indexes.pid === undefined);
    // A signal before the process has begun is received as well.
    const second = prepareOptionalIndexes(options);
    second.reportComplete();
    second.reportChanged();
    await until("the second has begun", () => second.progress.length > 0);
    await until("the second has ended", () => second.pid === undefined);
    expect(second.progress).toEqual([{ index: "block-filters", state: "ready", height: 30, targetHeight: 30 }]);
    await indexes.stop();
    await second.stop();
  });
});

it("say that they can't be used, and are not started again and again", async () => {
  await withChain(5, async (directory) => {
    const path = join(directory, "optional", "coin-statistics");
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "layout.json"), '{"layout":2}');
    const reported: OptionalProgress[] = [];
    const indexes = prepareOptionalIndexes({
      directory,
      network: "regtest",
      coinStatistics: true,
      onProgress: (progress) => reported.push(progress),
    });
    indexes.reportChanged();
    await until("they have failed", () => reported.length > 0);
    await until("the process has ended", () => indexes.pid === undefined);
    expect(reported).toEqual([
      {
        index: "coin-statistics",
        state: "failed",
        height: -1,
        targetHeight: -1,
        reason:
          `The coin statistics in ${path} have layout 2, this version needs 1: ` +
          "delete that directory to have them made anew, or switch them off.",
      },
    ]);
    await indexes.stop();
  });
});

it("wait while another process writes them, and go on when it has ended", async () => {
  await withChain(5, async (directory) => {
    const options = { directory, network: "regtest", blockFilters: true } as const;
    const first = prepareOptionalIndexes({ ...options, onProgress: () => undefined });
    first.reportChanged();
    await until("the first works", () => first.progress.some(({ state }) => state === "ready"));
    const second = prepareOptionalIndexes({ ...options, onProgress: () => undefined });
    second.reportChanged();
    await until("the second waits", () => second.progress.some(({ state }) => state === "stalled"));
    expect(second.progress[0]?.reason).toMatch(
      /^Another indexer \(process \d+\) works on the data directory .*optional/,
    );
    await first.stop();
    await until("the second works", () => second.progress.some(({ state }) => state === "ready"));
    await second.stop();
    await buildOptionalIndexes(directory, networks.regtest, { blockFilters: true });
  });
});
