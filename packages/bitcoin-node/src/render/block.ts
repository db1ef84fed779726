import type { BlockHeader, CoinbaseTransaction } from "@nodewright/bitcoin-api/types";
import type { BlockRecord } from "@nodewright/bitcoin-indexer";
import { difficultyOfBits, displayHash, targetOfBits, type Transaction, toHex } from "@nodewright/bitcoin-primitives";
import { roundDouble } from "./double.ts";

/** Sizes of a block. */
export interface BlockSizes {
  readonly strippedsize: number;
  readonly size: number;
  readonly weight: number;
}

/** Renders the members that Bitcoin Core reports for a block's record, in its order. */
export function renderBlockHeader(record: BlockRecord, tipHeight: number): BlockHeader {
  const { header, previousHash, nextHash } = record;
  return {
    hash: record.hash,
    confirmations: confirmationsOf(record, tipHeight),
    height: record.height,
    version: header.version,
    versionHex: hexDigits(header.version >>> 0, 8),
    merkleroot: displayHash(header.merkleRoot),
    time: header.time,
    mediantime: record.medianTime,
    nonce: header.nonce,
    bits: hexDigits(header.bits, 8),
    target: hexDigits(targetOfBits(header.bits) ?? 0n, 64),
    difficulty: roundDouble(difficultyOfBits(header.bits)),
    chainwork: hexDigits(record.chainWork, 64),
    nTx: record.transactionCount,
    ...(previousHash === undefined ? {} : { previousblockhash: previousHash }),
    ...(nextHash === undefined ? {} : { nextblockhash: nextHash }),
  };
}

/** Renders the sizes of a block, in Bitcoin Core's order. */
export function renderBlockSizes({ strippedSize, size, weight }: BlockRecord): BlockSizes {
  return { strippedsize: strippedSize, size, weight };
}

/** Renders the coinbase members of a block. */
export function renderCoinbaseTransaction({ version, locktime, inputs }: Transaction): CoinbaseTransaction {
  const [input] = inputs;
  if (input === undefined) throw new Error("A coinbase without an input can't be part of a block");
  const [witness] = input.witness;
  return {
    version: version >>> 0,
    locktime,
    sequence: input.sequence,
    coinbase: toHex(input.scriptSig),
    ...(witness === undefined ? {} : { witness: toHex(witness) }),
  };
}

/** Returns the number of blocks of the best chain from this one to the tip, both counted; -1 for a stale block. */
export function confirmationsOf({ height, onBestChain }: BlockRecord, tipHeight: number): number {
  // The tip may be read a moment before the block, with a new block in between.
  return onBestChain ? Math.max(tipHeight - height + 1, 1) : -1;
}

function hexDigits(value: number | bigint, length: number): string {
  return value.toString(16).padStart(length, "0");
}
