import { closeSync, existsSync, fdatasyncSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { displayHash, doubleSha256, equalBytes, type Network, parseBlockHeader } from "@nodewright/bitcoin-primitives";
import { IndexerError } from "../basics/indexer-error.ts";
import type { BlockSource, KnownChain, SourceHeader } from "../source/block-source.ts";
import type { BlockInFile, ChainGrowth, ChainInFiles } from "../source/chain-in-files.ts";
import { blockFileName, blockPrefixLength, maximumFileLength } from "../store/block-files.ts";
import type { BlockPosition } from "../store/layout.ts";

const headerLength = 80;
/** Byte offset of the parent's hash in a header. */
const previousHashStart = 4;
const previousHashEnd = 36;

/** Bytes of an entry: header, file, offset and length of a block. */
const entryLength = headerLength + 12;
const entriesPerChunk = 4_096;

const noMask = new Uint8Array(0);
const noHash = new Uint8Array(32);

/** Base that a chain is loaded on top of. */
export interface LoadedBase {
  readonly height: number;
  /** Hashes of the blocks up to `height`. */
  readonly hashAt: KnownChain["hashAt"];
  /** Position of the next block in the index's own files. */
  readonly end: BlockPosition;
}

export interface LoadedChainOptions {
  readonly network: Network;
  /** Directory of the index's own block files. */
  readonly directory: string;
  readonly source: BlockSource;
  /** Absent: from the genesis block on, and blocks already in the files are not loaded again. */
  readonly base?: LoadedBase | undefined;
  /** Maximum bytes of blocks that are loaded ahead of those that were taken. */
  readonly lead: number;
  readonly signal: AbortSignal;
}

/**
 * Chain of a source that returns blocks one by one, written to the index's own files while it is read there: a growing chain in files. The
 * blocks below its base are not part of it.
 *
 * The chain ends where the source has no more, or has left the loaded chain for another one: the indexer continues from there as from any
 * other tip.
 */
export class LoadedChain implements ChainInFiles, ChainGrowth {
  readonly mask: Uint8Array = noMask;
  readonly #network: Network;
  readonly #directory: string;
  readonly #source: BlockSource;
  readonly #lead: number;
  readonly #stopping = new AbortController();
  readonly #signal: AbortSignal;
  readonly #chunks: Buffer[] = [];
  readonly #base: LoadedBase | undefined;
  readonly #baseHeight: number;
  #height: number;
  #aim: number;
  #end: BlockPosition;
  #descriptor: number | undefined;
  /** Bytes that are loaded and not taken. */
  #ahead = 0;
  #taken: number;
  #hasEnded = false;
  #failure: { readonly reason: unknown } | undefined;
  /** Resolves at the next change of anything above. */
  #change = Promise.withResolvers<void>();
  readonly #loading: Promise<void>;

  /** Begins to load. `aim`: height of the source's best block. */
  constructor({ network, directory, source, base, lead, signal }: LoadedChainOptions, aim: number) {
    this.#network = network;
    this.#directory = directory;
    this.#source = source;
    this.#lead = lead;
    this.#base = base;
    this.#baseHeight = base?.height ?? -1;
    this.#height = this.#baseHeight;
    this.#taken = this.#baseHeight;
    this.#end = base?.end ?? { file: 0, offset: 0 };
    this.#aim = aim;
    this.#signal = AbortSignal.any([signal, this.#stopping.signal]);
    mkdirSync(directory, { recursive: true });
    if (base === undefined) this.#readFiles();
    this.#loading = this.#load().then(
      () => {
        this.#hasEnded = true;
        this.#notify();
      },
      (reason: unknown) => {
        this.#failure = { reason };
        this.#notify();
      },
    );
  }

  get height(): number {
    return this.#height;
  }

  get growth(): ChainGrowth {
    return this;
  }

  get aim(): number {
    return Math.max(this.#aim, this.#height);
  }

  get end(): BlockPosition {
    return this.#end;
  }

  blockAt(height: number): BlockInFile {
    const entry = this.#entryAt(height);
    const header = entry.subarray(0, headerLength);
    const position = { file: entry.readUInt32LE(headerLength), offset: entry.readUInt32LE(headerLength + 4) };
    return {
      path: join(this.#directory, blockFileName(position.file)),
      offset: position.offset,
      length: entry.readUInt32LE(headerLength + 8),
      isPlain: true,
      hash: doubleSha256(header),
      header,
      position,
    };
  }

  async reaches(height: number): Promise<boolean> {
    while (height > this.#height) {
      if (this.#failure !== undefined) throw this.#failure.reason;
      if (this.#hasEnded) return false;
      await this.#change.promise;
    }
    return true;
  }

  taken(height: number): void {
    for (; this.#taken < height; this.#taken += 1) this.#ahead -= this.#lengthAt(this.#taken + 1);
    this.#notify();
  }

  sync(): void {
    if (this.#descriptor !== undefined) fdatasyncSync(this.#descriptor);
  }

  async discardIfDoubtful(height: number): Promise<boolean> {
    const { header, path, offset, length } = this.blockAt(height);
    const parsed = parseBlockHeader(header);
    const again = await this.#request({ hash: displayHash(parsed.hash), height, header: parsed });
    const descriptor = openSync(path, "r+");
    try {
      if (equalBytes(readAt(descriptor, offset, length), again)) return false;
      // A reader that scans the files finds no block there.
      writeSync(descriptor, Buffer.alloc(blockPrefixLength), 0, blockPrefixLength, offset - blockPrefixLength);
      fdatasyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return true;
  }

  /** Returns when loading and writing have stopped. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.#notify();
    await this.#loading;
    this.#closeFile();
  }

  async #load(): Promise<void> {
    for (;;) {
      const known = { height: this.#height, hashAt: (height: number) => this.#displayHashAt(height) };
      const { headers, height } = await this.#source.chain(known, this.#signal);
      this.#aim = height;
      if (headers[0]?.height !== this.#height + 1) return;
      let index = 0;
      for await (const { bytes } of this.#source.blocks(headers, this.#signal)) {
        const header = headers[index];
        if (header === undefined) break;
        index += 1;
        this.#append(bytes, header);
        while (this.#ahead > this.#lead && !this.#signal.aborted) await this.#change.promise;
        this.#signal.throwIfAborted();
      }
    }
  }

  #append(bytes: Uint8Array, { header, height }: SourceHeader): void {
    if (!equalBytes(bytes.subarray(0, headerLength), header.bytes)) {
      throw new IndexerError(
        "bad-block",
        `${capitalised(this.#source.name)} returned another block than requested at height ${height}. Trying again.`,
        { retry: true },
      );
    }
    if (this.#end.offset >= maximumFileLength) {
      this.#closeFile();
      this.#end = { file: this.#end.file + 1, offset: 0 };
    }
    const { file, offset } = this.#end;
    this.#descriptor ??= openFile(join(this.#directory, blockFileName(file)));
    const prefix = Buffer.allocUnsafe(blockPrefixLength);
    prefix.set(this.#network.magic);
    prefix.writeUInt32LE(bytes.length, 4);
    writeAt(this.#descriptor, prefix, offset);
    writeAt(this.#descriptor, bytes, offset + blockPrefixLength);
    this.#add(header.bytes, { file, offset: offset + blockPrefixLength }, bytes.length);
    this.#notify();
  }

  async #request(header: SourceHeader): Promise<Uint8Array> {
    for await (const { bytes } of this.#source.blocks([header], this.#signal)) return bytes;
    return new Uint8Array(0);
  }

  /** Restores the blocks that an earlier start has loaded, as far as each is on top of the one before. */
  #readFiles(): void {
    for (let file = 0; ; file += 1) {
      const path = join(this.#directory, blockFileName(file));
      if (!existsSync(path)) return;
      const descriptor = openSync(path, "r");
      try {
        const { size } = fstatSync(descriptor);
        if (!this.#readFile(descriptor, file, size) || size < maximumFileLength) return;
      } finally {
        closeSync(descriptor);
      }
    }
  }

  /** Reads one file. Returns false when it has other content after the blocks. */
  #readFile(descriptor: number, file: number, size: number): boolean {
    let parent = this.#height === -1 ? noHash : this.blockAt(this.#height).hash;
    for (let offset = 0; offset < size; offset = this.#end.offset) {
      const head = readAt(descriptor, offset, blockPrefixLength + headerLength);
      if (head.length < blockPrefixLength + headerLength) return false;
      const header = head.subarray(blockPrefixLength);
      const length = head.readUInt32LE(4);
      const isBlock = equalBytes(head.subarray(0, 4), this.#network.magic) && offset + 8 + length <= size;
      if (!isBlock || !equalBytes(header.subarray(previousHashStart, previousHashEnd), parent)) return false;
      parent = doubleSha256(header);
      if (this.#height === -1 && displayHash(parent) !== this.#network.genesisHash) return false;
      this.#add(header, { file, offset: offset + blockPrefixLength }, length);
    }
    return true;
  }

  #add(header: Uint8Array, { file, offset }: BlockPosition, length: number): void {
    this.#height += 1;
    if ((this.#height - this.#baseHeight - 1) % entriesPerChunk === 0)
      this.#chunks.push(Buffer.alloc(entriesPerChunk * entryLength));
    const entry = this.#entryAt(this.#height);
    entry.set(header);
    entry.writeUInt32LE(file, headerLength);
    entry.writeUInt32LE(offset, headerLength + 4);
    entry.writeUInt32LE(length, headerLength + 8);
    this.#end = { file, offset: offset + length };
    this.#ahead += length;
  }

  #entryAt(height: number): Buffer {
    const index = height - this.#baseHeight - 1;
    const chunk = this.#chunks[Math.floor(index / entriesPerChunk)];
    if (chunk === undefined || height > this.#height) throw new Error(`No block at height ${height}`);
    const start = (index % entriesPerChunk) * entryLength;
    return chunk.subarray(start, start + entryLength);
  }

  #lengthAt(height: number): number {
    return this.#entryAt(height).readUInt32LE(headerLength + 8);
  }

  async #displayHashAt(height: number): Promise<string | undefined> {
    if (height <= this.#baseHeight) return await this.#base?.hashAt(height);
    return height > this.#height ? undefined : displayHash(this.blockAt(height).hash);
  }

  #closeFile(): void {
    if (this.#descriptor === undefined) return;
    fdatasyncSync(this.#descriptor);
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #notify(): void {
    const { resolve } = this.#change;
    this.#change = Promise.withResolvers();
    resolve();
  }
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the available bytes. */
function readAt(descriptor: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
}

function writeAt(descriptor: number, bytes: Uint8Array, offset: number): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(descriptor, bytes, written, bytes.length - written, offset + written);
  }
}

/** Opens a file for writing at any position, and creates it when it does not exist. */
function openFile(path: string): number {
  closeSync(openSync(path, "a"));
  return openSync(path, "r+");
}
