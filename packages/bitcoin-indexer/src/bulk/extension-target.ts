import type { Network } from "@nodewright/bitcoin-primitives";
import type { Environment } from "../store/environment.ts";
import type { TipRow } from "../store/layout.ts";
import type { StoredTransactions } from "../store/stored-transactions.ts";

/** An index that readers see, to be extended by many blocks. */
export interface ExtensionTarget {
  readonly network: Network;
  readonly environment: Environment;
  /** Directory of the index's own copies of blocks. */
  readonly blocksDirectory: string;
  /** Network whose addresses are kept, where they are. */
  readonly addressesOf: Network | undefined;
  readonly blocksInPlace: boolean;
  /** Transactions in the tables; read between two rounds and within them. */
  readonly transactions: StoredTransactions;
  readonly tip: TipRow;
  /** Bytes of the tables. */
  readonly size: number;
  /** Commits the tip row: readers see the state that it describes. */
  settle(tip: TipRow): Promise<void>;
  /** Ends writing: bytes after the tip's blocks in our own files belong to no block. */
  finish(): void;
}
