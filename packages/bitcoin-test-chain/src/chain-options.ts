/** What a chain is to be. The same options give the same chain, byte for byte. */
export interface ChainOptions {
  readonly seed: number;
  /** Of the best chain, coinbases not counted. */
  readonly transactions: number;
  /** Height of the tip, at least 102. More blocks follow when the transactions do not fit. When not given: as many as make blocks of about 60 kB. */
  readonly blocks?: number | undefined;
  /** Distinct scripts that are paid to. When not given: one for about five transactions. */
  readonly scripts?: number | undefined;
  /** Scripts that take part in many transactions, the first in about one of eight. 8 when not given. */
  readonly hotScripts?: number | undefined;
  /** Branches that were the best chain once and lost. None when not given; a number stands for branches of 1 to 3 blocks. */
  readonly staleBranches?: number | StaleBranchOptions | undefined;
  /** `placeholder` is fast and accepted by no node; see the README. */
  readonly signatures: "real" | "placeholder";
}

export interface StaleBranchOptions {
  readonly count: number;
  /** Blocks of the longest branch; the first one has this length, the others are shorter or as long. */
  readonly depth: number;
}

/** Coinbases may be spent this many blocks later. */
export const coinbaseMaturity: number = 100;

/** Options with nothing left open. */
export interface ResolvedChainOptions {
  readonly seed: number;
  readonly transactions: number;
  readonly blocks: number;
  readonly scripts: number;
  readonly hotScripts: number;
  readonly staleBranches: StaleBranchOptions;
  readonly signatures: "real" | "placeholder";
}

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
  return { seed, transactions, blocks, scripts, hotScripts, staleBranches, signatures };
}

function expectInteger(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`A chain's ${name} must be a whole number of at least ${least}, not ${value}`);
  }
}
