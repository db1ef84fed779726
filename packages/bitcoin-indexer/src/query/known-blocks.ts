import { type BlockHash, displayHash, equalBytes, parseBlockHeader } from "@nodewright/bitcoin-primitives";
import { LRUCache } from "lru-cache";
import type { TableReads } from "../store/environment.ts";
import type { BlockRecord } from "./chain-queries.ts";
import {
  type BlockPosition,
  blockPositions,
  type BlockRow,
  blocks,
  replacedOutputs,
  type TipRow,
} from "../store/layout.ts";

/** A block of the best chain with what answers say of it. */
export interface KnownBlock {
  readonly height: number;
  readonly row: BlockRow;
  readonly hash: BlockHash;
  /** The header's, seconds since 1970. */
  readonly time: number;
  readonly position: BlockPosition;
  /** Without the block above it, which may come any time. */
  readonly record: BlockRecord;
}

/** What is told of a block, best chain or stale, but for the block above it. */
export function recordOf(row: BlockRow, height: number, onBestChain: boolean): BlockRecord {
  const header = parseBlockHeader(row.header);
  return {
    hash: displayHash(row.hash),
    height,
    header,
    transactionCount: row.transactionCount,
    chainTransactionCount: row.firstTransactionNumber + row.transactionCount,
    size: row.size,
    strippedSize: row.strippedSize,
    weight: row.strippedSize * 3 + row.size,
    medianTime: row.medianTime,
    chainWork: row.chainWork,
    ...(height === 0 ? {} : { previousHash: displayHash(header.previousHash) }),
    onBestChain,
  };
}

/** Each some 1,500 bytes. */
const maximumBlocks = 4_096;

/** The blocks of the best chain that answers lately spoke of. What is known of one stays true until a reorganisation. */
export class KnownBlocks {
  readonly #blocks = new LRUCache<number, KnownBlock>({ max: maximumBlocks });
  /** Those whose txids were found to be under their merkle roots. */
  readonly withCheckedIds: WeakSet<KnownBlock> = new WeakSet();
  #reorganisations = -1;
  #replacedAt = -1;
  #hasReplaced = false;

  /** Forgets what may have changed by the state that `tip` tells of. */
  refresh({ reorganisations }: TipRow): void {
    if (reorganisations === this.#reorganisations) return;
    this.#blocks.clear();
    this.#reorganisations = reorganisations;
  }

  /** Whether there are rows of `replaced-outputs`, of which most chains never have any. */
  hasReplaced(reads: TableReads, { changes }: TipRow): boolean {
    if (changes !== this.#replacedAt) {
      this.#hasReplaced = reads.count(replacedOutputs) > 0;
      this.#replacedAt = changes;
    }
    return this.#hasReplaced;
  }

  find(reads: TableReads, height: number): KnownBlock | undefined {
    const known = this.#blocks.get(height);
    if (known !== undefined) return known;
    const row = reads.get(blocks, height);
    const position = row === undefined ? undefined : reads.get(blockPositions, height);
    if (row === undefined || position === undefined) return undefined;
    const record = recordOf(row, height, true);
    if (!equalBytes(record.header.hash, row.hash)) throw reads.damaged(`the header at height ${height} is another`);
    const block: KnownBlock = { height, row, hash: record.hash, time: record.header.time, position, record };
    this.#blocks.set(height, block);
    return block;
  }
}
