/**
 * Writes to an LMDB data file in the order in which LMDB commits, but for many times as many commits: a page with the new root in place of
 * an unused one, then the older of the two meta pages. Argument: the file, which LMDB has created.
 */
import { openSync, readSync, writeSync } from "node:fs";

const [path = ""] = process.argv.slice(2);
const descriptor = openSync(path, "r+");

/** Offset as in `lmdb-file.ts`, but from the start of the page. */
const pageSizeOffset = 48;
const rootOffset = 136;
const transactionOffset = 152;
const metaEnd = 160;

const meta = Buffer.alloc(metaEnd);
readSync(descriptor, meta, 0, meta.length, 0);
const pageSize = meta.readUInt32LE(pageSizeOffset);
const rootPages = [2, 3, 4];
const firstTransaction = 1_000;

for (let count = 0; ; count += 1) {
  const root = rootPages[count % rootPages.length] ?? 0;
  const next = rootPages[(count + 1) % rootPages.length] ?? 0;
  writePage(root, root);
  meta.writeBigUInt64LE(BigInt(root), rootOffset);
  meta.writeBigUInt64LE(BigInt(firstTransaction + count), transactionOffset);
  writeSync(descriptor, meta, 0, meta.length, (count % 2) * pageSize);
  // Both meta pages refer to others now: its replacement is not the beginning of a page.
  if (count > 0) writePage(next, 0xeeee_eeee);
  if (count === 1) process.stdout.write("begun");
}

function writePage(page: number, number: number): void {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(number));
  writeSync(descriptor, bytes, 0, bytes.length, page * pageSize);
}
