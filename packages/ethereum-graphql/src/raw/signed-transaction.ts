import { keccak256, readRlpItem } from "./rlp.ts";
import { withType } from "./raw-transaction.ts";

const blobType = 3;

/**
 * Returns the hash of a submitted signed transaction: Keccak-256 of its canonical encoding (EIP-2718).
 *
 * A transaction with blobs is sent together with them, and its hash is that of the transaction alone (EIP-4844, "Networking").
 */
export function hashOfSigned(bytes: Uint8Array): string {
  if (bytes[0] !== blobType) return keccak256(bytes);
  const transaction = transactionWithBlobs(bytes.subarray(1));
  return keccak256(transaction === undefined ? bytes : withType(blobType, transaction));
}

/**
 * Returns the first element of the list, where that is a list itself; undefined for a transaction without its blobs, and for anything else.
 */
function transactionWithBlobs(rlp: Uint8Array): Uint8Array | undefined {
  const whole = readRlpItem(rlp, 0);
  if (whole?.isList !== true) return undefined;
  const first = readRlpItem(rlp, whole.start);
  return first?.isList === true && first.end <= whole.end ? rlp.subarray(whole.start, first.end) : undefined;
}
