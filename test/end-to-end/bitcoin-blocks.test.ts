import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openChainIndex } from "@nodewright/bitcoin-indexer";
import { compareIndexes } from "@nodewright/bitcoin-indexer/testing";
import { displayHash, networks, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askHealth, askRest, askRpc, readRest } from "../support/calls.ts";
import { nodeOf, type ReadyNode, type StartedService, startService } from "../support/service.ts";
import { demoBlockFile, demoBlocks } from "./demo-blocks.ts";
import { descendantsOf, endBy, isRunning, type Launch, launch, waitFor } from "./launch.ts";

/** Before each block of a block file stand the network's magic and the length of the block. */
const prefixBytes = 8;

/** In two files, so that the second begins with this one. */
const secondFileHeight = 250;
const blockCount = 400;

describe("a service over block files", { timeout: 120_000 }, () => {
  let directory: string;
  let service: StartedService | undefined;
  let launches: Launch[];
  const blocksPath = () => join(directory, "blocks");
  const dataPath = () => join(directory, "data");
  const source = (network = "mainnet") => ["--bitcoin-blocks", blocksPath(), "--bitcoin-network", network];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-blocks-"));
    mkdirSync(blocksPath());
    launches = [];
  });

  afterEach(async () => {
    await service?.stop();
    service = undefined;
    for (const launched of launches) if (launched.child.exitCode === null) await endBy(launched, "SIGKILL");
    rmSync(directory, { recursive: true });
  });

  async function serve(network?: string, data = dataPath()) {
    await service?.stop();
    service = await startService({ parameters: source(network), dataDirectory: data });
    return { service, node: nodeOf(service, "bitcoin") };
  }

  /** Writes the demo's first blocks as a node keeps them, in two files, under a mask if one is given. */
  function writeBlocks({ mask, spoil = (file) => file }: WriteOptions = {}): void {
    const whole = demoBlockFile(blockCount);
    const end = startOf(secondFileHeight) - prefixBytes;
    const files = { "blk00000.dat": whole.subarray(0, end), "blk00001.dat": whole.subarray(end) };
    for (const [name, bytes] of Object.entries(files)) {
      const spoiled = name === "blk00001.dat" ? spoil(Buffer.from(bytes)) : bytes;
      writeFileSync(join(blocksPath(), name), mask === undefined ? spoiled : masked(spoiled, mask));
    }
    if (mask !== undefined) writeFileSync(join(blocksPath(), "xor.dat"), mask);
  }

  async function expectServedUpTo(node: ReadyNode, height: number): Promise<void> {
    expect(await askRest(node, "blocks/tip/height")).toEqual({ status: 200, text: String(height) });
    expect(await askRpc(node, "getblockcount")).toMatchObject({ result: height });
    for (const at of [0, secondFileHeight - 1, height]) {
      const bytes = demoBlocks(at + 1).at(-1) ?? Buffer.alloc(0);
      const { header, transactions } = parseBlock(bytes);
      const hash = displayHash(header.hash);
      expect(await askRest(node, `block-height/${at}`)).toEqual({ status: 200, text: hash });
      expect(await askRpc(node, "getblock", hash, 0)).toMatchObject({ result: toHex(bytes) });
      const [txid] = transactions.map((transaction) => displayHash(transaction.txid));
      expect(await readRest(node, `tx/${txid}/status`)).toMatchObject({ confirmed: true, block_height: at });
    }
    expect((await askRest(node, `block-height/${height + 1}`)).status).toBe(404);
  }

  it.each([
    ["plain", undefined],
    ["masked", Uint8Array.of(0x9e, 0x37, 0x00, 0x79, 0xb9, 0x7f, 0x4a, 0x7c)],
  ])("serves the chain of %s files in place of the demo's, and again from what it has", async (_name, mask) => {
    writeBlocks({ mask });

    const first = await serve();
    expect(first.node.id).toBe("bitcoin-mainnet");
    await expectServedUpTo(first.node, blockCount - 1);
    expect(await askHealth(first.node)).toBe("ok");
    expect(first.service.output()).toContain(`ready, height ${blockCount - 1}, ${blockCount} blocks`);

    const again = await serve();
    await expectServedUpTo(again.node, blockCount - 1);
    expect(again.service.output()).not.toMatch(/\d+ blocks,/);
  });

  /** Of a block in the second file: the byte of that file at which it begins. */
  const placeOf = (height: number) => startOf(height) - startOf(secondFileHeight) + prefixBytes;

  it.each<[name: string, lastGood: number, invalidByte: number, reason: string, spoil: Spoil]>([
    [
      "the second is truncated",
      387,
      placeOf(388) + 57,
      `ends inside the block that begins at byte ${placeOf(388) - prefixBytes}`,
      (file) => file.subarray(0, placeOf(388) + 57),
    ],
    [
      "a block in the middle has a changed transaction",
      299,
      placeOf(300) + 36,
      "merkle root",
      flip(placeOf(300) + 130),
    ],
    [
      "a header in the middle has no proof of work",
      299,
      placeOf(300),
      "does not meet its own target",
      flip(placeOf(300) + 76),
    ],
    ["a block in the middle has another magic", 299, placeOf(300) - 8, "magic", flip(placeOf(300) - 8)],
  ])(
    "serves the good blocks of files of which %s, and says which byte is wrong",
    async (_name, lastGood, byte, reason, spoil) => {
      writeBlocks({ spoil });

      const { service: running, node } = await serve();

      const place = `${join(blocksPath(), "blk00001.dat")}`;
      const [line = ""] = running
        .output()
        .split("\n")
        .filter((each) => each.startsWith("bitcoin-mainnet: failed"));
      expect(line).toContain(reason);
      expect(line).toContain(place);
      expect(line).toMatch(new RegExp(`\\b${byte}\\b`));
      expect(Object.keys(node.interfaces)).toEqual(["rest", "rpc"]);
      await expectServedUpTo(node, lastGood);
      expect(await askHealth(node)).toBe("degraded");

      writeBlocks();
      const repaired = await serve();
      await expectServedUpTo(repaired.node, blockCount - 1);
      expect(await askHealth(repaired.node)).toBe("ok");
    },
  );

  it("reads on as the files grow, and again what was put right in them, without a new start", async () => {
    const whole = demoBlockFile(blockCount);
    const end = startOf(secondFileHeight) - prefixBytes;
    const first = join(blocksPath(), "blk00000.dat");
    writeFileSync(first, whole.subarray(0, end));
    const { service: running, node } = await serve();
    await expectServedUpTo(node, secondFileHeight - 1);

    const [middle, wrong] = [placeOf(300) - prefixBytes, placeOf(350) + 130];
    const second = join(blocksPath(), "blk00001.dat");
    writeFileSync(second, whole.subarray(end, end + middle));
    await waitFor(async () => (await askRest(node, "blocks/tip/height")).text === "299");
    writeFileSync(second, flip(wrong)(Buffer.from(whole.subarray(end))));
    await waitFor(() => running.output().includes("merkle root"));
    await waitFor(async () => (await askHealth(node)) === "degraded");
    await expectServedUpTo(node, 349);

    writeFileSync(second, whole.subarray(end));
    await waitFor(async () => (await askRest(node, "blocks/tip/height")).text === String(blockCount - 1));
    await expectServedUpTo(node, blockCount - 1);
    await waitFor(async () => (await askHealth(node)) === "ok");
  });

  it("names the byte in the file, not in what is under its mask", async () => {
    writeBlocks({ mask: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), spoil: flip(placeOf(300) + 130) });

    const { service: running, node } = await serve();

    expect(running.output()).toMatch(new RegExp(`failed.*\\b${placeOf(300) + 36}\\b.*blk00001\\.dat.*merkle root`));
    await expectServedUpTo(node, 299);
  });

  it("serves nothing of another network's files, and says which network they are of", async () => {
    writeBlocks();

    const { service: running, node } = await serve("testnet3");

    expect(running.output()).toMatch(
      /bitcoin-testnet3: failed.*Byte 0 of .*blk00000\.dat .*a block of mainnet begins there/,
    );
    expect(node).toMatchObject({ id: "bitcoin-testnet3", interfaces: {} });
    for (const { status, text } of [await askRest(node, "blocks"), await askRest(node, "blocks/tip/height")]) {
      expect(status).toBe(503);
      expect(text).not.toContain(directory);
    }
    expect(await askRpc(node, "getblockcount")).toMatchObject({ result: null, error: { code: -32603 } });
    expect(await askHealth(node)).toBe("degraded");
  });

  it("ends with the rows of a clean build though it was killed again and again while indexing", async () => {
    writeFileSync(join(blocksPath(), "blk00000.dat"), demoBlockFile(Number.POSITIVE_INFINITY));
    const killedAt: number[] = [];
    for (const height of [0, 3_000, 7_000, 11_000]) killedAt.push(await killAtHeight(height));
    expect(killedAt.filter((height) => height < 14_131).length).toBeGreaterThan(1);

    const { node, service: running } = await serve();
    expect(await askRest(node, "blocks/tip/height")).toEqual({ status: 200, text: "14131" });
    await running.stop();
    const clean = await serve("mainnet", join(directory, "clean"));
    await clean.service.stop();

    expect(await compareIndexes(indexPath(dataPath()), indexPath(join(directory, "clean")))).toEqual([]);
  });

  /** Kills the service and its children as soon as the index has reached a height; gives the height that it then has. */
  async function killAtHeight(height: number): Promise<number> {
    const launched = launch(["start", "--port", "0", "--data", dataPath(), ...source()]);
    launches.push(launched);
    await waitFor(() => readdirSync(directory).includes("data") && hasIndexPath(dataPath()));
    const reader = openChainIndex(indexPath(dataPath()), { network: networks.mainnet });
    const reached = async () => (await reader.tip())?.height ?? -1;
    while ((await reached()) < height) await sleep(1);
    const pids = [launched.pid, ...descendantsOf(launched.pid)];
    for (const pid of pids) kill(pid);
    await waitFor(() => !pids.some(isRunning));
    const last = await reached();
    await reader.close();
    return last;
  }
});

