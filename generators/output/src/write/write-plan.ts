import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { EmittedFile } from "@nodewright/model";
import { digestOf } from "./digest.ts";
import { journalName } from "./journal.ts";
import { type Manifest, manifestName, parseManifest } from "./manifest.ts";

export type FileChange =
  | { readonly kind: "create"; readonly path: string; readonly text: string }
  | { readonly kind: "update"; readonly path: string; readonly text: string; readonly before: string }
  | { readonly kind: "delete"; readonly path: string; readonly before: string };

/** What has to happen to a directory that the generator owns, so that it holds the emitted files and nothing else. */
export interface WritePlan {
  readonly directory: string;
  readonly changes: readonly FileChange[];
  /** Paths of files that were edited by hand since they were generated, and that a change would touch. */
  readonly handEdited: readonly string[];
}

/** What a generated directory holds now. */
export interface DirectoryState {
  readonly manifest: Manifest | undefined;
  /** Texts by path, the manifest's included. */
  readonly files: ReadonlyMap<string, string>;
}

/** Reads a generated directory; one that does not exist is empty. The journal of a write is no part of it. */
export function readDirectoryState(directory: string): DirectoryState {
  const files = new Map<string, string>();
  for (const path of listFiles(directory)) files.set(path, readFileSync(join(directory, path), "utf8"));
  const manifestText = files.get(manifestName);
  return { manifest: manifestText === undefined ? undefined : parseManifest(manifestText), files };
}

/** Decides what to write and what to remove; touches nothing. */
export function planWrite(directory: string, state: DirectoryState, emitted: readonly EmittedFile[]): WritePlan {
  const changes: FileChange[] = [];
  for (const { path, text } of emitted) {
    const before = state.files.get(path);
    if (before === undefined) changes.push({ kind: "create", path, text });
    else if (before !== text) changes.push({ kind: "update", path, text, before });
  }
  const wanted = new Set(emitted.map(({ path }) => path));
  for (const [path, before] of state.files) {
    if (!wanted.has(path)) changes.push({ kind: "delete", path, before });
  }
  return {
    directory,
    changes,
    handEdited: changes.flatMap((change) => (isHandEdited(change, state) ? [change.path] : [])),
  };
}

/** A file that is not as the manifest says it was generated; one that the manifest does not know was put there by hand. */
function isHandEdited(change: FileChange, { manifest }: DirectoryState): boolean {
  if (change.kind === "create" || change.path === manifestName || manifest === undefined) return false;
  return manifest.files[change.path] !== digestOf(change.before);
}

function listFiles(directory: string, below = ""): readonly string[] {
  const path = join(directory, below);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => below !== "" || name !== journalName)
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const name = below === "" ? entry.name : `${below}/${entry.name}`;
      return entry.isDirectory() ? listFiles(directory, name) : [name];
    });
}
