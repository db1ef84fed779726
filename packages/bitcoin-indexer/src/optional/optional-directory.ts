import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { IndexerError } from "../basics/indexer-error.ts";
import { assertSpace } from "../basics/store-failure.ts";
import type { OptionalIndexName } from "./optional-progress.ts";

/** Paths of an optional index, below the data directory of the main one. */
export interface OptionalDirectory {
  readonly path: string;
  /** Description file, written last: it marks the directory as complete. */
  readonly description: string;
  /** LMDB environment. */
  readonly rows: string;
}

/** Properties that distinguish the rows of two versions. */
type DirectoryKind = { readonly name: OptionalIndexName; readonly title: string; readonly layout: number };

/** Returns the directory of all optional indexes of a data directory, and of their lock. */
function optionalIndexesPath(dataDirectory: string): string {
  return join(dataDirectory, "optional");
}

/** Creates the directory of all optional indexes, which is to be locked, and returns its path. Throws `IndexerError` on a full disk. */
export function makeOptionalIndexesDirectory(dataDirectory: string): string {
  const path = optionalIndexesPath(dataDirectory);
  assertSpace(dataDirectory);
  mkdirSync(path, { recursive: true });
  return path;
}

export function optionalDirectory(dataDirectory: string, name: OptionalIndexName): OptionalDirectory {
  const path = join(optionalIndexesPath(dataDirectory), name);
  return { path, description: join(path, "layout.json"), rows: join(path, "rows") };
}

/**
 * Returns whether the directory contains a complete index that this version reads; false when it contains none, or one in another layout.
 */
export function isReadableOptionalIndex(directory: OptionalDirectory, { layout }: DirectoryKind): boolean {
  return readLayout(directory.description) === layout;
}

/** Returns whether the directory contains a complete index. Throws `IndexerError` when it is in another layout. */
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
 * Ensures that the directory can hold the index, and removes the remains of an unfinished start. The caller must hold the lock.
 *
 * Throws `IndexerError` when it contains an index in another layout, or files that were not created here.
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

/** Marks the tables as complete: readers may open them. */
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
    // The directory is missing, or not ours.
    return undefined;
  }
}
