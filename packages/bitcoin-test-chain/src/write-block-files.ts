import { once } from "node:events";
import { createWriteStream, mkdirSync, truncateSync, writeFileSync, type WriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { join } from "node:path";
import { networks } from "@nodewright/bitcoin-primitives";
import { Random } from "./random.ts";
import type { ChainBlock, TestChain } from "./test-chain.ts";

export interface BlockFileOptions {
  /** XOR key of 8 bytes, as in Bitcoin Core's `xor.dat`; by default, files are not masked and there is no such file. */
  readonly xorKey?: Uint8Array | undefined;
  /** Maximum bytes of a file. Default: Bitcoin Core's 128 MiB. */
  readonly maximumFileBytes?: number | undefined;
  /**
   * Order of the blocks. `shuffled`: as they arrive from many peers, each block somewhere near its place; children may precede parents.
   * Default: `chain`.
   */
  readonly order?: "chain" | "shuffled" | undefined;
  /** Seed of the shuffled order. Default: 0. */
  readonly seed?: number | undefined;
  /** Whether stale branches are included. Default: true. */
  readonly withStaleBranches?: boolean | undefined;
  /** Whether the last file ends with the zeros that a running node has reserved. Default: false. */
  readonly withReservedSpace?: boolean | undefined;
  /** Called after each block. */
  readonly onBlock?: ((block: ChainBlock) => void) | undefined;
}

/** Result of writing. */
export interface WrittenBlockFiles {
  /** Paths in the order of their numbers. */
  readonly paths: readonly string[];
  readonly bytes: number;
}

const coreMaximumFileBytes = 128 * 1024 * 1024;
/** Bytes by which Bitcoin Core reserves space. */
const reservedBytes = 16 * 1024 * 1024;
/** Number of blocks that wait for a random place; about as many as a node requests from its peers at once. */
const shuffledBlocks = 256;
const shuffledBytes = 64 * 1024 * 1024;

/** Writes a chain in Bitcoin Core's block files: `blk00000.dat` and on in `directory`, which is created. Reads the chain. */
export async function writeBlockFiles(
  directory: string,
  chain: TestChain,
  options: BlockFileOptions = {},
): Promise<WrittenBlockFiles> {
  mkdirSync(directory, { recursive: true });
  if (options.xorKey !== undefined) writeFileSync(join(directory, "xor.dat"), options.xorKey);
  const files = new BlockFiles(directory, options.maximumFileBytes ?? coreMaximumFileBytes, options.xorKey);
  for await (const block of ordered(chain.blocks, options)) {
    if (block.branch !== undefined && options.withStaleBranches === false) continue;
    await files.write(block.bytes);
    options.onBlock?.(block);
  }
  await files.close(options.withReservedSpace ?? false);
  return { paths: files.paths, bytes: files.bytes };
}

async function* ordered(
  blocks: AsyncIterable<ChainBlock>,
  { order, seed }: BlockFileOptions,
): AsyncGenerator<ChainBlock> {
  if (order !== "shuffled") return yield* blocks;
  const random = new Random(`block files/${seed ?? 0}`);
  const waiting: ChainBlock[] = [];
  let bytes = 0;
  const takeOne = () => {
    const [block] = waiting.splice(random.below(waiting.length), 1);
    bytes -= block?.bytes.length ?? 0;
    return block;
  };
  for await (const block of blocks) {
    // The genesis block exists before any peer does.
    if (block.height === 0) {
      yield block;
      continue;
    }
    waiting.push(block);
    bytes += block.bytes.length;
    while (waiting.length > shuffledBlocks || bytes > shuffledBytes) {
      const next = takeOne();
      if (next !== undefined) yield next;
    }
  }
  for (let next = takeOne(); next !== undefined; next = takeOne()) yield next;
}

class BlockFiles {
  readonly paths: string[] = [];
  bytes = 0;
  readonly #directory: string;
  readonly #maximumBytes: number;
  readonly #xorKey: Uint8Array | undefined;
  #stream: WriteStream | undefined;
  #length = 0;

  constructor(directory: string, maximumBytes: number, xorKey: Uint8Array | undefined) {
    this.#directory = directory;
    this.#maximumBytes = maximumBytes;
    this.#xorKey = xorKey;
  }

  async write(block: Uint8Array): Promise<void> {
    const record = Buffer.allocUnsafe(8 + block.length);
    record.set(networks.regtest.magic);
    record.writeUInt32LE(block.length, 4);
    record.set(block, 8);
    if (this.#stream === undefined || this.#length + record.length > this.#maximumBytes) await this.#startFile();
    if (this.#xorKey !== undefined) mask(record, this.#xorKey, this.#length);
    this.#length += record.length;
    this.bytes += record.length;
    if (this.#stream?.write(record) === false) await once(this.#stream, "drain");
  }

  async close(withReservedSpace: boolean): Promise<void> {
    await this.#endFile();
    const last = this.paths.at(-1);
    if (withReservedSpace && last !== undefined) {
      truncateSync(last, Math.ceil(this.#length / reservedBytes) * reservedBytes);
    }
  }

  async #startFile(): Promise<void> {
    await this.#endFile();
    const path = join(this.#directory, `blk${String(this.paths.length).padStart(5, "0")}.dat`);
    this.paths.push(path);
    this.#stream = createWriteStream(path, { highWaterMark: 4 * 1024 * 1024 });
    this.#length = 0;
  }

  async #endFile(): Promise<void> {
    if (this.#stream === undefined) return;
    this.#stream.end();
    await finished(this.#stream);
    this.#stream = undefined;
  }
}

/** Masks a record. The key is repeated over the file, from its first byte. */
function mask(record: Buffer, key: Uint8Array, offset: number): void {
  for (let index = 0; index < record.length; index += 1) {
    record[index] = (record[index] ?? 0) ^ (key[(offset + index) % key.length] ?? 0);
  }
}
