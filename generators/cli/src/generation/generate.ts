import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import {
  applyTransaction,
  manifestName,
  type Recovery,
  recoverTransaction,
  stepsOf,
  describeOwner,
  takeWriteLock,
  type WriteStep,
} from "@nodewright/output/write";
import type { ApiModel } from "@nodewright/model";
import type { DocumentOutline } from "@nodewright/openapi";
import {
  createDiagnosticSink,
  createDocumentSet,
  type Diagnostic,
  type DocumentSet,
  type SourceText,
} from "@nodewright/source";
import { checkOptions } from "../jobs/check-options.ts";
import { reportConfigProblems } from "../configuration/config-file.ts";
import type { LoadedConfig } from "../configuration/load-config.ts";
import { type DocumentJob, hasJournal, isUpToDate, mayWrite, planJobs } from "../jobs/document-job.ts";
import type { JobPlan } from "./emit-job.ts";
import { DocumentFailure } from "./failure.ts";
import { generatorDigest } from "./generator-digest.ts";
import { type TerminationSignal, deferSignals } from "./defer-signals.ts";
import type { Only } from "../jobs/only.ts";
import type { Phases } from "../jobs/phases.ts";
import { packageFileSteps } from "../jobs/package-file.ts";
import { type RenameDecision, renameSteps } from "../renames/plan-renames.ts";
import { hasMemory, keepMemory, type RunMemory } from "../jobs/run-memory.ts";
import { UsageError } from "@nodewright/terminal-text";

/** The findings of one run, and what it would do or did. */
export interface GenerationResult {
  readonly diagnostics: readonly Diagnostic[];
  /** Source texts of the files that were read, by name, including the configuration. */
  readonly texts: ReadonlyMap<string, SourceText>;
  readonly plans: readonly JobPlan[];
  /** Documents with nothing to do. */
  readonly upToDate: readonly DocumentJob[];
  /** Documents with errors. */
  readonly failed: readonly DocumentJob[];
  /** Writes of earlier runs that were completed or undone. */
  readonly recoveries: readonly JobRecovery[];
  /**
   * Files that were read for a document, and those that could not be, relative to the root; by the document's index in the configuration.
   */
  readonly inputs: ReadonlyMap<number, readonly string[]>;
}

export interface JobRecovery extends Recovery {
  /** Generated directory, relative to the root. */
  readonly directory: string;
}

export interface GenerateOptions {
  /** Whether documents that look up to date are regenerated too. */
  readonly force: boolean;
  /** Whether something will be written: then the directories are locked from the first read on. */
  readonly writes: boolean;
  /** Whether writes of earlier runs may be completed or undone. */
  readonly recovers: boolean;
  readonly only: Only;
  /** Handling of the handlers of operations that look renamed. */
  readonly renames: RenameDecision;
  readonly phases: Phases;
  /** Receives messages for the user during the run. */
  readonly notice: (sentence: string) => void;
  /** Called before each document is read, with its name and its absolute path. */
  readonly onDocument?: (source: string, path: string) => void;
  /** Digest of the generator, if it is already known. */
  readonly generatorDigest?: string;
}

/** Reads every document, plans the writes and passes the plan to `use`. The documents that change are locked until it is done. */
export async function withGeneration<Result>(
  loaded: LoadedConfig,
  options: GenerateOptions,
  use: (result: GenerationResult) => Result | Promise<Result>,
): Promise<Result> {
  const { phases, only, force, renames } = options;
  const digest = options.generatorDigest ?? phases.measure("look", generatorDigest);
  const plan = (): readonly DocumentJob[] =>
    phases.measure("look", () => planJobs(loaded, { generatorDigest: digest, only }));
  const isDone = (job: DocumentJob): boolean =>
    !force && phases.measure("look", () => isUpToDate(job)) && !concernsProposals(job, renames);
  let jobs = plan();
  const upToDate = new Set(jobs.filter(isDone).map(({ index }) => index));
  const stale = jobs.filter(({ index }) => !upToDate.has(index));
  const toLock = stale.filter((job) => options.writes || (options.recovers && hasJournal(job)));
  if (!options.recovers) {
    for (const { directory } of stale.filter(hasJournal))
      options.notice(`An earlier run did not finish its write into ${directory}: gen completes or undoes it first.`);
  }
  const locks = await lockAll(toLock, options.notice);
  try {
    const recoveries = options.recovers ? toLock.flatMap(recover) : [];
    if (locks.hasWaited || recoveries.length > 0) {
      jobs = plan();
      upToDate.clear();
      for (const job of jobs) if (isDone(job)) upToDate.add(job.index);
    }
    if (!options.writes) locks.release();
    const fresh = jobs.filter(({ index }) => upToDate.has(index));
    const others = jobs.filter(({ index }) => !upToDate.has(index));
    const planned = await planDocuments(loaded, others, options);
    const known = fresh.map(({ index, state }) => [index, Object.keys(state.manifest?.inputs ?? {})] as const);
    return await use({ ...planned, inputs: new Map([...planned.inputs, ...known]), upToDate: fresh, recoveries });
  } finally {
    locks.release();
  }
}

