import { availableParallelism } from "node:os";

/** Options of a chain. The same options give the same chain, byte for byte. */
export interface ChainOptions {
  readonly seed: number;
  /** Number of transactions of the best chain, without coinbases; a few more when stale branches leave more than that. */
  readonly transactions: number;
  /**
   * Height of the tip, at least 102. More blocks follow when the transactions do not fit. Default: as many as give blocks of about 60 kB.
   */
  readonly blocks?: number | undefined;
  /** Number of distinct scripts that are paid to. Default: one for about five transactions. */
  readonly scripts?: number | undefined;
  /** Number of scripts that take part in many transactions, the first in about one of eight. Default: 8. */
  readonly hotScripts?: number | undefined;
  /** Branches that were the best chain once and lost. Default: none; a number stands for branches of 1 to 3 blocks. */
  readonly staleBranches?: number | StaleBranchOptions | undefined;
  /**
   * Approximate time of the tip, in seconds since 1970; by default a time of 2023 or later. btcd keeps a mempool up to date only while its
   * tip is younger than a day.
   */
  readonly tipTime?: number | undefined;
  /** Events in the mempool above the tip. Default: none; a number stands for that many transactions and two blocks. */
  readonly mempool?: number | MempoolOptions | undefined;
  /** Kind of signatures. `placeholder` is fast and accepted by no node; see the README. */
  readonly signatures: "real" | "placeholder";
  /**
   * Number of signing threads: not part of the chain's identity. Default: one for each processor for chains of many thousand transactions.
   */
  readonly workers?: number | undefined;
}

export interface StaleBranchOptions {
  readonly count: number;
  /** Number of blocks of the longest branch; the first one has this length, the others are shorter or as long. */
  readonly depth: number;
}

export interface MempoolOptions {
  /**
   * Number of arrivals and replacements; fewer when the chain has too few outputs to spend, which is about one for each of its
   * transactions.
   */
  readonly transactions: number;
  /** Number of blocks between them, each with a part of the mempool, and with conflicts. */
  readonly blocks: number;
}

/** Number of blocks after which coinbases may be spent. */
export const coinbaseMaturity: number = 100;

/** Average seconds between blocks. */
export const blockSeconds: number = 600;

/** Options with all defaults. */
export interface ResolvedChainOptions {
  readonly seed: number;
  readonly transactions: number;
  readonly blocks: number;
  readonly scripts: number;
  readonly hotScripts: number;
  readonly staleBranches: StaleBranchOptions;
  /** Time before which no block was mined, in seconds since 1970. */
  readonly firstTime: number;
  readonly mempool: MempoolOptions;
  readonly signatures: "real" | "placeholder";
  readonly workers: number;
}

/** Number of transactions below which threads cost more than they save. */
const transactionsWorthWorkers = 5_000;
/** Default time in November 2023: long ago enough for a chain of years. */
const defaultFirstTime = 1_700_000_000;
/** Minimum time: from April 2012 on nodes enforce BIP 16. */
const minimumFirstTime = 1_340_000_000;
const transactionsPerBlock = 148;
const scriptsPerTransaction = 0.2138;
/** Minimum number of blocks: the first block with transactions, the last with some, and between them space for chains that meet. */
const minimumBlocks = coinbaseMaturity + 2;

/** Completes the options. Throws `RangeError` for impossible ones. */
export function resolveChainOptions(options: ChainOptions): ResolvedChainOptions {
  const { seed, transactions, signatures } = options;
  const staleBranches =
    typeof options.staleBranches === "object"
      ? options.staleBranches
      : { count: options.staleBranches ?? 0, depth: options.staleBranches === undefined ? 0 : 3 };
  const branchBlocks = staleBranches.count * (staleBranches.depth + 1);
  const blocks =
    options.blocks ?? coinbaseMaturity + Math.max(10, branchBlocks + 2, Math.ceil(transactions / transactionsPerBlock));
  expectInteger("seed", seed, 0);
  expectInteger("transactions", transactions, 0);
  expectInteger("blocks", blocks, Math.max(minimumBlocks, coinbaseMaturity + branchBlocks + 1));
  expectInteger("staleBranches", staleBranches.count, 0);
  expectInteger("the depth of stale branches", staleBranches.depth, staleBranches.count === 0 ? 0 : 1);
  const scripts = options.scripts ?? Math.ceil(transactions * scriptsPerTransaction);
  const hotScripts = options.hotScripts ?? 8;
  expectInteger("scripts", scripts, 0);
  expectInteger("hotScripts", hotScripts, 0);
  const firstTime = options.tipTime === undefined ? defaultFirstTime : options.tipTime - blocks * blockSeconds;
  expectInteger("tipTime", firstTime, minimumFirstTime);
  const mempool =
    typeof options.mempool === "object"
      ? options.mempool
      : { transactions: options.mempool ?? 0, blocks: options.mempool === undefined ? 0 : 2 };
  expectInteger("mempool", mempool.transactions, 0);
  expectInteger("blocks among the mempool's transactions", mempool.blocks, 0);
  const workers = options.workers ?? (transactions < transactionsWorthWorkers ? 0 : availableParallelism());
  expectInteger("workers", workers, 0);
  return { seed, transactions, blocks, scripts, hotScripts, staleBranches, firstTime, mempool, signatures, workers };
}

function expectInteger(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`A chain's ${name} must be an integer of at least ${least}, not ${value}`);
  }
}
