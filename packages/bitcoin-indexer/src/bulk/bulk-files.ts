import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type BulkJournal, journalFiles, type SortedTable, sortedTables } from "./bulk-journal.ts";
import type { Sorters } from "./joined-rows.ts";
import { MergedRuns, type RecordShape } from "./merged-runs.ts";
import type { RowSorter } from "./row-sorter.ts";
import { isComplete, type WordFile, WordFileWriter, writeWordFile } from "./run-file.ts";

/** Files of a bulk index next to the environment, each written once. The journal lists the valid ones. */
export class BulkFiles {
  readonly directory: string;
  #next = 0;

  constructor(directory: string) {
    this.directory = directory;
    this.create();
  }

  /** Creates the directory, unless it exists. */
  create(): void {
    mkdirSync(this.directory, { recursive: true });
  }

  get next(): number {
    return this.#next;
  }

  /** Resumes from a journal: a file that it does not list is left over from an uncommitted write. */
  resume(journal: BulkJournal): void {
    this.#next = journal.nextFile;
    this.deleteUnlisted(journal);
  }

  /** Returns whether all files of a journal exist as they were written. */
  hasAll(journal: BulkJournal): boolean {
    return journalFiles(journal).every((file) => isComplete(this.directory, file));
  }

  /** Deletes files that a committed journal does not list. */
  deleteUnlisted(journal: BulkJournal): void {
    const listed = new Set(journalFiles(journal).map(({ name }) => name));
    for (const name of readdirSync(this.directory)) if (!listed.has(name)) rmSync(join(this.directory, name));
  }

  write(kind: string, words: Uint32Array): WordFile {
    const name = `${kind}-${this.#next}`;
    this.#next += 1;
    return writeWordFile(this.directory, name, words);
  }

  /** Writes the content of each sorter as one run, after the existing runs. */
  writeRuns(sorters: Sorters, runs: BulkJournal["runs"]): BulkJournal["runs"] {
    const written = sortedTables.map((table): [SortedTable, readonly WordFile[]] => {
      if (sorters[table].length === 0) return [table, runs[table]];
      return [table, [...runs[table], this.#writeRun(table, sorters[table])]];
    });
    return Object.fromEntries(written) as Record<SortedTable, readonly WordFile[]>;
  }

  /** Merges runs into one. */
  merge(kind: string, runs: readonly WordFile[], shape: RecordShape): WordFile {
    const records = new MergedRuns(this.directory, runs, shape);
    const writer = new WordFileWriter(this.directory, `${kind}-${this.#next}`);
    this.#next += 1;
    try {
      while (records.next()) writer.add(records.words, records.start, shape.width);
      return writer.finish();
    } finally {
      records.close();
      writer.close();
    }
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  #writeRun(kind: string, sorter: RowSorter): WordFile {
    const writer = new WordFileWriter(this.directory, `${kind}-${this.#next}`);
    this.#next += 1;
    try {
      sorter.drain((words) => writer.addAll(words));
      return writer.finish();
    } finally {
      writer.close();
    }
  }
}
