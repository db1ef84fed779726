import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, posix, relative, resolve, sep } from "node:path";
import {
  digestOf,
  digestOfInput,
  type DirectoryState,
  journalName,
  readDirectoryState,
} from "@nodewright/output/write";
import { type Artefact, artefacts, type DocumentConfig } from "../configuration/config.ts";
import { defaultOutput } from "../configuration/config-problems.ts";
import type { LoadedConfig } from "../configuration/load-config.ts";
import type { Only } from "./only.ts";
import { packageNameOf } from "./package-name.ts";
import { UsageError } from "@nodewright/terminal-text";

/** A document of the configuration with the facts that are known before it is read. */
export interface DocumentJob {
  readonly config: DocumentConfig;
  /** 0-based index in the configuration's list. */
  readonly index: number;
  readonly root: string;
  /** npm name of the generated package, from its package.json; otherwise derived from its directory's name. */
  readonly packageName: string;
  /** `ApiModel.name`. */
  readonly apiName: string;
  /** Directory that the generator owns, relative to the root. */
  readonly directory: string;
  readonly state: DirectoryState;
  readonly operationFiles: readonly string[];
  /** Artefacts that are generated in this run. */
  readonly artefacts: readonly Artefact[];
  /** Whether the configuration names more artefacts: then the rest of the directory is kept as it is. */
  readonly isPartial: boolean;
  readonly configurationDigest: string;
  readonly generatorDigest: string;
}

export interface JobOptions {
  readonly generatorDigest: string;
  readonly only: Only;
}

