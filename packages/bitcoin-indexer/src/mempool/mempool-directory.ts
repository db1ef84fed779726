import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Environment } from "../store/environment.ts";
import { mempoolTables } from "../store/mempool-layout.ts";

/**
 * Location of the mempool tables: `mempool/<name>/` in the data directory, and `mempool/current` names the valid one.
 *
 * They are never synced to the disk. After a crash of the machine they may be corrupt, so those of an earlier boot are not opened.
 */
interface Publication {
  readonly name: string;
  readonly boot: string;
}

/** Tables of one run of the indexer, to be written. */
export class MempoolEnvironment {
  readonly environment: Environment;
  readonly #directory: string;
  readonly #name: string;
  #isPublished = false;

  /** Creates empty tables in `dataDirectory`, not yet published. The caller must hold the directory's lock. */
  constructor(dataDirectory: string) {
    this.#directory = mempoolDirectory(dataDirectory);
    // Tables of killed runs that no longer have readers.
    removeGenerationsExcept(this.#directory, readPublication(this.#directory)?.name);
    this.#name = freshName(this.#directory);
    const path = join(this.#directory, this.#name);
    mkdirSync(path, { recursive: true });
    this.environment = new Environment(path, "write", { tables: mempoolTables, isDurable: false });
  }

  /** Publishes these tables to readers, and deletes all others. */
  publish(): void {
    if (this.#isPublished) return;
    const publication: Publication = { name: this.#name, boot: bootId() };
    const path = currentPath(this.#directory);
    writeFileSync(`${path}.unfinished`, JSON.stringify(publication));
    renameSync(`${path}.unfinished`, path);
    this.#isPublished = true;
    // Readers that still have them open keep their memory until they check again.
    removeGenerationsExcept(this.#directory, this.#name);
  }

  /** Closes the tables. Tables that were never published are deleted. */
  async close(): Promise<void> {
    await this.environment.close();
    if (!this.#isPublished) removeGeneration(this.#directory, this.#name);
  }
}

/** Returns whether readers have tables of this boot. */
export function hasPublishedMempool(dataDirectory: string): boolean {
  return readPublication(mempoolDirectory(dataDirectory)) !== undefined;
}

/** Deletes all tables: the indexer has no node any more, so they would never change. */
export function forgetMempool(dataDirectory: string): void {
  const directory = mempoolDirectory(dataDirectory);
  rmSync(currentPath(directory), { force: true });
  removeGenerationsExcept(directory, undefined);
}

/** Number of pages checked when readers open tables while they serve: it takes some milliseconds. */
const pagesAtStart = 128;

/** Milliseconds for which a reader may use tables that have been replaced. */
const pollMilliseconds = 100;

/** Published tables for reading, in any process; opened when they exist, and again when others replace them. */
export class PublishedMempool {
  readonly #directory: string;
  #opened: { readonly name: string; readonly environment: Environment } | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(dataDirectory: string) {
    this.#directory = mempoolDirectory(dataDirectory);
  }

  /** Returns the tables; `undefined` while there are none. Valid for this turn of the event loop. */
  open(): Environment | undefined {
    const now = performance.now();
    if (now - this.#lookedAt >= pollMilliseconds) {
      this.#look();
      // Tables that can't be opened are not empty ones: the next query tries again, and fails as well.
      this.#lookedAt = now;
    }
    return this.#opened?.environment;
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    this.#lookedAt = Number.POSITIVE_INFINITY;
    await opened?.environment.close();
  }

  #look(): void {
    const name = readPublication(this.#directory)?.name;
    const old = this.#opened;
    if (name === old?.name) return;
    this.#opened = name === undefined ? undefined : this.#openTables(name);
    void old?.environment.close();
  }

  /** Opens tables; `undefined` when they were replaced between the two checks. The next check finds the others. */
  #openTables(name: string): { readonly name: string; readonly environment: Environment } | undefined {
    const path = join(this.#directory, name);
    if (statSync(join(path, "data.mdb"), { throwIfNoEntry: false }) === undefined) return undefined;
    try {
      const options = { tables: mempoolTables, isDurable: false, pagesAtStart };
      return { name, environment: new Environment(path, "read", options) };
    } catch (reason) {
      if (readPublication(this.#directory)?.name === name) throw reason;
      return undefined;
    }
  }
}

function mempoolDirectory(dataDirectory: string): string {
  return join(dataDirectory, "mempool");
}

function currentPath(directory: string): string {
  return join(directory, "current");
}

function readPublication(directory: string): Publication | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(currentPath(directory), "utf8"));
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || !("name" in value) || !("boot" in value)) return undefined;
  const { name, boot } = value;
  if (typeof name !== "string" || !generationName.test(name) || boot !== bootId()) return undefined;
  return { name, boot };
}

const generationName = /^[0-9]+$/;

function generations(directory: string): readonly string[] {
  if (statSync(directory, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(directory).filter((name) => generationName.test(name));
}

/** Returns a name that was not used while any of the others existed. */
function freshName(directory: string): string {
  mkdirSync(directory, { recursive: true });
  return String(Math.max(0, ...generations(directory).map(Number)) + 1);
}

function removeGenerationsExcept(directory: string, kept: string | undefined): void {
  for (const name of generations(directory)) if (name !== kept) removeGeneration(directory, name);
}

function removeGeneration(directory: string, name: string): void {
  rmSync(join(directory, name), { recursive: true, force: true });
}

/** Returns an identifier that changes with each start of the machine; where the system does not provide it, with each process. */
function bootId(): string {
  bootIdOfSystem ??= readBootId();
  return bootIdOfSystem;
}

let bootIdOfSystem: string | undefined;

function readBootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "unknown";
  }
}
