import {
  doubleSha256,
  type HashBytes,
  serializeTransaction,
  type TransactionContent,
  type TransactionIdBytes,
} from "@nodewright/bitcoin-primitives";

/** A transaction as in blocks. */
export interface SignedTransaction {
  /** Serialization with witnesses. */
  readonly bytes: Uint8Array;
  readonly txid: TransactionIdBytes;
  readonly wtxid: HashBytes;
}

/** Returns the bytes of a transaction and its two ids. */
export function finishTransaction(transaction: TransactionContent): SignedTransaction {
  const bytes = serializeTransaction(transaction);
  const hasWitness = transaction.inputs.some(({ witness }) => witness.length > 0);
  const txid = doubleSha256(hasWitness ? serializeTransaction(transaction, { witness: false }) : bytes);
  return { bytes, txid, wtxid: hasWitness ? doubleSha256(bytes) : txid };
}
