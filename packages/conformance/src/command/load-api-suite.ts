import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { LoadedSuite } from "./run-conform.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Imports the suite of a generated package, as somebody in `directory` would: installed there, or the directory of the package itself.
 *
 * @throws {UsageError} where there is no such package, or it has no suite.
 */
export async function loadApiSuite(name: string, directory: string): Promise<LoadedSuite> {
  const address = resolveSuite(name, directory);
  const module = (await import(address)) as Readonly<Record<string, unknown>>;
  const suites = Object.values(module).filter(isSuite);
  const [suite, ...others] = suites;
  if (suite === undefined)
    throw new UsageError(`The ./conformance of ${name} holds no suite of format 2: generate it again.`);
  if (others.length > 0)
    throw new UsageError(`The ./conformance of ${name} holds ${suites.length} suites; one was expected.`);
  return { suite, notices: [] };
}

function resolveSuite(name: string, directory: string): string {
  const from = pathToFileURL(join(directory, "index.js"));
  try {
    return pathToFileURL(createRequire(from).resolve(`${name}/conformance`)).href;
  } catch (reason) {
    throw new UsageError(whyNotFound(name, directory, reason));
  }
}

function whyNotFound(name: string, directory: string, reason: unknown): string {
  const code = reason instanceof Error && "code" in reason ? reason.code : undefined;
  if (code === "ERR_PACKAGE_PATH_NOT_EXPORTED")
    return `The package ${name} has no ./conformance: generate it with that artefact.`;
  return `There is no package ${name} to be found from ${directory}: npm install ${name}, or run it where it is installed.`;
}

function isSuite(value: unknown): value is ConformanceSuite {
  return typeof value === "object" && value !== null && "format" in value && value.format === 2 && "protocol" in value;
}
