import { type Block, medianTimePast, type Transaction } from "@nodewright/bitcoin-primitives";
import { BadBlock } from "./bad-block.ts";
import type { ConnectedBlock, SpentOutput } from "./connected-block.ts";
import type { HeaderWork } from "./header-work.ts";
import type { SpendableOutputs } from "./spendable-outputs.ts";

/** State of a chain on which the next block builds. */
export interface ChainState {
  /** Height; -1 below the genesis block. */
  readonly height: number;
  /** Hash in wire order; zero below the genesis block. */
  readonly hash: Uint8Array;
  readonly chainWork: bigint;
  /** Times of the highest blocks, at most as many as the next median needs, ascending by height. */
  readonly times: readonly number[];
  readonly nextTransactionNumber: number;
}

/** State below the genesis block. */
export const emptyChain: ChainState = {
  height: -1,
  hash: new Uint8Array(32),
  chainWork: 0n,
  times: [],
  nextTransactionNumber: 0,
};

/** Number of blocks below the next one whose times go into its median (BIP 113). */
export const medianTimeReach = 10;

/**
 * Connects a verified block to a chain: numbers its transactions and takes the outputs that it spends.
 *
 * Throws `BadBlock` when it spends outputs that do not exist, or more than their value; `outputs` is then of no further use.
 */
export function connectBlock(
  block: Block,
  chain: ChainState,
  outputs: SpendableOutputs,
  headerWork: HeaderWork,
): ConnectedBlock {
  const height = chain.height + 1;
  const spentOutputs = block.transactions.map((transaction, position) => {
    const spent = position === 0 ? [] : takeOutputs(block, transaction, outputs);
    outputs.add(transaction, chain.nextTransactionNumber + position, height, position === 0);
    return spent;
  });
  return {
    height,
    block,
    firstTransactionNumber: chain.nextTransactionNumber,
    medianTime: medianTimePast([...chain.times, block.header.time]),
    chainWork: chain.chainWork + headerWork.workOf(block.header.bits),
    spentOutputs,
  };
}

/** Returns the chain with one more block. */
export function extendChain(chain: ChainState, { block, height, chainWork }: ConnectedBlock): ChainState {
  return {
    height,
    hash: block.header.hash,
    chainWork,
    times: [...chain.times, block.header.time].slice(-medianTimeReach),
    nextTransactionNumber: chain.nextTransactionNumber + block.transactions.length,
  };
}

function takeOutputs(block: Block, transaction: Transaction, outputs: SpendableOutputs): readonly SpentOutput[] {
  const offset = transaction.bytes.byteOffset - block.bytes.byteOffset;
  let available = 0n;
  const spent = transaction.inputs.map(({ previousOutput }) => {
    const output = outputs.take(previousOutput);
    if (output === undefined)
      throw new BadBlock("a transaction spends an output that does not exist or is spent", offset);
    available += output.value;
    return output;
  });
  const paid = transaction.outputs.reduce((sum, { value }) => sum + value, 0n);
  if (paid > available) throw new BadBlock("a transaction pays more than it spends", offset);
  return spent;
}
