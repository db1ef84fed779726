/**
 * Removes the disk of optional indexes while they are built and restores it, as a process with a mount namespace of its own: `unshare -rm
 * node …`. The argument selects how much of it is left. Ends with code 0 when everything behaved as expected.
 */
import { strict as assert } from "node:assert";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { networks } from "@nodewright/bitcoin-primitives";
import { openChainIndex } from "../chain-index-reader.ts";
import type { OptionalProgress } from "../optional/optional-progress.ts";
import { prepareOptionalIndexes } from "../optional/start-optional-indexes.ts";
import { buildOptionalIndexes } from "./build-optional-indexes.ts";
import { optionalRowsOf } from "./compare-optional-indexes.ts";
import { type SmallDisk, withSmallDisk } from "./small-disk.ts";
import { withTemporaryDirectory } from "./temporary-directory.ts";
import { buildClean, createRandom, WalkingChain } from "./walking-chain.ts";

const network = networks.regtest;
const both = { blockFilters: true, coinStatistics: true };
/** Maximum time without progress, in milliseconds. */
const maximumSilence = 200_000;

interface Shortage {
  readonly blocks: number;
  readonly bytesLeft: number;
}

const shortages: Readonly<Record<string, Shortage>> = {
  nothing: { blocks: 50, bytesLeft: 16_384 },
  // Enough to start, less than the rows take.
  "too little": { blocks: 1_800, bytesLeft: 1_150_000 },
};

async function fill(disk: SmallDisk, { blocks, bytesLeft }: Shortage): Promise<void> {
  const walk = new WalkingChain(createRandom(7));
  walk.grow(blocks);
  const directory = join(disk.path, "index");
  mkdirSync(directory);
  await buildClean(directory, walk.tips);
  const reported: OptionalProgress[] = [];
  const indexes = prepareOptionalIndexes({
    ...both,
    directory,
    network: "regtest",
    onProgress: (progress) => reported.push(progress),
  });
  const until = async (what: string, holds: (last: readonly OptionalProgress[]) => boolean): Promise<void> => {
    let heard = { count: reported.length, at: performance.now() };
    while (!holds(indexes.progress)) {
      if (reported.length > heard.count) heard = { count: reported.length, at: performance.now() };
      assert(
        performance.now() < heard.at + maximumSilence,
        `Waited in vain until ${what}: ${JSON.stringify(reported.slice(-4))}`,
      );
      await sleep(20);
    }
  };
  const reader = openChainIndex(directory, { network });
  try {
    disk.leave(bytesLeft);
    indexes.reportChanged();
    await until("one has stalled", (last) => last.some(({ state }) => state === "stalled"));
    const reason = reported.find(({ state }) => state === "stalled")?.reason ?? "";
    assert.match(reason, /^The index can't be written \((?:ENOSPC|EIO)\): check the free space/);
    assert.equal((await reader.tip())?.height, blocks, "The main index is served no more");
    disk.leave(32_000_000);
    await until("both are ready", (last) => last.length === 2 && last.every(({ state }) => state === "ready"));
  } finally {
    await reader.close();
    await indexes.stop();
  }
  await withTemporaryDirectory(async (clean) => {
    await buildClean(clean, walk.tips);
    await buildOptionalIndexes(clean, network, both);
    assert.deepEqual(await optionalRowsOf(directory), await optionalRowsOf(clean));
  });
}

const shortage = shortages[process.argv[2] ?? ""];
if (shortage === undefined) throw new Error("Say what is left");
await withSmallDisk((disk) => fill(disk, shortage));
