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
}

/** Reads every document and plans what to write; nothing is written. */
export async function planGeneration(loaded: LoadedConfig, { force }: GenerateOptions): Promise<GenerationResult> {
  const jobs = planJobs(loaded, generatorDigest());
  const sink = createDiagnosticSink();
  const texts = new Map<string, SourceText>();
  const upToDate = force ? [] : jobs.filter(isUpToDate);
  const plans: JobPlan[] = [];
  for (const job of jobs) {
    if (upToDate.includes(job)) continue;
    const plan = await planDocument(job, sink, texts);
    if (plan !== undefined) plans.push(plan);
  }
  return { diagnostics: sink.diagnostics, texts, plans, upToDate };
}

async function planDocument(
  job: DocumentJob,
  sink: DiagnosticSink,
  texts: Map<string, SourceText>,
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
  return planJob(job, model, documents);
}

/** Performs plans: of each document, its generated files, the handlers' index and the new stubs together or not at all. */
export function applyGeneration({ plans }: GenerationResult): void {
  for (const plan of plans)
    applyTransaction({ directory: resolve(plan.job.root, plan.gen.directory), steps: stepsOfPlan(plan) });
}

function stepsOfPlan({ job, gen, handlerIndex, stubs }: JobPlan): readonly WriteStep[] {
  const directory = resolve(job.root, job.config.handlers?.directory ?? "");
  return [
    ...stubs.map(
      ({ path, text }): WriteStep => ({ kind: "write", path: join(directory, path), text, before: undefined }),
    ),
    ...(handlerIndex === undefined ? [] : stepsOf({ ...handlerIndex, directory })),
    ...stepsOf({ ...gen, directory: resolve(job.root, gen.directory) }),
  ];
}

/** One line for each file that a plan changes. */
export function changeLines({ job, gen, handlerIndex, stubs, orphans }: JobPlan): readonly string[] {
  const directory = job.config.handlers?.directory ?? "";
  return [
    ...[gen, handlerIndex].flatMap(
      (plan) => plan?.changes.map((change) => `${verb(change)} ${posix.join(plan.directory, change.path)}`) ?? [],
    ),
    ...stubs.map(({ path }) => `stub    ${posix.join(directory, path)}`),
    ...orphans.map((path) => `kept    ${path}: its operation is gone from ${job.config.source}`),
  ];
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
