import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { networks } from "@nodewright/bitcoin-primitives";
import { describe, expect, it } from "vitest";
import { isIndexerError } from "../basics/indexer-error.ts";
import type { IndexerEvent } from "../sync/indexer-event.ts";
import { runIndexer } from "../sync/run-indexer.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { blockFileOf } from "../testing/block-file.ts";
import { type Following, follow, isReadyAt } from "../testing/following-indexer.ts";
import { RegtestChain, type RegtestTip } from "../testing/regtest-chain.ts";
import { withTemporaryDirectory } from "../testing/temporary-directory.ts";
import { createBlockFileSource } from "./block-file-source.ts";

const network = networks.regtest;
const script = Uint8Array.of(0x51);

const tips = chainOf(20);
const blocks = tips.map(({ bytes }) => bytes);

function chainOf(length: number): readonly RegtestTip[] {
  const chain = new RegtestChain();
  const grown = [chain.genesis];
  while (grown.length < length) grown.push(chain.extend(grown.at(-1) ?? chain.genesis, script));
  return grown;
}

/** Returns the offset of the block of a height in a file of all blocks. */
function startOf(height: number): number {
  return blocks.slice(0, height).reduce((sum, bytes) => sum + bytes.length + 8, 8);
}

interface Outcome {
  /** Height of the last indexed block. */
  readonly height: number;
  readonly last: IndexerEvent | undefined;
}

/** Writes files, indexes them and returns the result. */
async function index(files: Readonly<Record<string, Uint8Array>>, name = ""): Promise<Outcome> {
  return await withTemporaryDirectory(async (directory) => {
    const path = join(directory, "files");
    mkdirSync(path);
    for (const [file, bytes] of Object.entries(files)) writeFileSync(join(path, file), bytes);
    const store = await openEmbeddedStore(join(directory, "data"), network);
    const source = createBlockFileSource(join(path, name), network);
    let last: IndexerEvent | undefined;
    await runIndexer({
      store,
      source,
      onEvent: (event) => {
        last = event;
      },
    }).catch((reason: unknown) => {
      if (!isIndexerError(reason)) throw reason;
    });
    const height = (await store.queries().tip())?.height ?? -1;
    await source.close();
    await store.close();
    return { height, last };
  });
}

const whole = blockFileOf(blocks, network);

it("reads one file, a directory of files, and packed files", async () => {
  expect(await index({ "blk00000.dat": whole }, "blk00000.dat")).toMatchObject({
    height: 19,
    last: { state: "ready" },
  });
  const halves = {
    "blk00000.dat": blockFileOf(blocks.slice(0, 8), network),
    "blk00001.dat": blockFileOf(blocks.slice(8), network),
    "rev00000.dat": Uint8Array.of(1, 2, 3),
  };
  expect(await index(halves)).toMatchObject({ height: 19, last: { state: "ready" } });
  expect((await index({ "all.zst": zstdCompressSync(whole) }, "all.zst")).height).toBe(19);
  expect((await index({ "all.br": brotliCompressSync(whole) }, "all.br")).height).toBe(19);
  expect((await index({ "all.gz": gzipSync(whole) }, "all.gz")).height).toBe(19);
});

it("reads blocks in any order, repeated, and with stale ones among them", async () => {
  const chain = new RegtestChain();
  const stale = chain.extend(tips[10] ?? chain.genesis, Uint8Array.of(0x52));
  const mixed = [...blocks.toReversed(), stale.bytes, ...blocks.slice(5, 8)];
  expect(await index({ "blk00000.dat": blockFileOf(mixed, network) })).toMatchObject({
    height: 19,
    last: { state: "ready" },
  });
});

it("reads masked files, and past space that a node has reserved", async () => {
  const mask = Uint8Array.of(0x3a, 0x00, 0x9c, 0x11, 0xfe, 0x7d, 0x22, 0xb5);
  const masked = whole.map((byte, position) => byte ^ (mask[position % 8] ?? 0));
  const reserved = Buffer.concat([masked, Buffer.alloc(3 * 1024 * 1024 + 5)]);
  const outcome = await index({ "blk00000.dat": reserved, "xor.dat": mask });
  expect(outcome).toMatchObject({ height: 19, last: { state: "ready" } });
  const padded = Buffer.concat([whole, Buffer.alloc(100_000)]);
  expect(await index({ "blk00000.dat": padded })).toMatchObject({ height: 19, last: { state: "ready" } });
});

