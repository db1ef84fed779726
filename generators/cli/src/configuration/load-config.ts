import { existsSync, statSync } from "node:fs";
import { basename, dirname, posix, relative, resolve, sep } from "node:path";
import type { Diagnostic, SourceText } from "@nodewright/source";
import { createDiagnosticSink } from "@nodewright/source";
import { UsageError } from "@nodewright/terminal-text";
import type { NodewrightConfig } from "./config.ts";
import {
  commandLineFile,
  type ConfigFile,
  createConfigFile,
  importProblem,
  reportConfigProblems,
} from "./config-file.ts";
import { findConfigProblems } from "./config-problems.ts";
import { ConfigImportError, importConfig } from "./import-config.ts";

export interface LoadedConfig {
  /** Directory of the configuration file; all paths in it are relative to this directory. */
  readonly root: string;
  readonly config: NodewrightConfig;
  readonly file: ConfigFile;
  /** Absolute paths of the files that the configuration consists of. */
  readonly files: readonly string[];
}

/** An invalid configuration; only its file was read. */
export interface RefusedConfig {
  readonly diagnostics: readonly Diagnostic[];
  readonly texts: ReadonlyMap<string, SourceText>;
  /** Absolute paths of the files that the configuration consists of. */
  readonly files: readonly string[];
}

/** Loads and checks a configuration file; the file itself is TypeScript that Node runs by stripping its types. */
export async function loadConfig(name: string): Promise<LoadedConfig | RefusedConfig> {
  const path = resolve(name);
  if (!existsSync(path)) {
    throw new UsageError(
      `There is no ${name}. Write one that exports defineConfig({ documents: [{ source, package }] }), name it with --config, or generate without one: nodewright gen openapi.yaml --output ./petstore`,
    );
  }
  if (!statSync(path).isFile()) throw new UsageError(`${name} is not a file: a configuration is a TypeScript module.`);
  const file = createConfigFile(name, path);
  const refuse = (diagnostics: readonly Diagnostic[], files: readonly string[]): RefusedConfig => ({
    diagnostics,
    texts: new Map([[file.name, file.text]]),
    files: [...new Set([path, ...files])],
  });
  try {
    const { value, files } = await importConfig(path);
    const problems = findConfigProblems(value, dirname(path));
    if (problems.length === 0) return { root: dirname(path), config: value as NodewrightConfig, file, files };
    const sink = createDiagnosticSink();
    await reportConfigProblems(file, problems, sink);
    return refuse(sink.diagnostics, files);
  } catch (reason) {
    if (!(reason instanceof ConfigImportError)) throw reason;
    return refuse([await importProblem(file, path, reason.cause)], reason.files);
  }
}

/** Returns the configuration of a run without a file: one document into one package. Paths are relative to the working directory. */
export function configFromCommandLine(source: string, output: string): LoadedConfig {
  const root = process.cwd();
  const config: NodewrightConfig = {
    documents: [{ source: fromDirectory(root, source), package: fromDirectory(root, output) }],
  };
  const [problem] = findConfigProblems(config, root);
  if (problem !== undefined) {
    throw new UsageError(
      problem.code === "input-in-output"
        ? `${source} lies in the directory that ${output} is generated into, which belongs to the generator.`
        : `A document and a directory for what is made from it: nodewright gen ${basename(source) || "openapi.yaml"} --output ./petstore`,
    );
  }
  return { root, config, file: commandLineFile, files: [] };
}

/** Returns the same path for the same file, whatever directory the project is in; with forward slashes. */
function fromDirectory(root: string, path: string): string {
  const absolute = resolve(root, path);
  return absolute === root ? "." : posix.normalize(relative(root, absolute).replaceAll(sep, "/"));
}
