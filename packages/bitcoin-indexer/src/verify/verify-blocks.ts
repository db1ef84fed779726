import { displayHash, equalBytes, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import { BadBlock } from "../chain/bad-block.ts";
import { HeaderWork } from "../chain/header-work.ts";
import { verifyBlock } from "../chain/verify-block.ts";
import { isIndexerError } from "../basics/indexer-error.ts";
import { completeBlock } from "../store/block-files.ts";
import { checksumOf } from "../store/checksum.ts";
import type { TableReads } from "../store/environment.ts";
import {
  type BlockPosition,
  type BlockRow,
  type StaleBlockRow,
  staleBlocks,
  staleTransactions,
  type Table,
} from "../store/layout.ts";
import { getBlock, type IndexedChain, locateBlock } from "./indexed-chain-source.ts";
import type { IndexDamage } from "./index-damage.ts";

/** Result for one block. */
export interface VerifiedBlock {
  readonly damage?: IndexDamage | undefined;
  /** Mask of the file that contains it; absent where that is not known. */
  readonly mask?: Uint8Array | undefined;
}

/**
 * Checks each block of the best chain: its bytes against the checksum, and its content against its header: proof of work, merkle root,
 * witness commitment. Yields after each block.
 */
export function* verifyBlocks(chain: IndexedChain): Generator<VerifiedBlock, void> {
  const headerWork = new HeaderWork(chain.network);
  let previousHash: Uint8Array = new Uint8Array(32);
  for (let height = 0; height <= chain.height; height += 1) {
    let row: BlockRow;
    let position: BlockPosition;
    try {
      ({ row, position } = getBlock(chain, height));
    } catch (reason) {
      yield { damage: damageOf(reason, height) };
      continue;
    }
    yield verifyOne(chain, { row, position, height, previousHash }, headerWork);
    previousHash = row.hash;
  }
}

/** Checks the stale blocks and the rows of their transactions. Yields after each block. */
export function* verifyStaleBlocks(chain: IndexedChain): Generator<VerifiedBlock, void> {
  const headerWork = new HeaderWork(chain.network);
  const { reads } = chain;
  const everyHash = { start: new Uint8Array(32), end: new Uint8Array(33).fill(0xff) };
  for (const key of reads.keys(staleBlocks, everyHash)) {
    try {
      const stale = reads.get(staleBlocks, key);
      if (stale !== undefined) yield verifyStale(chain, stale, headerWork);
    } catch (reason) {
      yield { damage: { ...damageOf(reason), table: staleBlocks.name, key: toHex(key) } };
    }
  }
}

function verifyStale(
  chain: IndexedChain,
  { position, block: row, height }: StaleBlockRow,
  headerWork: HeaderWork,
): VerifiedBlock {
  const previousHash = row.header.slice(4, 36);
  const verified = verifyOne(chain, { row, position, height, previousHash }, headerWork);
  if (verified.damage !== undefined) return verified;
  return { ...verified, damage: findStaleDamage(chain, row, position, height) };
}

interface PlacedRow {
  readonly row: BlockRow;
  readonly position: BlockPosition;
  readonly height: number;
  /** Hash that its header must contain. */
  readonly previousHash: Uint8Array;
}

function verifyOne(
  chain: IndexedChain,
  { row, position, height, previousHash }: PlacedRow,
  headerWork: HeaderWork,
): VerifiedBlock {
  try {
    const { path: file, offset, mask } = locateBlock(chain, position);
    const block = parseBlock(chain.files.read(position, completeBlock(row)));
    try {
      verifyBlock(block, { hash: displayHash(row.hash), previousHash }, headerWork);
    } catch (reason) {
      if (!(reason instanceof BadBlock)) throw reason;
      return { mask, damage: { kind: "block", file, offset, height, reason: reason.message } };
    }
    return { mask };
  } catch (reason) {
    return { damage: damageOf(reason, height) };
  }
}

function findStaleDamage(
  { files, reads }: IndexedChain,
  row: BlockRow,
  position: BlockPosition,
  height: number,
): IndexDamage | undefined {
  const block = parseBlock(files.read(position, completeBlock(row)));
  for (const [index, transaction] of block.transactions.entries()) {
    const stored = findRow(reads, staleTransactions, transaction.txid, row.hash);
    const offset = transaction.bytes.byteOffset - block.bytes.byteOffset;
    const isSound =
      stored !== undefined &&
      stored.position === index &&
      stored.offset === offset &&
      stored.size === transaction.size &&
      stored.checksum === checksumOf(transaction.bytes) &&
      stored.spentOutputs.length === (index === 0 ? 0 : transaction.inputs.length);
    if (isSound) continue;
    const key = toHex(staleTransactions.key(transaction.txid, row.hash));
    return { ...damageOf(reads.damaged(`stale-transactions, key ${key}`), height), table: staleTransactions.name, key };
  }
  return equalBytes(block.header.hash, row.hash) ? undefined : damageOf(reads.damaged("stale-blocks"), height);
}

/** Returns a row; `undefined` for one that is missing or can't be read. */
export function findRow<Key extends readonly unknown[], Value>(
  reads: TableReads,
  table: Table<Key, Value>,
  ...key: Key
): Value | undefined {
  try {
    return reads.get(table, ...key);
  } catch (reason) {
    if (isIndexerError(reason) && reason.code === "tables-damaged") return undefined;
    throw reason;
  }
}

/** Returns the damage that a read error indicates. Throws other errors. */
export function damageOf(reason: unknown, height?: number): IndexDamage {
  if (!isIndexerError(reason) || reason.place === undefined) throw reason;
  const kind = reason.code === "block-unreadable" ? "block" : "table";
  return { kind, ...reason.place, ...(height === undefined ? {} : { height }), reason: reason.message };
}
