import { readdirSync } from "node:fs";
import { join } from "node:path";
import { displayHash, networks, toHex } from "@nodewright/bitcoin-primitives";
import { createHttpUpstream } from "@nodewright/upstream";
import { expect, it } from "vitest";
import type { IndexerEvent } from "../sync/indexer-event.ts";
import { runIndexer } from "../sync/run-indexer.ts";
import { createArraySource } from "../source/array-source.ts";
import { createNodeSource } from "../source/node-source.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { compareIndexes } from "../testing/compare-indexes.ts";
import { longChain } from "../testing/long-chain.ts";
import { mineRegtestBlock } from "../testing/regtest-block.ts";
import { StubNode, tipsOf } from "../testing/stub-node.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import type { BulkLimits } from "./bulk-target.ts";

const network = networks.regtest;
const blocks = longChain(200);

/** Limits that cause many segments, and little that may be loaded before it is joined. */
const limits: BulkLimits = {
  minimumBytes: 0,
  segmentBytes: 15_000,
  unspentWords: 4_000,
  sorterWords: 20_000,
  rowsPerTransaction: 200,
  runsPerMerge: 4,
  batchBytes: 4_000,
  threads: 0,
};

interface NodeIndexing {
  readonly node: StubNode;
  /** Hashes of the blocks that were requested from the node, in order. */
  readonly asked: readonly string[];
  /** Called for each block that is requested from the node, with the number of earlier requests. */
  onRequested: (count: number) => void;
  /** Indexes until `ends` returns true for an event. Returns all events. */
  index(directory: string, ends: (event: IndexerEvent) => boolean): Promise<readonly IndexerEvent[]>;
}

async function withNode(action: (indexing: NodeIndexing) => Promise<void>): Promise<void> {
  const node = new StubNode(tipsOf(blocks));
  const asked: string[] = [];
  const indexing: NodeIndexing = {
    node,
    asked,
    onRequested: () => undefined,
    index: async (directory, ends) => {
      const upstream = createHttpUpstream({ url: node.url });
      const source = createNodeSource(upstream, network, { pollMilliseconds: 10 });
      const store = await openEmbeddedStore(directory, network);
      const events: IndexerEvent[] = [];
      const stopping = new AbortController();
      const onEvent = (event: IndexerEvent): void => {
        events.push(event);
        if (ends(event)) stopping.abort();
      };
      await runIndexer({ store, source, bulkLimits: limits, onEvent, signal: stopping.signal });
      await source.close();
      await store.close();
      return events;
    },
  };
  node.lie = (method, [hash]) => {
    if (method !== "getblock") return undefined;
    indexing.onRequested(asked.length);
    asked.push(String(hash));
    return undefined;
  };
  await node.start();
  try {
    await action(indexing);
  } finally {
    await node.stop();
  }
}

/** Returns the differences from an index of these blocks that grew block by block. */
async function differences(directory: string, chain: readonly Uint8Array[]): Promise<readonly string[]> {
  const grown = `${directory}.grown`;
  const store = await openEmbeddedStore(grown, network);
  await runIndexer({ store, source: createArraySource(network, chain) });
  await store.close();
  return await compareIndexes(directory, grown);
}

function isReadyAt(height: number): (event: IndexerEvent) => boolean {
  return (event) => event.state === "ready" && event.height === height;
}

it("fills an empty index from a node with the rows of an index that grew block by block", async () => {
  await withTemporaryDirectory(async (directory) => {
    await withNode(async ({ index, asked }) => {
      const path = join(directory, "index");
      const events = await index(path, isReadyAt(200));
      expect(events.filter(({ state }) => state === "stalled")).toEqual([]);
      expect(readdirSync(path)).not.toContain("bulk");
      expect(await differences(path, blocks)).toEqual([]);
      // Each once, and some before to estimate their length.
      expect(asked.length).toBeLessThanOrEqual(blocks.length + 10);
    });
  });
});

