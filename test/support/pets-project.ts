import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "./workspace.ts";

interface ProgramResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project of somebody who has a document and writes handlers; all of it is one package, `pets`. Paths are from its root. */
export interface PetsProject {
  readonly directory: string;
  read(path: string): string;
  write(path: string, text: string): void;
  /** Puts `after` where `before` stands. Throws when it stands nowhere. */
  edit(path: string, before: string, after: string): void;
  delete(path: string): void;
  has(path: string): boolean;
  /** Names in a directory, in their order. */
  list(path: string): readonly string[];
  /** Runs the command line, from its sources. */
  nodewright(...parameters: readonly string[]): ProgramResult;
  /** Runs `gen`; throws with what it says unless it succeeds. Gives the lines that it prints. */
  generate(...parameters: readonly string[]): readonly string[];
  /** What the compiler says about the sources, line by line. */
  typecheck(): readonly string[];
  /** Runs a module of the project. Throws with what it says unless it succeeds. Gives what it prints, read as JSON. */
  run(path: string): unknown;
  /** Another project that holds the same files: what takes several runs to prepare need be prepared once. */
  copy(): PetsProject;
  remove(): void;
}

const compilerOptions = {
  target: "es2024",
  lib: ["es2024", "esnext.iterator"],
  types: ["node"],
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
  customConditions: ["source"],
};

/** Makes the project around a document. `config` is what its configuration says about the document beside its handlers. */
export function createPetsProject(source: string, text: string, config: object = {}): PetsProject {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-pets-"));
  const project = projectIn(directory);
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
  project.write(
    "package.json",
    JSON.stringify({ name: "pets", private: true, type: "module", exports: { "./*": "./src/gen/*.ts" } }),
  );
  project.write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["src"] }));
  project.write(source, text);
  const document = { source, package: ".", handlers: { directory: "src/handlers", context: "../context.ts#Context" } };
  project.write(
    "nodewright.config.ts",
    `export default ${JSON.stringify({ documents: [{ ...document, ...config }] })};\n`,
  );
  project.write("src/context.ts", "export interface Context {\n  readonly names: ReadonlyMap<string, string>;\n}\n");
  return project;
}

function projectIn(directory: string): PetsProject {
  const path = (name: string): string => join(directory, name);
  const run = (program: string, parameters: readonly string[]): ProgramResult =>
    spawnSync(program, parameters, { cwd: directory, encoding: "utf8", maxBuffer: 1 << 26 });
  const node = (...parameters: readonly string[]): ProgramResult =>
    run(process.execPath, ["--conditions=source", ...parameters]);
  const project: PetsProject = {
    directory,
    read: (name) => readFileSync(path(name), "utf8"),
    write(name, text) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
    },
    edit(name, before, after) {
      const text = project.read(name);
      if (!text.includes(before)) throw new Error(`${name} does not say ${before}`);
      project.write(name, text.replaceAll(before, after));
    },
    delete: (name) => rmSync(path(name)),
    has: (name) => existsSync(path(name)),
    list: (name) => readdirSync(path(name)).toSorted(),
    nodewright: (...parameters) => node(join(root, "generators/cli/src/main.ts"), ...parameters),
    generate(...parameters) {
      const result = project.nodewright("gen", ...parameters);
      if (result.status !== 0) throw new Error(`gen fails: ${result.stdout}${result.stderr}`);
      return result.stdout.trimEnd().split("\n");
    },
    typecheck() {
      const said = run(join(root, "node_modules/.bin/tsc"), ["--project", "."]).stdout;
      return said.split("\n").filter((line) => line !== "");
    },
    run(name) {
      const { status, stdout, stderr } = node(name);
      if (status !== 0) throw new Error(`${name} fails: ${stderr}`);
      return JSON.parse(stdout) as unknown;
    },
    copy() {
      const target = mkdtempSync(join(tmpdir(), "nodewright-pets-"));
      cpSync(directory, target, { recursive: true, verbatimSymlinks: true });
      return projectIn(target);
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
  return project;
}

/** Files that the compiler finds something wrong in, each once. */
export function filesWithErrors(lines: readonly string[]): readonly string[] {
  return [
    ...new Set(lines.filter((line) => /^\S.*\(\d+,\d+\): error/.test(line)).map((line) => line.replace(/\(.*$/, ""))),
  ];
}
