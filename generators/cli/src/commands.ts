import { renderDiagnostic, sortDiagnostics } from "@nodewright/source";
import {
  appliedRenames,
  applyGeneration,
  changeLines,
  differences,
  type GenerationResult,
  openRenames,
  planGeneration,
} from "./generate.ts";
import type { RenameChoice } from "./renames/plan-renames.ts";
import { assertRenamesFound, readRenameChoice } from "./renames/rename-choice.ts";
import { proposalSentences, proposedRenames } from "./renames/rename-words.ts";
import { loadConfig } from "./configuration/load-config.ts";

export interface CommandOptions {
  readonly config: string;
  /** One JSON value on the standard output instead of text. */
  readonly json: boolean;
  readonly force: boolean;
  /** What `--apply-renames` was given: nothing for those that nobody can doubt, else `old=new,old=new`. */
  readonly applyRenames?: string | undefined;
  /** False: operations that are gone and operations that are new have nothing to do with each other. */
  readonly renames?: boolean;
}

/** Exit codes: 0 done, 1 the documents, the files or the request are not right. */
export type ExitCode = 0 | 1;

/** `nodewright gen`: writes what the documents say. */
export async function gen(options: CommandOptions): Promise<ExitCode> {
  const { config, json, force, applyRenames, renames = true } = options;
  const choice = readRenameChoice(applyRenames, renames);
  const result = await planned(config, force, choice);
  const hasErrors = printDiagnostics(result, json);
  if (hasErrors) {
    if (json) printJson(result, false);
    else console.error("\nNothing was written.");
    return 1;
  }
  const edited = editedFiles(result);
  if (edited.length > 0 && !force) {
    if (json) printJson(result, false);
    console.error(
      `Edited by hand since they were generated, so nothing was written:\n${edited.map((path) => `  ${path}`).join("\n")}`,
    );
    console.error("Put the change into the document or the generator, or overwrite the files with --force.");
    return 1;
  }
  assertRenamesFound(choice, appliedRenames(result));
  applyGeneration(result);
  if (json) printJson(result, true);
  else printChanges(result);
  return 0;
}

async function planned(name: string, force: boolean, renames?: RenameChoice): Promise<GenerationResult> {
  const loaded = await loadConfig(name);
  return "config" in loaded
    ? planGeneration(loaded, { force, ...(renames && { renames }) })
    : { ...loaded, plans: [], upToDate: [] };
}

/** `nodewright check`: regenerates in memory and fails when the disk differs. */
export async function check({ config, json }: CommandOptions): Promise<ExitCode> {
  const result = await planned(config, true);
  const hasErrors = printDiagnostics(result, json);
  const isStale = result.plans.some((plan) => changesOf(plan).length > 0);
  if (json) printJson(result, false);
  else if (!hasErrors && isStale) {
    for (const plan of result.plans) for (const difference of differences(plan)) console.log(difference);
    for (const plan of result.plans) for (const line of changesOf(plan)) console.error(line);
    console.error("\nGenerated files are not what the documents say. Run: nodewright gen");
  } else if (!hasErrors) console.log(`${count(result.plans.length, "document")}, all generated files are fresh.`);
  if (!json && !hasErrors) for (const sentence of proposalSentences(openRenames(result))) console.error(sentence);
  return hasErrors || isStale ? 1 : 0;
}

/** Generated files that were edited by hand, from the configuration file. */
function editedFiles({ plans }: GenerationResult): readonly string[] {
  return plans.flatMap(({ gen: plan }) => plan.handEdited.map((path) => `${plan.directory}/${path}`));
}

/** A handler that outlived its operation is worth a word, and no reason to fail. */
function changesOf(plan: GenerationResult["plans"][number]): readonly string[] {
  return changeLines(plan).filter((line) => !line.startsWith("kept"));
}

/** Prints every diagnostic; says whether one is an error. */
function printDiagnostics({ diagnostics, texts }: GenerationResult, json: boolean): boolean {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  if (json || diagnostics.length === 0) return errors > 0;
  console.error(
    sortDiagnostics(diagnostics)
      .map((diagnostic) => renderDiagnostic(diagnostic, texts.get(diagnostic.source.file)))
      .join("\n\n"),
  );
  console.error(`\n${count(errors, "error")}, ${count(diagnostics.length - errors, "warning")}.`);
  return errors > 0;
}

function printChanges(result: GenerationResult): void {
  const { plans, upToDate } = result;
  const lines = plans.flatMap(changeLines);
  for (const line of lines) console.log(line);
  const documents = count(plans.length + upToDate.length, "document");
  console.log(lines.length === 0 ? `${documents}, nothing to do.` : `${documents}, ${count(lines.length, "file")}.`);
  for (const sentence of proposalSentences(openRenames(result))) console.log(sentence);
}

function printJson(result: GenerationResult, isWritten: boolean): void {
  const changes = result.plans.flatMap(({ gen: plan, handlerIndex, stubs, job }) => [
    ...[plan, handlerIndex].flatMap(
      (each) => each?.changes.map(({ kind, path }) => ({ kind, path: `${each.directory}/${path}` })) ?? [],
    ),
    ...stubs.map(({ path }) => ({ kind: "stub", path: `${job.config.handlers?.directory}/${path}` })),
  ]);
  const diagnostics = sortDiagnostics(result.diagnostics);
  const renames = { applied: appliedRenames(result), proposed: proposedRenames(openRenames(result)) };
  console.log(JSON.stringify({ diagnostics, changes, renames, edited: editedFiles(result), written: isWritten }));
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
