import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The evaluated module of a configuration. */
export interface ImportedConfig {
  readonly value: unknown;
  /** Absolute paths of the configuration and of the files that it imports, except for installed packages. */
  readonly files: readonly string[];
}

/** Number of imports in this process: a module that is imported again under another number is evaluated again. */
let generation = 0;

/**
 * Evaluates the current version of a configuration file, even when it was evaluated before. TypeScript is run by stripping its types, as an
 * ECMAScript module whatever the nearest package.json says. Rejects with whatever the module throws.
 */
export async function importConfig(path: string): Promise<ImportedConfig> {
  const files = new Set<string>();
  const query = `?nodewright=${generation}`;
  generation += 1;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const resolved = isOurs(specifier) ? resolveOurs(specifier, context, next) : next(specifier, context);
      return isOwn(resolved.url, context.parentURL, query)
        ? { ...resolved, url: withQuery(resolved.url, query) }
        : resolved;
    },
    load(url, context, next) {
      if (!url.endsWith(query)) return next(url, context);
      files.add(fileURLToPath(url));
      return next(url, /\.m?ts\?/.test(url) ? { ...context, format: "module-typescript" } : context);
    },
  });
  try {
    const module = (await import(pathToFileURL(path).href + query)) as { readonly default?: unknown };
    return { value: module.default, files: [...files] };
  } catch (reason) {
    throw new ConfigImportError(reason, [...files]);
  } finally {
    hooks.deregister();
  }
}

/** An error that a configuration threw, together with the files that it had loaded until then. */
export class ConfigImportError extends Error {
  override readonly name = "ConfigImportError";
  readonly files: readonly string[];

  constructor(cause: unknown, files: readonly string[]) {
    super("The configuration could not be run.", { cause });
    this.files = files;
  }
}

function isOurs(specifier: string): boolean {
  return specifier === "nodewright" || specifier.startsWith("nodewright/");
}

/** Resolves `nodewright` to the running installation where it is not installed next to the configuration. */
function resolveOurs<Context extends object, Result>(
  specifier: string,
  context: Context,
  next: (specifier: string, context: Context) => Result,
): Result {
  try {
    return next(specifier, context);
  } catch {
    return next(specifier, { ...context, parentURL: import.meta.url });
  }
}

/** Returns whether a module is part of the configuration: a file that one of its files imports, outside installed packages. */
function isOwn(url: string, parent: string | undefined, query: string): boolean {
  return url.startsWith("file:") && parent?.endsWith(query) === true && !url.includes("/node_modules/");
}

function withQuery(url: string, query: string): string {
  return url.endsWith(query) ? url : `${url.replace(/\?.*$/, "")}${query}`;
}
