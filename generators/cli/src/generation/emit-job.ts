import { posix, resolve } from "node:path";
import {
  type ApiModel,
  type ArtefactRequest,
  type ArtefactResult,
  type ArtefactEmitter,
  type EmittedFile,
  type HandlerStub,
  type HandlerTarget,
  handlerFileName,
} from "@nodewright/model";
import {
  digestOf,
  digestOfInput,
  type HandlersRecord,
  type Manifest,
  manifestName,
  planWrite,
  readFiles,
  serializeManifest,
  type WritePlan,
} from "@nodewright/output/write";
import type { DocumentOutline } from "@nodewright/openapi";
import type { Diagnostic, DiagnosticSink, DocumentSet } from "@nodewright/source";
import type { Artefact, HandlersConfig } from "../configuration/config.ts";
import type { ConfigProblem } from "../configuration/config-problems.ts";
import { type DocumentJob, listHandlerFiles } from "../jobs/document-job.ts";
import { type PackageFilePlan, planPackageFile } from "../jobs/package-file.ts";
import type { Phases } from "../jobs/phases.ts";
import {
  planRenames,
  recordOfRenames,
  type RenameDecision,
  type RenamePlan,
  type RenameSituation,
} from "../renames/plan-renames.ts";
import { rememberRun } from "../jobs/remember-run.ts";
import type { RunMemory } from "../jobs/run-memory.ts";
import { runUserEmitters } from "../jobs/user-emitters.ts";

/** All changes on disk that generating one document would cause. */
export interface JobPlan {
  readonly job: DocumentJob;
  readonly gen: WritePlan;
  /** Plan for the generator's own files in the handlers' directory. */
  readonly handlerIndex?: WritePlan;
  readonly stubs: readonly HandlerStub[];
  /** Handler files whose operation is no longer in the document; they are reported and kept. */
  readonly orphans: readonly string[];
  /** Plan for the handlers of renamed operations; absent without handlers. */
  readonly renames?: RenamePlan;
  /** Errors of the emitters of the configuration: with any, nothing may be written. */
  readonly problems: readonly ConfigProblem[];
  /** Number of warnings of the document by code. */
  readonly warnings: Readonly<Record<string, number>>;
  /** Plan for the package's own `package.json`. */
  readonly packageFile: PackageFilePlan;
  /** Cache entry for the next run, kept once this one is written; absent where it would be useless. */
  readonly memory?: RunMemory;
}

export interface EmitContext {
  readonly renames: RenameDecision;
  readonly phases: Phases;
  /** Receives the diagnostics that emitters of the configuration report about the document. */
  readonly sink: DiagnosticSink;
  /** Locations of the parts of the document that can be read separately. */
  readonly outline?: DocumentOutline;
}

