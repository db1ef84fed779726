import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { digestOf, digestOfInput, withUnixLines } from "./digest.ts";
import {
  commitJournal,
  type JournalRecord,
  type JournalStep,
  journalName,
  readJournal,
  removeJournal,
  revokeJournal,
} from "./journal.ts";
import { systemProblem, WriteError } from "./write-error.ts";

/** The change of one file. Paths are absolute. */
export type WriteStep =
  | {
      readonly kind: "write";
      readonly path: string;
      readonly text: string;
      /** Text that is replaced; undefined when the file must not exist. */
      readonly before: string | undefined;
    }
  | { readonly kind: "remove"; readonly path: string; readonly before: string };

/** Files that change together or not at all. */
export interface Transaction {
  /** Absolute path of the directory whose manifest records the files: it contains the journal. */
  readonly directory: string;
  readonly steps: readonly WriteStep[];
}

/** The outcome for a write that an earlier run did not finish. */
export interface Recovery {
  readonly outcome: "completed" | "undone";
  /** Number of files in the write. */
  readonly files: number;
  /** Absolute paths that were changed by others since, and that were kept as they are. */
  readonly kept: readonly string[];
}

/**
 * Writes and removes the files of a transaction: all of them or none. When the system refuses one or somebody has changed one since it was
 * planned, it throws a `WriteError` and leaves no changes.
 *
 * New texts are written into the journal first and then renamed into their places, so that a reader sees an old or a new text. A process
 * that is killed leaves the journal, and `recoverTransaction` finishes the write. This is guaranteed for the end of a process at any
 * moment, not for a loss of power: nothing waits for the disk.
 */
export function applyTransaction({ directory, steps }: Transaction): void {
  if (steps.length === 0) return;
  const made = new Set<string>();
  const record = attempt(directory, made, steps[0]?.path ?? directory, () => stage(directory, steps, made));
  for (const [index, step] of record.steps.entries())
    attempt(directory, made, steps[index]?.path ?? directory, () => perform(directory, step));
  removeJournal(directory);
  removeEmptyDirectories(directory, record.steps);
}

/**
 * Completes the write of a killed process when all its new texts exist, and undoes it otherwise. Returns undefined without such a write.
 * `mayTouch` returns whether a write into this directory can have affected a file.
 */
export function recoverTransaction(directory: string, mayTouch: (path: string) => boolean): Recovery | undefined {
  const state = readJournal(directory);
  if (state === undefined) return undefined;
  if (state.kind === "staging") {
    const files = stagedCount(directory);
    removeJournal(directory);
    removeIfEmpty(directory);
    return files === 0 ? undefined : { outcome: "undone", files, kept: [] };
  }
  const { kind, record } = state;
  const steps = record.steps.filter(({ path }) => mayTouch(resolve(directory, path)));
  const kept = steps.filter((step) => isChangedSince(directory, step)).map(({ path }) => resolve(directory, path));
  const untouched = steps.filter(({ path }) => !kept.includes(resolve(directory, path)));
  if (kind === "commit") for (const step of untouched) perform(directory, step);
  else undo(directory, record, untouched);
  removeJournal(directory);
  removeEmptyDirectories(directory, record.steps);
  return { outcome: kind === "commit" ? "completed" : "undone", files: record.steps.length, kept };
}

/** Runs a part of the write; on failure, everything that it has done so far is undone. */
function attempt<Result>(directory: string, made: ReadonlySet<string>, path: string, part: () => Result): Result {
  try {
    return part();
  } catch (reason) {
    const problem =
      reason instanceof WriteError ? reason.message : `${path} could not be written: ${systemProblem(reason)}.`;
    throw new WriteError(`${problem} ${takeBack(directory, made)}`, path, reason);
  }
}

function takeBack(directory: string, made: ReadonlySet<string>): string {
  try {
    revokeJournal(directory);
    const state = readJournal(directory);
    if (state?.kind === "undo") undo(directory, state.record, state.record.steps);
    removeJournal(directory);
    for (const path of [...made].toReversed()) removeIfEmpty(path);
    return "All files are as they were.";
  } catch (reason) {
    return `The files that were already written could not be taken back (${systemProblem(reason)}); the next run does it.`;
  }
}

/** Writes the new texts and keeps the old ones in the journal; outside it only new directories are created. */
function stage(directory: string, steps: readonly WriteStep[], made: Set<string>): JournalRecord {
  const journal = join(directory, journalName);
  for (const path of missingDirectories(directory)) made.add(path);
  makeDirectory(journal);
  const directories = new Set(
    steps.flatMap((step) => (step.kind === "write" ? missingDirectories(dirname(step.path)) : [])),
  );
  for (const path of directories) made.add(path);
  const staged = steps.map((step, index) => stageStep(directory, step, index));
  const record: JournalRecord = {
    format: 1,
    steps: staged,
    directories: [...directories].map((path) => relativePath(directory, path)),
  };
  commitJournal(directory, record);
  return record;
}

