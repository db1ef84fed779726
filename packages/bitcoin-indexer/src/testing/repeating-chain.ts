import { displayHash, parseBlock, type TransactionContent } from "@nodewright/bitcoin-primitives";
import { mineRegtestBlock, regtestGenesisBlock } from "./regtest-block.ts";

/** A small set of scripts, so that histories overlap: of stored forms and of none, an unspendable one, and an empty one. */
export const repeatingScripts: readonly Uint8Array[] = [
  Uint8Array.from([0x76, 0xa9, 20, ...new Uint8Array(20).fill(1), 0x88, 0xac]),
  Uint8Array.from([0x00, 20, ...new Uint8Array(20).fill(2)]),
  Uint8Array.from([0x51, 32, ...new Uint8Array(32).fill(3)]),
  Uint8Array.from([0x51, 0x52, ...new Uint8Array(200).fill(0x61)]),
  Uint8Array.from([0x6a, 4, 1, 2, 3, 4]),
  new Uint8Array(0),
];
const noScript = new Uint8Array(0);

/** An output that may be spent. */
export interface Coin {
  readonly txid: Uint8Array;
  readonly vout: number;
  readonly value: bigint;
}

/** Inputs and outputs of a payment, chosen among the existing ones. */
interface PaymentChoices {
  readonly coins: readonly number[];
  /** Numbers of `repeatingScripts`. */
  readonly scripts: readonly number[];
  readonly hasWitness: boolean;
}

/** Content of a block. Coinbases are identical where their choices are, as before BIP 34, and so may be transactions that spend them. */
export interface BlockChoices {
  readonly coinbase: number;
  readonly script: number;
  readonly payments: readonly PaymentChoices[];
}

/** Grows a chain from the given blocks. */
export function repeatingChain(choices: readonly BlockChoices[]): Uint8Array[] {
  const blocks = [regtestGenesisBlock()];
  /** Coins by outpoint: a transaction with an existing txid replaces the earlier one. */
  const coins = new Map<string, Coin>();
  for (const { coinbase, script, payments } of choices) {
    const previousHash = parseBlock(blocks.at(-1) ?? noScript).header.hash;
    const transactions: TransactionContent[] = [];
    const left = new Map(coins);
    for (const payment of payments) {
      const spent = takeCoins(left, payment.coins);
      if (spent.length > 0) transactions.push(transactionOf(spent, payment.scripts, payment.hasWitness));
    }
    const time = 1_300_000_000 + blocks.length * 600;
    const scriptPubKey = repeatingScripts[script] ?? noScript;
    blocks.push(mineRegtestBlock({ previousHash, height: coinbase, time, scriptPubKey, transactions }));
    for (const { txid, inputs, outputs } of parseBlock(blocks.at(-1) ?? noScript).transactions) {
      for (const { previousOutput: spent } of inputs) coins.delete(`${displayHash(spent.txid)}:${spent.vout}`);
      for (const [vout, { value, scriptPubKey: paid }] of outputs.entries()) {
        if (paid[0] !== 0x6a) coins.set(`${displayHash(txid)}:${vout}`, { txid: Uint8Array.from(txid), vout, value });
      }
    }
  }
  return blocks;
}

function takeCoins(coins: Map<string, Coin>, choices: readonly number[]): readonly Coin[] {
  const taken: Coin[] = [];
  for (const choice of choices) {
    const [key, coin] = [...coins][choice % Math.max(1, coins.size)] ?? [];
    if (key === undefined || coin === undefined) continue;
    coins.delete(key);
    taken.push(coin);
  }
  return taken;
}

/** Returns a transaction that divides its inputs among the scripts that it pays to. */
export function transactionOf(
  spent: readonly Coin[],
  paid: readonly number[],
  hasWitness: boolean,
): TransactionContent {
  const available = spent.reduce((sum, { value }) => sum + value, 0n);
  return {
    version: 2,
    locktime: 0,
    inputs: spent.map(({ txid, vout }, index) => ({
      previousOutput: { txid, vout },
      scriptSig: Uint8Array.of(0x51),
      sequence: 0xffffffff,
      witness: hasWitness && index === 0 ? [Uint8Array.of(1), noScript] : [],
    })),
    outputs: paid.map((script) => ({
      value: available / BigInt(paid.length + 1),
      scriptPubKey: repeatingScripts[script] ?? noScript,
    })),
  };
}
