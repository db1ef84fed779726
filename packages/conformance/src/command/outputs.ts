import {
  accessSync,
  appendFileSync,
  constants,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { ndjsonCase, ndjsonEnd, ndjsonStart } from "../report/ndjson-report.ts";
import { createPaint, UsageError } from "@nodewright/terminal-text";
import { renderReport } from "../report/render-report.ts";
import type { CaseReport, Report } from "../contract/report.ts";
import type { RunStart } from "../report/ndjson-report.ts";
import type { WantedReport } from "./conform-arguments.ts";
import type { Environment } from "./read-access.ts";
import { type ConformStreams, widthOf } from "./streams.ts";

/** Settings of the outputs of a run. */
export interface OutputSettings {
  readonly streams: ConformStreams;
  readonly environment: Environment;
  readonly isVerbose: boolean;
  /** Whether the report for people is omitted when the target conforms. */
  readonly isQuiet: boolean;
  readonly texts: ReadonlyMap<string, string>;
}

/** All requested reports. */
export interface Outputs {
  start(start: RunStart): void;
  /** Writes the formats that are written during the run. */
  onCase(report: CaseReport): void;
  /** @throws {UsageError} for a file that can't be written. */
  end(report: Report): void;
}

/**
 * Opens the reports of a run.
 *
 * @throws {UsageError} for a file that can't be written, before anything is sent.
 */
export function createOutputs(wanted: readonly WantedReport[], settings: OutputSettings): Outputs {
  const { stderr } = settings.streams;
  for (const { file } of wanted) {
    const created = file === undefined ? undefined : checkWritable(file, "report");
    if (created !== undefined && !settings.isQuiet) stderr.write(`Created the directory ${created} for the report.\n`);
  }
  const streamed = wanted.filter(({ format }) => format === "ndjson");
  const line = (value: unknown): void => {
    const text = `${JSON.stringify(value)}\n`;
    for (const { file } of streamed) {
      if (file === undefined) settings.streams.stdout.write(text);
      else tryWrite(file, "report", () => appendFileSync(file, text));
    }
  };
  return {
    start(start) {
      for (const { file } of streamed) if (file !== undefined) tryWrite(file, "report", () => writeFileSync(file, ""));
      if (streamed.length > 0) line(ndjsonStart(start));
    },
    onCase(report) {
      if (streamed.length > 0) line(ndjsonCase(report));
    },
    end(report) {
      const others = wanted.filter(({ format }) => format !== "ndjson");
      writeEach([
        ...(streamed.length > 0 ? [() => line(ndjsonEnd(report))] : []),
        ...others.map((each) => () => writeReport(each, report, settings)),
      ]);
    },
  };
}

/** Writes each report. A file that can't be written, as on a full disk, does not affect the others: its error is thrown at the end. */
function writeEach(writes: readonly (() => void)[]): void {
  const failures = writes.flatMap((write) => {
    try {
      write();
      return [];
    } catch (reason) {
      if (reason instanceof UsageError) return [reason];
      throw reason;
    }
  });
  if (failures.length > 0) throw new UsageError(failures.map(({ message }) => message).join(" "));
}

function writeReport({ format, file }: WantedReport, report: Report, settings: OutputSettings): void {
  if (format === "ndjson") return;
  const { streams, environment, isVerbose, isQuiet, texts } = settings;
  if (format === "terminal" && isQuiet && report.outcome === "conforms" && file === undefined) return;
  const text = renderReport(format, report, {
    width: file === undefined ? widthOf(streams.stdout) : 120,
    paint: createPaint(file === undefined ? streams.stdout : {}, file === undefined ? environment : {}),
    isVerbose,
    texts,
    isJson: file?.toLowerCase().endsWith(".json") ?? false,
  });
  if (file === undefined) streams.stdout.write(text);
  else tryWrite(file, "report", () => writeCompletely(file, text));
}

/**
 * Writes a file atomically: readers find the old report or the new one, never a part. A link stays a link; anything but a regular file,
 * such as a pipe or `/dev/null`, is written to and not replaced.
 */
export function writeCompletely(file: string, text: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() === false) {
    writeFileSync(file, text);
    return;
  }
  const path = found === undefined ? resolve(file) : realpathSync(file);
  const passing = passingOf(path);
  try {
    writeFileSync(passing, text);
    renameSync(passing, path);
  } catch (reason) {
    rmSync(passing, { force: true });
    throw reason;
  }
}

/**
 * Creates the directories of a file, and returns the first one that did not exist.
 *
 * @throws {UsageError} when the file can't be written.
 */
export function checkWritable(file: string, what: string): string | undefined {
  const path = resolve(file);
  const directory = dirname(file);
  const isNew = !isDirectory(directory);
  tryWrite(file, what, () => {
    makeDirectory(dirname(path));
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile() === false) accessSync(path, constants.W_OK);
    else tryTemporaryFile(found === undefined ? path : realpathSync(path));
  });
  if (isDirectory(path)) throw new UsageError(`The ${what} can't be written into ${file}: it is a directory.`);
  return isNew ? directory : undefined;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Creates and removes a file next to the path: permissions are not sufficient, since a file system may be read-only or refuse files. */
function tryTemporaryFile(path: string): void {
  const passing = passingOf(path);
  writeFileSync(passing, "");
  rmSync(passing);
}

/** Returns the temporary name of a file until it is complete. */
function passingOf(path: string): string {
  return `${path}.${process.pid}.tmp`;
}

/** Creates a directory level by level: when the system refuses, as in /proc, Node's recursive mode never ends. */
function makeDirectory(path: string): void {
  if (isDirectory(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path);
}

/** @throws {UsageError} when the system refuses. */
export function tryWrite(file: string, what: string, write: () => void): void {
  try {
    write();
  } catch (reason) {
    const code = reason instanceof Error && "code" in reason ? ` (${String(reason.code)})` : "";
    throw new UsageError(`The ${what} ${file} can't be written${code}.`);
  }
}