it("stops at the last whole block of a truncated file, and names the missing byte", async () => {
  const length = startOf(12) + 100;
  const { height, last } = await index({ "blk00000.dat": whole.subarray(0, length) });
  expect(height).toBe(11);
  expect(last).toMatchObject({ state: "failed", height: 11, place: { offset: length } });
  expect(last?.place?.file).toMatch(/blk00000\.dat$/);
  expect(last?.reason).toContain(`ends inside the block that begins at byte ${startOf(12) - 8}`);
});

it.each([1, 3, 4, 7, 8, 50])("tells a file that is cut %i bytes into a block from a complete one", async (extra) => {
  const length = startOf(12) - 8 + extra;
  const { height, last } = await index({ "blk00000.dat": whole.subarray(0, length) });
  expect(height).toBe(11);
  expect(last).toMatchObject({ state: "failed", place: { offset: length } });
});

interface Damage {
  readonly name: string;
  /** Offset in bytes from the start of block 12. */
  readonly at: number;
  readonly reason: string;
  /** Offset at which the mistake is detected, in bytes from the start of block 12. */
  readonly seenAt: number;
}

const damages: readonly Damage[] = [
  { name: "magic", at: -8, reason: "magic", seenAt: -8 },
  { name: "length", at: -2, reason: "which is impossible", seenAt: -4 },
  { name: "count of transactions", at: 80, reason: "too short for its", seenAt: 80 },
  { name: "coinbase", at: 130, reason: "merkle root", seenAt: 36 },
];

it.each(damages)("stops below a block whose $name is wrong, and names the byte", async ({ at, reason, seenAt }) => {
  const bytes = Buffer.from(whole);
  bytes[startOf(12) + at] = (bytes[startOf(12) + at] ?? 0) ^ 0xf0;
  const { height, last } = await index({ "blk00000.dat": bytes });
  expect(height).toBe(11);
  expect(last).toMatchObject({ state: "failed", height: 11, place: { offset: startOf(12) + seenAt } });
  expect(last?.reason).toContain(reason);
});

it("stops below a header without proof of work", async () => {
  const bytes = Buffer.from(whole);
  // The highest byte of the target's mantissa: the target becomes unreachable.
  bytes[startOf(12) + 75] = 3;
  const { height, last } = await index({ "blk00000.dat": bytes });
  expect(height).toBe(11);
  expect(last).toMatchObject({ state: "failed", place: { offset: startOf(12) } });
  expect(last?.reason).toContain("does not meet its own target");
});

it("says which network the files are of", async () => {
  const { height, last } = await index({ "blk00000.dat": blockFileOf(blocks, networks.testnet3) });
  expect(height).toBe(-1);
  expect(last).toMatchObject({ state: "failed", place: { offset: 0 } });
  expect(last?.reason).toContain("a block of testnet3 begins there, not one of regtest");
});

it("says that the genesis block is missing", async () => {
  const { height, last } = await index({ "blk00000.dat": blockFileOf(blocks.slice(3), network) });
  expect(height).toBe(-1);
  expect(last?.reason).toContain("the previous block of the block that begins there is not in the files");
});

it("says that a directory, a file or its packing is no source of blocks", async () => {
  expect((await index({ "other.txt": whole })).last?.reason).toContain("holds no blk*.dat");
  expect((await index({}, "missing.dat")).last?.reason).toContain("can't be read");
  expect((await index({ "all.zst": whole }, "all.zst")).last?.reason).toContain("can't be read");
  expect((await index({ "blk00000.dat": new Uint8Array(0) })).last?.reason).toContain("holds no block");
});

