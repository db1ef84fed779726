/**
 * Inspection of an LMDB data file without mapping it. The layout of its two meta pages is LMDB's own (`mdb.c`), in native byte order;
 * offsets here are from the end of a page's header.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { IndexerError } from "../basics/indexer-error.ts";

/** A tree of pages, as its record describes it. */
export interface LmdbTree {
  /** Pages from the root to a leaf, both counted; 0 for an empty tree. */
  readonly depth: number;
  readonly branchPages: number;
  readonly leafPages: number;
  readonly overflowPages: number;
  readonly entries: number;
  /** Page number of the root; -1 for an empty tree. */
  readonly root: number;
}

/** Content of a meta page. */
export interface Meta {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: bigint;
  /** Pages from which all others are reached. */
  readonly roots: readonly bigint[];
  /** The list of free pages, and the table of tables. */
  readonly trees: readonly LmdbTree[];
}

const magic = 0xbeefc0de;

const pageHeaderLength = 24;
const pageSizeOffset = 24;
const treeOffsets = [24, 72];
const treeLength = 48;
const rootOffsets = [64, 112];
const lastPageOffset = 120;
const transactionOffset = 128;
const metaLength = 136;

/** Value in place of a root of an empty tree. */
const noPage = 2n ** 64n - 1n;

const smallestPage = 256;
const maximumPageSize = 65_536;

/**
 * Maximum number of missing pages at the end, which a transaction may have allocated and freed unwritten; the fraction of the file below
 * counts where it is larger.
 */
const unwrittenPages = 64;
const unwrittenPart = 0.25;

/**
 * Checks that a directory's `data.mdb` is a complete LMDB file; it may be absent when it is to be created.
 *
 * LMDB trusts the file that it maps: a process that opens an invalid file dies. Checks both meta pages, the roots and the length; damage to
 * other pages is not detected. Throws `IndexerError`.
 */
export function assertLmdbFile(directory: string, mayBeAbsent: boolean): void {
  const path = join(directory, "data.mdb");
  if (!existsSync(path)) {
    if (mayBeAbsent) return;
    throw damagedError(directory, "it is not there");
  }
  const descriptor = openSync(path, "r");
  try {
    const damage = findDamage(descriptor, mayBeAbsent);
    if (damage !== undefined) throw damagedError(directory, damage);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the later meta page of an open data file. Throws `IndexerError` if the file has no valid one. */
export function readLatestMeta(descriptor: number, directory: string): Meta {
  const metas = readMetas(descriptor);
  const first = parseMeta(metas.subarray(0, metaLength));
  const second = parseMeta(metas.subarray(metaLength));
  if (first === undefined || second === undefined) throw damagedError(directory, "it does not begin as one does");
  return first.transaction > second.transaction ? first : second;
}

/** Maximum number of attempts: a writer would have to commit that often during the check. */
const maximumAttempts = 1_000;

/**
 * Returns the damage of a file. Writers are not blocked meanwhile: a read that overlaps a commit, whose pages replace older ones, looks
 * broken. So only a file whose meta pages stayed the same is reported as damaged.
 */
function findDamage(descriptor: number, mayBeAbsent: boolean): string | undefined {
  let damage: string | undefined;
  for (let attempt = 0; attempt < maximumAttempts; attempt += 1) {
    const metas = readMetas(descriptor);
    // A process that was killed while it created the file may have left it empty: LMDB starts anew.
    if (mayBeAbsent && metas.length === 0) return undefined;
    damage = findDamageAfter(metas, descriptor);
    if (damage === undefined || readMetas(descriptor).equals(metas)) break;
  }
  return damage;
}

/** Reads the meta pages, one after the other, as far as they exist. */
function readMetas(descriptor: number): Buffer {
  const first = readBytes(descriptor, pageHeaderLength, metaLength);
  const pageSize = parseMeta(first)?.pageSize;
  if (pageSize === undefined) return first;
  return Buffer.concat([first, readBytes(descriptor, pageSize + pageHeaderLength, metaLength)]);
}

function findDamageAfter(metas: Buffer, descriptor: number): string | undefined {
  const first = parseMeta(metas.subarray(0, metaLength));
  const second = parseMeta(metas.subarray(metaLength));
  if (first === undefined || second === undefined) return "it does not begin as one does";
  const { pageSize, lastPage, roots } = first.transaction > second.transaction ? first : second;
  // Read after the meta pages: a commit extends the file before it refers to new pages.
  const { size } = fstatSync(descriptor);
  const missing = lastPage + 1 - size / pageSize;
  if (missing > Math.max(unwrittenPages, lastPage * unwrittenPart)) {
    return `it has ${size} bytes in place of ${(lastPage + 1) * pageSize}`;
  }
  const broken = roots.find((root) => root !== noPage && readPageNumber(descriptor, root, pageSize) !== root);
  return broken === undefined ? undefined : `its page ${broken} is another`;
}

function parseMeta(bytes: Buffer): Meta | undefined {
  if (bytes.length !== metaLength || bytes.readUInt32LE(0) !== magic) return undefined;
  const pageSize = bytes.readUInt32LE(pageSizeOffset);
  if (pageSize < smallestPage || pageSize > maximumPageSize || !Number.isInteger(Math.log2(pageSize))) return undefined;
  return {
    pageSize,
    lastPage: Number(bytes.readBigUInt64LE(lastPageOffset)),
    transaction: bytes.readBigUInt64LE(transactionOffset),
    roots: rootOffsets.map((offset) => bytes.readBigUInt64LE(offset)),
    trees: treeOffsets.map((offset) => parseTree(bytes.subarray(offset, offset + treeLength))),
  };
}

/** Parses the record of a table, from its first byte on. */
export function parseTree(record: Buffer): LmdbTree {
  const root = record.readBigUInt64LE(40);
  return {
    depth: record.readUInt16LE(6),
    branchPages: Number(record.readBigUInt64LE(8)),
    leafPages: Number(record.readBigUInt64LE(16)),
    overflowPages: Number(record.readBigUInt64LE(24)),
    entries: Number(record.readBigUInt64LE(32)),
    root: root === noPage ? -1 : Number(root),
  };
}

/** Reads bytes; fewer where the file ends. */
function readBytes(descriptor: number, start: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, start));
}

/** Reads the number with which every page begins. */
function readPageNumber(descriptor: number, page: bigint, pageSize: number): bigint | undefined {
  const offset = page * BigInt(pageSize);
  if (offset > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  const bytes = readBytes(descriptor, Number(offset), 8);
  return bytes.length === 8 ? bytes.readBigUInt64LE(0) : undefined;
}

function damagedError(directory: string, damage: string): IndexerError {
  return new IndexerError(
    "directory-unusable",
    `The index in ${directory} is damaged: its data.mdb is not a complete database (${damage}). Delete ${dirname(directory)} to index anew.`,
  );
}
