import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Network, parseBlockHeader } from "@nodewright/bitcoin-primitives";
import { HeaderWork } from "../chain/header-work.ts";
import { IndexerError, isIndexerError } from "../indexer-error.ts";
import { type BlockFile, openBlockFile } from "./block-file.ts";
import { readBlockMask } from "./block-mask.ts";
import type { BlockSource, KnownChain, SourceBlock, SourceChain, SourceHeader } from "./block-source.ts";
import type { BlockInFile, ChainInFiles } from "./chain-in-files.ts";
import { FileWindow } from "./file-window.ts";
import { HeaderTree } from "./header-tree.ts";
import { type ScannedBlock, scanBlockFile } from "./scan-block-file.ts";

/** Where the block of a header is. */
interface BlockPlaceInFile {
  readonly path: string;
  readonly offset: number;
  readonly length: number;
}

const blockFileNamePattern = /^blk\d+\.dat(?:\.(?:br|gz|zst))?$/;

/** Blocks scanned between two turns of the event loop. */
const blocksPerTurn = 5_000;

/** Files that are kept open. */
const maximumOpenFiles = 64;

/**
 * Reads blocks from one block file, or from a directory of `blk*.dat` files as Bitcoin nodes keep them.
 *
 * Blocks may stand in any order. What is wrong in the files is told once everything that is right has been given: the source then
 * throws `IndexerError` with the byte.
 */
export function createBlockFileSource(path: string, network: Network): BlockSource {
  return new BlockFileSource(path, network);
}

class BlockFileSource implements BlockSource {
  readonly network: Network;
  readonly name: string;
  readonly #path: string;
  readonly #openFiles = new Map<string, BlockFile>();
  /** By entry of the tree. */
  readonly #places: BlockPlaceInFile[] = [];
  readonly #headerWork: HeaderWork;
  #mask: Uint8Array = new Uint8Array(0);
  #tree: HeaderTree | undefined;
  #problem: IndexerError | undefined;

  constructor(path: string, network: Network) {
    this.network = network;
    this.name = `the block files at ${path}`;
    this.#path = path;
    this.#headerWork = new HeaderWork(network);
  }

  async chain(known: KnownChain, signal: AbortSignal): Promise<SourceChain> {
    this.#tree ??= await this.#scan(signal);
    if (this.#tree.height === -1) throw this.#problem ?? this.#lacksGenesis();
    const chain = await this.#tree.chainAbove(known);
    if (chain.headers.length === 0 && this.#problem !== undefined) throw this.#problem;
    return chain;
  }

  inFiles(): ChainInFiles | undefined {
    const tree = this.#tree;
    if (tree === undefined) return undefined;
    return { height: tree.height, mask: this.#mask, blockAt: (height) => this.#blockAt(tree, height) };
  }

  async *blocks(headers: readonly SourceHeader[], signal: AbortSignal): AsyncIterable<SourceBlock> {
    let window: { readonly path: string; readonly view: FileWindow } | undefined;
    for (const { height } of headers) {
      signal.throwIfAborted();
      const place = this.#places[this.#tree?.entryAt(height) ?? -1];
      if (place === undefined) throw new Error(`No block at height ${height}`);
      const { path, offset, length } = place;
      const file = this.#open(path);
      if (window?.path !== path) window = { path, view: new FileWindow(file) };
      const bytes = window.view.view(offset, length);
      const location = file.isPacked ? undefined : { path: resolve(path), offset, mask: this.#mask };
      yield { bytes, origin: { name: path, offset }, location };
    }
  }

  async close(): Promise<void> {
    for (const file of this.#openFiles.values()) file.close();
    this.#openFiles.clear();
  }

  #blockAt(tree: HeaderTree, height: number): BlockInFile {
    const place = this.#places[tree.entryAt(height) ?? -1];
    if (place === undefined) throw new Error(`No block at height ${height}`);
    const isPlain = !this.#open(place.path).isPacked;
    return { ...place, isPlain, hash: tree.hashAt(height), header: tree.headerAt(height) };
  }

  async #scan(signal: AbortSignal): Promise<HeaderTree> {
    const tree = new HeaderTree(this.network);
    for (const path of this.#listFiles()) {
      try {
        await this.#scanFile(tree, path, signal);
      } catch (reason) {
        if (!isIndexerError(reason)) throw reason;
        this.#problem ??= reason;
      }
    }
    tree.chooseBestChain();
    const unattached = this.#places[tree.firstUnattached ?? -1];
    if (unattached !== undefined) {
      this.#problem ??= wrongBlock(
        unattached,
        "the block that begins there stands on a block that is not in the files",
      );
    }
    return tree;
  }

  async #scanFile(tree: HeaderTree, path: string, signal: AbortSignal): Promise<void> {
    let count = 0;
    for (const block of scanBlockFile(this.#open(path), this.network)) {
      this.#addBlock(tree, path, block);
      count += 1;
      if (count % blocksPerTurn === 0) await nextTurn();
      signal.throwIfAborted();
    }
  }

  #addBlock(tree: HeaderTree, path: string, { offset, length, header: bytes }: ScannedBlock): void {
    const place = { path, offset, length };
    const header = parseBlockHeader(bytes);
    if (this.#headerWork.isProven(header)) {
      if (tree.add(bytes, header.hash) !== undefined) this.#places.push(place);
    } else {
      this.#problem ??= wrongBlock(place, "the header that begins there does not meet its own target");
    }
  }

  #listFiles(): readonly string[] {
    try {
      const isDirectory = statSync(this.#path).isDirectory();
      this.#mask = readBlockMask(isDirectory ? this.#path : dirname(this.#path));
      if (!isDirectory) return [this.#path];
      const names = readdirSync(this.#path).filter((name) => blockFileNamePattern.test(name));
      if (names.length > 0) return names.toSorted().map((name) => join(this.#path, name));
    } catch (cause) {
      if (isIndexerError(cause)) throw cause;
      throw new IndexerError(
        "source-unusable",
        `${this.#path} can't be read: name a block file or a directory of them.`,
        {
          cause,
        },
      );
    }
    throw new IndexerError(
      "source-unusable",
      `${this.#path} holds no blk*.dat: name a block file or a directory of them.`,
    );
  }

  #open(path: string): BlockFile {
    const open = this.#openFiles.get(path);
    if (open !== undefined) return open;
    if (this.#openFiles.size >= maximumOpenFiles) this.#closeOldest();
    const file = openBlockFile(path, this.#mask);
    this.#openFiles.set(path, file);
    return file;
  }

  #closeOldest(): void {
    for (const [path, file] of this.#openFiles) {
      file.close();
      this.#openFiles.delete(path);
      return;
    }
  }

  #lacksGenesis(): IndexerError {
    const first = this.#places[0];
    return first === undefined
      ? new IndexerError("source-unusable", `${this.#path} holds no block.`)
      : wrongBlock(first, `the genesis block of ${this.network.name} is not in ${basename(this.#path)}`);
  }
}

function wrongBlock({ path, offset }: BlockPlaceInFile, reason: string): IndexerError {
  return new IndexerError("bad-block", `Byte ${offset} of ${path} is wrong: ${reason}.`, {
    place: { file: path, offset },
  });
}
