import { type BlockHashBytes, medianTimePast } from "@nodewright/bitcoin-primitives";
import { assembleBlock, subsidyAt } from "./assemble-block.ts";
import { blockSeconds, coinbaseMaturity, type ResolvedChainOptions } from "./chain-options.ts";
import { SummaryCounter } from "./chain-summary.ts";
import { type Coin, TransactionName } from "./coin.ts";
import { CoinPool } from "./coin-pool.ts";
import { placeholderKeys } from "./keys.ts";
import { Random } from "./random.ts";
import { realKeys } from "./real-keys.ts";
import { ScriptBook } from "./script-book.ts";
import { ScriptChoice } from "./script-choice.ts";
import type { SignedTransaction } from "./signed-transaction.ts";
import { createPlaceholderSigner, createRealSigner, type Signer } from "./signer.ts";
import type { ChainBlock } from "./test-chain.ts";
import type { PlanContext, PlannedOutput, TransactionPlan } from "./transaction-plan.ts";

/** State on which the next block builds. */
export interface Tip {
  readonly hash: BlockHashBytes;
  readonly height: number;
  /** Times of the last blocks, the latest last; as many as the next median needs. */
  readonly times: readonly number[];
}

/** A transaction with its plan. */
export interface PlacedTransaction {
  readonly plan: TransactionPlan;
  readonly signed: SignedTransaction;
}

/** A mined block with the state after it. */
export interface MinedBlock {
  readonly block: ChainBlock;
  readonly tip: Tip;
}

/** Maximum difference in seconds between the time of a block and its schedule. */
const timeJitter = 900;
/** Number of blocks whose times go into a median (BIP 113). */
const medianReach = 11;
/** Weight limit. Consensus allows 4,000,000 weight units and a cost of 80,000 signature operations; space is left for the coinbase. */
const weightLimit = 3_900_000;
const sigopLimit = 78_000;
/**
 * Number of transactions per coin of early coinbases, which pay to many scripts, so that the first blocks with transactions have something
 * to spend.
 */
const transactionsPerEarlyCoin = 150;
const maximumCoinbaseOutputs = 100;

/** Shared state of a chain under construction: its scripts, its coins, its choices. */
export class ChainState {
  readonly options: ResolvedChainOptions;
  readonly random: Random;
  readonly book: ScriptBook;
  readonly scripts: ScriptChoice;
  readonly signer: Signer;
  readonly counter: SummaryCounter;
  /** Spendable outputs of the best chain, without immature coinbases. */
  readonly pool: CoinPool = new CoinPool();
  /** Immature coins by the height of their block. */
  readonly #immature = new Map<number, readonly Coin[]>();
  #salt = 0;

  constructor(options: ResolvedChainOptions) {
    const { seed, scripts, hotScripts, workers } = options;
    const isReal = options.signatures === "real";
    this.options = options;
    this.random = new Random(`chain/${seed}`);
    this.book = new ScriptBook({ seed, scripts, hotScripts, keys: isReal ? realKeys(seed) : placeholderKeys(seed) });
    this.signer = isReal
      ? createRealSigner({ book: this.book, seed, workers })
      : createPlaceholderSigner(this.book, seed);
    this.scripts = new ScriptChoice(this.book);
    this.counter = new SummaryCounter(this.book);
  }

  /** Returns the context for plans of a block at `height`, without the coins. */
  planning(height: number): Omit<PlanContext, "coins"> {
    const { random, book } = this;
    return { random, book, height, chooseScript: () => this.scripts.choose(random) };
  }

  /** Signs plans, which come in the order of a block. */
  async place(plans: readonly TransactionPlan[]): Promise<readonly PlacedTransaction[]> {
    const signed = await this.signer.sign(plans);
    return plans.flatMap((plan, index) => {
      const transaction = signed[index];
      return transaction === undefined ? [] : [{ plan, signed: transaction }];
    });
  }

  /** Returns the spendable outputs of a planned transaction, created at `height`. */
  coinsOf({ name, outputs }: TransactionPlan, height: number): readonly Coin[] {
    return outputs.flatMap((output, vout) => {
      if (output.kind !== "script" || !this.book.lock(output.script).isSpendable) return [];
      return [{ origin: name, vout, value: output.value, script: output.script, height }];
    });
  }