interface WriteOptions {
  readonly mask?: Uint8Array | undefined;
  /** Changes the second file. */
  readonly spoil?: Spoil;
}

type Spoil = (file: Buffer) => Buffer;

/** Byte at which the block of a height begins in a file of all blocks. */
function startOf(height: number): number {
  return demoBlocks(height).reduce((sum, block) => sum + block.length + prefixBytes, prefixBytes);
}

function flip(position: number): Spoil {
  return (file) => {
    file[position] = (file[position] ?? 0) ^ 0xff;
    return file;
  };
}

/** As Bitcoin Core keeps its files: the mask repeats from the first byte of each. */
function masked(bytes: Uint8Array, mask: Uint8Array): Uint8Array {
  return bytes.map((byte, position) => byte ^ (mask[position % mask.length] ?? 0));
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // A child that has ended with its parent.
  }
}

/** Where the one Bitcoin index of a data directory stands. */
function indexPath(data: string): string {
  const parent = join(data, "nodes/bitcoin-mainnet");
  const [name, ...others] = readdirSync(parent);
  if (name === undefined || others.length > 0) throw new Error("Expected one index");
  return join(parent, name);
}

function hasIndexPath(data: string): boolean {
  try {
    return indexPath(data) !== "";
  } catch {
    return false;
  }
}
