import { existsSync, statfsSync } from "node:fs";
import { getSystemErrorName } from "node:util";
import { IndexerError, type IndexerErrorOptions, isIndexerError } from "./indexer-error.ts";

/** What an operator can put right, or time: no space, no memory, too many open files. */
const passingErrors: ReadonlySet<string> = new Set([
  "ENOSPC",
  // What LMDB makes of a write that had room for a part alone.
  "EIO",
  "EDQUOT",
  "ENOMEM",
  "EMFILE",
  "ENFILE",
  "EAGAIN",
  "EBUSY",
]);

/** Says in one sentence that the system has refused to read or write the index; with `retry` when that may pass. */
export function storeFailure(cause: unknown): IndexerError {
  const name = systemErrorName(cause);
  return createFailure(name, { cause, retry: name !== undefined && passingErrors.has(name) });
}

/**
 * Throws an `IndexerError` when the disk of a data directory has no room to begin with: LMDB maps files into memory as it opens them,
 * and the system ends a process that writes to a part of a mapped file for which there is no room.
 */
export function assertRoom(directory: string): void {
  if (!existsSync(directory)) return;
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize < leastFreeBytes) throw createFailure("ENOSPC", { retry: true });
}

/** More than the mapped files of index and mempool have together. */
const leastFreeBytes = 1024 * 1024;

function createFailure(name: string | undefined, options: IndexerErrorOptions): IndexerError {
  const code = name === undefined ? "" : ` (${name})`;
  return new IndexerError(
    "directory-unusable",
    `The index can't be written${code}: check the free space and the permissions of its data directory.`,
    options,
  );
}

/** For example `ENOSPC`: Node gives it as text, LMDB as its positive number or as a negative one of its own. */
export function systemErrorName(reason: unknown): string | undefined {
  if (isIndexerError(reason) || !(reason instanceof Error) || !("code" in reason)) return undefined;
  const { code } = reason;
  return typeof code === "number" && code > 0 ? getSystemErrorName(-code) : String(code);
}