/** Emits a model and compares it with the disk; writes nothing. */
export async function planJob(
  job: DocumentJob,
  model: ApiModel,
  documents: DocumentSet,
  context: EmitContext,
): Promise<JobPlan> {
  const { phases, sink } = context;
  const handlers = job.isPartial && !job.artefacts.includes("server") ? undefined : job.config.handlers;
  const renames = handlers && (await planRenames(renameSituation(job, handlers, model, context.renames)));
  const present = renames?.present ?? [];
  const files = new Set(present);
  const offered = new Set(job.state.manifest?.operations ?? []);
  const isNew = (operation: string) =>
    !offered.has(operation) && !files.has(handlerFileName(operation)) && renames?.withheld.has(operation) !== true;
  const withHandler = model.operations
    .map(({ name }) => name)
    .filter((name) => files.has(handlerFileName(name)) || isNew(name));
  const request: ArtefactRequest = {
    model,
    packageName: job.packageName,
    ...(handlers === undefined ? {} : { handlers: handlerTarget(handlers, new Set(withHandler), renames?.removed) }),
  };
  const emitters = await phases.measureAsync("load", () => loadEmitters(job.artefacts));
  const byEmitter = new Map(
    emitters.map((emitter) => [emitter.name, phases.measure(`emit ${emitter.name}`, () => emitter.emit(request))]),
  );
  const results = [...byEmitter.values()];
  const stubs = results
    .flatMap((result) => result.stubs ?? [])
    .filter(({ operation }) => handlers !== undefined && isNew(operation.name));
  const handlerPlan = handlers && planHandlerIndex(job, handlers, results);
  const own = results.flatMap(({ files: each }) => each.map((file) => ({ ...file, owner: "nodewright" })));
  const others = runUserEmitters(job, model, own, { sink, phases });
  const emitted = [...own, ...others.files].map(({ path, text }) => ({ path, text }));
  const handlersRecord = handlers &&
    renames && { ...recordHandlers(handlers, results, present, stubs), ...recordOfRenames(renames) };
  const operations = model.operations.map(({ name }) => name).filter((name) => renames?.withheld.has(name) !== true);
  const warnings = countWarnings(sink.diagnostics);
  const memory = rememberRun(job, {
    model,
    documents,
    diagnostics: sink.diagnostics,
    outline: context.outline,
    results: byEmitter,
  });
  const manifest = manifestOf(job, { operations, documents, files: emitted, handlers: handlersRecord, warnings });
  return {
    job,
    gen: planGenerated(job, emitted, manifest),
    problems: others.problems,
    warnings,
    packageFile: job.isPartial ? { advice: [] } : planPackageFile(job, emitted),
    ...(handlerPlan === undefined ? {} : { handlerIndex: handlerPlan }),
    stubs,
    orphans: handlers === undefined ? [] : (renames?.removed ?? []).map((name) => handlerPath(handlers, name)),
    ...(renames === undefined ? {} : { renames }),
    ...(memory === undefined ? {} : { memory }),
  };
}

/** Loads the emitters, only when there is something to emit: they import ts-morph. */
export async function loadEmitters(wanted: readonly Artefact[]): Promise<readonly ArtefactEmitter[]> {
  const { emitContract, emitOperations, emitTypesAlone } = await import("@nodewright/emit-contract");
  // Everything else depends on validators, so they are included unless only types are requested.
  if (wanted.every((artefact) => artefact === "types")) return [emitTypesAlone];
  const emitters: ArtefactEmitter[] = [emitContract];
  // Clients and servers share the tables of operations.
  if (wanted.includes("client") || wanted.includes("server")) emitters.push(emitOperations);
  if (wanted.includes("client")) emitters.push((await import("@nodewright/emit-client")).emitClient);
  if (wanted.includes("server")) emitters.push((await import("@nodewright/emit-server")).emitServer);
  if (wanted.includes("conformance")) emitters.push((await import("@nodewright/emit-conformance")).emitConformance);
  return emitters;
}

function handlerTarget(
  { directory, context, parents }: HandlersConfig,
  present: ReadonlySet<string>,
  removed: readonly string[] = [],
): HandlerTarget {
  return {
    directory,
    present,
    removed,
    context: typeReference(context),
    parents: Object.fromEntries(
      Object.entries(parents ?? {}).map(([type, reference]) => [type, typeReference(reference)]),
    ),
  };
}

/** Splits a reference such as `../context.ts#IndexRestContext` in its two parts; the configuration check has ensured that it has them. */
function typeReference(reference: string): { readonly module: string; readonly name: string } {
  const [module = "", name = ""] = reference.split("#");
  return { module, name };
}

function planHandlerIndex(job: DocumentJob, handlers: HandlersConfig, results: readonly ArtefactResult[]): WritePlan {
  const files = results.flatMap((result) => result.handlerFiles ?? []);
  const paths = files.map(({ path }) => path);
  const owned = readFiles(resolve(job.root, handlers.directory), paths);
  const manifest = job.state.manifest && { ...job.state.manifest, files: ownedDigests(job.state.manifest, handlers) };
  return planWrite(handlers.directory, { manifest, files: owned }, files);
}

