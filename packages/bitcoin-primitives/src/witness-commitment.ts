import type { Block } from "./block.ts";
import { equalBytes } from "./bytes.ts";
import { type HashBytes, hashLength } from "./hash.ts";
import { hashPair, merkleRoot } from "./merkle-tree.ts";
import type { Transaction } from "./transaction.ts";

/** Beginning of `OP_RETURN <36 bytes: aa21a9ed and the commitment …>`. */
const commitmentHeader: Uint8Array = Uint8Array.of(0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed);
const commitmentEnd = commitmentHeader.length + hashLength;

/** Returns the commitment in a coinbase (BIP 141): that of the last output which has one; `undefined` when none does. */
export function witnessCommitmentOf(coinbase: Transaction): HashBytes | undefined {
  const output = coinbase.outputs.findLast(
    ({ scriptPubKey }) =>
      scriptPubKey.length >= commitmentEnd &&
      equalBytes(scriptPubKey.subarray(0, commitmentHeader.length), commitmentHeader),
  );
  return output?.scriptPubKey.subarray(commitmentHeader.length, commitmentEnd);
}

/**
 * Returns whether the block's witnesses are those that its coinbase commits to, or it has neither (BIP 141).
 *
 * The merkle root covers txids, which exclude witnesses: only this distinguishes a block from one with altered witnesses. Blocks before
 * segwit's activation had no such rule, so call it for later ones only.
 */
export function hasValidWitnessCommitment(block: Block): boolean {
  const [coinbase] = block.transactions;
  if (coinbase === undefined) return false;
  const commitment = witnessCommitmentOf(coinbase);
  if (commitment === undefined) return block.transactions.every((transaction) => !transaction.hasWitness);
  const [reserved, ...others] = coinbase.inputs[0]?.witness ?? [];
  if (reserved?.length !== hashLength || others.length > 0) return false;
  return equalBytes(hashPair(witnessRootOf(block), reserved), commitment);
}

/** Returns the root over the wtxids, that of the coinbase being zero: it can't commit to itself. */
function witnessRootOf(block: Block): HashBytes {
  return merkleRoot(
    block.transactions.map((transaction, position) =>
      position === 0 ? new Uint8Array(hashLength) : transaction.wtxid,
    ),
  );
}