describe("files that a node is still writing", () => {
  const mask = Uint8Array.of(0x3a, 0x00, 0x9c, 0x11, 0xfe, 0x7d, 0x22, 0xb5);
  const masked = (bytes: Uint8Array): Buffer =>
    Buffer.from(bytes.map((byte, position) => byte ^ (mask[position % 8] ?? 0)));

  async function following(action: (files: string, following: Following) => Promise<void>): Promise<void> {
    await withTemporaryDirectory(async (directory) => {
      writeFileSync(join(directory, "blk00000.dat"), blockFileOf(blocks.slice(0, 8), network));
      const source = createBlockFileSource(directory, network, { follow: true, pollMilliseconds: 10 });
      await follow(source, (indexer) => action(directory, indexer));
    });
  }

  it("are read on when blocks are appended, and when another file is begun", async () => {
    await following(async (directory, { until }) => {
      await until(isReadyAt(7));
      const appended = until(isReadyAt(11));
      appendFileSync(join(directory, "blk00000.dat"), blockFileOf(blocks.slice(8, 12), network));
      await appended;
      const another = until(isReadyAt(19));
      writeFileSync(join(directory, "blk00001.dat"), blockFileOf(blocks.slice(12), network));
      await another;
    });
  });

  it("are read on into space that the node had reserved, masked", async () => {
    await withTemporaryDirectory(async (directory) => {
      const path = join(directory, "blk00000.dat");
      const length = whole.length + 300_000;
      const write = (count: number): void => {
        const written = masked(blockFileOf(blocks.slice(0, count), network));
        const temporary = Buffer.concat([written, Buffer.alloc(length - written.length)]);
        const descriptor = openSync(path, existsSync(path) ? "r+" : "w");
        writeSync(descriptor, temporary, 0, temporary.length, 0);
        closeSync(descriptor);
      };
      writeFileSync(join(directory, "xor.dat"), mask);
      write(5);
      const source = createBlockFileSource(directory, network, { follow: true, pollMilliseconds: 10 });
      await follow(source, async ({ until }) => {
        for (const count of [5, 9, 20]) {
          const grown = until(isReadyAt(count - 1));
          write(count);
          await grown;
        }
      });
    });
  });

  it("may end in the midst of a block that is still being written", async () => {
    await following(async (directory, { until, events }) => {
      await until(isReadyAt(7));
      const next = blockFileOf(blocks.slice(8, 9), network);
      const stalled = until(({ state }) => state === "stalled");
      const file = join(directory, "blk00000.dat");
      appendFileSync(file, next.subarray(0, 100));
      // However long the test takes, this was just now.
      const soon = new Date(Date.now() + 600_000);
      utimesSync(file, soon, soon);
      expect((await stalled).reason).toContain("ends inside the block");
      const whole = until(isReadyAt(8));
      appendFileSync(file, next.subarray(100));
      await whole;
      expect(events.map(({ state }) => state)).not.toContain("failed");
    });
  });

  it("may be put right, or replaced, after something was wrong in them", async () => {
    await following(async (directory, { until }) => {
      await until(isReadyAt(7));
      const failed = until(({ state }) => state === "failed");
      const path = join(directory, "blk00001.dat");
      const spoiled = Buffer.from(blockFileOf(blocks.slice(8), network));
      spoiled[300] = (spoiled[300] ?? 0) ^ 0xff;
      writeFileSync(path, spoiled);
      utimesSync(path, new Date(0), new Date(0));
      await failed;
      const right = until(isReadyAt(19));
      rmSync(path);
      writeFileSync(path, blockFileOf(blocks.slice(8), network));
      await right;
      const shorter = until(({ state, targetHeight }) => state === "ready" && targetHeight === 7);
      rmSync(path);
      writeFileSync(path, "");
      expect(await shorter).toMatchObject({ height: 19 });
    });
  });

  it("may be deleted when their blocks are indexed, and come back", async () => {
    await following(async (directory, { until, events }) => {
      const second = join(directory, "blk00001.dat");
      writeFileSync(second, blockFileOf(blocks.slice(8, 12), network));
      await until(isReadyAt(11));
      rmSync(join(directory, "blk00000.dat"));
      const next = until(isReadyAt(12));
      appendFileSync(second, blockFileOf(blocks.slice(12, 13), network));
      await next;
      const count = events.length;
      await sleep(100);
      expect(events.length).toBe(count);
      const back = until(isReadyAt(19));
      writeFileSync(join(directory, "blk00000.dat"), blockFileOf(blocks.slice(0, 8).toReversed(), network));
      appendFileSync(second, blockFileOf(blocks.slice(13), network));
      await back;
    });
  });

  it("are read again after a look that the system has cut short", async () => {
    await withTemporaryDirectory(async (directory) => {
      writeFileSync(join(directory, "blk00000.dat"), whole);
      const source = createBlockFileSource(directory, network, { follow: true });
      const known = { height: -1, hashAt: async () => undefined };
      await expect(source.chain(known, AbortSignal.abort())).rejects.toThrow("aborted");
      const { headers } = await source.chain(known, AbortSignal.timeout(10_000));
      const read: Uint8Array[] = [];
      for await (const { bytes } of source.blocks(headers, AbortSignal.timeout(10_000))) read.push(bytes);
      expect(read.map((bytes) => Buffer.from(bytes))).toEqual(blocks.map((bytes) => Buffer.from(bytes)));
      await source.close();
    });
  });

  it("may be gone for a while", async () => {
    await following(async (directory, { until }) => {
      await until(isReadyAt(7));
      const failed = until(({ state }) => state === "failed");
      rmSync(join(directory, "blk00000.dat"));
      expect((await failed).reason).toContain("holds no blk*.dat");
      const back = until(isReadyAt(19));
      writeFileSync(join(directory, "blk00000.dat"), whole);
      await back;
    });
  });
});
