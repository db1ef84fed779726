/**
 * Reads the pages of an LMDB data file without mapping it, and checks what LMDB itself trusts: a pointer into nowhere ends the process
 * that follows it. Pages have no checksums, so a value in which bytes were changed is sound here.
 *
 * The format is that of the LMDB in the `lmdb` package (`mdb.c`, `PAGEBASE` 24), as the machine spells integers. Every page begins with a
 * header: its number (8 bytes), a transaction (8), padding (2), flags (2), and either where its free space begins and ends (2 each), or
 * how many pages one value takes (4). Offsets of nodes count from the header's end.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { damagedTables } from "./damaged-tables.ts";
import { type LmdbTree, parseTree, readLatestMeta } from "./lmdb-file.ts";

/** Something that is not as LMDB writes it. */
export interface PageDamage {
  /** Name of the table; `main` for the table of tables, `free` for the list of free pages. */
  readonly table: string;
  /** First byte of the page in the file. */
  readonly offset: number;
  /** For a person, as the end of a sentence. */
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

/** Deeper no tree grows in 2^64 bytes. */
const deepestTree = 32;

/** A node of a page. */
interface Node {
  readonly key: Buffer;
  readonly flags: number;
  /** Of a branch: the page below. */
  readonly child: number;
  /** Of a leaf. */
  readonly value: Buffer;
}

/** A page to be looked at, with what is known of it by its parent. */
interface Expected {
  readonly page: number;
  /** Pages from here down to a leaf, both counted. */
  readonly depth: number;
  /** Keys on it and below are at least `low` and below `high`; absent where there is no bound. */
  readonly low: Buffer | undefined;
  readonly high: Buffer | undefined;
}

/** A table as its record says, and what was counted of it. */
interface Counted {
  readonly name: string;
  readonly tree: LmdbTree;
  branchPages: number;
  leafPages: number;
  overflowPages: number;
  entries: number;
}

class Damage extends Error {}

/** The pages of one data file, in the state that its newer meta page names. Not to be kept open beyond a look. */
export class LmdbPages {
  readonly #descriptor: number;
  readonly #pageSize: number;
  readonly #lastPage: number;
  readonly #trees: readonly LmdbTree[];
  /** A number that is another after each commit. */
  readonly transaction: bigint;

  /** Throws `IndexerError` when the meta pages of the file in the directory can't be read. */
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

  /** Looks at every page that is in use; yields after each page, the damage if there is any. Damage hides what is below it. */
  *walk(): Generator<PageDamage | undefined, void> {
    const seen = new Uint8Array((this.#lastPage >>> 3) + 1);
    const [free, main] = this.#trees;
    if (free !== undefined) yield* this.#walkTable("free", free, seen);
    if (main === undefined) return;
    const tables: (readonly [string, LmdbTree])[] = [];
    yield* this.#walkTable("main", main, seen, (name, tree) => tables.push([name, tree]));
    for (const [name, tree] of tables) yield* this.#walkTable(name, tree, seen);
  }

  /**
   * Looks at about `budget` pages: at all where there are no more, else at those on ways from the roots to leaves that `random` chooses,
   * a number from 0 to below 1. Returns the first damage.
   */
  sample(budget: number, random: () => number): PageDamage | undefined {
    if (this.count <= budget) return [...this.walk()].find((damage) => damage !== undefined);
    const [, main] = this.#trees;
    if (main === undefined) return undefined;
    const tables: Counted[] = [];
    for (const damage of this.#walkTable("main", main, undefined, (name, tree) => tables.push(countedOf(name, tree)))) {
      if (damage !== undefined) return damage;
    }
    const leaves = tables.reduce((sum, { tree }) => sum + tree.leafPages, 0);
    for (const table of tables) {
      if (table.tree.depth === 0) continue;
      // Larger tables more often, and each at its ends, where a table that grows was written last.
      const ways = 2 + Math.ceil((budget / table.tree.depth) * (table.tree.leafPages / Math.max(1, leaves)));
      for (let way = 0; way < ways; way += 1) {
        const choose = way === 0 ? () => 0 : way === 1 ? () => 1 : random;
        const damage = this.#descend(table, choose);
        if (damage !== undefined) return damage;
      }
    }
    return undefined;
  }

  #descend(table: Counted, choose: () => number): PageDamage | undefined {
    for (let next = rootOf(table.tree); next !== undefined; ) {
      const { page } = next;
      try {
        const below: readonly Expected[] = this.#look(table, next, undefined);
        next = below[Math.min(below.length - 1, Math.floor(choose() * below.length))];
      } catch (reason) {
        return this.#damageOf(table.name, page, reason);
      }
    }
    return undefined;
  }

  *#walkTable(
    name: string,
    tree: LmdbTree,
    seen: Uint8Array | undefined,
    onTable?: (name: string, tree: LmdbTree) => void,
  ): Generator<PageDamage | undefined, void> {
    const root = rootOf(tree);
    if (root === undefined) return;
    const counted = countedOf(name, tree);
    const waiting: Expected[] = [root];
    let isWhole = true;
    for (let expected = waiting.pop(); expected !== undefined; expected = waiting.pop()) {
      let damage: PageDamage | undefined;
      try {
        const below = this.#look(counted, expected, seen, onTable);
        for (let index = below.length - 1; index >= 0; index -= 1) {
          const next = below[index];
          if (next !== undefined) waiting.push(next);
        }
      } catch (reason) {
        damage = this.#damageOf(name, expected.page, reason);
        isWhole = false;
      }
      yield damage;
    }
    if (isWhole && !isAsCounted(counted)) {
      yield this.#damageOf(
        name,
        tree.root,
        new Damage("the table has other numbers of rows or pages than its record says"),
      );
    }
  }

