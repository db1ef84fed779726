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

/** A block of the best chain with the facts that results contain. */
export interface KnownBlock {
  readonly height: number;
  readonly row: BlockRow;
  readonly hash: BlockHash;
  /** Time of the header, seconds since 1970. */
  readonly time: number;
  readonly position: BlockPosition;
  /** Record without the block above it, which may be connected any time. */
  readonly record: BlockRecord;
}

/** Returns the record of a block, best chain or stale, without the block above it. */
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

/** Maximum number of blocks, each some 1,500 bytes. */
const maximumBlocks = 4_096;

/** Cache of the blocks of the best chain that recent results referred to. An entry stays true until a reorganization. */
export class KnownBlocks {
  readonly #blocks = new LRUCache<number, KnownBlock>({ max: maximumBlocks });
  /** Blocks whose txids were checked against their merkle root. */
  readonly withCheckedIds: WeakSet<KnownBlock> = new WeakSet();
  #reorganisations = -1;
  #replacedAt = -1;
  #hasReplaced = false;

  /** Drops what may have changed by the state of `tip`. */
  refresh({ reorganisations }: TipRow): void {
    if (reorganisations === this.#reorganisations) return;
    this.#blocks.clear();
    this.#reorganisations = reorganisations;
  }

  /** Returns whether there are rows of `replaced-outputs`, which most chains never have. */
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
