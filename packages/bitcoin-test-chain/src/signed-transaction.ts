import {
  doubleSha256,
  type HashBytes,
  serializeTransaction,
  type TransactionContent,
  type TransactionIdBytes,
} from "@nodewright/bitcoin-primitives";

/** A transaction as it goes into blocks. */
export interface SignedTransaction {
  /** With witnesses. */
  readonly bytes: Uint8Array;
  readonly txid: TransactionIdBytes;
  readonly wtxid: HashBytes;
}

/** The bytes of a transaction and its two names. */
export function finishTransaction(transaction: TransactionContent): SignedTransaction {
  const bytes = serializeTransaction(transaction);
  const hasWitness = transaction.inputs.some(({ witness }) => witness.length > 0);
  const txid = doubleSha256(hasWitness ? serializeTransaction(transaction, { witness: false }) : bytes);
  return { bytes, txid, wtxid: hasWitness ? doubleSha256(bytes) : txid };
}
