import { closeSync, constants, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTimeSlice, setTimeout as sleep } from "node:timers/promises";
import { displayHash, parseBlockHeader } from "@nodewright/bitcoin-primitives";
import type { RepairTarget } from "../engine/index-store.ts";
import { isIndexerError } from "../basics/indexer-error.ts";
import type { BlockSource, SourceHeader } from "../source/block-source.ts";
import { systemErrorName } from "../basics/store-failure.ts";
import { blockFileName, type BlockFileReader, putBack, completeBlock } from "../store/block-files.ts";
import { checksumOf } from "../store/checksum.ts";
import { type DamagedBlock, readDamageReports, removeDamageReport } from "../store/damage-reports.ts";
import type { Environment } from "../store/environment.ts";
import {
  type BlockPosition,
  blockPositions,
  type BlockRow,
  blocks,
  firstSourceFile,
  staleBlocks,
} from "../store/layout.ts";

/** Milliseconds between two checks for reports. */
const pollMilliseconds = 2_000;

/** Milliseconds between two attempts at a block that could not be repaired. */
const attemptMilliseconds = 60_000;

/** Number of rows that are searched within a turn of the event loop: a few milliseconds. */
const heightsPerTurn = 5_000;

/** Repairs blocks that are reported damaged until `signal` is aborted. */
export async function repairReportedBlocks(
  target: RepairTarget,
  source: BlockSource,
  signal: AbortSignal,
  onOutcome: ReportRepair = ignoreOutcome,
  everyMilliseconds: number = pollMilliseconds,
): Promise<void> {
  const repair = new BlockRepair(target, source, signal, onOutcome);
  while (!signal.aborted) {
    await repair.look();
    await sleep(everyMilliseconds, undefined, { signal }).catch(() => undefined);
  }
}

/** Tries once to repair each block that is reported damaged now. */
export async function repairReportedBlocksOnce(
  target: RepairTarget,
  source: BlockSource,
  signal: AbortSignal,
  onOutcome: ReportRepair = ignoreOutcome,
): Promise<void> {
  await new BlockRepair(target, source, signal, onOutcome).look();
}

const ignoreOutcome: ReportRepair = () => undefined;

/** Outcome of an attempt to repair a block. */
export interface BlockRepairOutcome extends Pick<DamagedBlock, "path" | "offset" | "reason"> {
  /** Reason why the block could not be repaired, as the end of a sentence; absent when it is intact. */
  readonly problem?: string;
}

/** Callback for the outcome of each attempt that differs from that of the attempt before. */
export type ReportRepair = (outcome: BlockRepairOutcome) => void;

class BlockRepair {
  readonly #target: RepairTarget;
  readonly #source: BlockSource;
  readonly #signal: AbortSignal;
  readonly #onOutcome: ReportRepair;
  /** By position: the time of the next attempt, and the reason why it could not be repaired. */
  readonly #waiting = new Map<string, { readonly until: number; readonly problem: string }>();
  readonly #logged = new Set<string>();

  constructor(target: RepairTarget, source: BlockSource, signal: AbortSignal, onOutcome: ReportRepair) {
    this.#target = target;
    this.#source = source;
    this.#signal = signal;
    this.#onOutcome = onOutcome;
  }

