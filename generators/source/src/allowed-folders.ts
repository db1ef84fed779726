import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** Folders that the files of one run may be read from. */
export interface AllowedFolders {
  /** Allows a folder and everything below it. */
  allow(folder: string): void;
  /** Returns the real path of a file outside all folders, relative to the base directory; undefined for a file inside one. */
  placeOutside(path: string): string | undefined;
}

/** Creates an empty set of allowed folders. Real paths are compared: a symbolic link inside a folder that leads out of it is outside. */
export function createAllowedFolders(baseDirectory: string): AllowedFolders {
  const folders = new Set<string>();
  return {
    allow(folder) {
      folders.add(realPath(folder));
    },
    placeOutside(path) {
      const place = realPath(path);
      if ([...folders].some((folder) => isBelow(place, folder))) return undefined;
      return relative(realPath(baseDirectory), place).replaceAll(sep, "/") || ".";
    },
  };
}

/** Maximum number of symbolic links to missing files that are followed. */
const maximumLinks = 40;

/**
 * Returns the path without symbolic links, even if the file does not exist, so that the result does not reveal whether a file outside
 * exists.
 */
function realPath(path: string, links = 0): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) return path;
    const place = join(realPath(parent, links), basename(path));
    const target = links < maximumLinks ? linkTarget(place) : undefined;
    return target === undefined ? place : realPath(resolve(dirname(place), target), links + 1);
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function isBelow(path: string, folder: string): boolean {
  const steps = relative(folder, path);
  return steps !== ".." && !steps.startsWith(`..${sep}`) && !isAbsolute(steps);
}
