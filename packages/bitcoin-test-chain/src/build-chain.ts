import type { BlockHashBytes } from "@nodewright/bitcoin-primitives";
import { medianTimePast, doubleSha256 } from "@nodewright/bitcoin-primitives";
import { assembleBlock, regtestGenesisBlock, subsidyAt } from "./assemble-block.ts";
import {
  type ChainOptions,
  coinbaseMaturity,
  type ResolvedChainOptions,
  resolveChainOptions,
} from "./chain-options.ts";
import { type ChainSummary, SummaryCounter } from "./chain-summary.ts";
import { type Coin, TransactionName } from "./coin.ts";
import { BranchCoins, CoinPool } from "./coin-pool.ts";
import { placeholderKeys } from "./keys.ts";
import { Random } from "./random.ts";
import { ScriptBook } from "./script-book.ts";
import { ScriptChoice } from "./script-choice.ts";
import { createPlaceholderSigner, type SignedTransaction, type Signer } from "./signer.ts";
import type { ChainBlock, StaleBranch, TestChain } from "./test-chain.ts";
import { planTransaction, type TransactionPlan } from "./transaction-plan.ts";

/** Builds a chain. Throws `RangeError` for options that no chain can have. */
export function buildChain(options: ChainOptions): TestChain {
  return new BuiltChain(resolveChainOptions(options));
}

/** What the next block stands on. */
interface Tip {
  readonly hash: BlockHashBytes;
  readonly height: number;
  /** Of the last eleven blocks at most, the newest last. */
  readonly times: readonly number[];
}

/** A transaction, and what became of its plan. */
interface Confirmed {
  readonly plan: TransactionPlan;
  readonly signed: SignedTransaction;
}

/** A transaction of a stale branch that may stand on the best chain as well. */
interface Leftover extends Confirmed {
  /** The outputs that it made there, to find them again. */
  readonly coins: readonly Coin[];
}

/** All of 2023's last quarter and later: behind the times at which nodes began to hold blocks to BIP 16. */
const firstTime = 1_700_000_000;
const blockSeconds = 600;
/** Blocks whose times go into a median (BIP 113). */
const medianReach = 11;
/** Consensus allows 4,000,000 weight units and a cost of 80,000 signature operations; room is left for the coinbase. */
const weightLimit = 3_900_000;
const sigopLimit = 78_000;
/** Outputs of early coinbases, so that the first blocks with transactions have something to spend. */
const transactionsPerEarlyCoin = 150;
const emptyBlockShare = 0.02;
/** Share of a stale branch's transactions that the best chain confirms too. */
const leftoverShare = 0.5;

class BuiltChain implements TestChain {
  readonly #options: ResolvedChainOptions;
  readonly #book: ScriptBook;
  readonly #signer: Signer;
  readonly #random: Random;
  readonly #scripts: ScriptChoice;
  readonly #counter: SummaryCounter;
  readonly #pool = new CoinPool();
  /** Coins of coinbases by the height of their block. */
  readonly #immature = new Map<number, readonly Coin[]>();
  readonly #staleBranches: StaleBranch[] = [];
  /** Coins that are to be spent soon, so that every kind of script is spent. */
  readonly #first: Coin[] = [];
  #leftovers: readonly Leftover[] = [];
  /** What leftovers that the best chain has taken made there, by what they made on their branch. */
  readonly #adopted = new Map<Coin, Coin>();
  #salt = 0;
  #remaining: number;
  #isStarted = false;

  constructor(options: ResolvedChainOptions) {
    if (options.signatures === "real") throw new RangeError("Chains with real signatures can't be made yet");
    const { seed, scripts, hotScripts } = options;
    this.#options = options;
    this.#remaining = options.transactions;
    this.#random = new Random(`chain/${seed}`);
    this.#book = new ScriptBook({ seed, scripts, hotScripts, keys: placeholderKeys(seed) });
    this.#signer = createPlaceholderSigner(this.#book, seed);
    this.#scripts = new ScriptChoice(this.#book);
    this.#counter = new SummaryCounter(this.#book);
  }

  get blocks(): AsyncIterable<ChainBlock> {
    return { [Symbol.asyncIterator]: () => this.#build() };
  }

  get staleBranches(): readonly StaleBranch[] {
    return this.#staleBranches;
  }

  summary(): ChainSummary {
    return this.#counter.summary();
  }

  async *#build(): AsyncGenerator<ChainBlock> {
    if (this.#isStarted) throw new Error("A chain is read once: build it again");
    this.#isStarted = true;
    try {
      for await (const block of this.#grow()) {
        this.#counter.addBlock(block);
        yield block;
      }
    } finally {
      await this.#signer.close();
    }
  }

  async *#grow(): AsyncGenerator<ChainBlock> {
    const genesis = genesisBlock();
    this.#counter.addOtherOutput("p2pk-uncompressed");
    yield genesis;
    let tip: Tip = { hash: genesis.hash, height: 0, times: [firstTime - blockSeconds] };
    const forks = this.#planForks();
    while (tip.height < this.#options.blocks || this.#remaining > 0) {
      const depth = forks.get(tip.height);
      if (depth !== undefined) yield* this.#growBranch(tip, depth);
      const [block, next] = await this.#nextBlock(tip);
      yield block;
      tip = next;
    }
  }

