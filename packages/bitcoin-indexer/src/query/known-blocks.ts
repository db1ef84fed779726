import { type BlockHash, displayHash } from "@nodewright/bitcoin-primitives";
import { LRUCache } from "lru-cache";
import type { TableReads } from "../store/environment.ts";
import { type BlockPosition, blockPositions, type BlockRow, blocks, type TipRow } from "../store/layout.ts";

/** A block of the best chain with what answers say of it. */
export interface KnownBlock {
  readonly height: number;
  readonly row: BlockRow;
  readonly hash: BlockHash;
  /** The header's, seconds since 1970. */
  readonly time: number;
  readonly position: BlockPosition;
}

/** Each some 700 bytes. */
const maximumBlocks = 4_096;

/** Of the time in a header. */
const timeOffset = 68;

/** The blocks of the best chain that answers lately spoke of. What is known of one stays true until a reorganisation. */
export class KnownBlocks {
  readonly #blocks = new LRUCache<number, KnownBlock>({ max: maximumBlocks });
  #reorganisations = -1;

  /** Forgets what may have changed by the state that `tip` tells of. */
  refresh({ reorganisations }: TipRow): void {
    if (reorganisations === this.#reorganisations) return;
    this.#blocks.clear();
    this.#reorganisations = reorganisations;
  }

  find(reads: TableReads, height: number): KnownBlock | undefined {
    const known = this.#blocks.get(height);
    if (known !== undefined) return known;
    const row = reads.get(blocks, height);
    const position = row === undefined ? undefined : reads.get(blockPositions, height);
    if (row === undefined || position === undefined) return undefined;
    const time = Buffer.from(row.header.buffer, row.header.byteOffset).readUInt32LE(timeOffset);
    const block: KnownBlock = { height, row, hash: displayHash(row.hash), time, position };
    this.#blocks.set(height, block);
    return block;
  }
}
