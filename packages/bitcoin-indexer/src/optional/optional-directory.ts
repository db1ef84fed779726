import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { IndexerError } from "../indexer-error.ts";
import { assertRoom } from "../store-failure.ts";
import type { OptionalIndexName } from "./optional-progress.ts";

/** Where an optional index stands, below the data directory of the main one. */
export interface OptionalDirectory {
  readonly path: string;
  /** Written last: says that everything else is there. */
  readonly description: string;
  /** The LMDB environment. */
  readonly rows: string;
}

/** What makes the rows of two versions different. */
type DirectoryKind = { readonly name: OptionalIndexName; readonly title: string; readonly layout: number };

/** Holds all optional indexes of a data directory, and their lock. */
function optionalIndexesPath(dataDirectory: string): string {
  return join(dataDirectory, "optional");
}

/** Makes the directory of all optional indexes, which is to be locked, and gives its path. Throws `IndexerError` on a full disk. */
export function makeOptionalIndexesDirectory(dataDirectory: string): string {
  const path = optionalIndexesPath(dataDirectory);
  assertRoom(dataDirectory);
  mkdirSync(path, { recursive: true });
  return path;
}

export function optionalDirectory(dataDirectory: string, name: OptionalIndexName): OptionalDirectory {
  const path = join(optionalIndexesPath(dataDirectory), name);
  return { path, description: join(path, "layout.json"), rows: join(path, "rows") };
}

/** Whether the directory holds the whole of an index that this version reads; false when it holds none, or one in another layout. */
export function isReadableOptionalIndex(directory: OptionalDirectory, { layout }: DirectoryKind): boolean {
  return readLayout(directory.description) === layout;
}

/** Returns whether the directory holds the whole of an index. Throws `IndexerError` when it is in another layout. */
export function hasOptionalIndex({ path, description }: OptionalDirectory, kind: DirectoryKind): boolean {
  if (!existsSync(description)) return false;
  const layout = readLayout(description);
  if (layout === kind.layout) return true;
  throw new IndexerError(
    "directory-layout",
    `The ${kind.title} in ${path} have layout ${layout ?? "unknown"}, this version needs ${kind.layout}: ` +
      "delete that directory to have them made anew, or switch them off.",
  );
}

/**
 * Makes sure that the directory may hold the index; what an unfinished start left there is taken away. For the holder of the lock.
 *
 * Throws `IndexerError` when it holds one in another layout, or files that were not made here.
 */
export function prepareOptionalDirectory(directory: OptionalDirectory, kind: DirectoryKind): void {
  const { path, rows } = directory;
  if (hasOptionalIndex(directory, kind)) return;
  if (existsSync(rows) && !existsSync(unfinished(directory))) {
    throw new IndexerError(
      "directory-unusable",
      `The directory ${path} holds other files under rows: take them away, or switch the ${kind.title} off.`,
    );
  }
  mkdirSync(path, { recursive: true });
  writeFileSync(unfinished(directory), `${JSON.stringify({ layout: kind.layout })}\n`);
  rmSync(rows, { recursive: true, force: true });
  mkdirSync(rows);
}

/** Says that the tables are there: readers may open them. */
export function finishOptionalDirectory(directory: OptionalDirectory): void {
  if (!existsSync(directory.description)) renameSync(unfinished(directory), directory.description);
}

function unfinished({ description }: OptionalDirectory): string {
  return `${description}.unfinished`;
}

function readLayout(path: string): number | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    const layout = typeof value === "object" && value !== null && "layout" in value ? value.layout : undefined;
    return typeof layout === "number" ? layout : undefined;
  } catch {
    // Nothing there, or nothing of ours.
    return undefined;
  }
}
