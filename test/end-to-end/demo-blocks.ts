import { readFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { root } from "../support/workspace.ts";

/** Before each block of a block file stand the network's magic and the length of the block. */
const prefixBytes = 8;

/** The demo's blocks as a block file (`blk*.dat`), the first `count` of them. */
export function demoBlockFile(count: number): Buffer {
  const end = demoBlocks(count).reduce((bytes, block) => bytes + prefixBytes + block.length, 0);
  return Buffer.from(wholeFile().subarray(0, end));
}

/** The first `count` of the demo's blocks. */
export function demoBlocks(count: number): readonly Buffer[] {
  const file = wholeFile();
  const blocks: Buffer[] = [];
  for (let offset = 0; blocks.length < count && offset < file.length; ) {
    const length = file.readUInt32LE(offset + 4);
    blocks.push(file.subarray(offset + prefixBytes, offset + prefixBytes + length));
    offset += prefixBytes + length;
  }
  return blocks;
}

let file: Buffer | undefined;

function wholeFile(): Buffer {
  const path = join(root, "packages/service/demo/bitcoin-mainnet/blocks-0-14131.dat.zst");
  file ??= zstdDecompressSync(readFileSync(path));
  return file;
}
