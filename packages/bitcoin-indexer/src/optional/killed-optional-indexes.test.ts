import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { networks } from "@nodewright/bitcoin-primitives";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { applyBlocks } from "../testing/apply-blocks.ts";
import { buildOptionalIndexes } from "../testing/build-optional-indexes.ts";
import { optionalRowsOf } from "../testing/compare-optional-indexes.ts";
import type { RegtestTip } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { buildClean, createRandom, WalkingChain } from "../testing/walking-chain.ts";
import type { OptionalProgress } from "./optional-progress.ts";
import { prepareOptionalIndexes } from "./start-optional-indexes.ts";

/** `npm run test:long` kills at more moments, which another seed gives. */
const moments = process.env["NODEWRIGHT_LONG"] === "1" ? 200 : 10;
const seed = Number(process.env["NODEWRIGHT_SEED"] ?? 20_261_121);

/** After so many moments others are begun: the longer a chain, the longer its clean build. */
const momentsPerIndex = 5;
const maximumBlocks = 60;

const { regtest } = networks;
const both = { blockFilters: true, coinStatistics: true };

function isReadyAt(progress: readonly OptionalProgress[], height: number): boolean {
  return progress.length === 2 && progress.every((each) => each.state === "ready" && each.height === height);
}

/** Switches the main index of `directory` to another chain. */
async function change(directory: string, before: readonly RegtestTip[], after: readonly RegtestTip[]): Promise<void> {
  const fork = before.findIndex((tip, height) => tip !== after[height]);
  const kept = fork === -1 ? before.length : fork;
  const store = await openEmbeddedStore(directory, regtest);
  await applyBlocks(
    store,
    kept - 1,
    after.slice(kept).map(({ bytes }) => bytes),
  );
  await store.close();
}

it(
  `go on after kill -9 at ${moments} moments of a build and of reorganisations to the rows of an undisturbed build`,
  async () => {
    const random = createRandom(seed);
    let within = 0;
    for (let sequence = 0; sequence < moments; ) {
      await withTemporaryDirectory(async (parent) => {
        const walk = new WalkingChain(random);
        walk.grow(maximumBlocks);
        const directory = join(parent, "killed");
        await buildClean(directory, walk.tips);
        const indexes = prepareOptionalIndexes({ ...both, directory, network: "regtest", onProgress: () => undefined });
        try {
          // The duration of a start and a build here and now.
          const startedAt = performance.now();
          indexes.reportChanged();
          while (!isReadyAt(indexes.progress, walk.height)) await sleep(2);
          const duration = performance.now() - startedAt;
          const end = Math.min(moments, sequence + momentsPerIndex);
          for (; sequence < end; sequence += 1) {
            const before = walk.tips;
            if (sequence % 2 === 0) walk.grow(1 + walk.below(maximumBlocks));
            else walk.reorganise(1 + walk.below(maximumBlocks));
            // Half of the moments are of a build from the first block on.
            if (sequence % 4 >= 2) {
              process.kill(indexes.pid ?? 0, "SIGKILL");
              while (indexes.pid !== undefined) await sleep(2);
              rmSync(join(directory, "optional"), { recursive: true });
            }
            await change(directory, before, walk.tips);
            indexes.reportChanged();
            await sleep(random() * duration * (sequence % 4 >= 2 ? 2 : 0.1));
            if (!isReadyAt(indexes.progress, walk.height)) within += 1;
            const { pid } = indexes;
            if (pid !== undefined) process.kill(pid, "SIGKILL");
            while (indexes.pid === pid || !isReadyAt(indexes.progress, walk.height)) await sleep(2);
            const clean = join(parent, "clean");
            await buildClean(clean, walk.tips);
            await buildOptionalIndexes(clean, regtest, both);
            expect(await optionalRowsOf(directory)).toEqual(await optionalRowsOf(clean));
            rmSync(clean, { recursive: true });
          }
        } finally {
          await indexes.stop();
        }
      });
    }
    console.log(`killed within a build or reorganisation: ${within} of ${moments}, seed ${seed}`);
    expect(within).toBeGreaterThan(0);
  },
  moments * 120_000,
);
