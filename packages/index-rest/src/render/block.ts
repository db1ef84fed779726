import type { BlockRecord } from "@nodewright/bitcoin-indexer";
import { type BlockHash, difficultyOfBits, displayHash } from "@nodewright/bitcoin-primitives";
import type { Block, BlockStatus } from "@nodewright/index-api/types";
import { PreparedJson } from "@nodewright/runtime";

/** Number of entries above which the cache is cleared. */
const maximumEntries = 2_000;

/** Cached texts by hash: nothing that is written of a block ever changes. */
const remembered = new Map<BlockHash, string>();

/** Renders a block without its transactions. */
export function renderBlock(record: BlockRecord): PreparedJson<Block> {
  return new PreparedJson(blockText(record));
}

/** Renders several blocks, as in lists. */
export function renderBlocks(records: readonly BlockRecord[]): PreparedJson<readonly Block[]> {
  return new PreparedJson(`[${records.map(blockText).join(",")}]`);
}

function blockText(record: BlockRecord): string {
  const known = remembered.get(record.hash);
  if (known !== undefined) return known;
  const text = JSON.stringify(blockMembers(record));
  if (remembered.size >= maximumEntries) remembered.clear();
  remembered.set(record.hash, text);
  return text;
}

/** Returns the members of a block, in Esplora's order. */
export function blockMembers(record: BlockRecord): Block {
  const { header } = record;
  return {
    id: record.hash,
    height: record.height,
    version: header.version >>> 0,
    timestamp: header.time,
    tx_count: record.transactionCount,
    size: record.size,
    weight: record.weight,
    merkle_root: displayHash(header.merkleRoot),
    previousblockhash: record.previousHash ?? null,
    mediantime: record.medianTime,
    nonce: header.nonce,
    bits: header.bits,
    difficulty: difficultyOfBits(header.bits),
  };
}

/** Returns the place of a block on the best chain; a stale block and an unknown one are not distinguished. */
export function renderBlockStatus(record: BlockRecord | undefined): BlockStatus {
  if (record?.onBestChain !== true) return { in_best_chain: false, height: null, next_best: null };
  return { in_best_chain: true, height: record.height, next_best: record.nextHash ?? null };
}
