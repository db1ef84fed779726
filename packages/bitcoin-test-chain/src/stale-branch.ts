import type { BlockHashBytes } from "@nodewright/bitcoin-primitives";
import { BlockCapacity, type ChainState, type PlacedTransaction, type Tip } from "./chain-state.ts";
import type { Coin, TransactionName } from "./coin.ts";
import { BranchCoins } from "./coin-pool.ts";
import type { ChainBlock } from "./test-chain.ts";
import { isRelativeLockExpired, type PlannedInput, planTransaction, type TransactionPlan } from "./transaction-plan.ts";

/** A transaction of a branch, with the coins that it created there. */
export interface BranchTransaction extends PlacedTransaction {
  readonly coins: readonly Coin[];
}

/** A mined branch. */
export interface MinedBranch {
  readonly hashes: readonly BlockHashBytes[];
  /** Transactions in chain order. */
  readonly transactions: readonly BranchTransaction[];
}

/** Fraction of the coins spent on a branch that the branch created. */
const ownShare = 0.3;
/** Fraction of a stale branch's transactions that the best chain confirms too; the others become invalid. */
const confirmedShare = 0.6;

/** Mines `depth` blocks on top of `fork`; the best chain has all its coins again afterwards. */
export async function* mineBranch(
  state: ChainState,
  { fork, depth, branch, targetAt }: BranchOptions,
): AsyncGenerator<ChainBlock, MinedBranch> {
  const hashes: BlockHashBytes[] = [];
  const transactions: BranchTransaction[] = [];
  const coins = new BranchCoins(state.pool, ownShare);
  let parent = fork;
  for (let index = 0; index < depth; index += 1) {
    const height = parent.height + 1;
    const capacity = new BlockCapacity();
    const created = new Map<TransactionPlan, readonly Coin[]>();
    const target = targetAt(height);
    while (created.size < target && capacity.isOpen) {
      const plan = planTransaction({ ...state.planning(height), coins });
      if (plan === undefined) break;
      const outputs = state.coinsOf(plan, height);
      for (const coin of outputs) coins.add(coin);
      created.set(plan, outputs);
      capacity.add(plan);
    }
    const placed = await state.place([...created.keys()]);
    transactions.push(...placed.map((each) => ({ ...each, coins: created.get(each.plan) ?? [] })));
    const { block, tip } = state.mineStale(parent, placed, branch);
    hashes.push(block.hash);
    yield block;
    parent = tip;
  }
  coins.releaseAll();
  return { hashes, transactions };
}

export interface BranchOptions {
  readonly fork: Tip;
  /** Number of blocks. */
  readonly depth: number;
  /** 0-based index. */
  readonly branch: number;
  /** Returns the target number of transactions in a block at a height. */
  targetAt(height: number): number;
}

/** Settlement of a stale branch's transactions in one block of the best chain. */
export interface Settlement {
  /** Transactions that are confirmed there too. */
  readonly confirmed: readonly PlacedTransaction[];
  /** Plans that spend the coins of other branch transactions, which are invalid then. Not signed yet. */
  readonly conflicts: readonly TransactionPlan[];
}

/**
 * Transactions of a stale branch that the best chain could still confirm: nodes that leave the branch return them to their mempools. Each
 * block of the best chain confirms some and makes others invalid, until none are left.
 */
export class StaleTransactions {
  readonly #state: ChainState;
  #waiting: readonly BranchTransaction[];
  /** Coins of confirmed transactions on the best chain, by their coins on the branch. */
  readonly #confirmed = new Map<Coin, Coin>();

  constructor(state: ChainState, transactions: readonly BranchTransaction[]) {
    this.#state = state;
    this.#waiting = transactions;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /**
   * Settles at most `limit` of them in the block of the best chain at `height`, while it has space. Either the block confirms the transaction,
   * or it contains a conflicting one, which spends one of its coins.
   */
  settle(height: number, limit: number, capacity: BlockCapacity): Settlement {
    const { pool, random } = this.#state;
    const confirmed: PlacedTransaction[] = [];
    const conflicts: TransactionPlan[] = [];
    const waiting = new Map<TransactionName, BranchTransaction>();
    let examined = 0;
    for (const transaction of this.#waiting) {
      if (confirmed.length + conflicts.length >= limit || !capacity.isOpen) break;
      examined += 1;
      const { name } = transaction.plan;
      const inputs = this.#inputsOf(transaction);
      // Once its parent or one of its coins is lost, a transaction is lost.
      if (!inputs.every(({ coin }) => pool.has(coin) || waiting.has(coin.origin))) continue;
      if (!this.#isFinal(transaction, inputs, height)) {
        waiting.set(name, transaction);
      } else if (random.chance(confirmedShare)) {
        this.#confirm(transaction, inputs, height);
        confirmed.push({ plan: { ...transaction.plan, inputs }, signed: transaction.signed });
        capacity.add(transaction.plan);
      } else {
        const conflict = this.#planConflict(inputs, height);
        if (conflict === undefined) {
          waiting.set(name, transaction);
        } else {
          conflicts.push(conflict);
          capacity.add(conflict);
        }
      }
    }
    this.#waiting = [...waiting.values(), ...this.#waiting.slice(examined)];
    return { confirmed, conflicts };
  }

  #inputsOf({ plan }: BranchTransaction): readonly PlannedInput[] {
    return plan.inputs.map(({ coin, sequence }) => ({ coin: this.#confirmed.get(coin) ?? coin, sequence }));
  }

  #isFinal({ plan }: BranchTransaction, inputs: readonly PlannedInput[], height: number): boolean {
    const { pool, book } = this.#state;
    return (
      plan.locktime < height && inputs.every(({ coin }) => pool.has(coin) && isRelativeLockExpired(coin, book, height))
    );
  }

  #confirm({ coins }: BranchTransaction, inputs: readonly PlannedInput[], height: number): void {
    const { pool } = this.#state;
    for (const { coin } of inputs) pool.remove(coin);
    for (const coin of coins) {
      const here = { ...coin, height };
      this.#confirmed.set(coin, here);
      pool.add(here);
    }
  }

  #planConflict(inputs: readonly PlannedInput[], height: number): TransactionPlan | undefined {
    const { pool } = this.#state;
    const [coin] = inputs.map((input) => input.coin);
    if (coin === undefined) return undefined;
    pool.remove(coin);
    const first = [coin];
    const plan = planTransaction({ ...this.#state.planning(height), coins: pool, first });
    for (const unspent of first) pool.add(unspent);
    return plan;
  }
}
