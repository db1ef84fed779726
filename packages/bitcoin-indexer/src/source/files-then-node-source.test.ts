import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { networks } from "@nodewright/bitcoin-primitives";
import { createHttpUpstream } from "@nodewright/upstream";
import { expect, it } from "vitest";
import { runIndexer } from "../sync/run-indexer.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { blockFileOf } from "../testing/block-file.ts";
import { type Following, follow, isReadyAt } from "../testing/following-indexer.ts";
import { RegtestChain, type RegtestTip } from "../testing/regtest-chain.ts";
import { hashText, StubNode } from "../testing/stub-node.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { createArraySource } from "./array-source.ts";
import { createBlockFileSource } from "./block-file-source.ts";
import type { BlockSource } from "./block-source.ts";
import { createFilesThenNodeSource } from "./files-then-node-source.ts";
import { createNodeSource } from "./node-source.ts";

const network = networks.regtest;
const script = Uint8Array.of(0x51);
const chain = new RegtestChain();
const trunk = grow(chain.genesis, 40);

function grow(from: RegtestTip, length: number, begun: readonly RegtestTip[] = [from]): readonly RegtestTip[] {
  const grown = [...begun];
  while (grown.length <= length) grown.push(chain.extend(grown.at(-1) ?? from, script));
  return grown;
}

interface Sources {
  readonly node: StubNode;
  /** Methods that were called on the node, in order. */
  readonly asked: readonly string[];
  readonly source: BlockSource;
}

/** Runs `action` with blocks in files, and a node with their chain. */
async function withSources(
  inFiles: readonly RegtestTip[],
  atNode: readonly RegtestTip[],
  action: (sources: Sources) => Promise<void>,
  spoil: (file: Uint8Array) => Uint8Array = (file) => file,
): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const file = blockFileOf(
      inFiles.map(({ bytes }) => bytes),
      network,
    );
    writeFileSync(join(directory, "blk00000.dat"), spoil(file));
    const node = new StubNode(atNode);
    const asked: string[] = [];
    node.lie = (method) => void asked.push(method);
    await node.start();
    const upstream = createHttpUpstream({ url: node.url });
    const source = createFilesThenNodeSource(
      createBlockFileSource(directory, network),
      createNodeSource(upstream, network, { pollMilliseconds: 10 }),
    );
    try {
      await action({ node, asked, source });
    } finally {
      await node.stop();
    }
  });
}

const blocksRequested = (asked: readonly string[]): number => asked.filter((method) => method === "getblock").length;

it("takes the blocks of the files from there and the others from the node, which it then follows", async () => {
  await withSources(trunk.slice(0, 31), trunk, async ({ node, asked, source }) => {
    await follow(source, async ({ until }: Following) => {
      await until(isReadyAt(40));
      expect(blocksRequested(asked)).toBe(10);
      const next = until(isReadyAt(41));
      node.chain = grow(chain.genesis, 41, trunk);
      await next;
      expect(blocksRequested(asked)).toBe(11);
    });
  });
});

it("fills an empty index from the files in bulk", async () => {
  await withSources(trunk.slice(0, 31), trunk, async ({ source, asked }) => {
    const batches: number[] = [];
    const counting: BlockSource = {
      ...source,
      network,
      name: source.name,
      chain: (known, signal) => source.chain(known, signal),
      blocks(headers, signal) {
        batches.push(headers.length);
        return source.blocks(headers, signal);
      },
      close: () => source.close(),
    };
    const action = async ({ until }: Following) => void (await until(isReadyAt(40)));
    await follow(counting, action, { bulkLimits: { minimumBytes: 0, threads: 0 } });
    // Blocks that only the node has came one by one.
    expect(batches).toEqual([10]);
    expect(blocksRequested(asked)).toBe(10);
  });
});

it("takes what the files have while the node is down, says so, and goes on when it is there", async () => {
  await withSources(trunk.slice(0, 31), trunk, async ({ node, source }) => {
    await node.stop();
    await follow(source, async ({ until }) => {
      expect(await until(({ state }) => state === "stalled")).toMatchObject({ height: 30 });
      const back = until(isReadyAt(40));
      await node.start();
      await back;
    });
  });
});

it("takes from the node what is wrong in the files, and says so", async () => {
  const spoiled = (file: Uint8Array): Uint8Array => {
    const bytes = Buffer.from(file);
    const position = trunk.slice(0, 12).reduce((sum, { bytes: block }) => sum + block.length + 8, 8) + 130;
    bytes[position] = (bytes[position] ?? 0) ^ 1;
    return bytes;
  };
  await withSources(
    trunk.slice(0, 31),
    trunk,
    async ({ asked, source }) => {
      await follow(source, async ({ until, events }) => {
        await until(isReadyAt(40));
        expect(blocksRequested(asked)).toBe(29);
        expect(events.find(({ state }) => state === "stalled")).toMatchObject({
          height: 11,
          reason: expect.stringContaining("merkle root"),
        });
      });
    },
    spoiled,
  );
});

it("goes over to the node's chain where the files end on another one", async () => {
  const stale = grow(trunk[25] ?? chain.genesis, 8, trunk.slice(0, 26)).slice(0, 30);
  const branch = [...trunk.slice(0, 26)];
  while (branch.length < 33) branch.push(chain.extend(branch.at(-1) ?? chain.genesis, Uint8Array.of(0x52)));
  await withSources(branch, trunk, async ({ source }) => {
    expect(stale).toHaveLength(26);
    await follow(source, async ({ store, until }) => {
      await until(isReadyAt(40));
      expect((await store.queries().tip())?.hash).toBe(hashText(trunk[40]));
      expect(await store.queries().blockByHash(hashText(branch[30]) ?? "")).toMatchObject({ onBestChain: false });
    });
  });
});

it("leaves the files alone when the index has nearly all blocks, and when it has left them behind", async () => {
  await withTemporaryDirectory(async (directory) => {
    const store = await openEmbeddedStore(directory, network);
    await runIndexer({
      store,
      source: createArraySource(
        network,
        trunk.slice(0, 36).map(({ bytes }) => bytes),
      ),
    });
    for (const inFiles of [
      trunk.slice(0, 10),
      [...trunk.slice(0, 5), chain.extend(trunk[4] ?? chain.genesis, script)],
    ]) {
      await withSources(inFiles, trunk, async ({ source, asked }) => {
        const stop = new AbortController();
        const { promise: ready, resolve } = Promise.withResolvers<void>();
        const running = runIndexer({
          store,
          source,
          signal: stop.signal,
          onEvent: ({ state }) => state === "ready" && resolve(),
        });
        await ready;
        expect(source.inFiles?.()).toBeUndefined();
        expect(blocksRequested(asked)).toBe(inFiles.length === 10 ? 5 : 0);
        stop.abort();
        await running;
        await source.close();
      });
    }
    await store.close();
  });
});
