import type { Network } from "@nodewright/bitcoin-primitives";
import type { Environment } from "../store/environment.ts";
import type { TipRow } from "../store/layout.ts";
import type { StoredTransactions } from "../store/stored-transactions.ts";

/** An index that readers see, to be extended by many blocks. */
export interface ExtensionTarget {
  readonly network: Network;
  readonly environment: Environment;
  /** For our own copies of blocks. */
  readonly blocksDirectory: string;
  /** The network whose addresses are kept, where they are. */
  readonly addressesOf: Network | undefined;
  readonly blocksInPlace: boolean;
  /** What the tables have; asked between two rounds and within them. */
  readonly transactions: StoredTransactions;
  readonly tip: TipRow;
  /** Bytes of the tables. */
  readonly size: number;
  /** The tip row is committed: readers see what it tells of. */
  settle(tip: TipRow): Promise<void>;
  /** Nobody writes any more: what stands behind the tip's blocks in our own files is of no block. */
  finish(): void;
}
