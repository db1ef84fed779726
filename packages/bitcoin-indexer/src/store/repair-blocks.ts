import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { displayHash, parseBlockHeader } from "@nodewright/bitcoin-primitives";
import { isIndexerError } from "../indexer-error.ts";
import type { BlockSource, SourceHeader } from "../source/block-source.ts";
import { blockFileName, type BlockFileReader, wholeBlock } from "./block-files.ts";
import { checksumOf } from "./checksum.ts";
import { readDamageReports, removeDamageReport } from "./damage-reports.ts";
import type { DataDirectory } from "./data-directory.ts";
import type { Environment } from "./environment.ts";
import { type BlockPosition, blockPositions, type BlockRow, blocks, firstSourceFile, staleBlocks } from "./layout.ts";

/** What blocks are mended in. */
export interface RepairTarget {
  readonly directory: DataDirectory;
  readonly environment: Environment;
  readonly files: BlockFileReader;
}

/** Between two looks for reports. */
const lookMilliseconds = 2_000;

/** Between two attempts at a block that could not be mended. */
const attemptMilliseconds = 60_000;

/** Mends blocks that are reported damaged as long as `signal` is not aborted. */
export async function repairReportedBlocks(
  target: RepairTarget,
  source: BlockSource,
  signal: AbortSignal,
  everyMilliseconds: number = lookMilliseconds,
): Promise<void> {
  /** By position: when it may be tried again. */
  const waiting = new Map<string, number>();
  while (!signal.aborted) {
    for (const { position } of readDamageReports(target.directory)) {
      if (signal.aborted) return;
      const key = `${position.file}-${position.offset}`;
      if ((waiting.get(key) ?? 0) > performance.now()) continue;
      if (await repairBlock(target, position, source, signal)) waiting.delete(key);
      else waiting.set(key, performance.now() + attemptMilliseconds);
    }
    await sleep(everyMilliseconds, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Mends the block at a position of the index's own files with bytes of the source, and takes its report away. Returns whether the block is
 * sound now. Files of a node are never written: a block in one is sound again when the file is.
 *
 * Readers meanwhile find the old bytes, a part of the new ones or all of them, and check what they read.
 */
async function repairBlock(
  { directory, environment, files }: RepairTarget,
  position: BlockPosition,
  source: BlockSource,
  signal: AbortSignal,
): Promise<boolean> {
  const found = findBlock(environment, position);
  const isRepaired = found === undefined || isSound(files, position, found.row) || (await overwrite(found));
  if (isRepaired) removeDamageReport(directory, position);
  return isRepaired;

  async function overwrite({ row, header }: FoundBlock): Promise<boolean> {
    if (position.file >= firstSourceFile) return false;
    const bytes = await fetchBlock(source, header, signal);
    if (bytes?.length !== row.size || checksumOf(bytes) !== row.checksum) return false;
    const descriptor = openSync(join(directory.blocks, blockFileName(position.file)), "r+");
    try {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(descriptor, bytes, written, bytes.length - written, position.offset + written);
      }
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return isSound(files, position, row);
  }
}

interface FoundBlock {
  readonly row: BlockRow;
  readonly header: SourceHeader;
}

/** `undefined` when no block stands there any more. */
function findBlock(environment: Environment, { file, offset }: BlockPosition): FoundBlock | undefined {
  const isThere = (position: BlockPosition): boolean => position.file === file && position.offset === offset;
  for (const { key, value } of environment.everyRow(blockPositions)) {
    if (!isThere(blockPositions.decode(value, 0))) continue;
    const height = Buffer.from(key).readUInt32BE();
    const row = environment.get(blocks, height);
    return row && { row, header: headerOf(row, height) };
  }
  for (const { key, value } of environment.everyRow(staleBlocks)) {
    const stale = staleBlocks.decode(value, key);
    if (isThere(stale.position)) return { row: stale.block, header: headerOf(stale.block, stale.height) };
  }
  return undefined;
}

function headerOf({ hash, header }: BlockRow, height: number): SourceHeader {
  return { hash: displayHash(hash), height, header: parseBlockHeader(header) };
}

function isSound(files: BlockFileReader, position: BlockPosition, row: BlockRow): boolean {
  try {
    files.read(position, wholeBlock(row));
    return true;
  } catch (reason) {
    if (!isIndexerError(reason)) throw reason;
    return false;
  }
}

/** `undefined` when the source does not give it now. */
async function fetchBlock(
  source: BlockSource,
  header: SourceHeader,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    for await (const { bytes } of source.blocks([header], signal)) return bytes;
  } catch {
    // Told by the indexer itself, which asks the same source.
  }
  return undefined;
}
