import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartProblem } from "../command/start-problem.ts";

export interface DirectoryLock {
  release(): void;
}

/** SQLITE_BUSY. */
const busy = 5;

/** Files that a lock leaves in its directory. */
export const lockFiles = { lock: "service.lock", owner: "service.pid" } as const;

/**
 * Locks `directory` against other services, or throws `StartProblem`.
 *
 * The lock is the operating system's, acquired through SQLite, and ends with the process however that ends: there is nothing to clean up
 * after `kill -9`, and a reused process id is not mistaken for ours.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const database = new DatabaseSync(join(directory, lockFiles.lock), { timeout: 0 });
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!(error instanceof Error && "errcode" in error && error.errcode === busy)) throw error;
    throw new StartProblem(
      `The data directory ${directory} is in use by another running service${ownerOf(directory)}: stop that one, or choose another directory with --data.`,
    );
  }
  writeFileSync(join(directory, lockFiles.owner), `${process.pid}\n`);
  return { release: () => database.close() };
}

function ownerOf(directory: string): string {
  try {
    return ` (process ${Number.parseInt(readFileSync(join(directory, lockFiles.owner), "utf8"), 10)})`;
  } catch {
    return "";
  }
}