  /** Makes coinbases spendable that a block at `height` may spend. Called once for each height, ascending. */
  mature(height: number): void {
    for (const coin of this.#immature.get(height - coinbaseMaturity) ?? []) this.pool.add(coin);
    this.#immature.delete(height - coinbaseMaturity);
  }

  /** Mines the next block of the best chain. The caller stores the coins of the transactions. */
  mineBest(parent: Tip, transactions: readonly PlacedTransaction[]): MinedBlock {
    const { block, tip, coinbaseOutputs, coinbaseName } = this.#mine(parent, transactions, undefined);
    const spendable = coinbaseOutputs.flatMap((output, vout) =>
      output.kind === "script" ? [{ ...output, origin: coinbaseName, vout, height: tip.height }] : [],
    );
    this.#immature.set(tip.height, spendable);
    for (const { plan } of transactions) this.counter.addTransaction(plan);
    this.counter.addTransaction({ inputs: [], outputs: coinbaseOutputs });
    return { block, tip };
  }

  /** Mines a block of a stale branch. */
  mineStale(parent: Tip, transactions: readonly PlacedTransaction[], branch: number): MinedBlock {
    const { block, tip } = this.#mine(parent, transactions, branch);
    return { block, tip };
  }

  #mine(parent: Tip, transactions: readonly PlacedTransaction[], branch: number | undefined) {
    const height = parent.height + 1;
    const fees = transactions.reduce((sum, { plan }) => sum + plan.fee, 0n);
    const paid = this.#coinbaseOutputs(height, subsidyAt(height) + fees);
    const time = this.#timeAbove(parent, height);
    this.#salt += 1;
    const { bytes, hash, coinbase, commitment } = assembleBlock({
      previousHash: parent.hash,
      height,
      time,
      salt: this.#salt,
      coinbaseOutputs: paid.map(({ script, value }) => ({ value, scriptPubKey: this.book.lock(script).scriptPubKey })),
      transactions: transactions.map(({ signed }) => signed),
    });
    const coinbaseName = new TransactionName();
    coinbaseName.reveal(coinbase.txid);
    const block: ChainBlock = { height, hash, bytes, transactionCount: transactions.length + 1, branch };
    const tip: Tip = { hash, height, times: [...parent.times, time].slice(-medianReach) };
    const coinbaseOutputs: readonly PlannedOutput[] =
      commitment === undefined ? paid : [...paid, { kind: "op-return", scriptPubKey: commitment, value: 0n }];
    return { block, tip, coinbaseName, coinbaseOutputs };
  }

  #coinbaseOutputs(height: number, total: bigint): readonly ScriptPayment[] {
    const isEarly = height <= coinbaseMaturity;
    const wanted = Math.ceil(this.options.transactions / transactionsPerEarlyCoin / coinbaseMaturity);
    const count = isEarly ? Math.max(2, Math.min(wanted, maximumCoinbaseOutputs)) : 1;
    const share = total / BigInt(count);
    return Array.from({ length: count }, (_, index) => ({
      kind: "script",
      script: this.scripts.chooseSpendable(this.random),
      value: index === 0 ? total - share * BigInt(count - 1) : share,
    }));
  }

  /** Returns a time about at the block's schedule, sometimes before the block below, always above the median of the last ones (BIP 113). */
  #timeAbove({ times }: Tip, height: number): number {
    const wanted = this.options.firstTime + height * blockSeconds + this.random.between(-timeJitter, timeJitter);
    return Math.max(wanted, medianTimePast(times) + 1);
  }
}

type ScriptPayment = Extract<PlannedOutput, { kind: "script" }>;

/** Counter of a block's used capacity. */
export class BlockCapacity {
  #weight = 0;
  #sigopCost = 0;

  /** Whether the next transaction of a usual size fits. */
  get isOpen(): boolean {
    return this.#weight < weightLimit && this.#sigopCost < sigopLimit;
  }

  add({ weight, sigopCost }: TransactionPlan): void {
    this.#weight += weight;
    this.#sigopCost += sigopCost;
  }
}
