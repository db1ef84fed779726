import type { BlockRecord, IndexedTransaction, PreviousOutput } from "@nodewright/bitcoin-indexer";
import { compactSizeLength, isUnspendable, type TransactionOutput } from "@nodewright/bitcoin-primitives";
import { feeRatePercentiles, median, type WeighedFeeRate } from "./percentiles.ts";

/**
 * Bytes that Bitcoin Core counts for an unspent output in addition to the output: 36 for the outpoint, and 4 for the height including the
 * coinbase flag. Its releases up to 31 count the flag as a fifth byte; later versions (31.99, pull request 31449) do not.
 */
const unspentOutputOverhead = 40;

/** Coinbases that repeated the ids of earlier ones, and replaced them in the set of unspent outputs (BIP 30). */
const repeatedCoinbases: ReadonlySet<string> = new Set([
  "00000000000a4d0a398161ffc163c503763b1f4360639393e0e4c8e300e0caec",
  "00000000000743f190a18c5577a3c2d2a1f610ae9601ac046a38084ccb7cd721",
]);

/** Totals of the transactions of a block. Amounts in satoshi, sizes in bytes, rates in satoshi per virtual byte, rounded down. */
export interface BlockCounts {
  readonly avgfee: number;
  readonly avgfeerate: number;
  readonly avgtxsize: number;
  /** Fee rates at 10, 25, 50, 75 and 90 percent of the weight. */
  readonly feerate_percentiles: readonly number[];
  readonly ins: number;
  readonly maxfee: number;
  readonly maxfeerate: number;
  readonly maxtxsize: number;
  readonly medianfee: number;
  readonly mediantxsize: number;
  readonly minfee: number;
  readonly minfeerate: number;
  readonly mintxsize: number;
  readonly outs: number;
  readonly swtotal_size: number;
  readonly swtotal_weight: number;
  readonly swtxs: number;
  readonly total_out: number;
  readonly total_size: number;
  readonly total_weight: number;
  readonly totalfee: number;
  readonly txs: number;
  readonly utxo_increase: number;
  readonly utxo_size_inc: number;
  readonly utxo_increase_actual: number;
  readonly utxo_size_inc_actual: number;
}

/** Counter of the statistics of Bitcoin Core's getblockstats, transaction by transaction in block order. */
export class BlockCounter {
  readonly #record: Pick<BlockRecord, "hash" | "height">;
  readonly #fees: number[] = [];
  readonly #sizes: number[] = [];
  readonly #feeRates: WeighedFeeRate[] = [];
  #transactions = 0;
  #inputs = 0;
  #outputs = 0;
  #paid = 0;
  #totalFee = 0;
  #totalSize = 0;
  #totalWeight = 0;
  #witnessTransactions = 0;
  #witnessSize = 0;
  #witnessWeight = 0;
  #unspent = 0;
  #unspentSize = 0;
  #unspentSizeActual = 0;

  constructor(record: Pick<BlockRecord, "hash" | "height">) {
    this.#record = record;
  }

  add({ transaction, previousOutputs }: Pick<IndexedTransaction, "transaction" | "previousOutputs">): void {
    this.#transactions += 1;
    const { outputs, isCoinbase } = transaction;
    const paid = this.#addOutputs(outputs, isCoinbase);
    if (isCoinbase) return;
    const { size, weight, hasWitness, inputs } = transaction;
    this.#inputs += inputs.length;
    this.#paid += paid;
    this.#totalSize += size;
    this.#totalWeight += weight;
    this.#sizes.push(size);
    if (hasWitness) {
      this.#witnessTransactions += 1;
      this.#witnessSize += size;
      this.#witnessWeight += weight;
    }
    this.#addFee(this.#takeInputs(previousOutputs) - paid, weight);
  }

  /** Returns the counts so far. */
  counts(): BlockCounts {
    const others = this.#transactions - 1;
    const average = (sum: number): number => (others > 0 ? Math.floor(sum / others) : 0);
    const rates = this.#feeRates.map(({ feeRate }) => feeRate);
    return {
      avgfee: average(this.#totalFee),
      avgfeerate: feeRateOf(this.#totalFee, this.#totalWeight),
      avgtxsize: average(this.#totalSize),
      feerate_percentiles: feeRatePercentiles(this.#feeRates, this.#totalWeight),
      ins: this.#inputs,
      maxfee: highest(this.#fees),
      maxfeerate: highest(rates),
      maxtxsize: highest(this.#sizes),
      medianfee: median(this.#fees),
      mediantxsize: median(this.#sizes),
      minfee: lowest(this.#fees),
      minfeerate: lowest(rates),
      mintxsize: lowest(this.#sizes),
      outs: this.#outputs,
      swtotal_size: this.#witnessSize,
      swtotal_weight: this.#witnessWeight,
      swtxs: this.#witnessTransactions,
      total_out: this.#paid,
      total_size: this.#totalSize,
      total_weight: this.#totalWeight,
      totalfee: this.#totalFee,
      txs: this.#transactions,
      utxo_increase: this.#outputs - this.#inputs,
      utxo_size_inc: this.#unspentSize,
      utxo_increase_actual: this.#unspent - this.#inputs,
      utxo_size_inc_actual: this.#unspentSizeActual,
    };
  }

  /** Adds outputs and returns their satoshi. */
  #addOutputs(outputs: readonly TransactionOutput[], isCoinbase: boolean): number {
    const { height, hash } = this.#record;
    // The first block's output was never spendable; a repeated coinbase adds none to those of the first.
    const isCounted = height > 0 && !(isCoinbase && repeatedCoinbases.has(hash));
    let paid = 0;
    this.#outputs += outputs.length;
    for (const output of outputs) {
      paid += Number(output.value);
      const size = sizeOfUnspent(output);
      this.#unspentSize += size;
      if (!isCounted || isUnspendable(output.scriptPubKey)) continue;
      this.#unspent += 1;
      this.#unspentSizeActual += size;
    }
    return paid;
  }

  /** Adds inputs and returns their satoshi. */
  #takeInputs(previousOutputs: readonly (PreviousOutput | undefined)[]): number {
    let taken = 0;
    for (const spent of previousOutputs) {
      if (spent === undefined) throw new Error(`An output that block ${this.#record.hash} spends is not known`);
      taken += Number(spent.value);
      const size = sizeOfUnspent(spent);
      this.#unspentSize -= size;
      this.#unspentSizeActual -= size;
    }
    return taken;
  }

  #addFee(fee: number, weight: number): void {
    this.#totalFee += fee;
    this.#fees.push(fee);
    this.#feeRates.push({ feeRate: feeRateOf(fee, weight), weight });
  }
}

const weightPerVirtualByte = 4;

/** Returns satoshi per virtual byte, rounded down; 0 for no weight. */
function feeRateOf(fee: number, weight: number): number {
  return weight === 0 ? 0 : Math.floor((fee * weightPerVirtualByte) / weight);
}

const valueLength = 8;

function sizeOfUnspent({ scriptPubKey: { length } }: Pick<TransactionOutput, "scriptPubKey">): number {
  return valueLength + compactSizeLength(length) + length + unspentOutputOverhead;
}

/** Returns the highest value; 0 for none. */
function highest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

/** Returns the lowest value; 0 for none. */
function lowest(values: readonly number[]): number {
  const [first = 0] = values;
  return values.reduce((least, value) => Math.min(least, value), first);
}
