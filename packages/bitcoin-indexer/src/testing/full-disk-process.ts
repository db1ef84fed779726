/**
 * Removes an indexer's disk and restores it, as a process with a mount namespace of its own: `unshare -rm node …`. The argument selects
 * what the indexer does meanwhile. Ends with code 0 when everything behaved as expected.
 */
import { strict as assert } from "node:assert";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { networks } from "@nodewright/bitcoin-primitives";
import { openChainIndex } from "../chain-index-reader.ts";
import type { IndexerEvent } from "../sync/indexer-event.ts";
import type { SourceConfiguration } from "../source-configuration.ts";
import { startIndexer } from "../start-indexer.ts";
import { blockFileOf } from "./block-file.ts";
import { compareIndexes } from "./compare-indexes.ts";
import type { RegtestTip } from "./regtest-chain.ts";
import { type SmallDisk, withSmallDisk } from "./small-disk.ts";
import { hashText, StubNode } from "./stub-node.ts";
import { withTemporaryDirectory } from "./temporary-directory.ts";
import { buildClean, createRandom, WalkingChain } from "./walking-chain.ts";

const network = networks.regtest;
const maximumWait = 200_000;

/** Free bytes, fewer than the moves below write. */
const bytesLeft = 16_384;

/** Source of a chain that a test changes. */
interface ChangingSource {
  readonly configuration: SourceConfiguration;
  show(tips: readonly RegtestTip[]): void;
}

async function withNode(action: (source: ChangingSource) => Promise<void>): Promise<void> {
  const node = new StubNode([]);
  await node.start();
  try {
    await action({
      configuration: { kind: "node", upstream: { url: node.url }, pollMilliseconds: 20 },
      show: (tips) => {
        node.chain = tips;
      },
    });
  } finally {
    await node.stop();
  }
}

async function withFiles(action: (source: ChangingSource) => Promise<void>): Promise<void> {
  await withTemporaryDirectory(async (path) => {
    const written = new Set<RegtestTip>();
    const file = join(path, "blk00000.dat");
    writeFileSync(file, "");
    await action({
      configuration: { kind: "block-files", path, follow: true, pollMilliseconds: 20 },
      show(tips) {
        const added = tips.filter((tip) => !written.has(tip));
        for (const tip of added) written.add(tip);
        appendFileSync(
          file,
          blockFileOf(
            added.map(({ bytes }) => bytes),
            network,
          ),
        );
      },
    });
  });
}

interface Move {
  readonly withSource: typeof withNode;
  readonly make: (walk: WalkingChain) => void;
  /** Whether the indexer is killed while its disk is full. */
  readonly isKilled?: boolean;
}

const moves: Readonly<Record<string, Move>> = {
  "blocks of a node": { withSource: withNode, make: (walk) => walk.grow(60) },
  "a start": { withSource: withNode, make: (walk) => walk.grow(60), isKilled: true },
  "blocks of files": { withSource: withFiles, make: (walk) => walk.grow(60) },
  "a reorganisation": { withSource: withNode, make: (walk) => walk.reorganise(40) },
};

async function fill(disk: SmallDisk, source: ChangingSource, { make, isKilled }: Move): Promise<void> {
  const walk = new WalkingChain(createRandom(7));
  walk.grow(60);
  source.show(walk.tips);
  const directory = join(disk.path, "index");
  mkdirSync(directory);
  const events: IndexerEvent[] = [];
  const indexer = startIndexer({
    directory,
    network: "regtest",
    source: source.configuration,
    onEvent: (event) => events.push(event),
  });
  const until = async (what: string, fits: (event: IndexerEvent) => boolean): Promise<IndexerEvent> => {
    const deadline = performance.now() + maximumWait;
    for (;;) {
      const found = events.findLast(fits);
      if (found !== undefined) return found;
      assert(performance.now() < deadline, `Waited in vain until ${what}: ${JSON.stringify(events.at(-1))}`);
      await sleep(20);
    }
  };
  const reader = openChainIndex(directory, { network });
  try {
    await until("it is ready", ({ state, height }) => state === "ready" && height === 60);
    const before = walk.tips.at(-1);
    const { pid } = indexer;
    disk.leave(bytesLeft);
    make(walk);
    source.show(walk.tips);
    const { reason } = await until("it has stalled", ({ state }) => state === "stalled");
    assert.match(reason ?? "", /^The index can't be written \(ENOSPC\): check the free space/);

    if (isKilled === true) {
      events.length = 0;
      process.kill(indexer.pid ?? 0, "SIGKILL");
      await until("it has stalled again", ({ reason: reported }) => reported?.includes("(ENOSPC)") === true);
    }
    const served = await reader.tip();
    assert.equal(served?.hash, hashText(before));
    assert.deepEqual(await reader.rawBlock(served?.hash ?? ""), Buffer.from(before?.bytes ?? []));

    disk.leave(32_000_000);
    await until("it has gone on", ({ state, height }) => state === "ready" && height === walk.height);
    if (isKilled !== true) assert.equal(indexer.pid, pid, "The process was started again");
    assert.equal((await reader.tip())?.hash, hashText(walk.tips.at(-1)));
  } finally {
    await reader.close();
    await indexer.stop();
  }
  await withTemporaryDirectory(async (clean) => {
    await buildClean(clean, walk.tips);
    assert.deepEqual(await compareIndexes(directory, clean), []);
  });
}

const move = moves[process.argv[2] ?? ""];
if (move === undefined) throw new Error("Name a move");
await withSmallDisk((disk) => move.withSource((source) => fill(disk, source, move)));
