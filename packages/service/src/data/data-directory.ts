import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describeOwner, type ProcessLock, takeProcessLock } from "@nodewright/process-lock";
import { StartProblem } from "../configuration/start-problem.ts";
import { createRandomKey, problemOfKey } from "../registry/api-key.ts";

/** Version of the format, incremented when a directory of an older version could be misread. */
const dataFormat = 1;
const formatFile = "nodewright-data";
const demoKeyFile = "demo-key";
const lockName = "service";

/** Directory in which one running service stores everything. */
export interface DataDirectory {
  /** Absolute path. */
  readonly path: string;
  readonly registryPath: string;
  /** Returns the directory of the data of one node from one source. It may not exist yet. */
  nodePath(nodeId: string, source: string): string;
  /** Returns the key of the demo, created if it does not exist. */
  demoKey(): string;
  /** Releases the directory for another service. */
  close(): void;
}

/** Opens and locks the data directory at `path`, creating it if it does not exist. Throws `StartProblem`. */
export function openDataDirectory(path: string): DataDirectory {
  const directory = resolve(path);
  let lock: ProcessLock | undefined;
  try {
    makeDirectory(directory);
    refuseOtherDirectory(directory);
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

/** Locks the directory against other services. Throws `StartProblem` when one holds it. */
function lockDirectory(directory: string): ProcessLock {
  const lock = takeProcessLock(join(directory, lockName));
  if ("release" in lock) return lock;
  throw new StartProblem(
    `The data directory ${directory} is in use by another running service${describeOwner(lock)}: stop that one, or choose another directory with --data.`,
  );
}

/**
 * Creates the directory and its parents, one by one: `recursive` of Node's own never ends where the system reports an existing directory as
 * missing, as Linux does below `/proc`.
 */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) makeDirectory(parent);
  mkdirSync(directory, { mode: 0o700 });
}

/** Throws for a foreign directory: nothing is written into it. */
function refuseOtherDirectory(directory: string): void {
  if (existsSync(join(directory, formatFile))) return;
  const ours: readonly string[] = [`${lockName}.lock`, `${lockName}.pid`, demoKeyFile, "lost+found"];
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
  throw new StartProblem(`The key in ${path} is invalid, ${problem}: delete the file, and a new key is generated.`);
}

function asStartProblem(directory: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StartProblem || !("code" in error)) return error;
  return new StartProblem(
    `The data directory ${directory} cannot be opened (${String(error.code)}): check that it is a directory, and its permissions, or choose another one with --data.`,
  );
}
