import { doubleSha256 } from "@nodewright/bitcoin-primitives";
import { regtestGenesisBlock } from "./assemble-block.ts";
import { coinbaseMaturity, type ResolvedChainOptions } from "./chain-options.ts";
import { BlockCapacity, type ChainState, type MinedBlock, type PlacedTransaction, type Tip } from "./chain-state.ts";
import type { Coin } from "./coin.ts";
import type { Random } from "./random.ts";
import { StaleTransactions, mineBranch } from "./stale-branch.ts";
import type { ChainBlock, StaleBranch } from "./test-chain.ts";
import { planTransaction, type TransactionPlan } from "./transaction-plan.ts";

const emptyBlockShare = 0.02;
/** Number of transactions of stale branches that a block settles when the chain has all the others. */
const lateLeftovers = 100;

/** Generator of a best chain from the genesis block, and of the branches that lose to it. */
export class BestChain {
  readonly staleBranches: StaleBranch[] = [];
  readonly #state: ChainState;
  readonly #forks: ReadonlyMap<number, number>;
  /** Coins that should be spent soon, so that every kind of script is spent. */
  readonly #first: Coin[] = [];
  #leftovers: readonly StaleTransactions[] = [];
  #remaining: number;
  #tip: Tip | undefined;

  constructor(state: ChainState) {
    this.#state = state;
    this.#remaining = state.options.transactions;
    this.#forks = planForks(state.options, state.random);
  }

  /** Tip of the complete chain; undefined until its last block is read. */
  get tip(): Tip | undefined {
    return this.#tip;
  }

  /** Yields every block after its parent, stale branches before the blocks that they lost to. */
  async *grow(): AsyncGenerator<ChainBlock> {
    const genesis = genesisBlock();
    this.#state.counter.addOtherOutput("p2pk-uncompressed");
    yield genesis.block;
    let { tip } = genesis;
    while (tip.height < this.#state.options.blocks || this.#remaining > 0 || this.#leftovers.length > 0) {
      const depth = this.#forks.get(tip.height);
      if (depth !== undefined) yield* this.#lose(tip, depth);
      const mined = await this.#mineNext(tip);
      yield mined.block;
      tip = mined.tip;
    }
    for (const coin of this.#first) this.#state.pool.add(coin);
    this.#tip = tip;
  }

  async *#lose(fork: Tip, depth: number): AsyncGenerator<ChainBlock> {
    const branch = this.staleBranches.length;
    const targetAt = (height: number) => this.#targetAt(height);
    const { hashes, transactions } = yield* mineBranch(this.#state, { fork, depth, branch, targetAt });
    this.staleBranches.push({ forkHeight: fork.height, hashes });
    this.#leftovers = [...this.#leftovers, new StaleTransactions(this.#state, transactions)];
  }

  async #mineNext(parent: Tip): Promise<MinedBlock> {
    const height = parent.height + 1;
    const state = this.#state;
    state.mature(height);
    const target = this.#targetAt(height);
    const room = new BlockCapacity();
    const { adopted, plans } = this.#settle(height, this.#remaining === 0 ? lateLeftovers : target, room);
    while (adopted.length + plans.length < target && room.isOpen) {
      const plan = planTransaction({ ...state.planning(height), coins: state.pool, first: this.#first });
      if (plan === undefined) break;
      for (const coin of state.coinsOf(plan, height)) this.#keep(coin);
      plans.push(plan);
      room.add(plan);
    }
    const placed = [...adopted, ...(await state.place(plans))];
    this.#remaining = Math.max(0, this.#remaining - placed.length);
    return state.mineBest(parent, placed);
  }

  /** Settles the transactions of stale branches in the block at `height`. */
  #settle(height: number, limit: number, room: BlockCapacity) {
    const adopted: PlacedTransaction[] = [];
    const plans: TransactionPlan[] = [];
    for (const leftovers of this.#leftovers) {
      const settled = leftovers.settle(height, limit - adopted.length - plans.length, room);
      adopted.push(...settled.confirmed);
      for (const rival of settled.conflicts) {
        for (const coin of this.#state.coinsOf(rival, height)) this.#state.pool.add(coin);
        plans.push(rival);
      }
    }
    this.#leftovers = this.#leftovers.filter(({ size }) => size > 0);
    return { adopted, plans };
  }

  #keep(coin: Coin): void {
    if (this.#state.scripts.isFirstOfKind(coin.script)) this.#first.push(coin);
    else this.#state.pool.add(coin);
  }

  /** Returns the target number of transactions in a block at this height. */
  #targetAt(height: number): number {
    const { options, random } = this.#state;
    if (height <= coinbaseMaturity) return 0;
    const blocksLeft = options.blocks - height + 1;
    if (blocksLeft <= 1) return this.#remaining;
    if (random.chance(emptyBlockShare)) return 0;
    const mean = this.#remaining / blocksLeft;
    return Math.min(this.#remaining, Math.round(mean * (0.5 + random.fraction())));
  }
}

/** Returns the depth of the branch at each fork height: no two overlap, and after each the best chain has one block more than it. */
function planForks({ blocks, staleBranches }: ResolvedChainOptions, random: Random): ReadonlyMap<number, number> {
  const { count, depth } = staleBranches;
  const first = coinbaseMaturity + 1;
  const room = blocks - first;
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const length = index === 0 ? depth : random.between(1, depth);
      const start = first + Math.floor((room * index) / count);
      const end = first + Math.floor((room * (index + 1)) / count);
      return [random.between(start, Math.max(start, end - length - 1)) - 1, length];
    }),
  );
}

function genesisBlock(): MinedBlock {
  const bytes = regtestGenesisBlock();
  const hash = doubleSha256(bytes.subarray(0, 80));
  const time = Buffer.from(bytes).readUInt32LE(68);
  return {
    block: { height: 0, hash, bytes, transactionCount: 1, branch: undefined },
    tip: { hash, height: 0, times: [time] },
  };
}
