/**
 * Reader of the pages of an LMDB data file without mapping it, which checks what LMDB itself trusts: an invalid pointer ends the process
 * that follows it. Pages have no checksums, so a value with changed bytes counts as intact here.
 *
 * The format is that of the LMDB in the `lmdb` package (`mdb.c`, `PAGEBASE` 24), in native byte order. Every page begins with a header: its
 * number (8 bytes), a transaction (8), padding (2), flags (2), and either the bounds of its free space (2 each), or the number of pages of
 * one value (4). Offsets of nodes count from the header's end.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { damagedTables } from "./damaged-tables.ts";
import { assertLmdbFile, type LmdbTree, parseTree, readLatestMeta } from "./lmdb-file.ts";

/** Data that LMDB would not have written. */
export interface PageDamage {
  /** Name of the table; `main` for the table of tables, `free` for the list of free pages. */
  readonly table: string;
  /** Offset of the page's first byte in the file. */
  readonly offset: number;
  /** Reason for a person, as the end of a sentence. */
  readonly reason: string;
}

const headerLength = 24;
const nodeHeaderLength = 8;
const isBranch = 0x01;
const isLeaf = 0x02;
const isOverflow = 0x04;
const kindMask = isBranch | isLeaf | isOverflow;
/** Flags of a leaf's node: its value is on pages of its own, or is a table. */
const isBigValue = 0x01;
const isTable = 0x02;
const treeLength = 48;
const placeOfBigValueLength = 24;
const transactionLength = 8;
const numberLength = 8;

/** Numbers of a list of free pages that are checked in one step. */
const numbersPerStep = 512;
/** Number of steps for each list that a sample reaches: a list may have any length. */
const stepsPerSampledList = 16;

/** Maximum depth of a tree in 2^64 bytes. */
const deepestTree = 32;

/** A node on a page. */
interface Node {
  readonly key: Buffer;
  readonly flags: number;
  /** Page below; of a branch. */
  readonly child: number;
  /** Value, or the location of one that has pages of its own; of a leaf. */
  readonly value: Buffer;
  /** Bytes of the value, wherever it is; of a leaf. */
  readonly length: number;
}

/** A page to be checked, with the facts that its parent provides. */
interface Expected {
  readonly page: number;
  /** Number of pages from here down to a leaf, both counted. */
  readonly depth: number;
  /** Bounds of the keys on it and below: at least `low` and below `high`; absent where there is no bound. */
  readonly low: Buffer | undefined;
  readonly high: Buffer | undefined;
}

/**
 * Pages that a transaction freed, or that are left of several such lists: a row of the table `free`. It begins with the count of the
 * numbers that follow; each is a page, a negative one the length of a run of pages that begins at the next number, and 0 stands for nothing
 * (`midl.c`).
 */
interface FreeList {
  /** Page of its row. */
  readonly page: number;
  /** Offset of the list's first byte in the file. */
  readonly offset: number;
  /** Length in bytes; the numbers take as many or fewer. */
  readonly length: number;
}

/** A table as its record describes it, with the counts found. */
interface Counted {
  readonly name: string;
  readonly tree: LmdbTree;
  /** Lists of the table `free` only. */
  readonly lists: FreeList[];
  branchPages: number;
  leafPages: number;
  overflowPages: number;
  entries: number;
}

class Damage extends Error {}

/** Possible problems of a page number, by its referrer. */
const namedByTree = { missing: "it names a page that is not in the file", taken: "it is used twice" };
const namedByList = {
  missing: "a list of free pages names one that is not in the file",
  taken: "a list of free pages names one that is in use, or free already",
};
const runWithoutPage = "a list of free pages has a run without its first page";

/** Pages of one data file, in the state of its later meta page. Not to be kept open beyond a check. */
export class LmdbPages {
  readonly #descriptor: number;
  readonly #pageSize: number;
  readonly #lastPage: number;
  readonly #trees: readonly LmdbTree[];
  /** Number that differs after each commit. */
  readonly transaction: bigint;

