import type { BlockHashBytes, TransactionIdBytes } from "@nodewright/bitcoin-primitives";
import type { ChainSummary } from "./chain-summary.ts";

/** A block of a chain. */
export interface ChainBlock {
  readonly height: number;
  readonly hash: BlockHashBytes;
  readonly bytes: Uint8Array;
  /** Number of transactions with the coinbase. */
  readonly transactionCount: number;
  /** 0-based index of its stale branch; undefined on the best chain. */
  readonly branch: number | undefined;
}

/** A branch that lost. */
export interface StaleBranch {
  /** Height of the block that it shares with the best chain. */
  readonly forkHeight: number;
  /** Block hashes, ascending by height. */
  readonly hashes: readonly BlockHashBytes[];
}

/** A transaction that is in no block when it is yielded. */
export interface MempoolTransaction {
  readonly txid: TransactionIdBytes;
  readonly bytes: Uint8Array;
  /** Satoshi. */
  readonly fee: bigint;
  /** Transactions in the mempool that it spends. */
  readonly parents: readonly TransactionIdBytes[];
  /** Whether it signals replaceability itself (BIP 125); its ancestors are not considered. */
  readonly isReplaceable: boolean;
}

/** One change of a mempool above the best chain, which a node makes when it receives the transaction or the block. */
export type MempoolStep =
  | { readonly kind: "arrival"; readonly transaction: MempoolTransaction }
  | {
      readonly kind: "replacement";
      readonly transaction: MempoolTransaction;
      /** Transactions that leave the mempool: those it conflicts with, and their descendants. */
      readonly replaced: readonly TransactionIdBytes[];
    }
  | {
      /** The next block of the best chain. */
      readonly kind: "block";
      readonly block: ChainBlock;
      /** Transactions that leave the mempool because the block contains them. */
      readonly confirmed: readonly TransactionIdBytes[];
      /** Transactions that leave the mempool because the block spends their inputs, including descendants. */
      readonly conflicted: readonly TransactionIdBytes[];
    };

/** A chain that is generated while it is read, once. */
export interface TestChain {
  /**
   * Every block, each after its parent, from the genesis block on. A stale branch precedes the blocks of the best chain that it lost to: a
   * node that receives the blocks in this order switches to it and comes back.
   */
  readonly blocks: AsyncIterable<ChainBlock>;
  /** Events in the mempool afterwards. Read after the last of the blocks. */
  readonly mempool: AsyncIterable<MempoolStep>;
  /** Stale branches of the blocks read so far. */
  readonly staleBranches: readonly StaleBranch[];
  /** Returns the summary of what was read so far. */
  summary(): ChainSummary;
}
