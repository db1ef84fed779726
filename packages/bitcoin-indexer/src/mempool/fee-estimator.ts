import { setImmediate as nextTimeSlice } from "node:timers/promises";
import { feeEstimateTargets, unknownFeeRate } from "../query/mempool-queries.ts";
import type { RecentBlocks } from "./mempool-chain.ts";
import { packageFeeRates } from "./package-fee-rates.ts";
import type { UnconfirmedTransactions } from "./mempool-state.ts";

/** Virtual bytes of a full block. */
const blockSize = 1_000_000;

/** Weight units above which a block counts as full, of 4,000,000: it has left out transactions that paid less. */
const fullBlockWeight = 3_600_000;

/** Fraction of a block's weight, from the lowest fee rate up, that is ignored: it contains parents that their children pay for. */
const lowestShare = 0.1;

/** Number of examined blocks from the tip downward. */
const recentBlockCount = 24;

/** Number of transactions of a block that are read at once. */
const transactionsPerRead = 100;

/** Logarithm of the fee rate resolution: steps of one in a hundred. */
const stepLogarithm = Math.log(1.01);

/**
 * Estimator of fee rates for targets without an estimate of the node.
 *
 * The fee rate for confirmation within n blocks is the larger of
 *
 * - the lowest fee rate in the n-th block when the mempool is cut into full blocks from the highest paying package down, a package being a
 *   transaction with those of its unconfirmed ancestors that pay less;
 * - the fee rate that recent blocks would have required: of any n consecutive blocks among the last 3 n, at least 3 and at most 24, the one
 *   that required least, and of these the largest. A block requires what its lowest paying transactions pay, or nothing when it was not
 *   full.
 *
 * Recent blocks count only while the mempool holds more than one block, that is while there is a queue at all. They stand for transactions
 * that will arrive before the next block is found.
 */
export class FeeEstimator {
  readonly #chain: RecentBlocks;
  /** Lowest fee rates by block hash. */
  readonly #lowestFeeRates = new Map<string, number>();

  constructor(chain: RecentBlocks) {
    this.#chain = chain;
  }

  /**
   * Returns one estimate for each of `feeEstimateTargets`, in satoshi per virtual byte; it never rises with the target. Yields to other
   * work meanwhile.
   */
  async estimate(transactions: UnconfirmedTransactions): Promise<readonly number[]> {
    const projected = await projectedFeeRates(transactions);
    const isCrowded = projected.size > blockSize;
    const recent = isCrowded ? await this.#recentFeeRates() : [];
    return feeEstimateTargets.map((target) => {
      return Math.max(unknownFeeRate, projected.lowestInBlock(target), recentFeeRate(recent, target));
    });
  }

  /** Returns the fee rates of the last blocks, from the tip downward. */
  async #recentFeeRates(): Promise<readonly number[]> {
    const tipHeight = await this.#chain.tipHeight();
    const blocks = tipHeight === undefined ? [] : await this.#chain.blocks(tipHeight, recentBlockCount);
    const feeRates: number[] = [];
    for (const { hash, weight, transactionCount } of blocks) {
      const known = this.#lowestFeeRates.get(hash);
      const feeRate = known ?? (weight < fullBlockWeight ? 0 : await this.#lowestFeeRate(hash, transactionCount));
      this.#lowestFeeRates.set(hash, feeRate);
      feeRates.push(feeRate);
    }
    const hashes = new Set(blocks.map(({ hash }) => hash));
    for (const hash of this.#lowestFeeRates.keys()) if (!hashes.has(hash)) this.#lowestFeeRates.delete(hash);
    return feeRates;
  }

  async #lowestFeeRate(hash: string, transactionCount: number): Promise<number> {
    const paid: { readonly feeRate: number; readonly virtualSize: number }[] = [];
    for (let start = 1; start < transactionCount; start += transactionsPerRead) {
      const transactions = await this.#chain.blockTransactions(hash, start, transactionsPerRead);
      for (const { fee, transaction } of transactions ?? []) {
        paid.push({ feeRate: Number(fee) / transaction.virtualSize, virtualSize: transaction.virtualSize });
      }
      await nextTimeSlice();
    }
    paid.sort((left, right) => left.feeRate - right.feeRate);
    let skipped = paid.reduce((sum, { virtualSize }) => sum + virtualSize, 0) * lowestShare;
    for (const { feeRate, virtualSize } of paid) {
      skipped -= virtualSize;
      if (skipped <= 0) return feeRate;
    }
    return 0;
  }
}

/**
 * Completes a node's estimates: the targets without an estimate of the node get `own`, but no more than the node's estimate for a smaller
 * target. None is below that of a larger target.
 */
export function completeFeeEstimates(node: ReadonlyMap<number, number>, own: readonly number[]): readonly number[] {
  let smallest = Number.POSITIVE_INFINITY;
  const feeRates = feeEstimateTargets.map((target, index) => {
    const estimate = node.get(target);
    if (estimate !== undefined) smallest = Math.min(smallest, estimate);
    return estimate ?? Math.min(smallest, own[index] ?? unknownFeeRate);
  });
  for (let index = feeRates.length - 2; index >= 0; index -= 1) {
    feeRates[index] = Math.max(feeRates[index] ?? 0, feeRates[index + 1] ?? 0);
  }
  // Integer satoshi per 1,000 virtual bytes, as nodes count.
  return feeRates.map((feeRate) => Math.round(feeRate * 1_000) / 1_000);
}

interface ProjectedFeeRates {
  /** Virtual bytes of the complete mempool. */
  readonly size: number;
  /** Returns the lowest fee rate; 0 when the mempool does not fill that many blocks. */
  lowestInBlock(count: number): number;
}

async function projectedFeeRates(transactions: UnconfirmedTransactions): Promise<ProjectedFeeRates> {
  /** Virtual bytes by step of fee rate. */
  const sizes = new Map<number, number>();
  let size = 0;
  for await (const { feeRate, virtualSize } of packageFeeRates(transactions)) {
    const step = feeRate <= 0 ? Number.NEGATIVE_INFINITY : Math.floor(Math.log(feeRate) / stepLogarithm);
    sizes.set(step, (sizes.get(step) ?? 0) + virtualSize);
    size += virtualSize;
  }
  const steps = [...sizes].sort(([left], [right]) => right - left);
  return {
    size,
    lowestInBlock(count) {
      let left = count * blockSize;
      for (const [step, virtualSize] of steps) {
        left -= virtualSize;
        // The first transaction that does not fit had to be outbid.
        if (left < 0) return Math.exp((step + 1) * stepLogarithm);
      }
      return 0;
    },
  };
}

/** Returns the recently required fee rate. `feeRates`: required by recent blocks, from the tip downward. */
function recentFeeRate(feeRates: readonly number[], target: number): number {
  const considered = feeRates.slice(0, Math.max(3, target * 3));
  if (considered.length === 0) return 0;
  const length = Math.min(target, considered.length);
  let largest = 0;
  for (let start = 0; start + length <= considered.length; start += 1) {
    largest = Math.max(largest, Math.min(...considered.slice(start, start + length)));
  }
  return largest;
}