function stageStep(directory: string, step: WriteStep, index: number): JournalStep {
  const journal = join(directory, journalName);
  const path = relativePath(directory, step.path);
  const stands = statSync(step.path, { throwIfNoEntry: false });
  if (stands?.isDirectory()) throw new WriteError(`${step.path} could not be written: it is a directory.`, step.path);
  if (readIfFile(step.path) !== (step.before && withUnixLines(step.before))) {
    throw new WriteError(
      `${step.path} was changed while it was about to be written; run the command again.`,
      step.path,
    );
  }
  const backup = `${index}.old`;
  if (stands !== undefined) keep(step.path, join(journal, backup));
  const before = step.before === undefined ? {} : { backup, before: digestOfInput(step.before) };
  if (step.kind === "remove") return { path, ...before };
  const staged = join(journal, `${index}.new`);
  writeFileSync(staged, step.text);
  if (stands !== undefined) chmodSync(staged, stands.mode);
  return { path, staged: `${index}.new`, digest: digestOfInput(step.text), ...before };
}

/** Puts one file into its new state; one that is already in it is kept. */
function perform(directory: string, { path, staged }: JournalStep): void {
  const target = resolve(directory, path);
  if (staged === undefined) {
    rmSync(target, { force: true });
    return;
  }
  const from = join(directory, journalName, staged);
  if (!existsSync(from)) return;
  makeDirectory(dirname(target));
  move(from, target);
}

function undo(directory: string, record: JournalRecord, steps: readonly JournalStep[]): void {
  for (const { path, backup, digest } of steps.toReversed()) {
    const target = resolve(directory, path);
    const from = backup === undefined ? undefined : join(directory, journalName, backup);
    if (from !== undefined) {
      if (existsSync(from)) move(from, target);
    } else if (digest !== undefined && digestOfFile(target) === digest) rmSync(target, { force: true });
  }
  for (const path of record.directories.toReversed()) removeIfEmpty(resolve(directory, path));
}

/** Returns whether a file has neither its old nor its new content: then somebody else changed it. */
function isChangedSince(directory: string, { path, digest, before }: JournalStep): boolean {
  const now = digestOfFile(resolve(directory, path));
  return now !== before && now !== digest && now !== undefined;
}

/** Creates a hard link to a file, or a copy with its times where the file system has no hard links. */
function keep(path: string, backup: string): void {
  try {
    linkSync(path, backup);
  } catch {
    copyFileSync(path, backup);
    const { atime, mtime } = statSync(path);
    utimesSync(backup, atime, mtime);
  }
}

function move(from: string, target: string): void {
  try {
    renameSync(from, target);
  } catch (reason) {
    if (!(reason instanceof Error && "code" in reason && reason.code === "EXDEV")) throw reason;
    const beside = `${target}.nodewright-new`;
    try {
      copyFileSync(from, beside);
      const { atime, mtime } = statSync(from);
      utimesSync(beside, atime, mtime);
      renameSync(beside, target);
    } finally {
      rmSync(beside, { force: true });
    }
    rmSync(from);
  }
}

/** Creates a directory and its missing parents, one by one: a recursive call would hide the reason of a refusal. */
function makeDirectory(path: string): void {
  for (const each of missingDirectories(path)) mkdirSync(each);
}

/** Returns the directories up to and including a path that do not exist yet, outermost first. */
function missingDirectories(path: string): readonly string[] {
  const missing: string[] = [];
  for (let at = path; !existsSync(at); at = dirname(at)) missing.unshift(at);
  return missing;
}

/** Removes directories inside the owned one that lost their last file. */
function removeEmptyDirectories(directory: string, steps: readonly JournalStep[]): void {
  for (const { path, staged } of steps) {
    if (staged !== undefined || path.startsWith("..")) continue;
    let at = dirname(resolve(directory, path));
    while (at !== directory && at.startsWith(directory) && removeIfEmpty(at)) at = dirname(at);
  }
}

function removeIfEmpty(directory: string): boolean {
  if (!existsSync(directory) || readdirSync(directory).length > 0) return false;
  rmdirSync(directory);
  return true;
}

function stagedCount(directory: string): number {
  return readdirSync(join(directory, journalName)).filter((name) => name.endsWith(".new")).length;
}

function relativePath(directory: string, path: string): string {
  return relative(directory, path).replaceAll(sep, "/");
}

function digestOfFile(path: string): string | undefined {
  const text = readIfFile(path);
  return text === undefined ? undefined : digestOf(text);
}

function readIfFile(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  return withUnixLines(readFileSync(path, "utf8"));
}
