import type { ExitCode } from "../generation/failure.ts";
import { type GenerationResult, withGeneration } from "../generation/generate.ts";
import { proposalSentences } from "../renames/rename-words.ts";
import { keptLines, openRenames, printDifferences, recoverySentence, staleLines } from "../report/change-report.ts";
import { counted } from "@nodewright/terminal-text";
import { printDiagnostics } from "../report/diagnostics-report.ts";
import { runReport } from "../report/json-report.ts";
import { visible } from "../report/paint.ts";
import type { CommandEnd, CommandOptions } from "./command-options.ts";
import { hasErrors } from "./has-errors.ts";
import { openConfig, openOnly, openRun, printTimes, refusedResult, type Run } from "./open-run.ts";

/** Runs `nodewright check`: regenerates in memory and fails when the files on disk differ. */
export async function check(options: CommandOptions): Promise<CommandEnd> {
  const run = openRun(options);
  const started = performance.now();
  const loaded = await run.phases.measureAsync("configuration", () => openConfig(options));
  if (!("config" in loaded)) return finish(refusedResult(loaded), options, run, started);
  return withGeneration(
    loaded,
    {
      force: true,
      writes: false,
      recovers: true,
      only: openOnly(options, loaded),
      renames: { kind: "propose" },
      phases: run.phases,
      notice: run.notice,
      onDocument: run.onDocument,
    },
    (result) => {
      if (!options.json) for (const each of result.recoveries) run.notice(recoverySentence(each, loaded.root));
      return finish(result, options, run, started);
    },
  );
}

function finish(result: GenerationResult, options: CommandOptions, run: Run, started: number): CommandEnd {
  run.progress.clear();
  const isFailed = hasErrors(result);
  const stale = result.plans.flatMap(staleLines);
  const exitCode: ExitCode = isFailed || stale.length > 0 ? 1 : 0;
  if (options.json) {
    console.log(
      JSON.stringify(runReport(result, { command: "check", exitCode, isWritten: false, phases: run.phases })),
    );
    return { exitCode };
  }
  printDiagnostics({ ...result, isVerbose: options.verbose });
  if (!isFailed) printOutcome(result, stale, options);
  if (options.verbose) printTimes(run.phases, started);
  return { exitCode };
}

function printOutcome(result: GenerationResult, stale: readonly string[], options: CommandOptions): void {
  if (stale.length === 0) console.log(`${counted(result.plans.length, "document")}, all generated files are fresh.`);
  else {
    for (const plan of result.plans) printDifferences(plan, options.verbose);
    for (const line of stale) console.error(visible(line));
    console.error(`\nGenerated files are not what the documents say. Run: ${genCommand(options)}`);
  }
  for (const line of result.plans.flatMap(keptLines)) console.error(visible(line));
  for (const sentence of proposalSentences(openRenames(result))) console.error(visible(sentence));
}

/** Returns the command that writes the files that this one found missing. */
function genCommand({ config, isConfigNamed, documents, output, only }: CommandOptions): string {
  const words = [
    ...documents,
    ...(output === undefined ? [] : ["--output", output]),
    ...(isConfigNamed ? ["--config", config] : []),
    ...only.flatMap((word) => ["--only", word]),
  ];
  return ["nodewright gen", ...words.map((word) => (/^[\w./@:=,-]+$/.test(word) ? word : JSON.stringify(word)))].join(
    " ",
  );
}
