import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, posix, resolve } from "node:path";
import { digestOf, type DirectoryState, readDirectoryState } from "@nodewright/output/write";
import type { DocumentConfig } from "./configuration/config.ts";
import type { LoadedConfig } from "./configuration/load-config.ts";
import { UsageError } from "./usage-error.ts";

/** One document of the configuration with what is known before it is read. */
export interface DocumentJob {
  readonly config: DocumentConfig;
  readonly root: string;
  /** npm name of the generated package, from its package.json; else its directory's name. */
  readonly packageName: string;
  /** `ApiModel.name`. */
  readonly apiName: string;
  /** The directory that the generator owns, from the root. */
  readonly directory: string;
  readonly state: DirectoryState;
  readonly operationFiles: readonly string[];
  readonly configurationDigest: string;
  readonly generatorDigest: string;
}

export function planJobs({ root, config }: LoadedConfig, generatorDigest: string): readonly DocumentJob[] {
  return config.documents.map((document) => {
    const packageName = readPackageName(resolve(root, document.package)) ?? basename(document.package);
    const directory = posix.join(document.package, "src/gen");
    return {
      config: document,
      root,
      packageName,
      apiName: packageName.replace(/^@[^/]*\//, "").replace(/-api$/, ""),
      directory,
      state: readDirectoryState(resolve(root, directory)),
      operationFiles:
        document.operationDocuments === undefined ? [] : listGraphqlFiles(root, document.operationDocuments),
      configurationDigest: digestOf(JSON.stringify({ ...document, packageName })),
      generatorDigest,
    };
  });
}

/** Whether the files on disk are what this document, this configuration and this generator give: then there is no work. */
export function isUpToDate(job: DocumentJob): boolean {
  const { manifest, files } = job.state;
  if (
    manifest === undefined ||
    manifest.generator !== job.generatorDigest ||
    manifest.configuration !== job.configurationDigest
  )
    return false;
  const isInputSame = Object.entries(manifest.inputs).every(
    ([file, digest]) => digestOfFile(resolve(job.root, file)) === digest,
  );
  const areOperationsKnown = job.operationFiles.every((file) => manifest.inputs[file] !== undefined);
  const isOutputSame = Object.entries(manifest.files).every(([path, digest]) => {
    const text = files.get(path);
    return text !== undefined && digestOf(text) === digest;
  });
  return (
    isInputSame &&
    areOperationsKnown &&
    isOutputSame &&
    files.size === Object.keys(manifest.files).length + 1 &&
    isHandlerIndexKept(job)
  );
}

/** The index of a handlers' directory lists its files, so it is stale when one came or went. */
function isHandlerIndexKept({ config, root, state }: DocumentJob): boolean {
  if (config.handlers === undefined) return true;
  const record = state.manifest?.handlers;
  if (record === undefined) return false;
  const areOwnedKept = Object.entries(record.owned).every(
    ([file, digest]) => digestOfFile(resolve(root, file)) === digest,
  );
  return areOwnedKept && listHandlerFiles(resolve(root, config.handlers.directory)).join() === record.present.join();
}

/** What the generator itself writes into a handlers' directory. */
const generatedNames: ReadonlySet<string> = new Set(["index.ts", "parents.ts"]);

/** Names of the TypeScript files that people keep in a handlers' directory, tests left out. */
export function listHandlerFiles(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith(".ts") && !/\.test(-d)?\.ts$/.test(name) && !generatedNames.has(name))
    .toSorted();
}

function digestOfFile(path: string): string | undefined {
  return existsSync(path) ? digestOf(readFileSync(path, "utf8")) : undefined;
}

function readPackageName(directory: string): string | undefined {
  const path = join(directory, "package.json");
  if (!existsSync(path)) return undefined;
  const { name } = parsePackageFile(path) as { readonly name?: unknown };
  return typeof name === "string" ? name : undefined;
}

function parsePackageFile(path: string): object {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as object;
  } catch (reason) {
    throw new UsageError(`${path} cannot be read: ${reason instanceof Error ? reason.message : String(reason)}`);
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
