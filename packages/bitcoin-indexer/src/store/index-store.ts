import type { BlockHash, BlockHeader, Network, Outpoint } from "@nodewright/bitcoin-primitives";
import type { ConnectedBlock, SpentOutput } from "../chain/connected-block.ts";
import type { ChainQueries } from "../query/chain-queries.ts";

/** A block of the best chain as far as building on it needs it. */
export interface StoredHeader {
  readonly height: number;
  readonly header: BlockHeader;
  readonly chainWork: bigint;
  /** Of the block above. */
  readonly nextTransactionNumber: number;
  readonly hash: BlockHash;
}

/** How far a store is. */
export interface StoreTip {
  /** -1 while nothing is indexed. */
  readonly height: number;
  readonly nextTransactionNumber: number;
}

/** Blocks to take from the top of the best chain, and blocks to put there. */
export interface StoreUpdate {
  /** From the tip downward, as `connectedBlock` gave them. */
  readonly disconnect: readonly ConnectedBlock[];
  /** Upward from what remains. */
  readonly connect: readonly ConnectedBlock[];
}

/**
 * Where an index is kept: the seam behind which an embedded or a distributed engine stands.
 *
 * One writer at a time. A store decides itself how rows are keyed; it is given whole blocks in their places, and everything that it is
 * asked for is bounded.
 */
export interface IndexStore {
  readonly network: Network;
  tip(): Promise<StoreTip>;
  /** The best chain's headers from `fromHeight` to `toHeight`, both included, as far as they exist; ascending. */
  headers(fromHeight: number, toHeight: number): Promise<readonly StoredHeader[]>;
  /** For each outpoint the output, or `undefined` when the best chain has none or has spent it. */
  findUnspentOutputs(outpoints: readonly Outpoint[]): Promise<readonly (SpentOutput | undefined)[]>;
  /** A block of the best chain with what it spent, to be disconnected. Throws when the best chain is lower. */
  connectedBlock(height: number): Promise<ConnectedBlock>;
  /** Applies an update at once: readers see the chain before or after it, and so does a process that starts after a crash. */
  apply(update: StoreUpdate): Promise<void>;
  /** The read side, of this process; valid until the store is closed. */
  queries(): ChainQueries;
  close(): Promise<void>;
}