  #damageOf(table: string, page: number, reason: unknown): PageDamage {
    if (!(reason instanceof Damage)) throw reason;
    return { table, offset: page * this.#pageSize, reason: reason.message };
  }

  /** Checks one page, and the pages of its long values. Returns the pages below it. Throws `Damage`. */
  #look(
    table: Counted,
    { page, depth, low, high }: Expected,
    seen: Uint8Array | undefined,
    onTable?: (name: string, tree: LmdbTree) => void,
  ): readonly Expected[] {
    this.#use(page, 1, seen);
    const bytes = this.#read(page, isBranch | isLeaf);
    const kind = bytes.readUInt16LE(18) & kindMask;
    demand(kind === (depth > 1 ? isBranch : isLeaf), "it stands at another depth of its tree");
    const nodes = this.#nodesOf(bytes, kind);
    // The list of free pages has numbers for keys, in the machine's order.
    if (table.name !== "free") checkOrder(nodes, kind === isBranch ? 1 : 0, low, high);
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
    for (const { key, flags, value } of nodes) {
      if ((flags & isTable) !== 0) {
        demand(value.length === treeLength, "the record of a table has another length");
        onTable?.(key.toString("latin1"), this.#treeOf(value));
      } else if ((flags & isBigValue) !== 0) this.#lookAtBigValue(table, value, seen);
    }
    return [];
  }

  #lookAtBigValue(table: Counted, place: Buffer, seen: Uint8Array | undefined): void {
    const page = Number(place.readBigUInt64LE(0));
    const count = Number(place.readBigUInt64LE(16));
    this.#use(page, count, seen);
    demand(this.#read(page, isOverflow).readUInt32LE(20) === count, "a long value has another number of pages");
    table.overflowPages += count;
  }

  #treeOf(record: Buffer): LmdbTree {
    const tree = parseTree(record);
    demand(tree.depth <= deepestTree, "the record of a table names an impossible depth");
    return tree;
  }

  /** Takes pages as used. */
  #use(first: number, count: number, seen: Uint8Array | undefined): void {
    demand(first > 1 && count > 0 && first + count - 1 <= this.#lastPage, "it names a page that is not in the file");
    if (seen === undefined) return;
    for (let page = first; page < first + count; page += 1) {
      const byte = page >>> 3;
      const bit = 1 << (page & 7);
      demand(((seen[byte] ?? 0) & bit) === 0, "it is used twice");
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
  if (kind === isBranch) return { key, flags, child: sum + flags * 0x1_0000_0000, value: rows.subarray(0, 0) };
  const isBig = (flags & isBigValue) !== 0;
  const valueEnd = keyEnd + (isBig ? placeOfBigValueLength : sum);
  demand(valueEnd <= rows.length, "a value ends outside of it");
  return { key, flags, child: 0, value: rows.subarray(keyEnd, valueEnd) };
}

/** The first key of a branch may be empty: it stands for all below the second. */
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
  return { name, tree, branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
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

/** Pages that are looked at when an index is opened: all of one of 16 MB. */
const pagesAtStart = 4_096;

/** A writer would have to commit that often while we look. */
const mostAttempts = 100;

/**
 * Makes sure of the pages of a directory's `data.mdb`, of a bounded number where there are many.
 *
 * A commit gives pages to other uses: only what stands behind meta pages that stayed the same is called damaged. Throws `IndexerError`.
 */
export function assertSoundPages(directory: string): void {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const { damage, transaction } = withPages(directory, (pages) => ({
      damage: pages.sample(pagesAtStart, Math.random),
      transaction: pages.transaction,
    }));
    if (damage === undefined) return;
    if (withPages(directory, (pages) => pages.transaction) !== transaction) continue;
    const { table, offset, reason } = damage;
    throw damagedTables(directory, `${table}, the page at byte ${offset}: ${reason}`, { offset });
  }
}

function withPages<Result>(directory: string, look: (pages: LmdbPages) => Result): Result {
  const pages = new LmdbPages(directory);
  try {
    return look(pages);
  } finally {
    pages.close();
  }
}
