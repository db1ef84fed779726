import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import type { EmittedFile } from "@nodewright/model";
import type { WriteStep } from "@nodewright/output/write";
import type { DocumentJob } from "./document-job.ts";

/** The plan for the `package.json` of a generated package. */
export interface PackageFilePlan {
  /** Content to write where the directory has none and none was offered before; the file belongs to the user from then on. */
  readonly text?: string;
  /** Manual changes that are needed to make all generated modules resolvable, one sentence each. */
  readonly advice: readonly string[];
}

const packageFileName = "package.json";

/** Name of the conformance runner. Users of a generated package need it only to run the suite, so it is an optional peer dependency. */
const runnerName = "@nodewright/conformance";

/** Version ranges of the dependencies of generated code. The toolkit's own packages share one version. */
const ranges: Readonly<Record<string, string>> = {
  "@nodewright/runtime": toolkitRange(),
  [runnerName]: toolkitRange(),
  fastify: "^5.12.8",
  graphql: "^16.15.0",
  "graphql-jit": "^0.8.9",
};

/** Additional dependencies of parts of the runtime. */
const companions: Readonly<Record<string, readonly string[]>> = {
  "@nodewright/runtime/node": ["fastify"],
  "@nodewright/runtime/graphql": ["fastify", "graphql", "graphql-jit"],
};

/** Plans the `package.json` of a generated package, and reports what an existing one lacks. Writes nothing. */
export function planPackageFile(job: DocumentJob, files: readonly EmittedFile[]): PackageFilePlan {
  const directory = resolve(job.root, job.config.package);
  const path = join(directory, packageFileName);
  const needed = neededPackages(files, job.packageName);
  const output = posix.relative(job.config.package, job.directory);
  const exports = { "./*": `./${output}/*.ts` };
  const around = [...lackingLink(job), ...lackingModuleType(job)];
  if (existsSync(path))
    return { advice: [...lackingDependencies(path, job, needed), ...lackingExports(path, job, exports), ...around] };
  // Offered once, like stubs: a user who deletes it does not want it.
  if (job.state.manifest !== undefined) return { advice: [] };
  const runner = needed.filter((name) => name === runnerName);
  const content = {
    name: job.packageName,
    version: "0.0.0",
    private: true,
    type: "module",
    exports,
    dependencies: rangesOf(needed.filter((name) => name !== runnerName)),
    ...(runner.length === 0
      ? {}
      : {
          peerDependencies: rangesOf(runner),
          peerDependenciesMeta: { [runnerName]: { optional: true } },
          devDependencies: rangesOf(runner),
        }),
  };
  return { text: `${JSON.stringify(content, undefined, 2)}\n`, advice: around };
}

function rangesOf(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, ranges[name] ?? "*"]));
}

/** Returns the path of the file as in messages: relative to the configuration file. */
export function packageFilePath({ config }: DocumentJob): string {
  return posix.join(config.package, packageFileName);
}

/** Returns the write step that performs a plan. */
export function packageFileSteps(job: DocumentJob, { text }: PackageFilePlan): readonly WriteStep[] {
  if (text === undefined) return [];
  return [{ kind: "write", path: resolve(job.root, job.config.package, packageFileName), text, before: undefined }];
}

/** Returns the names of the packages that generated files import, in order. */
function neededPackages(files: readonly EmittedFile[], own: string): readonly string[] {
  const specifiers = new Set(files.flatMap(({ text }) => importedModules(text)));
  const names = [...specifiers].flatMap((specifier) => [packageOf(specifier), ...(companions[specifier] ?? [])]);
  return [...new Set(names)].filter((name) => name !== own).toSorted();
}

/** Returns the modules that a generated file imports. The imports are at its top, after the first line. */
function importedModules(text: string): readonly string[] {
  const head = text.slice(0, text.search(/^(?:export|const|function|\/\*\*)/m));
  return [...head.matchAll(/^(?:import|\})[^;"]*"([^".][^":]*)";$/gm)].map(([, specifier = ""]) => specifier);
}

function packageOf(specifier: string): string {
  const [first = "", second = ""] = specifier.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}

interface PackageFile {
  readonly name?: unknown;
  readonly exports?: unknown;
  readonly type?: unknown;
}

const dependencyMembers = ["dependencies", "peerDependencies", "optionalDependencies", "devDependencies"] as const;

function lackingDependencies(path: string, job: DocumentJob, needed: readonly string[]): readonly string[] {
  const file = readPackageFile(path) as PackageFile & Readonly<Partial<Record<string, unknown>>>;
  const known = new Set(dependencyMembers.flatMap((member) => Object.keys((file[member] as object | undefined) ?? {})));
  const missing = needed.filter((name) => !known.has(name));
  if (missing.length === 0) return [];
  const entries = missing.map((name) => `"${name}": "${ranges[name] ?? "*"}"`).join(", ");
  return [`${packageFilePath(job)} lacks what generated files import: "dependencies": { ${entries} }.`];
}

/** Returns advice about missing exports: handlers import the server by the package's name. */
function lackingExports(path: string, job: DocumentJob, wanted: object): readonly string[] {
  if (job.config.handlers === undefined) return [];
  const { exports } = readPackageFile(path);
  const names = typeof exports === "object" && exports !== null ? Object.keys(exports) : [];
  if (names.some((name) => name === "./server" || (name.includes("*") && isCovered("./server", name)))) return [];
  return [`${packageFilePath(job)} does not say where handlers find the server: "exports": ${JSON.stringify(wanted)}.`];
}

function isCovered(specifier: string, pattern: string): boolean {
  const [start = "", end = ""] = pattern.split("*");
  return specifier.startsWith(start) && specifier.endsWith(end);
}

/** Returns advice when handlers cannot resolve the package: as a dependency, as a workspace, or because they are in it. */
function lackingLink(job: DocumentJob): readonly string[] {
  const { config, root, packageName } = job;
  if (config.handlers === undefined) return [];
  const own = resolve(root, config.package);
  for (let place = resolve(root, config.handlers.directory); ; place = dirname(place)) {
    if (place === own || existsSync(join(place, "node_modules", packageName))) return [];
    if (dirname(place) === place) break;
  }
  return [
    `Handlers import ${packageName}, which is not installed where they stand: npm install ${posix.isAbsolute(config.package) ? "" : "./"}${config.package}`,
  ];
}

/** Returns advice about the module type: handlers are ECMAScript modules, while `npm init` declares CommonJS. */
function lackingModuleType({ config, root }: DocumentJob): readonly string[] {
  if (config.handlers === undefined) return [];
  for (let place = resolve(root, config.handlers.directory); ; place = dirname(place)) {
    const path = join(place, packageFileName);
    if (existsSync(path)) {
      const { type } = readPackageFile(path);
      return type === "module" ? [] : [`Handlers are ECMAScript modules: npm pkg set type=module, for ${path}.`];
    }
    if (dirname(place) === place) return [];
  }
}

function toolkitRange(): string {
  const { version } = readPackageFile(join(import.meta.dirname, "../..", packageFileName)) as {
    readonly version?: string;
  };
  return `^${version ?? "0.0.0"}`;
}

function readPackageFile(path: string): PackageFile {
  const value: unknown = JSON.parse(readFileSync(path, "utf8"));
  return typeof value === "object" && value !== null ? value : {};
}
