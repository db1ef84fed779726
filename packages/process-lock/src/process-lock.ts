import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** A lock that this process holds. */
export interface ProcessLock {
  release(): void;
}

/** Process that holds a lock. */
export interface LockOwner {
  /** Process ID; absent where the owner has not written it yet. */
  readonly pid?: number | undefined;
}

/** SQLITE_BUSY (SQLite result codes, 5). */
const busy = 5;

/**
 * Takes the lock `${path}.lock`, or returns its owner, as noted in `${path}.pid`. Both files stay when the lock is released.
 *
 * The lock is the operating system's, acquired through SQLite: it ends with the process, however that ends, so `kill -9` leaves nothing
 * over, and a reused process ID is not mistaken for the owner. It also excludes other owners in the same process.
 *
 * Throws the error of SQLite or of the file system where the files can't be written, or where the lock file has other content.
 */
export function takeProcessLock(path: string): ProcessLock | LockOwner {
  const database = new DatabaseSync(`${path}.lock`, { timeout: 0 });
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (reason) {
    database.close();
    if (reason instanceof Error && "errcode" in reason && reason.errcode === busy) return { pid: readPid(path) };
    throw reason;
  }
  try {
    writeFileSync(`${path}.pid`, `${process.pid}\n`);
  } catch (reason) {
    database.close();
    throw reason;
  }
  return { release: () => database.close() };
}

/** Returns ` (process 12)` for messages; an empty string where the process ID is unknown. */
export function describeOwner({ pid }: LockOwner): string {
  return pid === undefined ? "" : ` (process ${pid})`;
}

function readPid(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(`${path}.pid`, "utf8"), 10);
    return Number.isSafeInteger(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}
