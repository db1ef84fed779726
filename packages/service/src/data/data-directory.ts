import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { StartProblem } from "../command/start-problem.ts";
import { createRandomKey, problemOfKey } from "../registry/api-key.ts";
import { type DirectoryLock, lockDirectory, lockFiles } from "./directory-lock.ts";

/** Raised when a directory written by an older version could be misread. */
const dataFormat = 1;
const formatFile = "nodewright-data";
const demoKeyFile = "demo-key";

/** The directory that one running service keeps everything in. */
export interface DataDirectory {
  /** Absolute. */
  readonly path: string;
  readonly registryPath: string;
  /** Where the data of one node from one source stands. It may not exist yet. */
  nodePath(nodeId: string, source: string): string;
  /** The key of the demo, made when there is none. */
  demoKey(): string;
  /** Lets another service have the directory. */
  close(): void;
}

/** Opens and locks the data directory at `path`, making it when there is none. Throws `StartProblem`. */
export function openDataDirectory(path: string): DataDirectory {
  const directory = resolve(path);
  let lock: DirectoryLock | undefined;
  try {
    makeDirectory(directory);
    refuseForeignDirectory(directory);
    lock = lockDirectory(directory);
    checkFormat(directory);
  } catch (error) {
    lock?.release();
    throw asStartProblem(directory, error);
  }
  return {
    path: directory,
    registryPath: join(directory, "registry"),
    nodePath: (nodeId, source) => join(directory, "nodes", nodeId, source),
    demoKey: () => readDemoKey(join(directory, demoKeyFile)),
    close: () => lock.release(),
  };
}

/**
 * Makes the directory and those that it stands in, one by one: `recursive` of Node's own never ends where the system says of a
 * directory that is there that it is not, as Linux does below `/proc`.
 */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) makeDirectory(parent);
  mkdirSync(directory, { mode: 0o700 });
}

/** Nothing is written into a directory that somebody uses for something else. */
function refuseForeignDirectory(directory: string): void {
  if (existsSync(join(directory, formatFile))) return;
  const ours: readonly string[] = [lockFiles.lock, lockFiles.owner, demoKeyFile, "lost+found"];
  if (readdirSync(directory).every((name) => ours.includes(name))) return;
  throw new StartProblem(
    `${directory} holds other files and no nodewright data: choose an empty or a new directory with --data.`,
  );
}

function checkFormat(directory: string): void {
  const path = join(directory, formatFile);
  if (!existsSync(path)) {
    writeFileSync(path, `${dataFormat}\n`, { mode: 0o600 });
    return;
  }
  const format = readFileSync(path, "utf8").trim();
  if (format === String(dataFormat)) return;
  throw new StartProblem(
    `The data directory ${directory} was written by another version (format ${JSON.stringify(format)}, this one has ${dataFormat}): use that version, choose another directory with --data, or delete it to index anew.`,
  );
}

function readDemoKey(path: string): string {
  if (!existsSync(path)) {
    const key = createRandomKey();
    writeFileSync(path, `${key}\n`, { mode: 0o600, flag: "wx" });
    return key;
  }
  chmodSync(path, 0o600);
  const key = readFileSync(path, "utf8").trim();
  const problem = problemOfKey(key);
  if (problem === undefined) return key;
  throw new StartProblem(`The key in ${path} can't be used, ${problem}: delete the file, and a new key is made.`);
}

function asStartProblem(directory: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StartProblem || !("code" in error)) return error;
  return new StartProblem(
    `The data directory ${directory} can't be used (${String(error.code)}): check what it is and its permissions, or choose another one with --data.`,
  );
}
