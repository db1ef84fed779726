import { availableParallelism } from "node:os";
import type { Network } from "@nodewright/bitcoin-primitives";
import type { Environment } from "../store/environment.ts";

/** An index that no reader sees yet, to be filled in bulk. */
export interface BulkTarget {
  readonly network: Network;
  readonly environment: Environment;
  /** For our own copies of blocks. */
  readonly blocksDirectory: string;
  /** For files that are gone when the index is whole. */
  readonly bulkDirectory: string;
  /** The network whose addresses are kept, where they are. */
  readonly addressesOf: Network | undefined;
  readonly blocksInPlace: boolean;
  /** The tip row is committed: readers may see the index. */
  finish(): void;
}

/** What bounds memory, and the work that a crash may cost. */
export interface BulkLimits {
  /** Of blocks: a shorter chain is indexed block by block. */
  readonly minimumBytes: number;
  /** Of blocks, between two journals; more where many outputs are unspent, whose journal is longer. */
  readonly segmentBytes: number;
  /** 32-bit words of unspent outputs in memory. */
  readonly unspentWords: number;
  /** 32-bit words of each of the sorted tables' records in memory. */
  readonly sorterWords: number;
  /** Rows of sorted tables between two journals. */
  readonly rowsPerTransaction: number;
  /** Runs that are merged at once. */
  readonly runsPerMerge: number;
  /** Of blocks that are scanned at once, unless one alone is longer; at most 4,000,008. */
  readonly batchBytes: number;
  /** Threads that read and scan blocks; 0: the one that joins them does. */
  readonly threads: number;
}

/** What fits most machines. */
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
