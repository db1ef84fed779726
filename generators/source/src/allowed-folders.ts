import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** The folders below which the files of one run are read. */
export interface AllowedFolders {
  /** Allows a folder and all that is below it. */
  allow(folder: string): void;
  /** Where a file really is when that is outside of all folders, relative to the base directory; undefined for one inside. */
  placeOutside(path: string): string | undefined;
}

/** Compares real paths: a symbolic link inside of a folder that leads out of it is outside. */
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

/** Links to what does not exist that are followed. */
const maximumLinks = 40;

/** The path without symbolic links, also where it does not exist: whether a file outside exists is not to be found out. */
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
