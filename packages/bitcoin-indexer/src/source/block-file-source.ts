import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setImmediate as nextTimeSlice, setTimeout as sleep } from "node:timers/promises";
import { type Network, parseBlockHeader } from "@nodewright/bitcoin-primitives";
import { HeaderWork } from "../chain/header-work.ts";
import { IndexerError, isIndexerError } from "../basics/indexer-error.ts";
import { type BlockFile, openBlockFile } from "../store/block-file.ts";
import { readBlockMask } from "./block-mask.ts";
import type { BlockSource, KnownChain, SourceBlock, SourceChain, SourceHeader } from "./block-source.ts";
import type { BlockInFile, ChainInFiles } from "./chain-in-files.ts";
import { FileWindow } from "./file-window.ts";
import { HeaderTree } from "./header-tree.ts";
import { type ScannedBlock, scanBlockFile } from "./scan-block-file.ts";

/** Location of a header's block. */
interface BlockPlaceInFile {
  readonly path: string;
  readonly offset: number;
  readonly length: number;
}

const blockFileNamePattern = /^blk\d+\.dat(?:\.(?:br|gz|zst))?$/;

/** Number of blocks scanned between two turns of the event loop. */
const blocksPerTurn = 5_000;

/** Maximum number of files that are kept open. */
const maximumOpenFiles = 64;

const defaultPollMilliseconds = 2_000;
/** Age in milliseconds below which an invalid part of a file may be a block that is still being written. */
const youngMilliseconds = 3_000;

/** Options of a source that reads block files (`blk*.dat`). */
export interface BlockFileSourceOptions {
  /** Whether a node is still writing the files: they are polled, and read on where they have grown. */
  readonly follow?: boolean | undefined;
  /** Milliseconds between two polls. */
  readonly pollMilliseconds?: number | undefined;
}

/**
 * Creates a source that reads blocks from one block file, or from a directory of `blk*.dat` files as Bitcoin nodes store them.
 *
 * Blocks may be in any order. Errors in the files are reported once all valid blocks have been returned: the source then throws
 * `IndexerError` with the byte.
 */
export function createBlockFileSource(
  path: string,
  network: Network,
  options: BlockFileSourceOptions = {},
): BlockSource {
  return new BlockFileSource(path, network, options);
}

/** State of a file when it was last scanned. */
interface SeenFile {
  readonly inode: number;
  readonly length: number;
  readonly changedAt: number;
  /** Byte offset after the last complete block: the next one would begin there. */
  end: number;
  problem: IndexerError | undefined;
}

class BlockFileSource implements BlockSource {
  readonly network: Network;
  readonly name: string;
  readonly #path: string;
  readonly #openFiles = new Map<string, BlockFile>();
  /** Places by entry of the tree. */
  readonly #places: BlockPlaceInFile[] = [];
  readonly #headerWork: HeaderWork;
  /** Present on a source that follows its files: resolves when one of them has changed. */
  readonly changed: ((signal: AbortSignal) => Promise<void>) | undefined;
  readonly #seen = new Map<string, SeenFile>();
  /** Files that existed before and no longer do. */
  readonly #lost = new Set<string>();
  #mask: Uint8Array = new Uint8Array(0);
  #tree: HeaderTree | undefined;
  /** Error for a block whose parents are not in the files. */
  #unattached: IndexerError | undefined;
  /** Whether the last poll has found no files. */
  #isMissing = false;

  constructor(path: string, network: Network, { follow, pollMilliseconds }: BlockFileSourceOptions) {
    this.network = network;
    this.name = `the block files at ${path}`;
    this.#path = path;
    this.#headerWork = new HeaderWork(network);
    if (follow === true) {
      this.changed = (signal) => this.#waitForChange(pollMilliseconds ?? defaultPollMilliseconds, signal);
    }
  }

