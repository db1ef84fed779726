import {
  type Block,
  concatBytes,
  displayHash,
  doubleSha256,
  equalBytes,
  growMerkleTree,
  type Transaction,
  witnessCommitmentOf,
} from "@nodewright/bitcoin-primitives";
import { BadBlock } from "./bad-block.ts";
import type { HeaderWork } from "./header-work.ts";

/** Consensus: maximum weight units of a block (BIP 141). */
const maximumWeight = 4_000_000;

/** Consensus: maximum of an output and of a sum of outputs, the total supply, in satoshi. */
const maximumMoney = 2_100_000_000_000_000n;

/** Byte offset of the merkle root in a header. */
const merkleRootOffset = 36;
/** Byte offset of the compact target in a header. */
const bitsOffset = 72;

/**
 * Checks a block in itself: proof of work, the merkle root over its transactions, the witness commitment, its weight and amounts, and that
 * it is the block `expectedHash`, above `parentHash`. Its spends are checked when it is connected.
 *
 * Scripts and signatures are not run: a block with valid proof of work that its source has accepted passes. Throws `BadBlock`.
 */
export function verifyBlock(block: Block, expected: ExpectedBlock, headerWork: HeaderWork): void {
  for (const _step of verifyBlockInSteps(block, expected, headerWork));
}

/** Facts known about a block before its bytes. */
interface ExpectedBlock {
  /** Hash in display order. */
  readonly hash: string;
  /** Hash in wire order. */
  readonly previousHash: Uint8Array;
}

/** Verifies a block in the same way in steps, between which other work can run. */
export function* verifyBlockInSteps(
  block: Block,
  expected: ExpectedBlock,
  headerWork: HeaderWork,
): Generator<void, void> {
  const { header } = block;
  if (!headerWork.isProven(header)) throw new BadBlock("its hash does not meet the target of its header", bitsOffset);
  if (displayHash(header.hash) !== expected.hash) throw new BadBlock("it is another block than its header was");
  if (!equalBytes(header.previousHash, expected.previousHash))
    throw new BadBlock("its previous block hash is not the hash of the block below", 4);
  if (block.weight > maximumWeight) throw new BadBlock("it is heavier than a block may be");
  yield* verifyTransactions(block);
  yield* verifyWitnessCommitment(block);
}

function* verifyTransactions(block: Block): Generator<void, void> {
  const { root, mutated } = yield* growMerkleTree(block.transactions.map((transaction) => transaction.txid));
  if (!equalBytes(root, block.header.merkleRoot)) {
    throw new BadBlock("its merkle root is not that of its transactions", merkleRootOffset);
  }
  if (mutated) throw new BadBlock("its transactions are repeated");
  for (const [position, transaction] of block.transactions.entries()) {
    const offset = transaction.bytes.byteOffset - block.bytes.byteOffset;
    if (transaction.isCoinbase !== (position === 0)) {
      throw new BadBlock(position === 0 ? "it has no coinbase" : "it has a second coinbase", offset);
    }
    verifyAmounts(transaction, offset);
  }
}

function verifyAmounts(transaction: Transaction, offset: number): void {
  let sum = 0n;
  for (const { value } of transaction.outputs) {
    sum += value;
    if (value < 0n || sum > maximumMoney) throw new BadBlock("a transaction pays an impossible amount", offset);
  }
}

/** Checks the witness commitment. Witnesses are not covered by the merkle root: without this a source could change them unnoticed. */
function* verifyWitnessCommitment(block: Block): Generator<void, void> {
  const [coinbase, ...transactions] = block.transactions;
  if (coinbase === undefined || !block.transactions.some((transaction) => transaction.hasWitness)) return;
  const commitment = witnessCommitmentOf(coinbase);
  if (commitment === undefined) throw new BadBlock("it has witnesses without a commitment to them");
  const [reserved, ...others] = coinbase.inputs[0]?.witness ?? [];
  // BIP 141: the witness is a single array. The commitment covers only the first, so a source could add others unnoticed.
  if (reserved?.length !== 32 || others.length > 0)
    throw new BadBlock("its coinbase lacks the reserved value of the witness commitment");
  const { root } = yield* growMerkleTree([new Uint8Array(32), ...transactions.map((transaction) => transaction.wtxid)]);
  const expected = doubleSha256(concatBytes(root, reserved));
  if (!equalBytes(commitment, expected)) {
    throw new BadBlock("its witness commitment is not that of its witnesses");
  }
}
