/**
 * What was found damaged while blocks were read, kept as small files in the data directory: whichever process finds a damaged block, the
 * operator's listener shows it, also after a restart, and the indexer's process mends it.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DataDirectory, dataDirectory } from "./data-directory.ts";
import type { BlockPosition } from "./layout.ts";

/** A block whose bytes are not those that were indexed. */
export interface DamagedBlock {
  /** Of the block, as `block-positions` has it. */
  readonly position: BlockPosition;
  /** Of the file that holds it, absolute. */
  readonly path: string;
  /** First byte in the file of what was to be read. */
  readonly offset: number;
  /** For a person, as the end of a sentence. */
  readonly reason: string;
}

/** More are not kept: a lost disk is one damage, however many blocks it held. */
export const maximumReports = 1_000;

/** Keeps a report for the operator and the indexer; one for each block. Nothing where the directory can't be written. */
export function reportDamage(directory: DataDirectory, damage: DamagedBlock): void {
  try {
    mkdirSync(directory.damage, { recursive: true });
    if (readdirSync(directory.damage).length >= maximumReports) return;
    const path = reportPath(directory, damage.position);
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, `${JSON.stringify(damage)}\n`);
    renameSync(unfinished, path);
  } catch {
    // Readers may have no right to write. The request that found the damage is refused either way.
  }
}

/** Returns the blocks that were found damaged and are not mended yet, at most `maximumReports`, in the order of their positions. */
export function readDamageReports(directory: DataDirectory): readonly DamagedBlock[] {
  let names: readonly string[];
  try {
    names = readdirSync(directory.damage);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(reportEnding))
    .flatMap((name) => parseReport(join(directory.damage, name)) ?? [])
    .sort((left, right) => left.position.file - right.position.file || left.position.offset - right.position.offset);
}

/** The same of the data directory at a path. */
export function damagedBlocks(path: string): readonly DamagedBlock[] {
  return readDamageReports(dataDirectory(path));
}

/** Returns a number that changes with the reports of the data directory at a path; `undefined` while there is none. */
export function damageStamp(path: string): number | undefined {
  return statSync(dataDirectory(path).damage, { throwIfNoEntry: false })?.mtimeMs;
}

/** Takes a report away: the block was mended, or is sound. */
export function removeDamageReport(directory: DataDirectory, position: BlockPosition): void {
  rmSync(reportPath(directory, position), { force: true });
}

const reportEnding = ".json";

function reportPath(directory: DataDirectory, { file, offset }: BlockPosition): string {
  return join(directory.damage, `${file}-${offset}${reportEnding}`);
}

/** `undefined` for what is no report of ours, or was taken away meanwhile. */
function parseReport(path: string): DamagedBlock | undefined {
  try {
    const { position, path: file, offset, reason }: Partial<DamagedBlock> = JSON.parse(readFileSync(path, "utf8"));
    if (typeof position?.file !== "number" || typeof position.offset !== "number") return undefined;
    if (typeof file !== "string" || typeof offset !== "number" || typeof reason !== "string") return undefined;
    return { position, path: file, offset, reason };
  } catch {
    return undefined;
  }
}
