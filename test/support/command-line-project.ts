import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "./workspace.ts";

/** A directory in which a test runs the command line as a user does. */
export interface CommandLineProject {
  readonly directory: string;
  write(path: string, text: string): void;
  read(path: string): string;
  /** Writes `nodewright.config.ts` with these documents. */
  configure(...documents: readonly object[]): void;
  /** Texts of all files below a path, by path from there; empty when there is no such directory. */
  tree(below?: string): ReadonlyMap<string, string>;
  nodewright(...parameters: readonly string[]): CommandResult;
  /** Runs it with another environment, or from another directory. */
  nodewrightWith(options: RunOptions, ...parameters: readonly string[]): CommandResult;
  /** Starts it and does not wait. */
  start(...parameters: readonly string[]): ChildProcess;
  remove(): void;
}

interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly directory?: string;
}

interface CommandResult {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const commandLineProgram: string = join(root, "generators/cli/src/main.ts");

/** A document of one operation. */
export function smallOpenapi(operationId = "getX", version = "1"): string {
  return `openapi: 3.1.0
info: { title: Small, version: "${version}" }
servers: [{ url: / }]
paths: { /x: { get: { operationId: ${operationId}, responses: { "200": { description: Fine. } } } } }
`;
}

export function createCommandLineProject(): CommandLineProject {
  const directory = mkdtempSync(join(tmpdir(), "nodewright-command-line-"));
  const parametersOf = (parameters: readonly string[]) => ["--conditions=source", commandLineProgram, ...parameters];
  const nodewrightWith: CommandLineProject["nodewrightWith"] = ({ environment = {}, ...options }, ...parameters) =>
    spawnSync(process.execPath, parametersOf(parameters), {
      cwd: options.directory ?? directory,
      encoding: "utf8",
      env: { ...process.env, ...environment },
      maxBuffer: 1 << 26,
    });
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  return {
    directory,
    write,
    read: (path) => readFileSync(join(directory, path), "utf8"),
    configure: (...documents) =>
      write("nodewright.config.ts", `export default ${JSON.stringify({ documents }, undefined, 2)};\n`),
    tree: (below = ".") => readTree(join(directory, below)),
    nodewright: (...parameters) => nodewrightWith({}, ...parameters),
    nodewrightWith,
    start: (...parameters) =>
      spawn(process.execPath, parametersOf(parameters), { cwd: directory, stdio: ["ignore", "pipe", "pipe"] }),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function readTree(directory: string): ReadonlyMap<string, string> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  return new Map(paths.map((path) => [path.slice(directory.length).replace(/^\//, ""), readFileSync(path, "utf8")]));
}
