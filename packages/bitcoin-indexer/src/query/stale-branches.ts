import type { TableReads } from "../store/environment.ts";
import { type StaleBlockRow, staleBlocks } from "../store/layout.ts";
import type { StaleBranch } from "./chain-queries.ts";
import { recordOf } from "./known-blocks.ts";

const everyHash = { start: new Uint8Array(32), end: new Uint8Array(33).fill(0xff) };

/** Returns the branches by the height of their tips, the highest first; of the same height in the order of their hashes. */
export function readStaleBranches(reads: TableReads): readonly StaleBranch[] {
  const stale = new Map<string, StaleBlockRow>();
  for (const { value } of reads.rows(staleBlocks, everyHash)) {
    const row = staleBlocks.decode(value, noHash);
    stale.set(keyOf(row.block.hash), row);
  }
  const parents = new Set(Array.from(stale.values(), parentOf));
  return [...stale]
    .filter(([key]) => !parents.has(key))
    .map(([, row]) => ({ tip: recordOf(row.block, row.height, false), length: lengthOf(row, stale) }))
    .sort((left, right) => right.tip.height - left.tip.height || (left.tip.hash < right.tip.hash ? -1 : 1));
}

/** Returns the number of blocks from this one down to the best chain. */
function lengthOf(tip: StaleBlockRow, stale: ReadonlyMap<string, StaleBlockRow>): number {
  let length = 0;
  for (let row: StaleBlockRow | undefined = tip; row !== undefined; row = stale.get(parentOf(row))) length += 1;
  return length;
}

/** Byte offset of the parent's hash in a header. */
const parentStart = 4;

function parentOf({ block }: StaleBlockRow): string {
  return keyOf(block.header.subarray(parentStart, parentStart + 32));
}

function keyOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString("latin1");
}

const noHash = new Uint8Array(32);
