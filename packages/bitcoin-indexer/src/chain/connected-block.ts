import type { Block } from "@nodewright/bitcoin-primitives";

/** An output that was spent, whole, so that nothing else need be read to show the input, or to take the spend back. */
export interface SpentOutput {
  /** Of the transaction that made it, in chain order from 0. */
  readonly transactionNumber: number;
  readonly height: number;
  readonly isCoinbase: boolean;
  /** Satoshi. */
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
}

/** A block in its place on a chain: everything that its rows are made from. */
export interface ConnectedBlock {
  readonly height: number;
  readonly block: Block;
  /** Of its coinbase; the block's other transactions follow in order. */
  readonly firstTransactionNumber: number;
  /** Seconds since 1970 (BIP 113). */
  readonly medianTime: number;
  /** Of the chain up to and with this block. */
  readonly chainWork: bigint;
  /** For each transaction, one for each of its inputs; none for the coinbase. */
  readonly spentOutputs: readonly (readonly SpentOutput[])[];
}
