import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { IndexerError } from "../indexer-error.ts";

/** Lock of the one indexer of a data directory. */
export interface DirectoryLock {
  release(): void;
}

/** SQLITE_BUSY. */
const busy = 5;

/** Milliseconds to wait for the lock: an indexer that was stopped or killed needs a moment to end. */
const waitMilliseconds = 3_000;
const retryMilliseconds = 50;

/**
 * Locks a data directory against other indexers.
 *
 * The lock is the operating system's, acquired on a file through SQLite: it ends with the process, however that ends, so nothing is left
 * over by `kill -9`. Throws `IndexerError` `directory-locked` when another process holds it.
 */
export async function lockDirectory(directory: string, wait: number = waitMilliseconds): Promise<DirectoryLock> {
  const deadline = performance.now() + wait;
  for (;;) {
    const lock = tryLock(directory);
    if (lock !== undefined) return lock;
    if (performance.now() >= deadline) throw lockedError(directory);
    await sleep(retryMilliseconds);
  }
}

function tryLock(directory: string): DirectoryLock | undefined {
  const database = openLockFile(directory);
  try {
    database.exec("PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (reason) {
    database.close();
    if (reason instanceof Error && "errcode" in reason && reason.errcode === busy) return undefined;
    throw unusableError(directory, reason);
  }
  writeFileSync(ownerPath(directory), `${process.pid}\n`);
  return { release: () => database.close() };
}

function openLockFile(directory: string): DatabaseSync {
  try {
    return new DatabaseSync(join(directory, "indexer.lock"));
  } catch (reason) {
    throw unusableError(directory, reason);
  }
}

function lockedError(directory: string): IndexerError {
  return new IndexerError(
    "directory-locked",
    `Another indexer${ownerOf(directory)} works on the data directory ${directory}: stop it, or choose another directory.`,
    { retry: true },
  );
}

function unusableError(directory: string, cause: unknown): IndexerError {
  return new IndexerError(
    "directory-unusable",
    `The data directory ${directory} can't be written: check its permissions and the free space, or choose another directory.`,
    { cause },
  );
}

function ownerOf(directory: string): string {
  try {
    const pid = Number.parseInt(readFileSync(ownerPath(directory), "utf8"), 10);
    return Number.isSafeInteger(pid) ? ` (process ${pid})` : "";
  } catch {
    return "";
  }
}

function ownerPath(directory: string): string {
  return join(directory, "indexer.pid");
}
