import { linkSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { digestOf } from "./digest.ts";

/** Who holds a lock. */
export interface LockOwner {
  readonly pid: number;
  /** When that process began, as the system counts: a later process may get the same id. Empty where it is not told. */
  readonly started: string;
}

export interface WriteLock {
  release(): void;
}

/**
 * Takes the right to write into a directory, or says who has it. A lock whose owner is gone is taken over.
 *
 * Locks are files in the system's directory for temporary files, named by the directory that they are for, which need not exist:
 * nothing appears in a project. Where there is no place for such files, everybody may write.
 */
export function takeWriteLock(directory: string): WriteLock | LockOwner {
  const self: LockOwner = { pid: process.pid, started: processStart(process.pid) };
  const place = join(tmpdir(), `nodewright-${userName()}`);
  const path = join(place, `${digestOf(realPath(directory))}.lock`);
  const own = `${path}.${process.pid}`;
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    writeFileSync(own, JSON.stringify(self));
  } catch {
    return { release: () => undefined };
  }
  try {
    return claim(path, own) ?? { release: () => releaseLock(path, self) };
  } finally {
    rmSync(own, { force: true });
  }
}

/** The living owner of a lock; undefined when the lock has become ours. */
function claim(path: string, own: string): LockOwner | undefined {
  for (;;) {
    try {
      linkSync(own, path);
      return undefined;
    } catch (reason) {
      if (!(reason instanceof Error && "code" in reason && reason.code === "EEXIST")) return undefined;
    }
    const text = readIfThere(path);
    if (text === undefined) continue;
    const owner = parseOwner(text);
    if (owner !== undefined && isAlive(owner)) return owner;
    removeStale(path, text, `${own}.stale`);
  }
}

/** Renames before it removes: when somebody else took the lock over in between, theirs is put back. */
function removeStale(path: string, text: string, aside: string): void {
  try {
    renameSync(path, aside);
    if (readIfThere(aside) !== text) linkSync(aside, path);
  } catch {
    // Somebody else was faster; the next attempt finds out.
  }
  rmSync(aside, { force: true });
}

function releaseLock(path: string, self: LockOwner): void {
  const owner = parseOwner(readIfThere(path) ?? "");
  if (owner?.pid === self.pid && owner.started === self.started) rmSync(path, { force: true });
}

function isAlive({ pid, started }: LockOwner): boolean {
  try {
    process.kill(pid, 0);
  } catch (reason) {
    // Another user's process may not be signalled, and is alive.
    return reason instanceof Error && "code" in reason && reason.code === "EPERM";
  }
  return processStart(pid) === started;
}

/** Field 22 of /proc/<pid>/stat (proc(5)), counted behind the name, which may hold spaces and parentheses. */
function processStart(pid: number): string {
  const stat = readIfThere(`/proc/${pid}/stat`) ?? "";
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function parseOwner(text: string): LockOwner | undefined {
  try {
    const { pid, started } = JSON.parse(text) as Partial<LockOwner>;
    return typeof pid === "number" && pid > 0 && typeof started === "string" ? { pid, started } : undefined;
  } catch {
    return undefined;
  }
}

/** One name for a directory however it is reached, whether it exists or not. */
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

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