export function planJobs(loaded: LoadedConfig, { generatorDigest, only }: JobOptions): readonly DocumentJob[] {
  const { root, config } = loaded;
  return config.documents.flatMap((document, index) => {
    if (only.documents?.has(index) === false) return [];
    const packageName =
      readPackageName(resolve(root, document.package)) ?? packageNameOf(basename(resolve(root, document.package)));
    const directory = posix.join(document.package, document.output ?? defaultOutput);
    const configured = document.artefacts ?? artefacts;
    const wanted = configured.filter((artefact) => only.artefacts?.has(artefact) !== false);
    const job: DocumentJob = {
      config: { ...document, source: posix.normalize(document.source) },
      index,
      root,
      packageName,
      apiName: document.name ?? (packageName.replace(/^@[^/]*\//, "").replace(/-api$/, "") || "api"),
      directory,
      state: readDirectoryState(resolve(root, directory)),
      operationFiles:
        document.operationDocuments === undefined ? [] : listGraphqlFiles(root, document.operationDocuments),
      artefacts: wanted,
      isPartial: wanted.length < configured.length,
      configurationDigest: configurationDigest(document, packageName, loaded),
      generatorDigest,
    };
    return wanted.length === 0 ? [] : [job];
  });
}

/**
 * Returns one digest of the configuration of a document. Emitters are code: with them, the complete files of the configuration count. A
 * path from the root of the file system does not affect what is generated into it.
 */
function configurationDigest(document: DocumentConfig, packageName: string, { root, files }: LoadedConfig): string {
  // The folders that may be read do not affect the output.
  const { emitters = [], package: _package, referenceFolders: _referenceFolders, ...plain } = document;
  const code = emitters.length === 0 ? [] : files.map((file) => [relativePath(root, file), digestOfFile(file)]);
  const choices = emitters.map((choice) => {
    const { emitter, options } = "emitter" in choice ? choice : { emitter: choice, options: undefined };
    return [emitter.name, emitter.version, options];
  });
  return digestOf(JSON.stringify([sorted({ ...plain, packageName }), choices, code]));
}

/** Returns the value with its members ordered by name at every level: their order in the configuration is not significant. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}

/** Returns whether the files on disk are the output of this document, this configuration and this generator: then there is no work. */
export function isUpToDate(job: DocumentJob): boolean {
  const { manifest } = job.state;
  if (
    manifest === undefined ||
    manifest.generator !== job.generatorDigest ||
    manifest.configuration !== job.configurationDigest ||
    hasJournal(job)
  )
    return false;
  const isInputSame = Object.entries(manifest.inputs).every(
    ([file, digest]) => digestOfFile(resolve(job.root, file)) === digest,
  );
  const areOperationsKnown = [...job.operationFiles, ...companionFiles(job)].every(
    (file) => manifest.inputs[file] !== undefined,
  );
  return isInputSame && areOperationsKnown && areOutputsKept(job);
}

/** Returns the files next to operation documents that are read with them, as far as they exist. */
function companionFiles({ root, operationFiles }: DocumentJob): readonly string[] {
  return operationFiles
    .flatMap((file) =>
      [".examples.yaml", ".pages.yaml", ".relations.yaml"].map(
        (ending) => file.replace(/\.(?:graphqls?|gql)$/, "") + ending,
      ),
    )
    .filter((file) => existsSync(resolve(root, file)));
}

/** Returns whether generated files, including those next to handlers, are as the manifest recorded them. */
export function areOutputsKept(job: DocumentJob): boolean {
  const { manifest, files } = job.state;
  const isOutputSame = Object.entries(manifest?.files ?? {}).every(([path, digest]) => {
    const text = files.get(path);
    return text !== undefined && digestOf(text) === digest;
  });
  return isOutputSame && isHandlerIndexKept(job);
}

/** Returns whether an earlier run did not finish its write, or another one is writing. */
export function hasJournal({ root, directory }: DocumentJob): boolean {
  return existsSync(resolve(root, directory, journalName));
}

/**
 * Returns whether a write for this document can affect a file: generated ones, those next to its handlers, the package's `package.json`,
 * and sources that name a handler which follows a rename.
 */
export function mayWrite(
  { root, directory, config }: Pick<DocumentJob, "root" | "directory" | "config">,
  path: string,
): boolean {
  if (path === resolve(root, config.package, "package.json")) return true;
  const places = [directory, ...(config.handlers === undefined ? [] : [config.handlers.directory])];
  if (places.some((place) => path.startsWith(join(resolve(root, place), sep)))) return true;
  return config.handlers !== undefined && path.startsWith(join(resolve(root), sep)) && /\.[cm]?tsx?$/.test(path);
}

/**
 * Returns whether the index of a handlers' directory is current. It lists the files of the directory, so it is stale when one was added or
 * removed.
 */
function isHandlerIndexKept({ config, root, state }: DocumentJob): boolean {
  if (config.handlers === undefined) return true;
  const record = state.manifest?.handlers;
  if (record === undefined) return false;
  const areOwnedKept = Object.entries(record.owned).every(
    ([file, digest]) => digestOfFile(resolve(root, file)) === digest,
  );
  return areOwnedKept && listHandlerFiles(resolve(root, config.handlers.directory)).join() === record.present.join();
}

/** Files that the generator itself writes into a handlers' directory. */
const generatedNames: ReadonlySet<string> = new Set(["index.ts", "parents.ts"]);

/** Returns the names of the hand-written TypeScript files in a handlers' directory, except for tests. */
export function listHandlerFiles(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith(".ts") && !/\.test(-d)?\.ts$/.test(name) && !generatedNames.has(name))
    .toSorted();
}

function digestOfFile(path: string): string | undefined {
  return existsSync(path) ? digestOfInput(readFileSync(path, "utf8")) : undefined;
}

function readPackageName(directory: string): string | undefined {
  const path = join(directory, "package.json");
  if (!existsSync(path)) return undefined;
  const { name } = parsePackageFile(path) as { readonly name?: unknown };
  return typeof name === "string" && name !== "" ? name : undefined;
}

function parsePackageFile(path: string): object {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null ? value : {};
  } catch (reason) {
    throw new UsageError(`${path} cannot be read: ${reason instanceof Error ? reason.message : String(reason)}`, 1);
  }
}

function listGraphqlFiles(root: string, directory: string): readonly string[] {
  const path = resolve(root, directory);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith(".graphql"))
    .toSorted()
    .map((name) => posix.join(directory, name));
}

function relativePath(root: string, path: string): string {
  return relative(root, path).replaceAll(sep, "/");
}
