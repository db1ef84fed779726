import { posix, resolve } from "node:path";
import {
  type ApiModel,
  type ArtefactRequest,
  type ArtefactResult,
  type ArtefactEmitter,
  type HandlerStub,
  type HandlerTarget,
  handlerFileName,
} from "@nodewright/model";
import {
  digestOf,
  type HandlersRecord,
  type Manifest,
  manifestName,
  planWrite,
  readDirectoryState,
  serializeManifest,
  type WritePlan,
} from "@nodewright/output/write";
import type { DocumentSet } from "@nodewright/source";
import { type Artefact, artefacts, type HandlersConfig } from "./configuration/config.ts";
import { type DocumentJob, listHandlerFiles } from "./document-job.ts";
import {
  planRenames,
  recordOfRenames,
  type RenameChoice,
  type RenamePlan,
  type RenameSituation,
} from "./renames/plan-renames.ts";

/** Everything that generating one document would change on disk. */
export interface JobPlan {
  readonly job: DocumentJob;
  readonly gen: WritePlan;
  /** The generator's own files in the handlers' directory. */
  readonly handlerIndex?: WritePlan;
  readonly stubs: readonly HandlerStub[];
  /** Handler files whose operation is no longer in the document; named, and left. */
  readonly orphans: readonly string[];
  /** What becomes of the handlers of renamed operations; absent without handlers. */
  readonly renames?: RenamePlan;
}

/** Emits a model and compares it with the disk; writes nothing. */
export async function planJob(
  job: DocumentJob,
  model: ApiModel,
  documents: DocumentSet,
  choice: RenameChoice = { kind: "propose" },
): Promise<JobPlan> {
  const handlers = job.config.handlers;
  const renames = handlers && (await planRenames(renameSituation(job, handlers, model, choice)));
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
  const results = (await loadEmitters(job.config.artefacts ?? artefacts)).map((emitter) => emitter.emit(request));
  const stubs = results
    .flatMap((result) => result.stubs ?? [])
    .filter(({ operation }) => handlers !== undefined && isNew(operation.name));
  const handlerPlan = handlers && planHandlerIndex(job, handlers, results);
  const emitted = results.flatMap((result) => result.files);
  const handlersRecord = handlers &&
    renames && { ...recordHandlers(handlers, results, present, stubs), ...recordOfRenames(renames) };
  const operations = model.operations.map(({ name }) => name).filter((name) => renames?.withheld.has(name) !== true);
  const manifest = manifestOf(job, operations, documents, emitted, handlersRecord);
  return {
    job,
    gen: planWrite(job.directory, job.state, [...emitted, { path: manifestName, text: serializeManifest(manifest) }]),
    ...(handlerPlan === undefined ? {} : { handlerIndex: handlerPlan }),
    stubs,
    orphans: handlers === undefined ? [] : (renames?.removed ?? []).map((name) => handlerPath(handlers, name)),
    ...(renames === undefined ? {} : { renames }),
  };
}

/** The emitters bring ts-morph with them: they are loaded only when there is something to emit. */
async function loadEmitters(wanted: readonly Artefact[]): Promise<readonly ArtefactEmitter[]> {
  const { emitContract } = await import("@nodewright/emit-contract");
  const emitters: ArtefactEmitter[] = [emitContract];
  if (wanted.includes("client")) emitters.push((await import("@nodewright/emit-client")).emitClient);
  if (wanted.some((artefact) => usesOperations.has(artefact))) {
    const { emitServer } = await import("@nodewright/emit-server");
    emitters.push(wanted.includes("server") ? emitServer : withoutServer(emitServer));
  }
  if (wanted.includes("conformance")) emitters.push((await import("@nodewright/emit-conformance")).emitConformance);
  return emitters;
}

/** Artefacts that share the table of operations, which the server's emitter makes. */
const usesOperations: ReadonlySet<Artefact> = new Set<Artefact>(["client", "server", "conformance"]);

/** Keeps the table of operations and leaves the server and its handlers out. */
function withoutServer(emitter: ArtefactEmitter): ArtefactEmitter {
  return {
    name: emitter.name,
    emit: (request) => ({ files: emitter.emit(request).files.filter(({ path }) => path !== "server.ts") }),
  };
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

/** `../context.ts#IndexRestContext` in its two parts; the configuration was checked to have them. */
function typeReference(reference: string): { readonly module: string; readonly name: string } {
  const [module = "", name = ""] = reference.split("#");
  return { module, name };
}

function planHandlerIndex(job: DocumentJob, handlers: HandlersConfig, results: readonly ArtefactResult[]): WritePlan {
  const files = results.flatMap((result) => result.handlerFiles ?? []);
  const { files: onDisk } = readDirectoryState(resolve(job.root, handlers.directory));
  const owned = new Map([...onDisk].filter(([path]) => files.some((file) => file.path === path)));
  return planWrite(handlers.directory, { manifest: undefined, files: owned }, files);
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

function manifestOf(
  job: DocumentJob,
  operations: readonly string[],
  documents: DocumentSet,
  files: ArtefactResult["files"],
  handlers: HandlersRecord | undefined,
): Manifest {
  const inputs = [...documents.files]
    .map(([file, { text }]) => [file, digestOf(text)] as const)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  const outputs = files
    .map(({ path, text }) => [path, digestOf(text)] as const)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  return {
    document: job.config.source,
    inputs: Object.fromEntries(inputs),
    generator: job.generatorDigest,
    configuration: job.configurationDigest,
    files: Object.fromEntries(outputs),
    operations,
    ...(handlers === undefined ? {} : { handlers }),
  };
}

function handlerPath({ directory }: HandlersConfig, operation: string): string {
  return posix.join(directory, `${handlerFileName(operation)}.ts`);
}

function renameSituation(
  job: DocumentJob,
  { directory }: HandlersConfig,
  model: ApiModel,
  choice: RenameChoice,
): RenameSituation {
  return {
    root: job.root,
    model,
    manifest: job.state.manifest,
    handlers: directory,
    package: { directory: job.config.package, name: job.packageName },
    present: listHandlerFiles(resolve(job.root, directory)).map((name) => name.replace(/\.ts$/, "")),
    choice,
  };
}
