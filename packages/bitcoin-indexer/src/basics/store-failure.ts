import { existsSync, statfsSync } from "node:fs";
import { getSystemErrorName } from "node:util";
import { IndexerError, type IndexerErrorOptions, isIndexerError } from "./indexer-error.ts";

/** Errors that an operator or time can resolve: no space, no memory, too many open files. */
const passingErrors: ReadonlySet<string> = new Set([
  "ENOSPC",
  // LMDB's error for a write that only partly fit.
  "EIO",
  "EDQUOT",
  "ENOMEM",
  "EMFILE",
  "ENFILE",
  "EAGAIN",
  "EBUSY",
]);

/** Returns an error of one sentence for the system's refusal to read or write the index; with `retry` when that may be temporary. */
export function storeFailure(cause: unknown): IndexerError {
  const name = systemErrorName(cause);
  return createFailure(name, { cause, retry: name !== undefined && passingErrors.has(name) });
}

/**
 * Throws an `IndexerError` when the disk of a data directory has too little space to start: LMDB maps files into memory as it opens them,
 * and the system ends a process that writes to a part of a mapped file for which there is no space.
 */
export function assertSpace(directory: string): void {
  if (!existsSync(directory)) return;
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize < minimumFreeBytes) throw createFailure("ENOSPC", { retry: true });
}

/** Minimum free bytes: more than the mapped files of index and mempool together. */
const minimumFreeBytes = 1024 * 1024;

function createFailure(name: string | undefined, options: IndexerErrorOptions): IndexerError {
  const code = name === undefined ? "" : ` (${name})`;
  return new IndexerError(
    "directory-unusable",
    `The index can't be written${code}: check the free space and the permissions of its data directory.`,
    options,
  );
}

/**
 * Returns the name of an error, such as `ENOSPC`: Node reports it as a string, LMDB as its positive number or as a negative one of its own.
 */
export function systemErrorName(reason: unknown): string | undefined {
  if (isIndexerError(reason) || !(reason instanceof Error) || !("code" in reason)) return undefined;
  const { code } = reason;
  return typeof code === "number" && code > 0 ? getSystemErrorName(-code) : String(code);
}
