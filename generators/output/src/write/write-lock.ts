import { mkdirSync, realpathSync, statSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { type LockOwner, type ProcessLock, takeProcessLock } from "@nodewright/process-lock";
import { digestOf } from "./digest.ts";

/**
 * Acquires the lock for writing into a directory, or returns its owner.
 *
 * The lock is in the system's directory for temporary files, named after the locked directory, which need not exist: nothing appears in a
 * project. Where no lock can be written there, every process may write.
 */
export function takeWriteLock(directory: string): ProcessLock | LockOwner {
  const place = join(tmpdir(), `nodewright-${userName()}`);
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    return takeProcessLock(join(place, digestOf(realPath(directory))));
  } catch {
    return { release: () => undefined };
  }
}

/** Returns the path of a directory without symbolic links, whether it exists or not. */
function realPath(directory: string): string {
  if (statSync(directory, { throwIfNoEntry: false }) !== undefined) return realpathSync(directory);
  const parent = dirname(directory);
  return parent === directory ? directory : join(realPath(parent), basename(directory));
}

function userName(): string {
  try {
    return String(userInfo().uid);
  } catch {
    return "user";
  }
}
