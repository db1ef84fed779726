import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import type { EmittedFile } from "@nodewright/model";
import type { WriteStep } from "@nodewright/output/write";
import type { DocumentJob } from "./document-job.ts";

/** What becomes of the `package.json` of a generated package. */
export interface PackageFilePlan {
  /** Written where the directory has none and none was offered before; people's from then on. */
  readonly text?: string;
  /** What has to be done by hand so that everything generated is found, one sentence each. */
  readonly advice: readonly string[];
}

const packageFileName = "package.json";

/** Who uses a generated package needs it only to play the suite, so it is an optional peer. */
const runnerName = "@nodewright/conformance";

/** Version ranges of what generated code runs on. The toolkit's own packages have one version. */
const ranges: Readonly<Record<string, string>> = {
  "@nodewright/runtime": toolkitRange(),
  [runnerName]: toolkitRange(),
  fastify: "^5.12.8",
  graphql: "^16.15.0",
  "graphql-jit": "^0.8.9",
};

/** What parts of the runtime need beside themselves. */
const companions: Readonly<Record<string, readonly string[]>> = {
  "@nodewright/runtime/node": ["fastify"],
  "@nodewright/runtime/graphql": ["fastify", "graphql", "graphql-jit"],
};

/** Decides about the `package.json` of a generated package, and says what an existing one lacks. Touches nothing. */
export function planPackageFile(job: DocumentJob, files: readonly EmittedFile[]): PackageFilePlan {
  const directory = resolve(job.root, job.config.package);
  const path = join(directory, packageFileName);
  const needed = neededPackages(files, job.packageName);
  const output = posix.relative(job.config.package, job.directory);
  const exports = { "./*": `./${output}/*.ts` };
  const around = [...lackingLink(job), ...lackingModuleType(job)];
  if (existsSync(path))
    return { advice: [...lackingDependencies(path, job, needed), ...lackingExports(path, job, exports), ...around] };
  // Offered once, as stubs are: who deletes it has said no.
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

/** The file as messages name it: from the configuration file. */
export function packageFilePath({ config }: DocumentJob): string {
  return posix.join(config.package, packageFileName);
}

/** The step of a write that performs a plan. */
export function packageFileSteps(job: DocumentJob, { text }: PackageFilePlan): readonly WriteStep[] {
  if (text === undefined) return [];
  return [{ kind: "write", path: resolve(job.root, job.config.package, packageFileName), text, before: undefined }];
}

/** Names of the packages that generated files import, in their order. */
function neededPackages(files: readonly EmittedFile[], own: string): readonly string[] {
  const specifiers = new Set(files.flatMap(({ text }) => importedModules(text)));
  const names = [...specifiers].flatMap((specifier) => [packageOf(specifier), ...(companions[specifier] ?? [])]);
  return [...new Set(names)].filter((name) => name !== own).toSorted();
}

/** Imports stand at the top of a generated file, behind its first line. */
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

/** Handlers import the server by the package's name. */
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

/** The package has to be found from the handlers: as a dependency, as a workspace, or because they stand in it. */
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

/** Handlers are ECMAScript modules, and `npm init` says that everything is CommonJS. */
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
