/**
 * What can be told of an LMDB data file without mapping it. The layout of its two meta pages is LMDB's own (`mdb.c`), as the machine
 * spells integers; offsets here are from the end of a page's header.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { IndexerError } from "../indexer-error.ts";

/** What the newer of the two meta pages says. */
interface Meta {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: bigint;
  /** Pages from which all others are found. */
  readonly roots: readonly bigint[];
}

const magic = 0xbeefc0de;

const pageHeaderLength = 24;
const pageSizeOffset = 24;
const rootOffsets = [64, 112];
const lastPageOffset = 120;
const transactionOffset = 128;
const metaLength = 136;

/** In the place of a root where there is none. */
const noPage = 2n ** 64n - 1n;

const smallestPage = 256;
const largestPage = 65_536;

/** Pages at the end that a transaction may have taken and given back unwritten; beyond them, that part of the file as well. */
const unwrittenPages = 64;
const unwrittenPart = 0.25;

/**
 * Makes sure that a directory's `data.mdb` is a whole file of LMDB; it may be absent when it is to be made.
 *
 * LMDB trusts what it maps: a process that opens another file dies. Looks at both meta pages, the roots and the length; damage to other
 * pages is not recognised. Throws `IndexerError`.
 */
export function assertLmdbFile(directory: string, mayBeAbsent: boolean): void {
  const path = join(directory, "data.mdb");
  if (!existsSync(path)) {
    if (mayBeAbsent) return;
    throw damagedError(directory);
  }
  const descriptor = openSync(path, "r");
  try {
    const { size } = fstatSync(descriptor);
    if (!isWhole(descriptor, size)) throw damagedError(directory);
  } finally {
    closeSync(descriptor);
  }
}

function isWhole(descriptor: number, size: number): boolean {
  const first = readMeta(descriptor, 0);
  if (first === undefined) return false;
  const second = readMeta(descriptor, first.pageSize);
  if (second === undefined) return false;
  const { pageSize, lastPage, roots } = first.transaction > second.transaction ? first : second;
  const missing = lastPage + 1 - size / pageSize;
  if (missing > Math.max(unwrittenPages, lastPage * unwrittenPart)) return false;
  return roots.every((root) => root === noPage || readPageNumber(descriptor, root, pageSize) === root);
}

function readMeta(descriptor: number, pageStart: number): Meta | undefined {
  const bytes = Buffer.alloc(metaLength);
  const count = readSync(descriptor, bytes, 0, metaLength, pageStart + pageHeaderLength);
  if (count !== metaLength || bytes.readUInt32LE(0) !== magic) return undefined;
  const pageSize = bytes.readUInt32LE(pageSizeOffset);
  if (pageSize < smallestPage || pageSize > largestPage || !Number.isInteger(Math.log2(pageSize))) return undefined;
  return {
    pageSize,
    lastPage: Number(bytes.readBigUInt64LE(lastPageOffset)),
    transaction: bytes.readBigUInt64LE(transactionOffset),
    roots: rootOffsets.map((offset) => bytes.readBigUInt64LE(offset)),
  };
}

/** Every page begins with its number. */
function readPageNumber(descriptor: number, page: bigint, pageSize: number): bigint | undefined {
  const bytes = Buffer.alloc(8);
  const offset = page * BigInt(pageSize);
  if (offset > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return readSync(descriptor, bytes, 0, 8, offset) === 8 ? bytes.readBigUInt64LE(0) : undefined;
}

function damagedError(directory: string): IndexerError {
  return new IndexerError(
    "directory-unusable",
    `The index in ${directory} is damaged: its data.mdb is no whole database. Delete the data directory to index anew.`,
  );
}
