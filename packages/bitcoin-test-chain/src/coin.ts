import type { TransactionIdBytes } from "@nodewright/bitcoin-primitives";

/** A transaction with a place in a chain, and an id as soon as it is signed. */
export class TransactionName {
  #txid: TransactionIdBytes | undefined;

  /** Txid. Throws before the transaction is signed. */
  get txid(): TransactionIdBytes {
    if (this.#txid === undefined) throw new Error("The txid of a transaction was requested before it was signed");
    return this.#txid;
  }

  get isKnown(): boolean {
    return this.#txid !== undefined;
  }

  reveal(txid: TransactionIdBytes): void {
    this.#txid = txid;
  }
}

/** A spendable output. */
export interface Coin {
  readonly origin: TransactionName;
  readonly vout: number;
  /** Satoshi. */
  readonly value: bigint;
  /** Number of its script in the script book. */
  readonly script: number;
  /** Height of the block that creates it; infinite as long as none does. */
  height: number;
}
