/**
 * Reports of damage found while blocks were read, stored as small files in the data directory: whichever process finds a damaged block, the
 * operator's listener shows it, also after a restart, and the indexer's process repairs it.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DataDirectory, dataDirectory } from "./data-directory.ts";
import type { BlockPosition } from "./layout.ts";

/** A block whose bytes are not those that were indexed. */
export interface DamagedBlock {
  /** Position of the block, as in `block-positions`. */
  readonly position: BlockPosition;
  /** Absolute path of the file that contains it. */
  readonly path: string;
  /** Offset in the file of the first byte that was to be read. */
  readonly offset: number;
  /** Reason for a person, as the end of a sentence. */
  readonly reason: string;
}

/** Maximum number of reports: a lost disk is one damage, however many blocks it contained. */
export const maximumReports = 1_000;

/** Stores a report for the operator and the indexer; one for each block. Does nothing where the directory can't be written. */
export function reportDamage(directory: DataDirectory, damage: DamagedBlock): void {
  try {
    mkdirSync(directory.damage, { recursive: true });
    if (readdirSync(directory.damage).length >= maximumReports) return;
    const path = reportPath(directory, damage.position);
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, `${JSON.stringify(damage)}\n`);
    renameSync(unfinished, path);
  } catch {
    // Readers may have no permission to write. The request that found the damage fails either way.
  }
}

/** Returns the blocks that were found damaged and are not repaired yet, at most `maximumReports`, in the order of their positions. */
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

/** Returns the same for the data directory at a path. */
export function damagedBlocks(path: string): readonly DamagedBlock[] {
  return readDamageReports(dataDirectory(path));
}

/** Returns a number that changes with the reports of the data directory at a path; `undefined` without reports. */
export function damageStamp(path: string): number | undefined {
  return statSync(dataDirectory(path).damage, { throwIfNoEntry: false })?.mtimeMs;
}

/** Removes a report: the block was repaired, or is intact. */
export function removeDamageReport(directory: DataDirectory, position: BlockPosition): void {
  rmSync(reportPath(directory, position), { force: true });
}

const reportEnding = ".json";

function reportPath(directory: DataDirectory, { file, offset }: BlockPosition): string {
  return join(directory.damage, `${file}-${offset}${reportEnding}`);
}

/** Parses a report; `undefined` for a file that is not ours, or was removed meanwhile. */
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
