import { existsSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Name of the directory of a write in progress, next to the manifest.
 *
 * It contains the new texts and those that they replace, and one of two records. None yet: nothing outside was changed. `commit.json`:
 * every new text is here or already in its place, so the write can be completed. `undo.json`: the write failed and is being undone. The
 * record is removed last.
 */
export const journalName = ".nodewright-journal";

/** One file of a write. Paths are relative to the directory of the manifest, with forward slashes. */
export interface JournalStep {
  readonly path: string;
  /** Name in the journal of the new text; absent when the file is removed. */
  readonly staged?: string;
  /** Digest of the new text. */
  readonly digest?: string;
  /** Name in the journal of the previous file; absent when there was none. */
  readonly backup?: string;
  /** Digest of the previous file. */
  readonly before?: string;
}

export interface JournalRecord {
  readonly format: 1;
  readonly steps: readonly JournalStep[];
  /** Directories that the write creates, outermost first. */
  readonly directories: readonly string[];
}

export type JournalState =
  | { readonly kind: "staging" }
  | { readonly kind: "commit" | "undo"; readonly record: JournalRecord };

const recordNames = { commit: "commit.json", undo: "undo.json" } as const;

/** Returns the state that an earlier write left in a directory; undefined when it left nothing that matters. */
export function readJournal(directory: string): JournalState | undefined {
  const journal = join(directory, journalName);
  if (!existsSync(journal)) return undefined;
  for (const kind of ["undo", "commit"] as const) {
    const path = join(journal, recordNames[kind]);
    if (!existsSync(path)) continue;
    const record = parseRecord(readFileSync(path, "utf8"));
    if (record !== undefined) return { kind, record };
  }
  return { kind: "staging" };
}

/** Commits the write: it will be completed, whatever happens to this process. */
export function commitJournal(directory: string, record: JournalRecord): void {
  const path = join(directory, journalName, recordNames.commit);
  writeFileSync(`${path}.tmp`, JSON.stringify(record));
  renameSync(`${path}.tmp`, path);
}

/** Revokes the write: it will be undone. */
export function revokeJournal(directory: string): void {
  const journal = join(directory, journalName);
  const path = join(journal, recordNames.commit);
  if (existsSync(path)) renameSync(path, join(journal, recordNames.undo));
}

/** Removes the journal, its record last: an interruption leaves a journal that can be read. */
export function removeJournal(directory: string): void {
  const journal = join(directory, journalName);
  if (!existsSync(journal)) return;
  const records: ReadonlySet<string> = new Set(Object.values(recordNames));
  const names = readdirSync(journal).toSorted((left, right) => Number(records.has(left)) - Number(records.has(right)));
  for (const name of names) rmSync(join(journal, name), { recursive: true, force: true });
  rmdirSync(journal);
}

/** Parses a record; undefined for one that this version did not write: such a record never meant "commit". */
function parseRecord(text: string): JournalRecord | undefined {
  try {
    const value = JSON.parse(text) as Partial<JournalRecord> | null;
    const isRecord =
      value?.format === 1 &&
      Array.isArray(value.steps) &&
      value.steps.every(isStep) &&
      Array.isArray(value.directories) &&
      value.directories.every((path) => typeof path === "string");
    return isRecord ? (value as JournalRecord) : undefined;
  } catch {
    return undefined;
  }
}

function isStep(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { path, staged, digest, backup, before } = value as Partial<Record<keyof JournalStep, unknown>>;
  return (
    typeof path === "string" &&
    [digest, before].every((text) => text === undefined || typeof text === "string") &&
    [staged, backup].every(
      (name) => name === undefined || (typeof name === "string" && /^\d+\.(?:new|old)$/.test(name)),
    )
  );
}