  /** Depth of the branch at each fork height. No two are one inside the other, and each loses. */
  #planForks(): ReadonlyMap<number, number> {
    const { blocks, staleBranches } = this.#options;
    const { count, depth } = staleBranches;
    const room = blocks - coinbaseMaturity - 1;
    return new Map(
      Array.from({ length: count }, (_, index) => {
        const start = coinbaseMaturity + 1 + Math.floor((room * index) / count);
        const end = coinbaseMaturity + 1 + Math.floor((room * (index + 1)) / count);
        const length = index === 0 ? depth : this.#random.between(1, depth);
        // Behind the branch the best chain needs one block more than it.
        return [this.#random.between(start, Math.max(start, end - length - 1)) - 1, length];
      }),
    );
  }

  async *#growBranch(fork: Tip, depth: number): AsyncGenerator<ChainBlock> {
    const branch = this.#staleBranches.length;
    const hashes: BlockHashBytes[] = [];
    const leftovers: Leftover[] = [];
    const coins = new BranchCoins(this.#pool, 0.3);
    let tip = fork;
    for (let index = 0; index < depth; index += 1) {
      const height = tip.height + 1;
      const plans: TransactionPlan[] = [];
      const made: (readonly Coin[])[] = [];
      const target = this.#targetOf(height);
      let weight = 0;
      let sigopCost = 0;
      while (plans.length < target && weight < weightLimit && sigopCost < sigopLimit) {
        const plan = planTransaction({ ...this.#planning(height), coins });
        if (plan === undefined) break;
        const outputs = coinsOf(plan, height, this.#book);
        for (const coin of outputs) coins.add(coin);
        plans.push(plan);
        made.push(outputs);
        weight += plan.weight;
        sigopCost += plan.sigopCost;
      }
      const signed = await this.#signer.sign(plans);
      const confirmed = plans.flatMap((plan, position) => {
        const transaction = signed[position];
        return transaction === undefined ? [] : [{ plan, signed: transaction, coins: made[position] ?? [] }];
      });
      leftovers.push(...confirmed);
      const { block, next } = this.#assemble(tip, confirmed, branch);
      hashes.push(block.hash);
      yield block;
      tip = next;
    }
    this.#staleBranches.push({ forkHeight: fork.height, hashes });
    this.#leftovers = leftovers;
    this.#adopted.clear();
  }

  async #nextBlock(tip: Tip): Promise<readonly [ChainBlock, Tip]> {
    const height = tip.height + 1;
    for (const coin of this.#immature.get(height - coinbaseMaturity) ?? []) this.#pool.add(coin);
    this.#immature.delete(height - coinbaseMaturity);
    const confirmed = this.#adoptLeftovers(height);
    let weight = confirmed.reduce((sum, { plan }) => sum + plan.weight, 0);
    let sigopCost = confirmed.reduce((sum, { plan }) => sum + plan.sigopCost, 0);
    const target = this.#targetOf(height) - confirmed.length;
    const plans: TransactionPlan[] = [];
    while (plans.length < target && weight < weightLimit && sigopCost < sigopLimit) {
      const plan = planTransaction({ ...this.#planning(height), coins: this.#pool, first: this.#first });
      if (plan === undefined) break;
      this.#keepCoins(coinsOf(plan, height, this.#book));
      plans.push(plan);
      weight += plan.weight;
      sigopCost += plan.sigopCost;
    }
    const signed = await this.#signer.sign(plans);
    for (const [position, plan] of plans.entries()) {
      const transaction = signed[position];
      if (transaction !== undefined) confirmed.push({ plan, signed: transaction });
    }
    this.#remaining -= confirmed.length;
    for (const { plan } of confirmed) this.#counter.addTransaction(plan);
    const { block, next, coinbaseCoins, hasCommitment } = this.#assemble(tip, confirmed, undefined);
    this.#immature.set(height, coinbaseCoins);
    const outputs = coinbaseCoins.map(({ script, value }) => ({ kind: "script" as const, script, value }));
    this.#counter.addTransaction({ inputs: [], outputs });
    if (hasCommitment) this.#counter.addOtherOutput("op-return");
    return [block, next];
  }

  /** Takes transactions of the last stale branch into the block, as far as what they spend is there. */
  #adoptLeftovers(height: number): Confirmed[] {
    const adopted: Confirmed[] = [];
    const waiting: Leftover[] = [];
    for (const leftover of this.#leftovers) {
      const { plan, signed, coins } = leftover;
      const inputs = plan.inputs.map(({ coin, sequence }) => ({ coin: this.#adopted.get(coin) ?? coin, sequence }));
      const isThere = inputs.every(({ coin }) => this.#pool.has(coin));
      if (!isThere || adopted.length >= this.#remaining) continue;
      const isRipe = plan.locktime < height && inputs.every(({ coin }) => this.#isRipe(coin, height));
      if (!isRipe || !this.#random.chance(leftoverShare)) {
        waiting.push(leftover);
        continue;
      }
      for (const { coin } of inputs) this.#pool.remove(coin);
      for (const coin of coins) {
        const here = { ...coin, height };
        this.#adopted.set(coin, here);
        this.#pool.add(here);
      }
      adopted.push({ plan: { ...plan, inputs }, signed });
    }
    this.#leftovers = waiting;
    return adopted;
  }

  #isRipe({ script, height }: Coin, at: number): boolean {
    return at - height >= this.#book.lock(script).relativeLock;
  }

  /** Keeps new coins for later: the first one of each kind apart. */
  #keepCoins(coins: readonly Coin[]): void {
    for (const coin of coins) {
      if (this.#scripts.isFirstOfKind(coin.script)) this.#first.push(coin);
      else this.#pool.add(coin);
    }
  }

  #planning(height: number) {
    return {
      random: this.#random,
      book: this.#book,
      height,
      chooseScript: (random: Random) => this.#scripts.choose(random),
    };
  }

  /** How many transactions a block at this height is to have. */
  #targetOf(height: number): number {
    if (height <= coinbaseMaturity) return 0;
    const blocksLeft = this.#options.blocks - height + 1;
    if (blocksLeft <= 1) return this.#remaining;
    if (this.#random.chance(emptyBlockShare)) return 0;
    const mean = this.#remaining / blocksLeft;
    return Math.min(this.#remaining, Math.round(mean * (0.5 + this.#random.fraction())));
  }

  #assemble(tip: Tip, confirmed: readonly Confirmed[], branch: number | undefined) {
    const height = tip.height + 1;
    const fees = confirmed.reduce((sum, { plan }) => sum + plan.fee, 0n);
    const paid = this.#coinbaseOutputs(height, subsidyAt(height) + fees);
    this.#salt += 1;
    const time = this.#timeAbove(tip, height);
    const { bytes, hash, coinbase, hasCommitment } = assembleBlock({
      previousHash: tip.hash,
      height,
      time,
      salt: this.#salt,
      coinbaseOutputs: paid.map(({ script, value }) => ({ value, scriptPubKey: this.#book.lock(script).scriptPubKey })),
      transactions: confirmed.map(({ signed }) => signed),
    });
    const origin = new TransactionName();
    origin.reveal(coinbase.txid);
    const coinbaseCoins: readonly Coin[] = paid.map(({ script, value }, vout) => ({
      origin,
      vout,
      value,
      script,
      height,
    }));
    const block: ChainBlock = { height, hash, bytes, transactionCount: confirmed.length + 1, branch };
    const next: Tip = { hash, height, times: [...tip.times, time].slice(-medianReach) };
    return { block, next, coinbaseCoins, hasCommitment };
  }

  #coinbaseOutputs(height: number, total: bigint): readonly { readonly script: number; readonly value: bigint }[] {
    const isEarly = height <= coinbaseMaturity;
    const wanted = isEarly ? Math.ceil(this.#options.transactions / transactionsPerEarlyCoin / coinbaseMaturity) : 1;
    const count = Math.max(isEarly ? 2 : 1, Math.min(wanted, 100));
    const share = total / BigInt(count);
    return Array.from({ length: count }, (_, index) => ({
      script: this.#scripts.chooseSpendable(this.#random),
      value: index === 0 ? total - share * BigInt(count - 1) : share,
    }));
  }

  /** About ten minutes after the block below, sometimes before it, always above the median of the last eleven. */
  #timeAbove({ times }: Tip, height: number): number {
    const wanted = firstTime + height * blockSeconds + this.#random.between(-900, 900);
    return Math.max(wanted, medianTimePast(times) + 1);
  }
}

/** The outputs of a planned transaction that can be spent. */
function coinsOf({ name, outputs }: TransactionPlan, height: number, book: ScriptBook): readonly Coin[] {
  return outputs.flatMap((output, vout) => {
    if (output.kind !== "script" || !book.lock(output.script).isSpendable) return [];
    return [{ origin: name, vout, value: output.value, script: output.script, height }];
  });
}

function genesisBlock(): ChainBlock {
  const bytes = regtestGenesisBlock();
  const hash = doubleSha256(bytes.subarray(0, 80));
  return { height: 0, hash, bytes, transactionCount: 1, branch: undefined };
}
