import { availableParallelism } from "node:os";
import type { Network } from "@nodewright/bitcoin-primitives";
import type { Environment } from "../store/environment.ts";

/** An index that no reader sees yet, to be filled in bulk. */
export interface BulkTarget {
  readonly network: Network;
  readonly environment: Environment;
  /** Directory of the index's own copies of blocks. */
  readonly blocksDirectory: string;
  /** Directory of files that are deleted when the index is complete. */
  readonly bulkDirectory: string;
  /** Network whose addresses are kept, where they are. */
  readonly addressesOf: Network | undefined;
  readonly blocksInPlace: boolean;
  /** Commits the tip row: readers may see the index. */
  finish(): void;
}

/** Limits of memory, and of the work that a crash may cost. */
export interface BulkLimits {
  /** Bytes of blocks below which a chain is indexed block by block. */
  readonly minimumBytes: number;
  /** Bytes of blocks between two journals; more where many outputs are unspent, whose journal is longer. */
  readonly segmentBytes: number;
  /** 32-bit words of unspent outputs in memory. */
  readonly unspentWords: number;
  /** 32-bit words of each sorted table's records in memory. */
  readonly sorterWords: number;
  /** Rows of sorted tables between two journals. */
  readonly rowsPerTransaction: number;
  /** Number of runs that are merged at once. */
  readonly runsPerMerge: number;
  /** Bytes of blocks that are scanned at once, unless a single one is longer; at most 4,000,008. */
  readonly batchBytes: number;
  /** Number of threads that read and scan blocks; 0: the joining thread does. */
  readonly threads: number;
}

/** Limits that suit most machines. */
export const defaultBulkLimits: BulkLimits = {
  minimumBytes: 16_000_000,
  segmentBytes: 64_000_000,
  unspentWords: 32 * 1024 * 1024,
  sorterWords: 12 * 1024 * 1024,
  rowsPerTransaction: 250_000,
  runsPerMerge: 64,
  batchBytes: 2_000_000,
  threads: availableParallelism() > 3 ? 2 : 1,
};
