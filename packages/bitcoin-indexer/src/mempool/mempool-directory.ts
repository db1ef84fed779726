import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Environment } from "../store/environment.ts";
import { mempoolTables } from "./mempool-layout.ts";

/**
 * Where the tables of the mempool are: `mempool/<name>/` in the data directory, and `mempool/current` says which of them counts.
 *
 * They are never synced to the disk. After a crash of the machine they may be broken, so those of an earlier boot are not opened.
 */
interface Publication {
  readonly name: string;
  readonly boot: string;
}

/** The tables of one run of the indexer, to be written. */
export class MempoolEnvironment {
  readonly environment: Environment;
  readonly #directory: string;
  readonly #name: string;
  #isPublished = false;

  /** Makes empty tables in `dataDirectory`, which nobody sees yet. For the holder of the directory's lock. */
  constructor(dataDirectory: string) {
    this.#directory = mempoolDirectory(dataDirectory);
    // Runs that were killed before they had all left theirs.
    removeGenerationsExcept(this.#directory, readPublication(this.#directory)?.name);
    this.#name = freshName(this.#directory);
    const path = join(this.#directory, this.#name);
    mkdirSync(path, { recursive: true });
    this.environment = new Environment(path, "write", { tables: mempoolTables, isDurable: false });
  }

  /** Readers go over to these tables, and all others are deleted. */
  publish(): void {
    if (this.#isPublished) return;
    const publication: Publication = { name: this.#name, boot: bootId() };
    const path = currentPath(this.#directory);
    writeFileSync(`${path}.unfinished`, JSON.stringify(publication));
    renameSync(`${path}.unfinished`, path);
    this.#isPublished = true;
    // Readers that still have them open keep their memory until they look again.
    removeGenerationsExcept(this.#directory, this.#name);
  }

  /** Tables that were never published are deleted. */
  async close(): Promise<void> {
    await this.environment.close();
    if (!this.#isPublished) removeGeneration(this.#directory, this.#name);
  }
}

/** Whether readers have tables of this boot to answer from. */
export function hasPublishedMempool(dataDirectory: string): boolean {
  return readPublication(mempoolDirectory(dataDirectory)) !== undefined;
}

/** Deletes all tables: the indexer has no node any more, and what they say would never change. */
export function forgetMempool(dataDirectory: string): void {
  const directory = mempoolDirectory(dataDirectory);
  rmSync(currentPath(directory), { force: true });
  removeGenerationsExcept(directory, undefined);
}

/** Readers open tables while they serve: to look at so many pages takes some milliseconds. */
const pagesAtStart = 128;

/** How long a reader answers from tables that have been replaced. */
const lookMilliseconds = 100;

/** The published tables for reading, in any process; opened when they are there, and again when others take their place. */
export class PublishedMempool {
  readonly #directory: string;
  #opened: { readonly name: string; readonly environment: Environment } | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(dataDirectory: string) {
    this.#directory = mempoolDirectory(dataDirectory);
  }

  /** `undefined` while there are none. Valid for this turn of the event loop. */
  open(): Environment | undefined {
    const now = performance.now();
    if (now - this.#lookedAt >= lookMilliseconds) {
      this.#look();
      // Tables that can't be opened are no empty ones: the next query looks again, and is refused as well.
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

  /** `undefined` when they were replaced between the two looks; the next look finds the others. */
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

/** A name that was not used while any of the others was there. */
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

/** Another after each start of the machine; where the system does not tell it, another in each process. */
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