it("keeps what was loaded while the node is away, and stops and starts meanwhile", async () => {
  await withTemporaryDirectory(async (directory) => {
    await withNode(async (indexing) => {
      const { node, asked, index } = indexing;
      const path = join(directory, "index");
      indexing.onRequested = (count) => {
        if (count < 120) return;
        node.fault = (response) => response.destroy();
      };
      const stalled = await index(path, ({ state }) => state === "stalled");
      expect(stalled.at(-1)?.reason).toBeUndefined();
      expect(stalled.find(({ state }) => state === "stalled")?.reason).toContain("Trying again.");
      expect(readdirSync(path)).toContain("bulk");
      expect(readdirSync(path)).not.toContain("layout.json");
      indexing.onRequested = () => undefined;
      node.fault = undefined;
      const askedBefore = asked.length;
      await index(path, isReadyAt(200));
      expect(await differences(path, blocks)).toEqual([]);
      const heights = asked
        .slice(askedBefore)
        .map((hash) => node.chain.findIndex((tip) => displayHash(tip.hash) === hash));
      expect(Math.min(...heights)).toBeGreaterThan(50);
    });
  });
});

it("retries for a block that came damaged, and goes on from there in bulk", async () => {
  await withTemporaryDirectory(async (directory) => {
    await withNode(async ({ node, index }) => {
      const path = join(directory, "index");
      const { lie } = node;
      let lies = 1;
      node.lie = (method, params) => {
        const reported = lie(method, params);
        if (method !== "getblock" || params[0] !== hashOf(150) || lies === 0) return reported;
        lies -= 1;
        return damaged(150);
      };
      const events = await index(path, isReadyAt(200));
      expect(events.filter(({ state }) => state === "stalled").map(({ reason }) => reason)).toEqual([
        "Block 150 came damaged from its source. Trying again.",
      ]);
      expect(await differences(path, blocks)).toEqual([]);
    });
  });
});

it("ends below a block that always comes damaged, and says what is wrong with it", async () => {
  await withTemporaryDirectory(async (directory) => {
    await withNode(async ({ node, index }) => {
      const path = join(directory, "index");
      node.lie = (method, [hash]) => (method === "getblock" && hash === hashOf(150) ? damaged(150) : undefined);
      const events = await index(path, ({ state, height }) => state !== "indexing" && height === 149);
      expect(events.find(({ height, reason }) => height === 149 && reason !== undefined)?.reason).toContain("150");
      expect(await differences(path, blocks.slice(0, 150))).toEqual([]);
    });
  });
});

it("refuses another block than it requested, and retries", async () => {
  await withTemporaryDirectory(async (directory) => {
    await withNode(async ({ node, index }) => {
      const path = join(directory, "index");
      let lies = 1;
      node.lie = (method, [hash]) => {
        if (method !== "getblock" || hash !== hashOf(101) || lies === 0) return undefined;
        lies -= 1;
        return toHex(blocks[102] ?? new Uint8Array(0));
      };
      const events = await index(path, isReadyAt(200));
      expect(events.filter(({ state }) => state === "stalled").map(({ reason }) => reason)).toEqual([
        "The node returned another block than requested at height 101. Trying again.",
      ]);
      expect(await differences(path, blocks)).toEqual([]);
    });
  });
});

it.each([40, 199])("comes to the best chain when the node reorganises down to %i while it is loaded", async (fork) => {
  await withTemporaryDirectory(async (directory) => {
    await withNode(async (indexing) => {
      const { node, index } = indexing;
      const path = join(directory, "index");
      const chain = [...blocks.slice(0, fork + 1)];
      while (chain.length < 230) chain.push(mineOn(chain));
      indexing.onRequested = (count) => {
        if (count === 120) node.chain = tipsOf(chain);
      };
      // The node still has stale blocks.
      const known = new Map(blocks.map((bytes, height) => [hashOf(height), toHex(bytes)]));
      const { lie } = node;
      node.lie = (method, params) => {
        const reported = lie(method, params);
        return method === "getblock" ? known.get(String(params[0])) : reported;
      };
      await index(path, isReadyAt(229));
      expect(await differences(path, chain)).toEqual([]);
    });
  });
});

function hashOf(height: number): string {
  const tip = tipsOf(blocks)[height];
  return tip === undefined ? "" : displayHash(tip.hash);
}

/** Returns a block with another byte in its last transaction. */
function damaged(height: number): string {
  const bytes = Buffer.from(blocks[height] ?? new Uint8Array(0));
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 5) ^ 1, bytes.length - 5);
  return bytes.toString("hex");
}

function mineOn(chain: readonly Uint8Array[]): Uint8Array {
  const parent = tipsOf(chain).at(-1);
  if (parent === undefined) throw new Error("No block to stand on");
  return mineRegtestBlock({
    previousHash: parent.hash,
    height: parent.height + 1,
    time: parent.time + 600,
    scriptPubKey: Uint8Array.of(0x51),
    transactions: [],
  });
}
