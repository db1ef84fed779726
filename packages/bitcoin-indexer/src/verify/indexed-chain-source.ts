import { join } from "node:path";
import { displayHash, type Network, parseBlockHeader } from "@nodewright/bitcoin-primitives";
import type { BlockSource, KnownChain, SourceBlock, SourceChain, SourceHeader } from "../source/block-source.ts";
import type { BlockInFile, ChainInFiles } from "../source/chain-in-files.ts";
import { blockFileName, type BlockFileReader, completeBlock } from "../store/block-files.ts";
import type { DataDirectory } from "../store/data-directory.ts";
import type { TableReads } from "../store/environment.ts";
import type { BlockLocation } from "../store/block-file.ts";
import {
  type BlockPosition,
  blockPositions,
  type BlockRow,
  blocks,
  firstSourceFile,
  sourceFiles,
} from "../store/layout.ts";

/** Source of a chain: tables that do not change meanwhile, and their block files. */
export interface IndexedChain {
  readonly network: Network;
  readonly directory: DataDirectory;
  readonly reads: TableReads;
  readonly files: BlockFileReader;
  /** Height of its tip. */
  readonly height: number;
  /** Mask of all files that contain its blocks; absent where they differ. */
  readonly mask?: Uint8Array | undefined;
}

/** Number of headers that are returned at once. */
const headersAtOnce = 2_000;

/** Creates a source of the blocks of an index's best chain. */
export function createIndexedChainSource(chain: IndexedChain): BlockSource {
  const { network, directory, height, mask, files } = chain;
  const name = `the index in ${directory.path}`;
  return {
    network,
    name,
    async chain({ height: knownHeight }: KnownChain): Promise<SourceChain> {
      const headers: SourceHeader[] = [];
      const last = Math.min(height, knownHeight + headersAtOnce);
      for (let at = knownHeight + 1; at <= last; at += 1) {
        const { row } = getBlock(chain, at);
        headers.push({ hash: displayHash(row.hash), height: at, header: parseBlockHeader(row.header) });
      }
      return { headers, height };
    },
    async *blocks(headers): AsyncIterable<SourceBlock> {
      for (const header of headers) {
        const { row, position } = getBlock(chain, header.height);
        const location = locateBlock(chain, position);
        yield {
          bytes: files.read(position, completeBlock(row)),
          origin: { name: location.path, offset: location.offset },
          location,
        };
      }
    },
    inFiles: () => (mask === undefined ? undefined : chainInFiles(chain, mask)),
    close: async () => undefined,
  };
}

/** Returns the location of a block. */
export function locateBlock({ reads, directory }: IndexedChain, { file, offset }: BlockPosition): BlockLocation {
  if (file < firstSourceFile) return { path: join(directory.blocks, blockFileName(file)), offset, mask: noMask };
  const row = reads.get(sourceFiles, file);
  if (row === undefined) throw reads.damaged(`the table source-files has no file ${file}`);
  return { path: row.path, offset, mask: row.mask };
}

/** Returns the rows of the block at a height. Throws `IndexerError` when they are missing. */
export function getBlock(
  { reads }: IndexedChain,
  height: number,
): { readonly row: BlockRow; readonly position: BlockPosition } {
  const row = reads.get(blocks, height);
  const position = reads.get(blockPositions, height);
  if (row === undefined || position === undefined) throw reads.damaged(`there is no block at height ${height}`);
  return { row, position };
}

function chainInFiles(chain: IndexedChain, mask: Uint8Array): ChainInFiles {
  return {
    height: chain.height,
    mask,
    blockAt(height): BlockInFile {
      const { row, position } = getBlock(chain, height);
      const { path, offset } = locateBlock(chain, position);
      return { path, offset, length: row.size, isPlain: true, hash: row.hash, header: row.header };
    },
  };
}

const noMask = new Uint8Array(0);
