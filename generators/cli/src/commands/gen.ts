import type { LoadedConfig, RefusedConfig } from "../configuration/load-config.ts";
import type { ExitCode } from "../generation/failure.ts";
import { applyGeneration, type GenerationResult, withGeneration } from "../generation/generate.ts";
import type { TerminationSignal } from "../generation/defer-signals.ts";
import type { Only } from "../jobs/only.ts";
import type { RenameDecision } from "../renames/plan-renames.ts";
import { assertRenamesFound, readRenameDecision } from "../renames/rename-decision.ts";
import { proposalSentences } from "../renames/rename-words.ts";
import {
  appliedRenames,
  changeLines,
  editedFiles,
  keptWarnings,
  openRenames,
  recoverySentence,
  staleLines,
} from "../report/change-report.ts";
import { counted } from "@nodewright/terminal-text";
import { printDiagnostics } from "../report/diagnostics-report.ts";
import { runReport } from "../report/json-report.ts";
import { visible } from "../report/paint.ts";
import type { CommandEnd, GenOptions } from "./command-options.ts";
import { hasErrors } from "./has-errors.ts";
import { openConfig, openOnly, openRun, printTimes, refusedResult, type Run } from "./open-run.ts";

/** Runs `nodewright gen`: writes the files that are generated from the documents. */
export async function gen(options: GenOptions): Promise<CommandEnd> {
  const run = openRun(options);
  const started = performance.now();
  const choice = readRenameDecision(options.applyRenames, options.renames);
  const loaded = await run.phases.measureAsync("configuration", () => openConfig(options));
  if (!("config" in loaded)) return finish(refusedResult(loaded), options, { run, started });
  return generate(loaded, options, { run, started, choice, only: openOnly(options, loaded) });
}

/** Reports the problems of a configuration. */
export function reportRefused(refused: RefusedConfig, options: GenOptions): CommandEnd {
  return finish(refusedResult(refused), options, { run: openRun(options), started: performance.now() });
}

export interface GenRun {
  readonly run: Run;
  /** Start of the run, as counted by `performance.now()`. */
  readonly started: number;
  readonly choice: RenameDecision;
  readonly only: Only;
  /** Digest of the generator, if it is already known. */
  readonly generatorDigest?: string;
  /** Whether documents that look up to date are read and generated too. */
  readonly isEverythingRead?: boolean;
  /** Receives the result before anything is written. */
  readonly onResult?: (result: GenerationResult) => void;
}

/** Runs `gen` once on a loaded configuration. */
export async function generate(loaded: LoadedConfig, options: GenOptions, genRun: GenRun): Promise<CommandEnd> {
  const { run, choice, only, generatorDigest, isEverythingRead = false, onResult } = genRun;
  return withGeneration(
    loaded,
    {
      force: options.force || isEverythingRead,
      writes: !options.dryRun,
      recovers: !options.dryRun,
      only,
      renames: choice,
      phases: run.phases,
      notice: run.notice,
      onDocument: run.onDocument,
      ...(generatorDigest === undefined ? {} : { generatorDigest }),
    },
    async (result) => {
      onResult?.(result);
      if (!options.json) for (const each of result.recoveries) run.notice(recoverySentence(each, loaded.root));
      const isStopped = hasErrors(result) || (editedFiles(result.plans).length > 0 && !options.force);
      if (isStopped || options.dryRun) return finish(result, options, genRun);
      assertRenamesFound(choice, appliedRenames(result.plans));
      const { applied, signal } = await applyGeneration(result.plans, run.phases);
      const isWritten = applied.some((plan) => staleLines(plan).length > 0);
      return finish({ ...result, plans: applied }, options, genRun, { isWritten, signal });
    },
  );
}

interface Written {
  readonly isWritten: boolean;
  readonly signal: TerminationSignal | undefined;
}

function finish(
  result: GenerationResult,
  options: GenOptions,
  { run, started }: Pick<GenRun, "run" | "started">,
  { isWritten, signal }: Written = { isWritten: false, signal: undefined },
): CommandEnd {
  run.progress.clear();
  const isFailed = hasErrors(result);
  const isStopped =
    isFailed || (!options.dryRun && !isWritten && !options.force && editedFiles(result.plans).length > 0);
  const exitCode: ExitCode = isStopped ? 1 : 0;
  if (options.json) {
    const facts = { command: "gen", exitCode, isWritten, phases: run.phases };
    console.log(JSON.stringify(runReport(result, facts)));
    return { exitCode, signal };
  }
  printDiagnostics({ ...result, isVerbose: options.verbose });
  if (isFailed) console.error("\nNothing was written.");
  else if (isStopped) printEdited(result);
  else printChanges(result, options);
  if (options.verbose) printTimes(run.phases, started);
  if (signal !== undefined) console.error(`Ended by ${signal} after ${counted(result.plans.length, "document")}.`);
  return { exitCode, signal };
}

function printEdited({ plans }: GenerationResult): void {
  const lines = editedFiles(plans).map((path) => `  ${visible(path)}`);
  console.error(`Edited by hand since they were generated, so nothing was written:\n${lines.join("\n")}`);
  console.error("Put the change into the document or the generator, or overwrite the files with --force.");
}

function printChanges(result: GenerationResult, { dryRun, force, watch, applyRenames }: GenOptions): void {
  const { plans, upToDate } = result;
  const lines = plans.flatMap(changeLines);
  for (const line of lines) console.log(visible(line));
  const documents = counted(plans.length + upToDate.length, "document");
  const kept = keptWarnings(result);
  const warnings = kept === 0 ? "" : ` ${counted(kept, "warning")} from before: nodewright check shows them.`;
  const changed = plans.flatMap(staleLines).length;
  const outcome = changed === 0 ? "nothing to do" : counted(changed, "file");
  console.log(`${documents}, ${outcome}${dryRun && changed > 0 ? " to change; nothing was written" : ""}.${warnings}`);
  const edited = editedFiles(plans);
  if (dryRun && !force && edited.length > 0)
    console.log(`Edited by hand, so gen would write nothing without --force: ${visible(edited.join(", "))}`);
  const open = openRenames(result);
  for (const sentence of proposalSentences(open)) console.log(visible(sentence));
  if (applyRenames !== undefined && !watch && appliedRenames(plans).length === 0 && Object.keys(open).length === 0)
    console.log("No handler was moved: no operation that is new and has no handler looks like one that is gone.");
  for (const { packageFile } of plans) for (const sentence of packageFile.advice) console.log(visible(sentence));
}
