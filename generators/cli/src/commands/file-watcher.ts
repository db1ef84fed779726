import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { dirname } from "node:path";

/** Reports when files or directory listings change, however an editor writes them. */
export interface FileWatcher {
  /**
   * Replaces the absolute paths that are watched; a path that does not exist is reported when it appears. A file that was written after
   * `readAt`, in milliseconds since 1970, counts as changed: it may have been read before.
   */
  watch(paths: Iterable<string>, readAt: number): void;
  close(): void;
}

/** Time in milliseconds within which changes belong together: editors write in several steps. */
const settleMilliseconds = 30;
/** Time in milliseconds to wait for a missing file: it may be about to be replaced. */
const replaceMilliseconds = 100;
/** Polling interval in milliseconds, for changes that the system does not report, such as on network drives. */
const pollMilliseconds = 1000;

/**
 * Creates a watcher on the directories of files, because a file that is replaced by another of the same name is not the one that was
 * watched, and compares the current state of the files with the previous one. `onChange` receives everything that differs since it was last
 * called.
 */
export function createFileWatcher(onChange: (changed: ReadonlySet<string>) => void): FileWatcher {
  const signatures = new Map<string, string>();
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let isGoneAccepted = false;

  const compare = (): void => {
    timer = undefined;
    const changed = new Map<string, string>();
    for (const [path, before] of signatures) {
      const now = signatureOf(path);
      if (now !== before) changed.set(path, now);
    }
    const isGone = [...changed.values()].includes(missing);
    if (isGone && !isGoneAccepted) {
      isGoneAccepted = true;
      timer = setTimeout(compare, replaceMilliseconds);
      return;
    }
    isGoneAccepted = false;
    for (const [path, now] of changed) signatures.set(path, now);
    watchDirectories();
    if (changed.size > 0) onChange(new Set(changed.keys()));
  };

  const onEvent = (): void => {
    if (isGoneAccepted) return;
    clearTimeout(timer);
    timer = setTimeout(compare, settleMilliseconds);
  };

  const watchDirectories = (): void => {
    const wanted = new Map([...signatures.keys()].flatMap(watchedPlaces).map((path) => [path, identityOf(path)]));
    for (const [key, watcher] of watchers) {
      const [path = "", identity = ""] = key.split("\0");
      if (wanted.get(path) === identity) continue;
      watcher.close();
      watchers.delete(key);
    }
    for (const [path, identity] of wanted) {
      const key = `${path}\0${identity}`;
      if (watchers.has(key)) continue;
      try {
        const watcher = watch(path, onEvent);
        watcher.on("error", () => {
          watcher.close();
          watchers.delete(key);
        });
        watchers.set(key, watcher);
      } catch {
        // The system watches no more directories, or none of this kind: polling finds the changes.
      }
    }
  };

  const look = setInterval(() => {
    if (timer === undefined) compare();
  }, pollMilliseconds);

  return {
    watch(paths, readAt) {
      const wanted = new Set(paths);
      for (const path of signatures.keys()) if (!wanted.has(path)) signatures.delete(path);
      for (const path of wanted) {
        if (signatures.has(path)) continue;
        const isNewer = isWrittenAfter(path, readAt);
        signatures.set(path, isNewer ? "read before" : signatureOf(path));
        if (isNewer) onEvent();
      }
      watchDirectories();
    },
    close() {
      clearInterval(look);
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

const missing = "missing";

/** Returns a string that identifies the state of a file; of a directory, the names in it. */
function signatureOf(path: string): string {
  try {
    const state = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (state === undefined) return missing;
    if (state.isDirectory()) return `directory ${readdirSync(path).toSorted().join("\0")}`;
    return `file ${state.ino} ${state.size} ${state.mtimeNs}`;
  } catch {
    return missing;
  }
}

function isWrittenAfter(path: string, time: number): boolean {
  try {
    const state = statSync(path, { throwIfNoEntry: false });
    return state?.isFile() === true && state.mtimeMs > time;
  } catch {
    return false;
  }
}

/**
 * Returns the directories in which a change of a path is visible: the path itself, if it is a directory, and its nearest existing ancestor.
 */
function watchedPlaces(path: string): readonly string[] {
  let parent = dirname(path);
  while (identityOf(parent) === "" && dirname(parent) !== parent) parent = dirname(parent);
  return isDirectory(path) ? [path, parent] : [parent];
}

function identityOf(path: string): string {
  return isDirectory(path) ? String(statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? "") : "";
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
