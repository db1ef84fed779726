import { posix, relative } from "node:path";
import { type FileChange, manifestName, renderDifference, type WritePlan } from "@nodewright/output/write";
import type { GenerationResult, JobRecovery } from "../generation/generate.ts";
import type { JobPlan } from "../generation/emit-job.ts";
import type { Rename } from "../renames/find-renames.ts";
import { renameLines } from "../renames/rename-words.ts";
import { packageFilePath } from "../jobs/package-file.ts";
import { counted } from "@nodewright/terminal-text";
import { paint } from "./paint.ts";

/** Returns one line for each file that a plan changes. */
export function changeLines({
  job,
  gen,
  handlerIndex,
  stubs,
  orphans,
  renames,
  packageFile,
}: JobPlan): readonly string[] {
  const directory = job.config.handlers?.directory ?? "";
  return [
    ...(packageFile.text === undefined ? [] : [`new     ${packageFilePath(job)}`]),
    ...[gen, handlerIndex].flatMap(
      (plan) => plan?.changes.map((change) => `${verb(change)} ${posix.join(plan.directory, change.path)}`) ?? [],
    ),
    ...(renames === undefined ? [] : renameLines(renames, job.root)),
    ...stubs.map(({ path }) => `stub    ${posix.join(directory, path)}`),
    ...orphans.map((path) => `kept    ${path}: its operation is gone from ${job.config.source}`),
    ...otherFiles(gen).map((path) => `kept    ${path}: nodewright did not write it`),
  ];
}

/** Returns the lines about files that must be written, without those about kept files. */
export function staleLines(plan: JobPlan): readonly string[] {
  return changeLines(plan).filter((line) => !isKept(line));
}

/** Returns the lines about files that are kept as they are. */
export function keptLines(plan: JobPlan): readonly string[] {
  return changeLines(plan).filter(isKept);
}

function isKept(line: string): boolean {
  return line.startsWith("kept ");
}

/** Returns the hand-written files in a generated directory, relative to the configuration file, except for names that begin with a dot. */
export function otherFiles({ directory, foreign }: WritePlan): readonly string[] {
  return foreign.filter((path) => !/(?:^|\/)\./.test(path)).map((path) => posix.join(directory, path));
}

/** Maximum number of diff lines that are shown for each file. */
const shownLines = 40;

/** Prints the differences between disk and document for the user. */
export function printDifferences({ gen, handlerIndex }: JobPlan, isVerbose: boolean): void {
  const options = { maximumLines: isVerbose ? Number.POSITIVE_INFINITY : shownLines };
  for (const plan of [gen, handlerIndex]) {
    const changes = plan?.changes ?? [];
    // Digests are meaningless to people, unless nothing else differs.
    const reported = changes.filter(({ path }) => path !== manifestName);
    for (const change of reported.length === 0 ? changes : reported) {
      const text = renderDifference(plan?.directory ?? "", change, options);
      console.log(text.split("\n").map(paintedLine).join("\n"));
    }
  }
}

function paintedLine(line: string): string {
  if (line.startsWith("+++") || line.startsWith("---")) return paint("bold", line, process.stdout);
  if (line.startsWith("+")) return paint("green", line, process.stdout);
  if (line.startsWith("-")) return paint("red", line, process.stdout);
  return line.startsWith("@@") ? paint("cyan", line, process.stdout) : line;
}

/** Returns the generated files that were edited by hand, relative to the configuration file. */
export function editedFiles(plans: readonly JobPlan[]): readonly string[] {
  return plans.flatMap(({ gen, handlerIndex }) =>
    [gen, handlerIndex].flatMap((plan) => plan?.handEdited.map((path) => posix.join(plan.directory, path)) ?? []),
  );
}

/** Returns the operations that look renamed, of this run and of earlier runs without a decision. */
export function openRenames({ plans, upToDate }: GenerationResult): Readonly<Record<string, readonly string[]>> {
  const open = plans.flatMap(({ renames }) => renames?.proposed ?? []);
  const older = upToDate.flatMap(({ state }) => Object.entries(state.manifest?.handlers?.proposed ?? {}));
  return Object.fromEntries([...older, ...open.map(({ from, candidates }) => [from, candidates] as const)]);
}

/** Returns the renames whose handlers follow in this run. */
export function appliedRenames(plans: readonly JobPlan[]): readonly Rename[] {
  return plans.flatMap(({ renames }) => renames?.applied ?? []);
}

/** Returns one line about a write that an earlier run did not finish. */
export function recoverySentence({ directory, outcome, files, kept }: JobRecovery, root: string): string {
  const what =
    outcome === "completed"
      ? `Completed the write of ${counted(files, "file")} into ${directory} that an earlier run did not finish`
      : `Undid the write of ${counted(files, "file")} into ${directory} that an earlier run did not finish`;
  if (kept.length === 0) return `${what}.`;
  return `${what}; changed since, and left: ${kept.map((path) => relative(root, path)).join(", ")}.`;
}

/** Returns the number of warnings that documents gave when they were generated, which an unchanged run does not look for again. */
export function keptWarnings({ upToDate }: GenerationResult): number {
  return upToDate.reduce(
    (sum, { state }) => sum + Object.values(state.manifest?.warnings ?? {}).reduce((each, number) => each + number, 0),
    0,
  );
}

function verb({ kind }: FileChange): string {
  switch (kind) {
    case "create":
      return "new    ";
    case "update":
      return "changed";
    case "delete":
      return "removed";
    default:
      return kind satisfies never;
  }
}
