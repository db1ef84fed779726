import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describeOwner, type LockOwner, type ProcessLock, takeProcessLock } from "@nodewright/process-lock";
import { IndexerError } from "../basics/indexer-error.ts";

/** Milliseconds to wait for the lock: an indexer that was stopped or killed needs a moment to end. */
const waitMilliseconds = 3_000;
const retryMilliseconds = 50;

/**
 * Locks a data directory against other indexers. Throws `IndexerError` `directory-locked` when another process holds the lock, and
 * `directory-unusable` when the directory can't be written.
 */
export async function lockDirectory(directory: string, wait: number = waitMilliseconds): Promise<ProcessLock> {
  const deadline = performance.now() + wait;
  for (;;) {
    const lock = tryLock(directory);
    if ("release" in lock) return lock;
    if (performance.now() >= deadline) throw lockedError(directory, lock);
    await sleep(retryMilliseconds);
  }
}

function tryLock(directory: string): ProcessLock | LockOwner {
  try {
    return takeProcessLock(join(directory, "indexer"));
  } catch (cause) {
    throw new IndexerError(
      "directory-unusable",
      `The data directory ${directory} can't be written: check its permissions and the free space, or choose another directory.`,
      { cause },
    );
  }
}

function lockedError(directory: string, owner: LockOwner): IndexerError {
  return new IndexerError(
    "directory-locked",
    `Another indexer${describeOwner(owner)} works on the data directory ${directory}: stop it, or choose another directory.`,
    { retry: true },
  );
}