  /** Opens the file. Throws `IndexerError` when the meta pages of the file in the directory can't be read. */
  constructor(directory: string) {
    this.#descriptor = openSync(join(directory, "data.mdb"), "r");
    try {
      const meta = readLatestMeta(this.#descriptor, directory);
      this.#pageSize = meta.pageSize;
      this.#lastPage = meta.lastPage;
      this.#trees = meta.trees;
      this.transaction = meta.transaction;
    } catch (reason) {
      closeSync(this.#descriptor);
      throw reason;
    }
  }

  get count(): number {
    return this.#lastPage + 1;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /**
   * Checks every page that is in use, then the lists of free pages, which must contain none of them. Yields after each page and each part
   * of a list, with the damage if there is any. Damage hides the pages below it.
   */
  *walk(): Generator<PageDamage | undefined, void> {
    const seen = new Uint8Array((this.#lastPage >>> 3) + 1);
    const [free, main] = this.#trees;
    const tables = main === undefined ? [] : yield* this.#walkMain(main, seen);
    if (free !== undefined) tables.push(countedOf("free", free));
    for (const table of tables) yield* this.#walkTable(table, seen);
    for (const { lists } of tables) for (const list of lists) yield* this.#lookAtList(list, seen);
  }

  /**
   * Checks about `budget` pages: all where there are no more, otherwise those on paths from the roots to leaves that `random` chooses, a
   * number from 0 to below 1, and the beginnings of the lists of free pages there. Yields as `walk` does.
   */
  *sample(budget: number, random: () => number): Generator<PageDamage | undefined, void> {
    if (this.count <= budget) return yield* this.walk();
    const [free, main] = this.#trees;
    const tables = main === undefined ? [] : yield* this.#walkMain(main, undefined);
    if (free !== undefined) tables.push(countedOf("free", free));
    const leaves = tables.reduce((sum, { tree }) => sum + tree.leafPages, 0);
    for (const { name, tree } of tables) {
      if (tree.depth === 0) continue;
      // Larger tables are sampled more often, and each at its ends, where a growing table was written last.
      const ways = 2 + Math.ceil((budget / tree.depth) * (tree.leafPages / Math.max(1, leaves)));
      for (let way = 0; way < ways; way += 1) {
        yield* this.#descend(countedOf(name, tree), way === 0 ? () => 0 : way === 1 ? () => 1 : random);
      }
    }
  }

  *#descend(table: Counted, choose: () => number): Generator<PageDamage | undefined, void> {
    for (let next = rootOf(table.tree); next !== undefined; ) {
      const below: Expected[] = [];
      yield this.#tryToLook(table, next, undefined, below);
      next = below[Math.min(below.length - 1, Math.floor(choose() * below.length))];
    }
    for (const list of table.lists) {
      const steps = this.#lookAtList(list, undefined);
      for (let step = 0; step < stepsPerSampledList; step += 1) yield steps.next().value ?? undefined;
    }
  }

  /** Walks the table of tables, and returns its tables. */
  *#walkMain(tree: LmdbTree, seen: Uint8Array | undefined): Generator<PageDamage | undefined, Counted[]> {
    const tables: Counted[] = [];
    yield* this.#walkTable(countedOf("main", tree), seen, tables);
    return tables;
  }

  *#walkTable(
    counted: Counted,
    seen: Uint8Array | undefined,
    tables?: Counted[],
  ): Generator<PageDamage | undefined, void> {
    const { name, tree } = counted;
    const root = rootOf(tree);
    if (root === undefined) return;
    const waiting: Expected[] = [root];
    let isComplete = true;
    for (let expected = waiting.pop(); expected !== undefined; expected = waiting.pop()) {
      const below: Expected[] = [];
      const damage = this.#tryToLook(counted, expected, seen, below, tables);
      waiting.push(...below.toReversed());
      isComplete &&= damage === undefined;
      yield damage;
    }
    if (isComplete && !isAsCounted(counted)) {
      yield this.#damageOf(
        name,
        tree.root,
        new Damage("the numbers of rows or pages of the table differ from its record"),
      );
    }
  }

  /** Checks a list of free pages up to its first damage. */
  *#lookAtList(list: FreeList, seen: Uint8Array | undefined): Generator<PageDamage | undefined, void> {
    try {
      yield* this.#checkNumbers(list, seen);
    } catch (reason) {
      yield this.#damageOf("free", list.page, reason);
    }
  }

