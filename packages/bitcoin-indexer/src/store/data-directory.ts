import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { IndexerError } from "../basics/indexer-error.ts";
import { layoutVersion } from "./layout.ts";

/** Paths in a data directory. */
export interface DataDirectory {
  readonly path: string;
  /** Description file, written last when a directory is created: it marks the directory as complete. */
  readonly description: string;
  /** LMDB environment. */
  readonly index: string;
  /** Raw blocks. */
  readonly blocks: string;
  /** Files that only an index that is being filled in bulk needs. */
  readonly bulk: string;
  /** Reports of damaged blocks. */
  readonly damage: string;
}

/** Description of a directory's content. */
export interface Description {
  readonly layout: number;
  readonly network: string;
  /** Whether addresses are kept for searches by prefix. */
  readonly addressSearch: boolean;
}

export function dataDirectory(path: string): DataDirectory {
  return {
    path,
    description: join(path, "layout.json"),
    index: join(path, "index"),
    blocks: join(path, "blocks"),
    bulk: join(path, "bulk"),
    damage: join(path, "damage"),
  };
}

/**
 * Returns whether the directory contains an index of `network` in this version's layout; false when it contains none yet.
 *
 * Throws `IndexerError` when it contains another.
 */
export function hasIndex(directory: DataDirectory, network: string): boolean {
  const description = readDescription(directory);
  if (description === undefined) {
    checkNetwork(directory, readUnfinishedDescription(directory)?.network ?? network, network);
    return false;
  }
  if (description.layout !== layoutVersion) {
    throw new IndexerError(
      "directory-layout",
      `The data directory ${directory.path} has layout ${description.layout}, this version needs ${layoutVersion}: ` +
        "delete the directory to index anew, or choose another.",
    );
  }
  checkNetwork(directory, description.network, network);
  return true;
}

/** Returns the description of a complete directory; `undefined` if it has no description. Throws `IndexerError` when it can't be parsed. */
export function describeDirectory(directory: DataDirectory): Description | undefined {
  return readDescription(directory);
}

/**
 * Returns whether a complete directory keeps addresses for searches by prefix.
 *
 * Throws `IndexerError` when that is requested and the directory was created without: rows of the past are missing.
 */
export function keepsAddresses(directory: DataDirectory, isRequested?: boolean): boolean {
  const kept = readDescription(directory)?.addressSearch ?? isRequested === true;
  if (isRequested === true && !kept) {
    throw new IndexerError(
      "directory-layout",
      `The data directory ${directory.path} was made without address search: ` +
        "delete the directory to index anew, or go on without address search.",
    );
  }
  return kept;
}

/**
 * Ensures that the directory exists and may become a data directory.
 *
 * Throws `IndexerError` when foreign files are in the places of ours: files that were not created here are never deleted.
 */
export function claimDirectory(directory: DataDirectory): void {
  const isOurs = existsSync(unfinishedDescription(directory)) || existsSync(directory.description);
  if (!isOurs && (existsSync(directory.index) || existsSync(directory.blocks))) {
    throw new IndexerError(
      "directory-unusable",
      `The directory ${directory.path} holds other files under index or blocks: choose another data directory.`,
    );
  }
  tryToWrite(directory, () => mkdirSync(directory.path, { recursive: true }));
}

/** Creates the content of a claimed directory, without the remains of an unfinished start. The caller must hold the lock. */
export function prepareDirectory(directory: DataDirectory, network: string, addressSearch: boolean): void {
  claimDirectory(directory);
  tryToWrite(directory, () => {
    const description: Description = { layout: layoutVersion, network, addressSearch };
    writeFileSync(unfinishedDescription(directory), `${JSON.stringify(description)}\n`);
    rmSync(directory.index, { recursive: true, force: true });
    rmSync(directory.blocks, { recursive: true, force: true });
    rmSync(directory.bulk, { recursive: true, force: true });
    rmSync(directory.damage, { recursive: true, force: true });
    mkdirSync(directory.index);
    mkdirSync(directory.blocks);
  });
}

/** Returns whether a bulk index was begun there, with these settings, that readers do not see yet. The caller must hold the lock. */
export function hasUnfinishedBulk(directory: DataDirectory, network: string, addressSearch: boolean): boolean {
  if (!existsSync(directory.bulk)) return false;
  const found = readUnfinishedDescription(directory);
  return found?.layout === layoutVersion && found.network === network && found.addressSearch === addressSearch;
}

/** Marks the directory as complete: readers may open it. */
export function finishDirectory(directory: DataDirectory): void {
  renameSync(unfinishedDescription(directory), directory.description);
}

function checkNetwork({ path }: DataDirectory, found: string, network: string): void {
  if (found === network) return;
  throw new IndexerError(
    "directory-network",
    `The data directory ${path} holds the index of ${found}, not of ${network}: ` +
      `choose another directory, or serve ${found}.`,
  );
}

function readUnfinishedDescription(directory: DataDirectory): Description | undefined {
  const text = readIfThere(unfinishedDescription(directory));
  return text === undefined ? undefined : parseDescription(text);
}

/** Returns the description that is there from the first file on until the directory is complete. */
function unfinishedDescription(directory: DataDirectory): string {
  return `${directory.description}.unfinished`;
}

function tryToWrite(directory: DataDirectory, action: () => void): void {
  try {
    action();
  } catch (cause) {
    throw new IndexerError(
      "directory-unusable",
      `The data directory ${directory.path} can't be written: check its permissions and the free space, or choose another directory.`,
      { cause },
    );
  }
}

/** Reads a file if it exists. One call, since the indexer may rename the file between a check and a read. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function readDescription(directory: DataDirectory): Description | undefined {
  const text = readIfThere(directory.description);
  if (text === undefined) return undefined;
  const description = parseDescription(text);
  if (description !== undefined) return description;
  throw new IndexerError(
    "directory-layout",
    `${directory.description} can't be understood: delete the data directory to index anew, or choose another.`,
  );
}

function parseDescription(text: string): Description | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || !("layout" in value) || !("network" in value)) return undefined;
  const { layout, network } = value;
  if (typeof layout !== "number" || typeof network !== "string") return undefined;
  return { layout, network, addressSearch: "addressSearch" in value && value.addressSearch === true };
}
