import type { BlockHashBytes, TransactionIdBytes } from "@nodewright/bitcoin-primitives";
import type { ChainSummary } from "./chain-summary.ts";

/** A block of a chain. */
export interface ChainBlock {
  readonly height: number;
  readonly hash: BlockHashBytes;
  readonly bytes: Uint8Array;
  /** With the coinbase. */
  readonly transactionCount: number;
  /** Which stale branch it is of, 0-based; undefined on the best chain. */
  readonly branch: number | undefined;
}

/** A branch that lost. */
export interface StaleBranch {
  /** Of the block that it shares with the best chain. */
  readonly forkHeight: number;
  /** Ascending by height. */
  readonly hashes: readonly BlockHashBytes[];
}

/** A transaction that is in no block when it is shown. */
export interface MempoolTransaction {
  readonly txid: TransactionIdBytes;
  readonly bytes: Uint8Array;
  /** Satoshi. */
  readonly fee: bigint;
  /** Transactions in the mempool that it spends. */
  readonly parents: readonly TransactionIdBytes[];
  /** It says so itself (BIP 125); its ancestors are not asked. */
  readonly isReplaceable: boolean;
}

/** One change of a mempool above the best chain, which a node makes when it is told of the transaction or the block. */
export type MempoolStep =
  | { readonly kind: "arrival"; readonly transaction: MempoolTransaction }
  | {
      readonly kind: "replacement";
      readonly transaction: MempoolTransaction;
      /** What leaves the mempool: those it conflicts with, and their descendants. */
      readonly replaced: readonly TransactionIdBytes[];
    }
  | {
      /** The next block of the best chain. */
      readonly kind: "block";
      readonly block: ChainBlock;
      /** What leaves the mempool because the block has it. */
      readonly confirmed: readonly TransactionIdBytes[];
      /** What leaves the mempool because the block spends what it spends, descendants among it. */
      readonly conflicted: readonly TransactionIdBytes[];
    };

/** A chain that is made while it is read, once. */
export interface TestChain {
  /**
   * Every block, each behind its parent, from the genesis block on. A stale branch stands before the blocks of the best chain that
   * it lost to: a node that takes the blocks in this order goes over to it and comes back.
   */
  readonly blocks: AsyncIterable<ChainBlock>;
  /** What happens in the mempool then. Read behind the last of the blocks. */
  readonly mempool: AsyncIterable<MempoolStep>;
  /** Those of the blocks read so far. */
  readonly staleBranches: readonly StaleBranch[];
  /** Of what was read so far. */
  summary(): ChainSummary;
}