  *#checkNumbers({ offset, length }: FreeList, seen: Uint8Array | undefined): Generator<undefined, void> {
    const [count = 0] = this.#readNumbers(offset, 1);
    demand(count >= 0 && (count + 1) * numberLength <= length, "a list of free pages is longer than its row");
    let run = 1;
    for (let index = 1; index <= count; index += numbersPerStep) {
      const numbers = this.#readNumbers(offset + index * numberLength, Math.min(numbersPerStep, count + 1 - index));
      for (const number of numbers) {
        demand(number > 0 || run === 1, runWithoutPage);
        if (number > 0) this.#use(number, run, seen, namedByList);
        run = number < 0 ? -number : 1;
      }
      yield;
    }
    demand(run === 1, runWithoutPage);
  }

  /** Reads numbers of 8 bytes with a sign; none is exact above 2^53, where no file has pages. */
  #readNumbers(offset: number, count: number): readonly number[] {
    const bytes = Buffer.alloc(count * numberLength);
    const length = readSync(this.#descriptor, bytes, 0, bytes.length, offset);
    demand(length === bytes.length, "the file ends before a list of free pages does");
    return Array.from({ length: count }, (_, index) => {
      const at = index * numberLength;
      return bytes.readInt32LE(at + 4) * 2 ** 32 + bytes.readUInt32LE(at);
    });
  }

  #damageOf(table: string, page: number, reason: unknown): PageDamage {
    if (!(reason instanceof Damage)) throw reason;
    return { table, offset: page * this.#pageSize, reason: reason.message };
  }

  /** Checks a page. Adds the pages below it to `below`, and the tables of the table of tables to `tables`. */
  #tryToLook(
    table: Counted,
    expected: Expected,
    seen: Uint8Array | undefined,
    below: Expected[],
    tables?: Counted[],
  ): PageDamage | undefined {
    try {
      below.push(...this.#look(table, expected, seen, tables));
    } catch (reason) {
      return this.#damageOf(table.name, expected.page, reason);
    }
    return undefined;
  }

  /** Checks one page, and the pages of its long values. Returns the pages below it. Throws `Damage`. */
  #look(
    table: Counted,
    { page, depth, low, high }: Expected,
    seen: Uint8Array | undefined,
    tables?: Counted[],
  ): readonly Expected[] {
    this.#use(page, 1, seen);
    const bytes = this.#read(page, isBranch | isLeaf);
    const kind = bytes.readUInt16LE(18) & kindMask;
    demand(kind === (depth > 1 ? isBranch : isLeaf), "it is at another depth of its tree");
    const isFree = table.name === "free";
    const nodes = isFree ? this.#nodesOf(bytes, kind).map(withTransaction) : this.#nodesOf(bytes, kind);
    checkOrder(nodes, kind === isBranch ? 1 : 0, low, high);
    if (kind === isBranch) {
      table.branchPages += 1;
      demand(nodes.length > 0, "it has no page below it");
      return nodes.map(({ key, child }, index) => ({
        page: child,
        depth: depth - 1,
        low: index === 0 ? low : key,
        high: nodes[index + 1]?.key ?? high,
      }));
    }
    table.leafPages += 1;
    table.entries += nodes.length;
    for (const { key, flags, value, length } of nodes) {
      const isBig = (flags & isBigValue) !== 0;
      const first = isBig ? this.#lookAtBigValue(table, value, length, seen) : undefined;
      if (isFree) {
        demand(
          key.length === transactionLength && key.some((byte) => byte !== 0),
          "a list of free pages belongs to no transaction",
        );
        const start = page * this.#pageSize + value.byteOffset - bytes.byteOffset;
        table.lists.push({ page, length, offset: first === undefined ? start : first * this.#pageSize + headerLength });
      } else if ((flags & isTable) !== 0) {
        demand(value.length === treeLength, "the record of a table has another length");
        tables?.push(countedOf(nameOf(key), this.#treeOf(value)));
      }
    }
    return [];
  }

  /** Checks a value on pages of its own, and returns its first page. */
  #lookAtBigValue(table: Counted, place: Buffer, length: number, seen: Uint8Array | undefined): number {
    const page = Number(place.readBigUInt64LE(0));
    const count = Number(place.readBigUInt64LE(16));
    this.#use(page, count, seen);
    demand(this.#read(page, isOverflow).readUInt32LE(20) === count, "a long value has another number of pages");
    demand(headerLength + length <= count * this.#pageSize, "a long value is longer than its pages");
    table.overflowPages += count;
    return page;
  }

  #treeOf(record: Buffer): LmdbTree {
    const tree = parseTree(record);
    demand(tree.depth <= deepestTree, "the record of a table names an impossible depth");
    return tree;
  }

  /** Marks pages as used. */
  #use(first: number, count: number, seen: Uint8Array | undefined, problems = namedByTree): void {
    demand(first > 1 && count > 0 && first + count - 1 <= this.#lastPage, problems.missing);
    if (seen === undefined) return;
    for (let page = first; page < first + count; page += 1) {
      const byte = page >>> 3;
      const bit = 1 << (page & 7);
      demand(((seen[byte] ?? 0) & bit) === 0, problems.taken);
      seen[byte] = (seen[byte] ?? 0) | bit;
    }
  }

  #read(page: number, kinds: number): Buffer {
    const bytes = Buffer.allocUnsafe(this.#pageSize);
    const length = readSync(this.#descriptor, bytes, 0, bytes.length, page * this.#pageSize);
    demand(length === bytes.length, "the file ends before it");
    demand(bytes.readBigUInt64LE(0) === BigInt(page), "it has another page's number");
    const flags = bytes.readUInt16LE(18);
    demand((flags & kindMask & kinds) !== 0, "it is of another kind");
    return bytes;
  }

  #nodesOf(bytes: Buffer, kind: number): readonly Node[] {
    const lower = bytes.readUInt16LE(20);
    const upper = bytes.readUInt16LE(22);
    const room = this.#pageSize - headerLength;
    demand(lower % 2 === 0 && lower <= upper && upper <= room, "its bounds are impossible");
    const nodes: Node[] = [];
    for (let index = 0; index < lower / 2; index += 1) {
      const start = bytes.readUInt16LE(headerLength + index * 2);
      demand(start >= upper && start + nodeHeaderLength <= room, "a row begins outside of its rows");
      nodes.push(nodeAt(bytes.subarray(headerLength, this.#pageSize), start, kind));
    }
    return nodes;
  }
}

function nodeAt(rows: Buffer, start: number, kind: number): Node {
  const low = rows.readUInt16LE(start);
  const high = rows.readUInt16LE(start + 2);
  const flags = rows.readUInt16LE(start + 4);
  const keyEnd = start + nodeHeaderLength + rows.readUInt16LE(start + 6);
  demand(keyEnd <= rows.length, "a key ends outside of it");
  const key = rows.subarray(start + nodeHeaderLength, keyEnd);
  const sum = low + high * 0x10000;
  if (kind === isBranch)
    return { key, flags, child: sum + flags * 0x1_0000_0000, value: rows.subarray(0, 0), length: 0 };
  demand((flags & ~(isBigValue | isTable)) === 0, "a row has a flag that is not known");
  const isBig = (flags & isBigValue) !== 0;
  const valueEnd = keyEnd + (isBig ? placeOfBigValueLength : sum);
  demand(valueEnd <= rows.length, "a value ends outside of it");
  return { key, flags, child: 0, value: rows.subarray(keyEnd, valueEnd), length: sum };
}

/** Returns the name of a table. lmdb-js ends the names of tables with a zero byte, as C does. */
function nameOf(key: Buffer): string {
  return key.toString("latin1").replace(/\0$/, "");
}

/**
 * Converts a node of the table `free`: its keys are numbers of transactions in native byte order, which are compared here like the keys of
 * other tables.
 */
function withTransaction(node: Node): Node {
  return { ...node, key: Buffer.from(node.key).reverse() };
}

/** Checks the order of keys. The first key of a branch may be empty: it stands for all below the second. */
function checkOrder(nodes: readonly Node[], from: number, low: Buffer | undefined, high: Buffer | undefined): void {
  let before = low;
  for (let index = from; index < nodes.length; index += 1) {
    const key = nodes[index]?.key;
    if (key === undefined) return;
    const order = before === undefined ? 1 : Buffer.compare(key, before);
    demand(order > 0 || (order === 0 && index === 0), "its keys are not in order");
    before = key;
  }
  demand(before === undefined || high === undefined || Buffer.compare(before, high) < 0, "its keys are not in order");
}

function rootOf({ root, depth }: LmdbTree): Expected | undefined {
  return root === -1 ? undefined : { page: root, depth, low: undefined, high: undefined };
}

function countedOf(name: string, tree: LmdbTree): Counted {
  return { name, tree, lists: [], branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
}

function isAsCounted({ tree, branchPages, leafPages, overflowPages, entries }: Counted): boolean {
  return (
    branchPages === tree.branchPages &&
    leafPages === tree.leafPages &&
    overflowPages === tree.overflowPages &&
    entries === tree.entries
  );
}

function demand(isSound: boolean, reason: string): asserts isSound {
  if (!isSound) throw new Damage(reason);
}

/** Number of pages that are checked when an index is opened: all of one of 16 MB. */
const pagesAtStart = 4_096;

/** Maximum number of attempts: a writer would have to commit that often during the check. */
const maximumAttempts = 100;

/**
 * Checks that LMDB may open a directory's `data.mdb`, which may be absent or empty when it is to be created. Checks all pages where there
 * are no more than about `budget`, otherwise as many. Throws `IndexerError`.
 */
export function assertSoundTables(directory: string, mayBeAbsent: boolean, budget?: number): void {
  checkTables(directory, mayBeAbsent, budget).toArray();
}

/**
 * Runs the check of `assertSoundTables`, a page with each step.
 *
 * A commit reuses pages: only pages of unchanged meta pages are reported as damaged.
 */
export function* checkTables(
  directory: string,
  mayBeAbsent: boolean,
  budget: number = pagesAtStart,
): Generator<void, void> {
  assertLmdbFile(directory, mayBeAbsent);
  const file = statSync(join(directory, "data.mdb"), { throwIfNoEntry: false });
  if (file === undefined || file.size === 0) return;
  for (let attempt = 0; attempt < maximumAttempts; attempt += 1) {
    const { damage, transaction } = yield* checkPages(directory, budget);
    if (damage === undefined) return;
    if (transactionOf(directory) !== transaction) continue;
    const { table, offset, reason } = damage;
    throw damagedTables(directory, `${table}, the page at byte ${offset}: ${reason}`, { offset });
  }
}

/** Searches for damage in one state of the pages. */
function* checkPages(
  directory: string,
  budget: number,
): Generator<void, { readonly damage?: PageDamage; readonly transaction: bigint }> {
  const pages = new LmdbPages(directory);
  try {
    const { transaction } = pages;
    for (const damage of pages.sample(budget, Math.random)) {
      if (damage !== undefined) return { damage, transaction };
      yield;
    }
    return { transaction };
  } finally {
    pages.close();
  }
}

function transactionOf(directory: string): bigint {
  const pages = new LmdbPages(directory);
  pages.close();
  return pages.transaction;
}
