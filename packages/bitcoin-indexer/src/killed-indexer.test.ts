import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { IndexerEvent } from "./sync/indexer-event.ts";
import { type IndexerProcess, startIndexer } from "./start-indexer.ts";
import { compareIndexes } from "./testing/compare-indexes.ts";
import { StubNode } from "./testing/stub-node.ts";
import { withTemporaryDirectory } from "./testing/temporary-directory.ts";
import { buildClean, createRandom, WalkingChain } from "./testing/walking-chain.ts";

/** `npm run test:long` kills at more moments, which another seed gives. */
const moments = process.env["NODEWRIGHT_LONG"] === "1" ? 200 : 10;
const seed = Number(process.env["NODEWRIGHT_SEED"] ?? 20_261_121);

/** After so many moments another index is begun: the longer a chain, the longer its clean build. */
const momentsPerIndex = 20;
const firstBlocks = 80;
const maximumBlocks = 60;

/** An indexer over a node, with its latest report. */
interface Watched {
  readonly indexer: IndexerProcess;
  latest(): IndexerEvent | undefined;
}

function watch(directory: string, node: StubNode): Watched {
  let latest: IndexerEvent | undefined;
  const indexer = startIndexer({
    directory,
    network: "regtest",
    source: { kind: "node", upstream: { url: node.url }, pollMilliseconds: 5 },
    onEvent: (event) => {
      latest = event;
    },
  });
  return { indexer, latest: () => latest };
}

function isReadyAt(event: IndexerEvent | undefined, height: number): boolean {
  return event?.state === "ready" && event.height === height;
}

async function waitUntilReady(watched: Watched, height: number): Promise<void> {
  while (!isReadyAt(watched.latest(), height)) await sleep(2);
}

it(
  `goes on after kill -9 at ${moments} moments of growth and reorganisation to the index of an undisturbed build`,
  async () => {
    const random = createRandom(seed);
    let within = 0;
    let sequence = 0;
    while (sequence < moments) {
      await withTemporaryDirectory(async (directory) => {
        const walk = new WalkingChain(random);
        walk.grow(firstBlocks);
        const node = new StubNode(walk.tips);
        await node.start();
        const killed = join(directory, "killed");
        const watched = watch(killed, node);
        try {
          await waitUntilReady(watched, walk.height);
          // The duration of a move here and now.
          const startedAt = performance.now();
          walk.grow(maximumBlocks);
          node.chain = walk.tips;
          await waitUntilReady(watched, walk.height);
          const duration = performance.now() - startedAt;
          const end = Math.min(moments, sequence + momentsPerIndex);
          for (; sequence < end; sequence += 1) {
            if (sequence % 2 === 0) walk.grow(1 + walk.below(maximumBlocks));
            else walk.reorganise(1 + walk.below(maximumBlocks));
            const height = walk.height;
            node.chain = walk.tips;
            await sleep(random() * duration);
            if (!isReadyAt(watched.latest(), height)) within += 1;
            process.kill(watched.indexer.pid ?? 0, "SIGKILL");
            await waitUntilReady({ ...watched, latest: afterDeath(watched) }, height);
            const clean = join(directory, "clean");
            await buildClean(clean, walk.tips);
            expect(await compareIndexes(killed, clean)).toEqual([]);
            rmSync(clean, { recursive: true });
          }
        } finally {
          await watched.indexer.stop();
          await node.stop();
        }
      });
    }
    console.log(`killed within a growth or reorganisation: ${within} of ${moments}, seed ${seed}`);
    expect(within).toBeGreaterThan(0);
  },
  moments * 120_000,
);

/** Returns the reports after the death of the current process. */
function afterDeath({ indexer, latest }: Watched): Watched["latest"] {
  const { pid } = indexer;
  return () => (indexer.pid === undefined || indexer.pid === pid ? undefined : latest());
}
