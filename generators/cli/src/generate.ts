import { join, posix, resolve } from "node:path";
import { applyTransaction, type FileChange, renderDifference, stepsOf, type WriteStep } from "@nodewright/output/write";
import {
  createDiagnosticSink,
  createDocumentSet,
  type Diagnostic,
  type DiagnosticSink,
  type SourceText,
} from "@nodewright/source";
import type { LoadedConfig } from "./configuration/load-config.ts";
import { type DocumentJob, isUpToDate, planJobs } from "./document-job.ts";
import type { JobPlan } from "./emit-job.ts";
import { generatorDigest } from "./generator-digest.ts";
import type { Rename } from "./renames/find-renames.ts";
import { renameSteps, type RenameChoice } from "./renames/plan-renames.ts";
import { renameLines } from "./renames/rename-words.ts";

/** What one run found and would do, or did. */
export interface GenerationResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly texts: ReadonlyMap<string, SourceText>;
  readonly plans: readonly JobPlan[];
  /** Documents for which there was nothing to do. */
  readonly upToDate: readonly DocumentJob[];
}

export interface GenerateOptions {
  /** Regenerates also what looks up to date. */
  readonly force: boolean;
  /** What becomes of the handlers of operations that look renamed; they are proposed when it is left out. */
  readonly renames?: RenameChoice;
}

/** Reads every document and plans what to write; nothing is written. */
export async function planGeneration(
  loaded: LoadedConfig,
  { force, renames = { kind: "propose" } }: GenerateOptions,
): Promise<GenerationResult> {
  const jobs = planJobs(loaded, generatorDigest());
  const sink = createDiagnosticSink();
  const texts = new Map<string, SourceText>();
  const upToDate = force ? [] : jobs.filter((job) => isUpToDate(job) && !concernsProposals(job, renames));
  const plans: JobPlan[] = [];
  for (const job of jobs) {
    if (upToDate.includes(job)) continue;
    const plan = await planDocument(job, sink, texts, renames);
    if (plan !== undefined) plans.push(plan);
  }
  return { diagnostics: sink.diagnostics, texts, plans, upToDate };
}

async function planDocument(
  job: DocumentJob,
  sink: DiagnosticSink,
  texts: Map<string, SourceText>,
  renames: RenameChoice,
): Promise<JobPlan | undefined> {
  // What other documents got wrong says nothing about this one.
  const own = createDiagnosticSink();
  const documents = createDocumentSet(job.root, own);
  const { readModel } = await import("./read-model.ts");
  const model = await readModel(job, documents, own);
  for (const diagnostic of own.diagnostics) sink.add(diagnostic);
  for (const [file, text] of documents.files) texts.set(file, text);
  if (model === undefined || sink.hasErrors) return undefined;
  const { planJob } = await import("./emit-job.ts");
  return planJob(job, model, documents, renames);
}

/** Whether a choice about renames changes something of a document that is otherwise up to date. */
function concernsProposals({ state }: DocumentJob, { kind }: RenameChoice): boolean {
  return kind === "apply" || (kind !== "propose" && state.manifest?.handlers?.proposed !== undefined);
}

/** Performs plans: of each document, its generated files, the handlers' index and the new stubs together or not at all. */
export function applyGeneration({ plans }: GenerationResult): void {
  for (const plan of plans)
    applyTransaction({ directory: resolve(plan.job.root, plan.gen.directory), steps: stepsOfPlan(plan) });
}

function stepsOfPlan({ job, gen, handlerIndex, stubs, renames }: JobPlan): readonly WriteStep[] {
  const directory = resolve(job.root, job.config.handlers?.directory ?? "");
  return [
    ...(renames === undefined ? [] : renameSteps(renames)),
    ...stubs.map(
      ({ path, text }): WriteStep => ({ kind: "write", path: join(directory, path), text, before: undefined }),
    ),
    ...(handlerIndex === undefined ? [] : stepsOf({ ...handlerIndex, directory })),
    ...stepsOf({ ...gen, directory: resolve(job.root, gen.directory) }),
  ];
}

/** One line for each file that a plan changes. */
export function changeLines({ job, gen, handlerIndex, stubs, orphans, renames }: JobPlan): readonly string[] {
  const directory = job.config.handlers?.directory ?? "";
  return [
    ...[gen, handlerIndex].flatMap(
      (plan) => plan?.changes.map((change) => `${verb(change)} ${posix.join(plan.directory, change.path)}`) ?? [],
    ),
    ...(renames === undefined ? [] : renameLines(renames, job.root)),
    ...stubs.map(({ path }) => `stub    ${posix.join(directory, path)}`),
    ...orphans.map((path) => `kept    ${path}: its operation is gone from ${job.config.source}`),
  ];
}

/** What is to be said about operations that look renamed, of this run and of runs before that nobody has answered. */
export function openRenames({ plans, upToDate }: GenerationResult): Readonly<Record<string, readonly string[]>> {
  const open = plans.flatMap(({ renames }) => renames?.proposed ?? []);
  const older = upToDate.flatMap(({ state }) => Object.entries(state.manifest?.handlers?.proposed ?? {}));
  return Object.fromEntries([...older, ...open.map(({ from, candidates }) => [from, candidates] as const)]);
}

/** The renames whose handlers follow in this run. */
export function appliedRenames({ plans }: GenerationResult): readonly Rename[] {
  return plans.flatMap(({ renames }) => renames?.applied ?? []);
}

/** The differences between disk and document, for people to read. */
export function differences({ gen, handlerIndex }: JobPlan): readonly string[] {
  return [gen, handlerIndex].flatMap(
    (plan) => plan?.changes.map((change) => renderDifference(plan.directory, change)) ?? [],
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
