import { availableParallelism } from "node:os";

/** What a chain is to be. The same options give the same chain, byte for byte. */
export interface ChainOptions {
  readonly seed: number;
  /** Of the best chain, coinbases not counted; a few more when stale branches leave more than that. */
  readonly transactions: number;
  /** Height of the tip, at least 102. More blocks follow when the transactions do not fit. When not given: as many as make blocks of about 60 kB. */
  readonly blocks?: number | undefined;
  /** Distinct scripts that are paid to. When not given: one for about five transactions. */
  readonly scripts?: number | undefined;
  /** Scripts that take part in many transactions, the first in about one of eight. 8 when not given. */
  readonly hotScripts?: number | undefined;
  /** Branches that were the best chain once and lost. None when not given; a number stands for branches of 1 to 3 blocks. */
  readonly staleBranches?: number | StaleBranchOptions | undefined;
  /**
   * About when the tip is mined, in seconds since 1970; a time of 2023 or later when not given. btcd keeps a mempool up to date only
   * while its tip is younger than a day.
   */
  readonly tipTime?: number | undefined;
  /** What happens in the mempool above the tip. Nothing when not given; a number stands for that many transactions and two blocks. */
  readonly mempool?: number | MempoolOptions | undefined;
  /** `placeholder` is fast and accepted by no node; see the README. */
  readonly signatures: "real" | "placeholder";
  /** Threads that sign: not part of what the chain is. When not given: one for each processor for chains of many thousand transactions. */
  readonly workers?: number | undefined;
}

export interface StaleBranchOptions {
  readonly count: number;
  /** Blocks of the longest branch; the first one has this length, the others are shorter or as long. */
  readonly depth: number;
}

export interface MempoolOptions {
  /** Arrivals and replacements; fewer when the chain has too few outputs to spend, which is about one for each of its transactions. */
  readonly transactions: number;
  /** Blocks between them, each with a part of the mempool, and with conflicts. */
  readonly blocks: number;
}

/** Coinbases may be spent this many blocks later. */
export const coinbaseMaturity: number = 100;

/** Between blocks, on average. */
export const blockSeconds: number = 600;

/** Options with nothing left open. */
export interface ResolvedChainOptions {
  readonly seed: number;
  readonly transactions: number;
  readonly blocks: number;
  readonly scripts: number;
  readonly hotScripts: number;
  readonly staleBranches: StaleBranchOptions;
  /** Before which no block was mined, in seconds since 1970. */
  readonly firstTime: number;
  readonly mempool: MempoolOptions;
  readonly signatures: "real" | "placeholder";
  readonly workers: number;
}

/** Below this, threads cost more than they save. */
const transactionsWorthWorkers = 5_000;
/** In November 2023: long ago enough for a chain of years. */
const defaultFirstTime = 1_700_000_000;
/** From April 2012 on nodes hold blocks to BIP 16. */
const leastFirstTime = 1_340_000_000;
const transactionsPerBlock = 148;
const scriptsPerTransaction = 0.2138;
/** The first block with transactions, the last with some, and between them room for chains that meet. */
const leastBlocks = coinbaseMaturity + 2;

/** Fills in what is not given. Throws `RangeError` for what no chain can be. */
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
  expectInteger("blocks", blocks, Math.max(leastBlocks, coinbaseMaturity + branchBlocks + 1));
  expectInteger("staleBranches", staleBranches.count, 0);
  expectInteger("the depth of stale branches", staleBranches.depth, staleBranches.count === 0 ? 0 : 1);
  const scripts = options.scripts ?? Math.ceil(transactions * scriptsPerTransaction);
  const hotScripts = options.hotScripts ?? 8;
  expectInteger("scripts", scripts, 0);
  expectInteger("hotScripts", hotScripts, 0);
  const firstTime = options.tipTime === undefined ? defaultFirstTime : options.tipTime - blocks * blockSeconds;
  expectInteger("tipTime", firstTime, leastFirstTime);
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
    throw new RangeError(`A chain's ${name} must be a whole number of at least ${least}, not ${value}`);
  }
}
