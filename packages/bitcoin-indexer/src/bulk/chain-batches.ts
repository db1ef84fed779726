import type { ChainInFiles } from "../source/chain-in-files.ts";
import { batchSize, placeNumbers } from "./scan-batch.ts";
import type { ScanPool } from "./scan-pool.ts";

/** Source of scan orders for the blocks of a chain in files, batch by batch. */
export class ChainBatches {
  readonly #chain: ChainInFiles;
  readonly #batchBytes: number;
  readonly #fileNumbers = new Map<string, number>();

  /** Creates the batches. `batchBytes`: length of a batch, unless a single block is longer. */
  constructor(chain: ChainInFiles, batchBytes: number) {
    this.#chain = chain;
    this.#batchBytes = batchBytes;
  }

  /** Orders one batch of the blocks from `firstHeight` on, none above `lastHeight`. Returns the height after them. */
  order(pool: ScanPool, firstHeight: number, lastHeight: number): number {
    const count = batchSize(this.#lengths(firstHeight, lastHeight), this.#batchBytes);
    const paths = new Map<string, number>();
    const places = new Float64Array(count * placeNumbers);
    const hashes = new Uint8Array(count * 32);
    for (let index = 0; index < count; index += 1) {
      const { path, offset, length, hash } = this.#chain.blockAt(firstHeight + index);
      const file = this.#fileNumber(path);
      paths.set(path, file);
      places.set([file, offset, length], index * placeNumbers);
      hashes.set(hash, index * 32);
    }
    const named = Array.from(paths, ([path, file]) => [file, path] as const);
    pool.order(firstHeight, count, { paths: named, places, hashes });
    return firstHeight + count;
  }

  *#lengths(firstHeight: number, lastHeight: number): Generator<number> {
    for (let height = firstHeight; height <= lastHeight; height += 1) yield this.#chain.blockAt(height).length;
  }

  #fileNumber(path: string): number {
    const number = this.#fileNumbers.get(path) ?? this.#fileNumbers.size;
    this.#fileNumbers.set(path, number);
    return number;
  }
}