/** Applies plans, document by document; a signal that arrives meanwhile ends it between two of them. */
export async function applyGeneration(
  plans: readonly JobPlan[],
  phases: Phases,
): Promise<{ readonly applied: readonly JobPlan[]; readonly signal: TerminationSignal | undefined }> {
  const held = deferSignals();
  const applied: JobPlan[] = [];
  try {
    let signal: TerminationSignal | undefined;
    for (const plan of plans) {
      const steps = stepsOfPlan(plan);
      const directory = resolve(plan.job.root, plan.gen.directory);
      phases.measure("write", () => applyTransaction({ directory, steps }));
      const { memory } = plan;
      if (memory !== undefined) phases.measure("remember", () => remember(plan, memory));
      applied.push(plan);
      signal = await held.received();
      if (signal !== undefined) break;
    }
    return { applied, signal };
  } finally {
    held.release();
  }
}

async function planDocuments(
  loaded: LoadedConfig,
  jobs: readonly DocumentJob[],
  { phases, renames, onDocument, force }: GenerateOptions,
): Promise<Omit<GenerationResult, "upToDate" | "recoveries">> {
  const diagnostics: Diagnostic[] = [];
  const texts = new Map<string, SourceText>();
  const plans: JobPlan[] = [];
  const failed: DocumentJob[] = [];
  const inputs = new Map<number, readonly string[]>();
  let hasErrors = false;
  for (const job of jobs) {
    onDocument?.(job.config.source, resolve(job.root, job.config.source));
    try {
      const outcome = await planDocument(loaded, job, { phases, renames, force, isEmitted: !hasErrors });
      diagnostics.push(...outcome.diagnostics);
      for (const [file, text] of outcome.texts) texts.set(file, text);
      hasErrors ||= outcome.hasErrors;
      if (outcome.plan !== undefined) plans.push(outcome.plan);
      if (outcome.hasErrors) failed.push(job);
      inputs.set(job.index, outcome.inputs);
    } catch (reason) {
      throw DocumentFailure.of(job.config.source, reason);
    }
  }
  return { diagnostics, texts, plans, failed, inputs };
}

interface DocumentOutcome {
  readonly diagnostics: readonly Diagnostic[];
  readonly texts: ReadonlyMap<string, SourceText>;
  readonly inputs: readonly string[];
  readonly hasErrors: boolean;
  readonly plan: JobPlan | undefined;
}

/** Returns the locations of the parts of an OpenAPI document that can be read separately. */
async function outlineFor(
  { config }: DocumentJob,
  { protocol }: ApiModel,
  documents: DocumentSet,
): Promise<DocumentOutline | undefined> {
  const root = protocol === "http" ? documents.read(config.source)?.root : undefined;
  return root && (await import("@nodewright/openapi")).outlineOf(root);
}

interface DocumentOptions extends Pick<GenerateOptions, "phases" | "renames" | "force"> {
  /** Whether the document is emitted; false once another document had errors: nothing will be written, and only errors are looked for. */
  readonly isEmitted: boolean;
}

async function planDocument(
  loaded: LoadedConfig,
  job: DocumentJob,
  options: DocumentOptions,
): Promise<DocumentOutcome> {
  const { phases, renames, isEmitted } = options;
  const updated = await planDocumentUpdate(job, options);
  if (updated !== undefined) return updated;
  // Errors of other documents have no bearing on this one.
  const sink = createDiagnosticSink();
  const documents = createDocumentSet(job.root, sink, job.config.referenceFolders);
  const texts = new Map<string, SourceText>();
  const finish = (plan?: JobPlan): DocumentOutcome => {
    for (const [file, text] of documents.files) texts.set(file, text);
    const { diagnostics, hasErrors } = sink;
    const inputs = [...documents.files.keys(), ...documents.missing];
    return { diagnostics, texts, inputs, hasErrors, plan: hasErrors ? undefined : plan };
  };
  const { readModel } = await phases.measureAsync("load", () => import("../jobs/read-model.ts"));
  const model = await readModel(job, documents, sink, phases);
  if (model === undefined) return finish();
  const reportProblem = async (problems: Parameters<typeof reportConfigProblems>[1]): Promise<void> => {
    if (problems.length === 0) return;
    texts.set(loaded.file.name, loaded.file.text);
    await reportConfigProblems(loaded.file, problems, sink);
  };
  await reportProblem(checkOptions(job, model, documents));
  if (sink.hasErrors || !isEmitted) return finish();
  const outline = await outlineFor(job, model, documents);
  // The model has everything that emitters need, and they need the memory.
  documents.release();
  stopGrowingYoungSpace();
  const { planJob } = await phases.measureAsync("load", () => import("./emit-job.ts"));
  const plan = await planJob(job, model, documents, {
    renames,
    phases,
    sink,
    ...(outline === undefined ? {} : { outline }),
  });
  await reportProblem(plan.problems);
  return finish(plan);
}

