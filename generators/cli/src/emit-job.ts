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

/** Everything that generating one document would change on disk. */
export interface JobPlan {
  readonly job: DocumentJob;
  readonly gen: WritePlan;
  /** The generator's own files in the handlers' directory. */
  readonly handlerIndex?: WritePlan;
  readonly stubs: readonly HandlerStub[];
  /** Handler files whose operation is no longer in the document; named, and left. */
  readonly orphans: readonly string[];
}

/** Emits a model and compares it with the disk; writes nothing. */
export async function planJob(job: DocumentJob, model: ApiModel, documents: DocumentSet): Promise<JobPlan> {
  const handlers = job.config.handlers;
  const present =
    handlers === undefined
      ? []
      : listHandlerFiles(resolve(job.root, handlers.directory)).map((name) => name.replace(/\.ts$/, ""));
  const offered = new Set(job.state.manifest?.operations ?? []);
  const isNew = (operation: string) => !offered.has(operation) && !present.includes(handlerFileName(operation));
  const withHandler = model.operations
    .map(({ name }) => name)
    .filter((name) => present.includes(handlerFileName(name)) || isNew(name));
  const request: ArtefactRequest = {
    model,
    packageName: job.packageName,
    ...(handlers === undefined ? {} : { handlers: handlerTarget(handlers, new Set(withHandler)) }),
  };
  const results = (await loadEmitters(job.config.artefacts ?? artefacts)).map((emitter) => emitter.emit(request));
  const stubs = results
    .flatMap((result) => result.stubs ?? [])
    .filter(({ operation }) => handlers !== undefined && isNew(operation.name));
  const handlerPlan = handlers && planHandlerIndex(job, handlers, results);
  const files = results.flatMap((result) => result.files);
  const handlersRecord = handlerPlan && handlers && recordHandlers(handlers, results, present, stubs);
  const manifest = manifestOf(job, model, documents, files, handlersRecord);
  return {
    job,
    gen: planWrite(job.directory, job.state, [...files, { path: manifestName, text: serializeManifest(manifest) }]),
    ...(handlerPlan === undefined ? {} : { handlerIndex: handlerPlan }),
    stubs,
    orphans: handlers === undefined ? [] : orphansOf(handlers, model, present),
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

function handlerTarget({ directory, context, parents }: HandlersConfig, present: ReadonlySet<string>): HandlerTarget {
  return {
    directory,
    present,
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
  model: ApiModel,
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
    operations: model.operations.map(({ name }) => name),
    ...(handlers === undefined ? {} : { handlers }),
  };
}

function orphansOf({ directory }: HandlersConfig, model: ApiModel, present: readonly string[]): readonly string[] {
  const known = new Set(model.operations.map(({ name }) => handlerFileName(name)));
  return present.filter((name) => !known.has(name)).map((name) => posix.join(directory, `${name}.ts`));
}
