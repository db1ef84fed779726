import type { Block } from "@nodewright/bitcoin-primitives";

/** Output that an input spends. */
export interface PreviousOutput {
  /** Satoshi. */
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
  /** Height of the block that created the output. */
  readonly height: number;
  readonly isCoinbase: boolean;
}

/** A spent output with all its data, so that nothing else needs to be read to show the input, or to undo the spend. */
export interface SpentOutput extends PreviousOutput {
  /** Number of the transaction that created it, in chain order from 0. */
  readonly transactionNumber: number;
}

/** A block at its place on a chain: everything that its rows are derived from. */
export interface ConnectedBlock {
  readonly height: number;
  readonly block: Block;
  /** Number of its coinbase; the block's other transactions follow in order. */
  readonly firstTransactionNumber: number;
  /** Median time past in seconds since 1970 (BIP 113). */
  readonly medianTime: number;
  /** Work of the chain up to and including this block. */
  readonly chainWork: bigint;
  /** Spent outputs for each transaction, one for each of its inputs; none for the coinbase. */
  readonly spentOutputs: readonly (readonly SpentOutput[])[];
}
