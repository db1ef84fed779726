import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { networks, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildChain } from "./build-chain.ts";
import { collect } from "./testing/collect.ts";
import type { ChainOptions } from "./chain-options.ts";
import { writeBlockFiles } from "./write-block-files.ts";

const options: ChainOptions = { seed: 3, transactions: 200, staleBranches: 2, signatures: "placeholder" };
const maximumFileBytes = 20_000;

describe("block files", () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "nodewright-block-files-"));
  });

  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  const hashesOf = async (each: ChainOptions) =>
    (await collect(buildChain(each).blocks)).map(({ hash }) => toHex(hash));

  it("hold every block behind magic and length, in files of at most the size requested", async () => {
    const { paths, bytes } = await writeBlockFiles(directory, buildChain(options), { maximumFileBytes });
    expect(readdirSync(directory)).toEqual(paths.map((_, index) => `blk${String(index).padStart(5, "0")}.dat`));
    const files = paths.map((path) => readFileSync(path));
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect(file.length).toBeLessThanOrEqual(maximumFileBytes);
    expect(files.reduce((sum, file) => sum + file.length, 0)).toBe(bytes);
    expect(files.flatMap(hashesIn)).toEqual(await hashesOf(options));
  });

  it("are masked by the key next to them, each from its first byte", async () => {
    const xorKey = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 255);
    const { paths } = await writeBlockFiles(directory, buildChain(options), { maximumFileBytes, xorKey });
    expect(readFileSync(join(directory, "xor.dat"))).toEqual(Buffer.from(xorKey));
    const files = paths.map((path) =>
      readFileSync(path).map((byte, index) => byte ^ (xorKey[index % xorKey.length] ?? 0)),
    );
    expect(files.flatMap((file) => hashesIn(Buffer.from(file)))).toEqual(await hashesOf(options));
  });

  it("hold the same blocks in another order when they are shuffled, children before parents", async () => {
    const { paths } = await writeBlockFiles(directory, buildChain(options), { order: "shuffled", seed: 5 });
    const hashes = paths.flatMap((path) => hashesIn(readFileSync(path)));
    const inOrder = await hashesOf(options);
    expect(hashes).not.toEqual(inOrder);
    expect(hashes[0]).toBe(inOrder[0]);
    expect(hashes.toSorted()).toEqual(inOrder.toSorted());
  });

  it("leave stale blocks out when told so", async () => {
    const chain = buildChain(options);
    const { paths } = await writeBlockFiles(directory, chain, { withStaleBranches: false });
    const hashes = paths.flatMap((path) => hashesIn(readFileSync(path)));
    expect(chain.summary().staleBlocks).toBeGreaterThan(0);
    expect(hashes).toHaveLength(chain.summary().blocks);
  });

  it("end in zeros where a node has reserved space, masked or not", async () => {
    const { paths, bytes } = await writeBlockFiles(directory, buildChain(options), {
      withReservedSpace: true,
      xorKey: Buffer.from("0123456789abcdef", "hex"),
    });
    const file = readFileSync(paths[0] ?? "");
    expect(file).toHaveLength(16 * 1024 * 1024);
    expect(file.subarray(bytes).every((byte) => byte === 0)).toBe(true);
  });
});

function hashesIn(file: Buffer): readonly string[] {
  const hashes: string[] = [];
  for (let offset = 0; offset < file.length; ) {
    expect(file.subarray(offset, offset + 4)).toEqual(Buffer.from(networks.regtest.magic));
    const length = file.readUInt32LE(offset + 4);
    hashes.push(toHex(parseBlock(file.subarray(offset + 8, offset + 8 + length)).header.hash));
    offset += 8 + length;
  }
  return hashes;
}