  /** Tries each reported block that is due. Never throws: a block that can't be repaired now does not block others. */
  async look(): Promise<void> {
    const { directory, environment, files } = this.#target;
    const now = performance.now();
    const due = readDamageReports(directory).filter(
      ({ position }) => (this.#waiting.get(keyOf(position))?.until ?? 0) <= now,
    );
    if (due.length === 0) return;
    // An open file stays readable when it is deleted.
    files.close();
    const wanted = new Set(due.map(({ position }) => keyOf(position)));
    const rows = await findRows(environment, wanted, this.#signal).catch((reason: unknown) => this.#log(reason));
    for (const { position, ...damage } of due) {
      if (this.#signal.aborted) return;
      const key = keyOf(position);
      const row = rows?.get(key);
      const problem = rows === undefined ? "its row can't be read" : await this.#repair(position, row);
      const { path, offset, reason } = damage;
      if (problem === undefined) {
        this.#waiting.delete(key);
        // Only the report was left of a block that the index no longer contains.
        if (row !== undefined) this.#onOutcome({ path, offset, reason });
      } else {
        const before = this.#waiting.get(key)?.problem;
        this.#waiting.set(key, { until: performance.now() + attemptMilliseconds, problem });
        if (problem !== before) this.#onOutcome({ path, offset, reason, problem });
      }
      await nextTimeSlice();
    }
  }

  /**
   * Repairs the block at a position of the index's own files with bytes of the source, and removes its report. Returns why the block is not
   * intact now, or `undefined` when it is. Files of a node are never written: a block in one is intact again when the file is.
   *
   * Readers meanwhile find the old bytes, a part of the new ones or all of them, and check what they read.
   */
  async #repair(position: BlockPosition, row: RowName | undefined): Promise<string | undefined> {
    const { directory, environment, files } = this.#target;
    try {
      if (row !== undefined) {
        const found = readBlock(environment, position, row);
        if (found === undefined) return "its row has moved";
        const problem = isSound(files, position, found.row) ? undefined : await this.#overwrite(position, found);
        if (problem !== undefined) return problem;
      }
      removeDamageReport(directory, position);
      return undefined;
    } catch (reason) {
      this.#log(reason);
      return `it can't be written (${systemErrorName(reason) ?? "unknown"})`;
    }
  }

  async #overwrite(position: BlockPosition, { row, header }: FoundBlock): Promise<string | undefined> {
    if (position.file >= firstSourceFile) return `the file is not the index's own: ${putBack}`;
    const bytes = await fetchBlock(this.#source, header, this.#signal);
    if (bytes === undefined) return `${this.#source.name} does not have it now, and is tried again every minute`;
    if (bytes.length !== row.size || checksumOf(bytes) !== row.checksum) {
      return `${this.#source.name} has other bytes for it: ${putBack}`;
    }
    const { directory, files } = this.#target;
    // Created where it was deleted; its other blocks are reported when they are read.
    const flags = constants.O_RDWR | constants.O_CREAT;
    const descriptor = openSync(join(directory.blocks, blockFileName(position.file)), flags, 0o644);
    try {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(descriptor, bytes, written, bytes.length - written, position.offset + written);
      }
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return isSound(files, position, row) ? undefined : `the file does not keep what is written: ${putBack}`;
  }

  /** Logs each kind of failure once: the same one may recur every minute. */
  #log(reason: unknown): undefined {
    const kind = systemErrorName(reason) ?? String(reason);
    if (this.#logged.has(kind)) return;
    this.#logged.add(kind);
    console.error(reason);
  }
}

/** Reference to the row of a block: the height of one of the best chain, or the key of a stale one. */
type RowName = number | Uint8Array;

interface FoundBlock {
  readonly row: BlockRow;
  readonly header: SourceHeader;
}

function keyOf({ file, offset }: BlockPosition): string {
  return `${file}-${offset}`;
}

/** Returns the rows of the blocks at these positions, by the positions' keys; positions without a block are absent. */
async function findRows(
  environment: Environment,
  wanted: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, RowName>> {
  const found = new Map<string, RowName>();
  const length = environment.count(blockPositions);
  for (let start = 0; start < length && !signal.aborted; start += heightsPerTurn) {
    const range = { start: blockPositions.key(start), end: blockPositions.key(start + heightsPerTurn) };
    for (const { key, value } of environment.rows(blockPositions, range)) {
      const position = keyOf(blockPositions.decode(value, 0));
      if (wanted.has(position)) found.set(position, Buffer.from(key).readUInt32BE());
    }
    await nextTimeSlice();
  }
  for (const { key, value } of environment.everyRow(staleBlocks)) {
    const position = keyOf(staleBlocks.decode(value, key).position);
    if (wanted.has(position)) found.set(position, Uint8Array.from(key));
  }
  return found;
}

/** Reads a block; `undefined` when a reorganization has moved the row since it was found. */
function readBlock(environment: Environment, position: BlockPosition, name: RowName): FoundBlock | undefined {
  if (typeof name !== "number") {
    const stale = environment.get(staleBlocks, name);
    return stale && { row: stale.block, header: headerOf(stale.block, stale.height) };
  }
  const [place, row] = [environment.get(blockPositions, name), environment.get(blocks, name)];
  if (place === undefined || row === undefined || keyOf(place) !== keyOf(position)) return undefined;
  return { row, header: headerOf(row, name) };
}

function headerOf({ hash, header }: BlockRow, height: number): SourceHeader {
  return { hash: displayHash(hash), height, header: parseBlockHeader(header) };
}

function isSound(files: BlockFileReader, position: BlockPosition, row: BlockRow): boolean {
  try {
    files.read(position, completeBlock(row));
    return true;
  } catch (reason) {
    if (!isIndexerError(reason)) throw reason;
    return false;
  }
}

/** Fetches a block; `undefined` when the source does not return it now. */
async function fetchBlock(
  source: BlockSource,
  header: SourceHeader,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    for await (const { bytes } of source.blocks([header], signal)) return bytes;
  } catch {
    // Reported by the indexer itself, which reads the same source.
  }
  return undefined;
}