/** Returns the plan for a document with few changes; undefined when it must be read completely. */
async function planDocumentUpdate(
  job: DocumentJob,
  { phases, renames, force, isEmitted }: DocumentOptions,
): Promise<DocumentOutcome | undefined> {
  const isRequested = renames.kind === "propose" || renames.kind === "ignore";
  if (force || !isEmitted || !isRequested || !hasMemory(job)) return undefined;
  const { planUpdate } = await phases.measureAsync("load", () => import("../update/plan-update.ts"));
  const { source } = job.config;
  const updated = await planUpdate(job, phases);
  if ("doubt" in updated) {
    phases.note(`${source} was read completely: ${updated.doubt}.`);
    return undefined;
  }
  phases.note(`${source}: what changed was read and written again, the rest taken over.`);
  const { plan, diagnostics, text } = updated;
  return { diagnostics, texts: new Map([[source, text]]), inputs: [source], hasErrors: false, plan };
}

/** Returns whether a decision about renames changes a document that is otherwise up to date. */
function concernsProposals({ state }: DocumentJob, { kind }: RenameDecision): boolean {
  return kind === "apply" || (kind !== "propose" && state.manifest?.handlers?.proposed !== undefined);
}

/** Stores the cache entry of a run for the next one, after its files are written. */
function remember({ job, gen }: JobPlan, memory: RunMemory): void {
  const written = gen.changes.find(({ path }) => path === manifestName);
  const manifest = written !== undefined && "text" in written ? written.text : job.state.files.get(manifestName);
  if (manifest !== undefined) keepMemory(job, memory, manifest);
}

function stepsOfPlan({ job, gen, handlerIndex, stubs, renames, packageFile }: JobPlan): readonly WriteStep[] {
  const directory = resolve(job.root, job.config.handlers?.directory ?? "");
  return [
    ...(renames === undefined ? [] : renameSteps(renames)),
    ...stubs.map(
      ({ path, text }): WriteStep => ({ kind: "write", path: join(directory, path), text, before: undefined }),
    ),
    ...(handlerIndex === undefined ? [] : stepsOf({ ...handlerIndex, directory })),
    ...stepsOf({ ...gen, directory: resolve(job.root, gen.directory) }),
    ...packageFileSteps(job, packageFile),
  ];
}

function recover(job: DocumentJob): readonly JobRecovery[] {
  const recovery = recoverTransaction(resolve(job.root, job.directory), (path) => mayWrite(job, path));
  return recovery === undefined ? [] : [{ ...recovery, directory: job.directory }];
}

interface Locks {
  /** Whether the lock was contended, so that another process may have written meanwhile. */
  readonly hasWaited: boolean;
  release(): void;
}

const lockPollMilliseconds = 50;
const lockTimeoutMilliseconds = 120_000;

/** Acquires the locks. Every process takes them in the same order, so that no two runs wait for each other. */
async function lockAll(jobs: readonly DocumentJob[], notice: (sentence: string) => void): Promise<Locks> {
  const taken: Pick<Locks, "release">[] = [];
  const release = (): void => {
    for (const lock of taken.splice(0)) lock.release();
  };
  let hasWaited = false;
  try {
    const directories = new Map(jobs.map((job) => [resolve(job.root, job.directory), job.directory]));
    for (const [path, directory] of [...directories].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
      const deadline = performance.now() + lockTimeoutMilliseconds;
      let lock = takeWriteLock(path);
      if (!("release" in lock))
        notice(`Another nodewright${describeOwner(lock)} is writing ${directory}: waiting for it.`);
      while (!("release" in lock)) {
        if (performance.now() > deadline)
          throw new UsageError(
            `Another nodewright${describeOwner(lock)} is still writing ${directory}. Run this again later.`,
          );
        hasWaited = true;
        await delay(lockPollMilliseconds);
        lock = takeWriteLock(path);
      }
      taken.push(lock);
    }
    return { hasWaited, release };
  } catch (reason) {
    release();
    throw reason;
  }
}

/**
 * Keeps V8 from enlarging its young generation. Emitting creates strings that are dropped at once, and V8 would respond with more space for
 * them: a quarter of the memory of a large run, without a gain in time. The size that it has reached by then is enough.
 */
function stopGrowingYoungSpace(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}