  async chain(known: KnownChain, signal: AbortSignal): Promise<SourceChain> {
    const tree = await this.#readTree(signal);
    if (tree.height === -1) throw this.#problem() ?? this.#lacksGenesis();
    const chain = await tree.chainAbove(known);
    if (chain.headers.length === 0) {
      const problem = this.#problem();
      if (problem !== undefined) throw problem;
    }
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

  /** Returns the headers of all files, including those added since the last scan. */
  async #readTree(signal: AbortSignal): Promise<HeaderTree> {
    if (this.#tree !== undefined && this.changed === undefined) return this.#tree;
    this.#isMissing = true;
    const files = this.#listFiles();
    this.#isMissing = false;
    if (this.#tree === undefined || this.#areRewritten(files)) this.#forget();
    for (const path of this.#seen.keys()) if (!files.has(path)) this.#lose(path);
    const tree = this.#tree ?? new HeaderTree(this.network);
    const changedPaths = [...files.keys()].filter((path) => hasChanged(this.#seen.get(path), files.get(path)));
    if (this.#tree !== undefined && changedPaths.length === 0) return tree;
    for (const path of changedPaths) {
      this.#openFiles.get(path)?.close();
      this.#openFiles.delete(path);
      const file = files.get(path);
      if (file !== undefined) await this.#lookThrough(tree, path, file, signal);
    }
    tree.chooseBestChain();
    const unattached = this.#places[tree.firstUnattached ?? -1];
    this.#unattached =
      unattached && invalidBlock(unattached, "the previous block of the block that begins there is not in the files");
    this.#tree = tree;
    return tree;
  }

  /** Returns whether files were replaced, truncated, or have reappeared: they may contain other blocks now. */
  #areRewritten(files: ReadonlyMap<string, SeenFile>): boolean {
    return [...files].some(([path, file]) => this.#lost.has(path) || isRewritten(this.#seen.get(path), file));
  }

  /** Records a missing file. A node that prunes deletes files whose blocks are long indexed. */
  #lose(path: string): void {
    this.#seen.delete(path);
    this.#lost.add(path);
  }

  /** Clears all state. */
  #forget(): void {
    for (const file of this.#openFiles.values()) file.close();
    this.#openFiles.clear();
    this.#places.length = 0;
    this.#seen.clear();
    this.#lost.clear();
    this.#tree = undefined;
  }

  async #lookThrough(tree: HeaderTree, path: string, file: SeenFile, signal: AbortSignal): Promise<void> {
    const earlier = this.#seen.get(path);
    // If something was invalid, any byte may have been corrected.
    file.end = earlier === undefined || earlier.problem !== undefined ? 0 : earlier.end;
    try {
      await this.#scanFile(tree, path, file, signal);
    } catch (reason) {
      if (!isIndexerError(reason)) throw reason;
      file.problem ??= reason;
    }
    this.#seen.set(path, file);
  }

  async #scanFile(tree: HeaderTree, path: string, file: SeenFile, signal: AbortSignal): Promise<void> {
    let count = 0;
    for (const block of scanBlockFile(this.#open(path), this.network, file.end)) {
      file.problem ??= this.#addBlock(tree, path, block);
      file.end = block.offset + block.length;
      count += 1;
      if (count % blocksPerTurn === 0) await nextTimeSlice();
      signal.throwIfAborted();
    }
  }

  /** Adds a block. Returns the problem of the block, if there is one. */
  #addBlock(tree: HeaderTree, path: string, { offset, length, header: bytes }: ScannedBlock): IndexerError | undefined {
    const place = { path, offset, length };
    const header = parseBlockHeader(bytes);
    if (!this.#headerWork.isProven(header)) {
      return invalidBlock(place, "the header that begins there does not meet its own target");
    }
    if (tree.add(bytes, header.hash) !== undefined) this.#places.push(place);
    return undefined;
  }

  /** Returns the first problem of the files. */
  #problem(): IndexerError | undefined {
    for (const { problem, changedAt } of this.#seen.values()) {
      if (problem === undefined) continue;
      const isYoung = this.changed !== undefined && Date.now() - changedAt < youngMilliseconds;
      return isYoung ? passing(problem) : problem;
    }
    return this.#unattached;
  }

  async #waitForChange(pollMilliseconds: number, signal: AbortSignal): Promise<void> {
    while (!this.#isOutdated()) await sleep(pollMilliseconds, undefined, { signal });
  }

  #isOutdated(): boolean {
    try {
      const files = this.#listFiles();
      if (this.#isMissing || files.size !== this.#seen.size) return true;
      return [...files].some(([path, file]) => hasChanged(this.#seen.get(path), file));
    } catch (reason) {
      if (isIndexerError(reason)) return !this.#isMissing;
      throw reason;
    }
  }

  #listFiles(): ReadonlyMap<string, SeenFile> {
    const paths = this.#listPaths();
    return new Map(
      paths.map((path) => {
        const { ino, size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { ino: 0, size: 0, mtimeMs: 0 };
        return [path, { inode: ino, length: size, changedAt: mtimeMs, end: 0, problem: undefined }];
      }),
    );
  }

  #listPaths(): readonly string[] {
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
      : invalidBlock(first, `the genesis block of ${this.network.name} is not in ${basename(this.#path)}`);
  }
}

function hasChanged(seen: SeenFile | undefined, file: SeenFile | undefined): boolean {
  return seen?.length !== file?.length || seen?.changedAt !== file?.changedAt || seen?.inode !== file?.inode;
}

/** Returns whether a file was rewritten. A node only appends to its files. */
function isRewritten(seen: SeenFile | undefined, file: SeenFile): boolean {
  return seen !== undefined && (seen.inode !== file.inode || file.length < seen.length);
}

function passing({ code, message, place }: IndexerError): IndexerError {
  return new IndexerError(code, message, { place, retry: true });
}

function invalidBlock({ path, offset }: BlockPlaceInFile, reason: string): IndexerError {
  return new IndexerError("bad-block", `Byte ${offset} of ${path} is wrong: ${reason}.`, {
    place: { file: path, offset },
  });
}
