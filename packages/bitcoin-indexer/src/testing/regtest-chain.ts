import { type Outpoint, parseBlock, type TransactionContent } from "@nodewright/bitcoin-primitives";
import { isUnspendable } from "../chain/unspendable.ts";
import { mineRegtestBlock, regtestGenesisBlock } from "./regtest-block.ts";

/** An output that the next block may spend. */
export interface RegtestCoin {
  readonly outpoint: Outpoint;
  /** Satoshi. */
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
}

/** A block with the spendable outputs of the chain up to it. */
export interface RegtestTip {
  readonly bytes: Uint8Array;
  /** Hash in wire order. */
  readonly hash: Uint8Array;
  readonly height: number;
  readonly time: number;
  /** Spendable outputs, oldest first. */
  readonly coins: readonly RegtestCoin[];
}

/** Inputs and outputs of a transaction of a generated block. */
export interface RegtestPayment {
  readonly coins: readonly RegtestCoin[];
  readonly outputs: readonly { readonly value: bigint; readonly scriptPubKey: Uint8Array }[];
  /** Witness of the first input. */
  readonly witness?: readonly Uint8Array[] | undefined;
}

/** Generator of trees of valid regtest blocks, block by block, from genesis. The same steps give the same blocks. */
export class RegtestChain {
  readonly genesis: RegtestTip;
  #salt = 0;

  constructor() {
    this.genesis = tipOf(regtestGenesisBlock(), undefined);
  }

  /** Mines a block on top of `parent`. */
  extend(parent: RegtestTip, scriptPubKey: Uint8Array, payments: readonly RegtestPayment[] = []): RegtestTip {
    this.#salt += 1;
    const bytes = mineRegtestBlock({
      previousHash: parent.hash,
      height: parent.height + 1,
      time: parent.time + 600,
      scriptPubKey,
      salt: this.#salt,
      transactions: payments.map(transactionOf),
    });
    return tipOf(bytes, parent);
  }
}

function transactionOf({ coins, outputs, witness }: RegtestPayment): TransactionContent {
  return {
    version: 2,
    inputs: coins.map(({ outpoint }, index) => ({
      previousOutput: outpoint,
      scriptSig: new Uint8Array(0),
      sequence: 0xfffffffd,
      witness: index === 0 ? (witness ?? []) : [],
    })),
    outputs,
    locktime: 0,
  };
}

function tipOf(bytes: Uint8Array, parent: RegtestTip | undefined): RegtestTip {
  const { header, transactions } = parseBlock(bytes);
  const coins = new Map((parent?.coins ?? []).map((coin) => [outpointText(coin.outpoint), coin]));
  for (const { txid, inputs, outputs } of transactions) {
    for (const { previousOutput } of inputs) coins.delete(outpointText(previousOutput));
    for (const [vout, { value, scriptPubKey }] of outputs.entries()) {
      const outpoint = { txid, vout };
      if (!isUnspendable(scriptPubKey)) coins.set(outpointText(outpoint), { outpoint, value, scriptPubKey });
    }
  }
  return {
    bytes,
    hash: header.hash,
    height: (parent?.height ?? -1) + 1,
    time: header.time,
    coins: [...coins.values()],
  };
}

function outpointText({ txid, vout }: Outpoint): string {
  return `${Buffer.from(txid).toString("hex")}:${vout}`;
}
