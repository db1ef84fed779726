import type { ConformArguments, LoadedSuite } from "@nodewright/conformance/command";
import { createInterrupt, loadApiSuite, runConform } from "@nodewright/conformance/command";
import { DocumentFailure } from "../generation/failure.ts";
import { createPhases } from "../jobs/phases.ts";
import { printDiagnostics } from "../report/diagnostics-report.ts";
import { UsageError } from "@nodewright/terminal-text";
import type { CommandEnd } from "./command-options.ts";

/** Runs `nodewright conform`: tests a deployed API against its document. `words` are the arguments after the command. */
export async function conform(words: readonly string[]): Promise<CommandEnd> {
  const exitCode = await runConform({
    program: "nodewright conform",
    words,
    streams: process,
    environment: process.env,
    signal: createInterrupt(process.stderr),
    // The runner is loaded only when there is a suite to run.
    play: async (...run) => (await import("@nodewright/conformance")).playSuite(...run),
    loadSuite,
  });
  return { exitCode };
}

async function loadSuite(given: ConformArguments): Promise<LoadedSuite | undefined> {
  const { spec, api } = given;
  if (spec !== undefined) return loadDocument(spec, given);
  if (api !== undefined) return loadApiSuite(api, process.cwd());
  throw new UsageError(
    "The document of the API is missing: give it with --spec FILE, or the package generated from it with --api PACKAGE.",
  );
}

/** Returns undefined when the document is invalid, after reporting that. */
async function loadDocument(
  spec: string,
  { operations = [], allowRef = [], verbose = false, quiet = false }: ConformArguments,
): Promise<LoadedSuite | undefined> {
  const { readSuite } = await import("../conform/read-suite.ts");
  const { suite, diagnostics, texts, notices } = await readSuite(
    { spec, operations, referenceFolders: allowRef },
    createPhases(),
  ).catch((reason: unknown) => {
    throw DocumentFailure.of(spec, reason);
  });
  if (suite === undefined || !quiet) printDiagnostics({ diagnostics, texts, isVerbose: verbose });
  if (suite === undefined) {
    console.error("\nNo request was sent.");
    return undefined;
  }
  return { suite, notices, texts: new Map([...texts].map(([file, { text }]) => [file, text])) };
}