/** Returns the recorded digests of the generator's own files in a handlers' directory, by path relative to it. */
function ownedDigests({ handlers }: Manifest, { directory }: HandlersConfig): Readonly<Record<string, string>> {
  const entries = Object.entries(handlers?.owned ?? {});
  return Object.fromEntries(entries.map(([path, digest]) => [posix.relative(directory, path), digest]));
}

function recordHandlers(
  handlers: HandlersConfig,
  results: readonly ArtefactResult[],
  present: readonly string[],
  stubs: readonly HandlerStub[],
): HandlersRecord {
  const files = results.flatMap((result) => result.handlerFiles ?? []);
  const names = [...present.map((name) => `${name}.ts`), ...stubs.map(({ path }) => path)];
  return {
    owned: Object.fromEntries(files.map(({ path, text }) => [posix.join(handlers.directory, path), digestOf(text)])),
    present: names.toSorted(),
  };
}

/**
 * Plans the writes of the generated directory. A run for some of the artefacts keeps the files of the others, and its record does not count
 * as that of a complete run.
 */
function planGenerated(job: DocumentJob, files: readonly EmittedFile[], manifest: Manifest): WritePlan {
  if (!job.isPartial)
    return planWrite(job.directory, job.state, [...files, { path: manifestName, text: serializeManifest(manifest) }]);
  const before = job.state.manifest;
  const merged: Manifest = {
    ...manifest,
    ...(before ?? { configuration: "", operations: job.artefacts.includes("server") ? manifest.operations : [] }),
    files: sortedRecord({ ...before?.files, ...manifest.files }),
  };
  const isWhole = before?.configuration === manifest.configuration && before.generator === manifest.generator;
  const isSameInput = isWhole && JSON.stringify(before.inputs) === JSON.stringify(manifest.inputs);
  const record: Manifest = isSameInput ? merged : { ...merged, configuration: "" };
  const emitted = [...files, { path: manifestName, text: serializeManifest(record) }];
  const known = new Set(emitted.map(({ path }) => path));
  const state = { ...job.state, files: new Map([...job.state.files].filter(([path]) => known.has(path))) };
  return planWrite(job.directory, state, emitted);
}

interface ManifestFacts {
  readonly operations: readonly string[];
  readonly documents: DocumentSet;
  readonly files: readonly EmittedFile[];
  readonly handlers: HandlersRecord | undefined;
  readonly warnings: Readonly<Record<string, number>>;
}

function manifestOf(job: DocumentJob, facts: ManifestFacts): Manifest {
  const { operations, documents, files, handlers, warnings } = facts;
  return {
    document: job.config.source,
    inputs: sortedRecord(
      Object.fromEntries([...documents.files].map(([file, { text }]) => [file, digestOfInput(text)] as const)),
    ),
    generator: job.generatorDigest,
    configuration: job.configurationDigest,
    files: sortedRecord(Object.fromEntries(files.map(({ path, text }) => [path, digestOf(text)] as const))),
    operations,
    ...(handlers === undefined ? {} : { handlers }),
    ...(Object.keys(warnings).length === 0 ? {} : { warnings }),
  };
}

/** Returns the number of warnings by code. */
export function countWarnings(diagnostics: readonly Diagnostic[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { code, severity } of diagnostics) if (severity === "warning") counts[code] = (counts[code] ?? 0) + 1;
  return sortedRecord(counts);
}

/** Returns the same members ordered by name. */
export function sortedRecord<Value>(record: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function handlerPath({ directory }: HandlersConfig, operation: string): string {
  return posix.join(directory, `${handlerFileName(operation)}.ts`);
}

function renameSituation(
  job: DocumentJob,
  { directory }: HandlersConfig,
  model: ApiModel,
  choice: RenameDecision,
): RenameSituation {
  return {
    root: job.root,
    model,
    manifest: job.state.manifest,
    handlers: directory,
    package: { directory: job.config.package, generated: job.directory, name: job.packageName },
    present: listHandlerFiles(resolve(job.root, directory)).map((name) => name.replace(/\.ts$/, "")),
    choice,
  };
}
