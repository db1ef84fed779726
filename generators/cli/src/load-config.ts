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
  const problems = config["documents"].flatMap((document: unknown, index) =>
    documentProblems(document).map((problem) => `documents[${index}]: ${problem}`),
  );
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
    if (typeof document[name] !== "string") problems.push(`"${name}" has to be a path.`);
  }
  if (document["operations"] !== undefined && typeof document["operations"] !== "string")
    problems.push('"operations" has to be a path.');
  for (const artefact of (document["artefacts"] as unknown[] | undefined) ?? []) {
    if (!artefacts.includes(artefact as Artefact))
      problems.push(`"${String(artefact)}" is no artefact; there are ${artefacts.join(", ")}.`);
  }
  const handlers = document["handlers"];
  if (handlers !== undefined) problems.push(...handlersProblems(handlers));
  for (const name of Object.keys(document)) {
    if (!["source", "package", "operations", "scalars", "handlers", "artefacts"].includes(name))
      problems.push(`"${name}" has no meaning here.`);
  }
  return problems;
}

function handlersProblems(handlers: unknown): readonly string[] {
  if (!isObject(handlers) || typeof handlers["directory"] !== "string")
    return ['"handlers.directory" has to be a path.'];
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
