import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Artefact, artefacts, type DocumentConfig, type NodewrightConfig } from "./config.ts";
import { UsageError } from "./usage-error.ts";

export interface LoadedConfig {
  /** Directory of the configuration file: every path in it starts here. */
  readonly root: string;
  readonly config: NodewrightConfig;
}

export const configName = "nodewright.config.ts";

/** Loads and checks a configuration file; the file itself is TypeScript that Node runs by stripping its types. */
export async function loadConfig(file: string): Promise<LoadedConfig> {
  const path = resolve(file);
  if (!existsSync(path)) {
    throw new UsageError(
      `There is no ${file}. Write one that exports defineConfig({ documents: [{ source, package }] }), or name it with --config.`,
    );
  }
  const module = (await importConfig(path, file)) as { readonly default?: unknown };
  const config = module.default;
  if (!isObject(config) || !Array.isArray(config["documents"])) {
    throw new UsageError(`${file} has to export defineConfig({ documents: […] }) as default.`);
  }
  const documents: readonly unknown[] = config["documents"];
  const problems = [
    ...documents.flatMap((document, index) =>
      documentProblems(document).map((problem) => `documents[${index}]: ${problem}`),
    ),
    ...sharedDirectoryProblems(documents, dirname(path)),
  ];
  if (problems.length > 0)
    throw new UsageError([`${file} is not right:`, ...problems.map((problem) => `  ${problem}`)].join("\n"));
  return { root: dirname(path), config: config as unknown as NodewrightConfig };
}

async function importConfig(path: string, file: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (reason) {
    throw new UsageError(`${file} cannot be loaded: ${reason instanceof Error ? reason.message : String(reason)}`);
  }
}

function documentProblems(document: unknown): readonly string[] {
  if (!isObject(document)) return ["it has to be an object with source and package."];
  const problems: string[] = [];
  for (const name of ["source", "package"] satisfies (keyof DocumentConfig)[]) {
    if (!isPath(document[name])) problems.push(`"${name}" has to be a path.`);
  }
  if (document["operations"] !== undefined && !isPath(document["operations"]))
    problems.push('"operations" has to be a path.');
  problems.push(...artefactsProblems(document["artefacts"] ?? []), ...scalarsProblems(document["scalars"] ?? {}));
  const handlers = document["handlers"];
  if (handlers !== undefined) problems.push(...handlersProblems(handlers));
  for (const name of Object.keys(document)) {
    if (!["source", "package", "operations", "scalars", "handlers", "artefacts"].includes(name))
      problems.push(`"${name}" has no meaning here.`);
  }
  return problems;
}

function artefactsProblems(wanted: unknown): readonly string[] {
  if (!Array.isArray(wanted)) return ['"artefacts" has to be a list.'];
  return wanted
    .filter((artefact) => !artefacts.includes(artefact as Artefact))
    .map((artefact) => `"${String(artefact)}" is no artefact; there are ${artefacts.join(", ")}.`);
}

function scalarsProblems(scalars: unknown): readonly string[] {
  if (!isObject(scalars)) return ['"scalars" has to be an object, scalar by scalar.'];
  return Object.entries(scalars).flatMap(([name, scalar]) =>
    isObject(scalar) && isPattern(scalar["pattern"])
      ? []
      : [`"scalars.${name}.pattern" has to be a regular expression, as text.`],
  );
}

/** What two documents may not both write into. */
function sharedDirectoryProblems(documents: readonly unknown[], root: string): readonly string[] {
  const owners = new Map<string, number>();
  return documents.flatMap((document, index) => {
    if (!isObject(document)) return [];
    const { package: packageDirectory, handlers } = document;
    const directories = [packageDirectory, isObject(handlers) ? handlers["directory"] : undefined].filter(isPath);
    return directories.flatMap((directory) => {
      const owner = owners.get(resolve(root, directory));
      owners.set(resolve(root, directory), index);
      return owner === undefined
        ? []
        : [`documents[${index}]: "${directory}" is written by documents[${owner}] too; each needs one of its own.`];
    });
  });
}

function handlersProblems(handlers: unknown): readonly string[] {
  if (!isObject(handlers) || !isPath(handlers["directory"])) return ['"handlers.directory" has to be a path.'];
  const references = [
    ["context", handlers["context"]],
    ...Object.entries((handlers["parents"] as Record<string, unknown> | undefined) ?? {}),
  ];
  return references.flatMap(([name, reference]) =>
    typeof reference === "string" && /^[^#]+#[A-Za-z_$][\w$]*$/.test(reference)
      ? []
      : [`"handlers.${String(name)}" has to be "module#TypeName".`],
  );
}

function isPath(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    return new RegExp(value, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
