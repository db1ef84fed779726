import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { FilePiece, JsonValue } from "@nodewright/model";
import type { DocumentOutline } from "@nodewright/openapi";
import type { OperationTypeNames } from "@nodewright/emit-contract/names";
import { digestOf, manifestName } from "@nodewright/output/write";
import type { Diagnostic } from "@nodewright/source";
import type { DocumentJob } from "./document-job.ts";

/**
 * The cache entry of a run, in addition to its output, so that the next run need not read and write everything again: the document, and the
 * results that depend on all of it. It is in the cache of the project and may be deleted at any time.
 */
export interface RunMemory {
  /** Source text of the document, as it was read. */
  readonly text: string;
  readonly outline: DocumentOutline;
  /** Operations in document order. */
  readonly operations: readonly RememberedOperation[];
  readonly declarations: readonly RememberedDeclaration[];
  readonly diagnostics: readonly Diagnostic[];
  /** Settled results by name of the emitter. */
  readonly settled: Readonly<Record<string, JsonValue>>;
  /** Pieces by path of the file. */
  readonly pieces: Readonly<Record<string, readonly FilePiece[]>>;
}

export interface RememberedOperation {
  readonly name: string;
  readonly origin: string;
  readonly types: OperationTypeNames;
}

interface RememberedDeclaration {
  readonly name: string;
  /** Name as the document spells it. */
  readonly originalName: string;
  readonly pointer: string;
}

/** Stores the cache entry of a run after its files are written; a failure of the system does not affect the run. */
export function keepMemory(job: DocumentJob, memory: RunMemory, manifestText: string): void {
  const path = memoryPath(job);
  if (path === undefined) return;
  const { text, ...facts } = memory;
  const packedText = JSON.stringify(packed(facts));
  const payload = Buffer.from(packedText);
  const head: MemoryHead = {
    manifest: digestOf(manifestText),
    digest: digestOf(packedText),
    length: payload.length,
  };
  const beside = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(beside, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), payload, Buffer.from(text)]));
    renameSync(beside, path);
  } catch {
    rmSync(beside, { force: true });
  }
}

/** Returns the cache entry of the run that wrote the files of a job; undefined when the entry is missing or uncertain. */
export function recallMemory(job: DocumentJob, manifestText: string): RunMemory | undefined {
  const path = memoryPath(job);
  if (path === undefined || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  try {
    const bytes = readFileSync(path);
    const headEnd = bytes.indexOf("\n");
    const head = JSON.parse(bytes.toString("utf8", 0, headEnd)) as MemoryHead;
    if (head.manifest !== digestOf(manifestText)) return undefined;
    const payload = bytes.toString("utf8", headEnd + 1, headEnd + 1 + head.length);
    if (head.digest !== digestOf(payload)) return undefined;
    const facts = JSON.parse(payload) as PackedFacts;
    return { ...unpacked(facts), text: bytes.toString("utf8", headEnd + 1 + head.length) };
  } catch {
    return undefined;
  }
}

interface MemoryHead {
  /** Digests of the manifest that the run wrote, which records the generator, and of the facts. */
  readonly manifest: string;
  readonly digest: string;
  /** Size of the facts in bytes; the document follows. */
  readonly length: number;
}

type Facts = Omit<RunMemory, "text">;

/** Facts with pieces as lists of numbers: index of the operation, start and end. */
type PackedFacts = Omit<Facts, "pieces"> & {
  readonly pieces: Readonly<
    Record<string, { readonly operations: readonly string[]; readonly numbers: readonly number[] }>
  >;
};

function packed(facts: Facts): PackedFacts {
  const pieces = Object.entries(facts.pieces).map(([path, each]) => {
    const numbers = new Map<string, number>();
    for (const { operation } of each) if (!numbers.has(operation)) numbers.set(operation, numbers.size);
    const flat = each.flatMap(({ operation, start, end }) => [numbers.get(operation) ?? 0, start, end]);
    return [path, { operations: [...numbers.keys()], numbers: flat }] as const;
  });
  return { ...facts, pieces: Object.fromEntries(pieces) };
}

function unpacked(facts: PackedFacts): Facts {
  const pieces = Object.entries(facts.pieces).map(([path, { operations, numbers }]) => {
    const each: FilePiece[] = [];
    for (let index = 0; index < numbers.length; index += 3) {
      const [operation = 0, start = 0, end = 0] = numbers.slice(index, index + 3);
      each.push({ operation: operations[operation] ?? "", start, end });
    }
    return [path, each] as const;
  });
  return { ...facts, pieces: Object.fromEntries(pieces) };
}

/** Returns whether there is a cache entry for a job, valid or not. */
export function hasMemory(job: DocumentJob): boolean {
  const path = memoryPath(job);
  return path !== undefined && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * Returns the path of the cache entry, in the node_modules of the project that the job belongs to: without that directory, nothing is
 * cached.
 */
function memoryPath({ root, directory }: DocumentJob): string | undefined {
  const output = resolve(root, directory);
  for (let place = resolve(root); ; place = dirname(place)) {
    const modules = join(place, "node_modules");
    if (statSync(modules, { throwIfNoEntry: false })?.isDirectory() === true)
      return join(modules, ".cache/nodewright", digestOf(join(output, manifestName)).slice(0, 16));
    if (dirname(place) === place) return undefined;
  }
}
