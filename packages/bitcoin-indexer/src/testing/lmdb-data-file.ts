import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A row of a page; a branch has `child` in place of a value. */
export interface LmdbNode {
  readonly key: string;
  readonly value?: Buffer;
  readonly flags?: number;
  readonly child?: number;
}

/** Record of a table. */
export interface LmdbRecord {
  readonly depth: number;
  readonly branchPages?: number;
  readonly leafPages?: number;
  readonly overflowPages?: number;
  readonly entries?: number;
  readonly root: number | bigint;
}

/** Flags. Of pages: `branch`, `leaf`, `overflow`. Of rows of leaves: `bigValue`, `table`. */
export const lmdbFlags: Readonly<Record<"branch" | "leaf" | "overflow" | "bigValue" | "table", number>> = {
  branch: 1,
  leaf: 2,
  overflow: 4,
  bigValue: 1,
  table: 2,
};

/** Value in place of a root of an empty tree. */
export const noLmdbPage: bigint = 2n ** 64n - 1n;

const headerLength = 24;
const nodeHeaderLength = 8;

/** Returns the 48 bytes of a table's record. */
export function lmdbRecord(record: LmdbRecord): Buffer {
  const bytes = Buffer.alloc(48);
  bytes.writeUInt16LE(record.depth, 6);
  const counts = [record.branchPages, record.leafPages, record.overflowPages, record.entries, record.root];
  for (const [index, count] of counts.entries()) bytes.writeBigUInt64LE(BigInt(count ?? 0), 8 + 8 * index);
  return bytes;
}

/** Returns the value of a row whose real value is on pages of its own. */
export function placeOfBigValue(page: number, count: number): Buffer {
  const bytes = Buffer.alloc(24);
  bytes.writeBigUInt64LE(BigInt(page), 0);
  bytes.writeBigUInt64LE(BigInt(count), 16);
  return bytes;
}

/** Returns a page of a tree, its rows packed to its end as LMDB does. */
export function lmdbPage(pageSize: number, number: number, flags: number, nodes: readonly LmdbNode[]): Buffer {
  const page = Buffer.alloc(pageSize);
  page.writeBigUInt64LE(BigInt(number), 0);
  page.writeUInt16LE(flags, 18);
  page.writeUInt16LE(2 * nodes.length, 20);
  let start = pageSize - headerLength;
  for (const [index, node] of nodes.entries()) {
    const key = Buffer.from(node.key, "latin1");
    const value = node.value ?? Buffer.alloc(0);
    start -= nodeHeaderLength + key.length + value.length;
    page.writeUInt16LE(start, headerLength + 2 * index);
    const at = headerLength + start;
    const size = node.child ?? value.length;
    page.writeUInt16LE(size % 0x10000, at);
    page.writeUInt16LE(Math.floor(size / 0x10000) % 0x10000, at + 2);
    page.writeUInt16LE(node.child === undefined ? (node.flags ?? 0) : Math.floor(size / 2 ** 32), at + 4);
    page.writeUInt16LE(key.length, at + 6);
    key.copy(page, at + nodeHeaderLength);
    value.copy(page, at + nodeHeaderLength + key.length);
  }
  page.writeUInt16LE(start, 22);
  return page;
}

/** Returns the first of the pages of a long value. */
export function lmdbOverflowPage(pageSize: number, number: number, count: number): Buffer {
  const page = Buffer.alloc(pageSize);
  page.writeBigUInt64LE(BigInt(number), 0);
  page.writeUInt16LE(lmdbFlags.overflow, 18);
  page.writeUInt32LE(count, 20);
  return page;
}

/** Returns one of the two pages at the beginning of a file. */
export function lmdbMetaPage(
  pageSize: number,
  meta: { readonly free: Buffer; readonly main: Buffer; readonly lastPage: number; readonly transaction: number },
): Buffer {
  const page = Buffer.alloc(pageSize);
  page.writeUInt32LE(0xbeefc0de, headerLength);
  meta.free.copy(page, headerLength + 24);
  page.writeUInt32LE(pageSize, headerLength + 24);
  meta.main.copy(page, headerLength + 72);
  page.writeBigUInt64LE(BigInt(meta.lastPage), headerLength + 120);
  page.writeBigUInt64LE(BigInt(meta.transaction), headerLength + 128);
  return page;
}

/** Writes the pages as the data file of a directory. */
export function writeLmdbFile(directory: string, pages: readonly Buffer[]): void {
  writeFileSync(join(directory, "data.mdb"), Buffer.concat(pages));
}
