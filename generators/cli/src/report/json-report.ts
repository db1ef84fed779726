import { posix, relative } from "node:path";
import { type Diagnostic, sortDiagnostics } from "@nodewright/source";
import type { JobPlan } from "../generation/emit-job.ts";
import type { GenerationResult } from "../generation/generate.ts";
import { packageFilePath } from "../jobs/package-file.ts";
import type { Phases } from "../jobs/phases.ts";
import type { AmbiguousRename, Rename } from "../renames/find-renames.ts";
import { proposedRenames } from "../renames/rename-words.ts";
import { appliedRenames, editedFiles, otherFiles, openRenames } from "./change-report.ts";

/** A file that a run changes, or would change. Paths are relative to the configuration file. */
export interface ReportedChange {
  /** `stub` is a handler offered for a new operation; `move` and `edit` are hand-written files that follow a rename. */
  readonly kind: "create" | "update" | "delete" | "stub" | "move" | "edit";
  readonly path: string;
  /** Path of a file before it moved. */
  readonly from?: string;
}

/** State of one document in the JSON report of `gen` and `check`. */
export interface ReportedDocument {
  readonly source: string;
  readonly package: string;
  /** `fresh`: the files on disk match the document. `stale`: something was or must be written. `wrong`: the document has errors. */
  readonly state: "fresh" | "stale" | "wrong";
  /** Number of warnings by code, including those of earlier runs. */
  readonly warnings: Readonly<Record<string, number>>;
}

/** The value that `--json` prints, whatever the outcome. Within a format version, members are added, never removed or changed. */
export interface RunReport {
  readonly format: 1;
  readonly command: string;
  /** Exit code of the process. */
  readonly exitCode: number;
  /** Why nothing could be done at all; absent when the documents were read. */
  readonly problem?: string;
  /** Whether files were written in this run. */
  readonly written: boolean;
  readonly documents: readonly ReportedDocument[];
  /** Diagnostics ordered by file and location. */
  readonly diagnostics: readonly Diagnostic[];
  readonly changes: readonly ReportedChange[];
  /** Generated files that were edited by hand. */
  readonly edited: readonly string[];
  /** Handlers without an operation, and files in the generated directories that nodewright did not write. */
  readonly kept: readonly string[];
  /** Manual changes that are needed to make all generated modules resolvable. */
  readonly advice: readonly string[];
  readonly renames: { readonly applied: readonly Rename[]; readonly proposed: readonly AmbiguousRename[] };
  /** Writes of earlier runs that were finished first. */
  readonly recovered: readonly { readonly directory: string; readonly outcome: "completed" | "undone" }[];
  /** Milliseconds by phase. */
  readonly times: Readonly<Record<string, number>>;
  /** Peak memory of the process in bytes. */
  readonly peakBytes: number;
}

export interface ReportFacts {
  readonly command: string;
  readonly exitCode: number;
  readonly isWritten: boolean;
  readonly phases: Phases;
}

export function runReport(result: GenerationResult, { command, exitCode, isWritten, phases }: ReportFacts): RunReport {
  const { plans, recoveries } = result;
  return {
    ...emptyReport(command, exitCode),
    written: isWritten,
    documents: reportedDocuments(result),
    diagnostics: sortDiagnostics(result.diagnostics),
    changes: plans.flatMap(reportedChanges),
    edited: editedFiles(plans),
    kept: plans.flatMap(({ orphans, gen }) => [...orphans, ...otherFiles(gen)]),
    advice: plans.flatMap(({ packageFile: { advice } }) => advice),
    renames: { applied: appliedRenames(plans), proposed: proposedRenames(openRenames(result)) },
    recovered: recoveries.map(({ directory, outcome }) => ({ directory, outcome })),
    times: Object.fromEntries([...phases.times].map(([name, time]) => [name, Math.round(time * 10) / 10])),
  };
}

/** Returns the report of a run that ended before it read a document. */
export function failedReport(command: string, exitCode: number, problem: string): RunReport {
  return { ...emptyReport(command, exitCode), problem };
}

function emptyReport(command: string, exitCode: number): RunReport {
  return {
    format: 1,
    command,
    exitCode,
    written: false,
    documents: [],
    diagnostics: [],
    changes: [],
    edited: [],
    kept: [],
    advice: [],
    renames: { applied: [], proposed: [] },
    recovered: [],
    times: {},
    peakBytes: process.resourceUsage().maxRSS * 1024,
  };
}

function reportedDocuments({ plans, upToDate, failed }: GenerationResult): readonly ReportedDocument[] {
  const wrong = failed.map(({ index, config }) => ({ index, config, state: "wrong" as const, warnings: {} }));
  const fresh = upToDate.map(({ index, config, state }) => ({
    index,
    config,
    state: "fresh" as const,
    warnings: state.manifest?.warnings ?? {},
  }));
  const planned = plans.map((plan) => ({
    index: plan.job.index,
    config: plan.job.config,
    state: reportedChanges(plan).length === 0 ? ("fresh" as const) : ("stale" as const),
    warnings: plan.warnings,
  }));
  return [...wrong, ...fresh, ...planned]
    .toSorted((left, right) => left.index - right.index)
    .map(({ config, state, warnings }) => ({ source: config.source, package: config.package, state, warnings }));
}

function reportedChanges(plan: JobPlan): readonly ReportedChange[] {
  const { gen, handlerIndex, stubs, renames, job, packageFile } = plan;
  const below = (path: string): string => relative(job.root, path).replaceAll("\\", "/");
  return [
    ...(packageFile.text === undefined ? [] : [{ kind: "create" as const, path: packageFilePath(job) }]),
    ...[gen, handlerIndex].flatMap(
      (each) =>
        each?.changes.map(({ kind, path }): ReportedChange => ({ kind, path: posix.join(each.directory, path) })) ?? [],
    ),
    ...(renames?.changes ?? []).map(
      ({ before, after }): ReportedChange =>
        before.path === after.path
          ? { kind: "edit", path: below(after.path) }
          : { kind: "move", path: below(after.path), from: below(before.path) },
    ),
    ...stubs.map(
      ({ path }): ReportedChange => ({ kind: "stub", path: posix.join(job.config.handlers?.directory ?? "", path) }),
    ),
  ];
}
