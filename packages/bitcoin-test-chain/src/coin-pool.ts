import type { Coin } from "./coin.ts";
import type { Random } from "./random.ts";
import { RandomSet } from "./random-set.ts";

/** Source of the coins that a transaction spends. */
export interface CoinSource {
  /** Takes a coin; `undefined` if the pool is empty. */
  take(random: Random): Coin | undefined;
  /** Returns a taken coin that is not spent after all. */
  release(coin: Coin): void;
}

/** Unspent outputs of a best chain that have matured. */
export class CoinPool extends RandomSet<Coin> implements CoinSource {
  take(random: Random): Coin | undefined {
    const coin = this.pick(random);
    if (coin !== undefined) this.remove(coin);
    return coin;
  }

  release(coin: Coin): void {
    this.add(coin);
  }
}

/**
 * Coins that a branch off a chain, or a mempool above it, may spend: coins of the chain, which are removed from its pool meanwhile, and
 * coins of its own.
 */
export class BranchCoins implements CoinSource {
  /** Source of coins of the chain only. */
  readonly ofChain: CoinSource;
  readonly #chain: CoinPool;
  readonly #ownShare: number;
  /** Every coin that it created, spent or not. */
  readonly #made = new Set<Coin>();
  readonly #own = new CoinPool();
  /** Coins taken from the chain. */
  readonly #taken = new Set<Coin>();

  /** Creates the coins. `ownShare`: fraction of the taken coins that the branch itself created. */
  constructor(chain: CoinPool, ownShare: number) {
    this.#chain = chain;
    this.#ownShare = ownShare;
    this.ofChain = {
      take: (random) => this.#takeOfChain(random),
      release: (coin) => this.release(coin),
    };
  }

  /** Adds a coin of its own. */
  add(coin: Coin): void {
    this.#made.add(coin);
    this.#own.add(coin);
  }

  take(random: Random): Coin | undefined {
    const prefersOwn = random.chance(this.#ownShare);
    return prefersOwn
      ? (this.#own.take(random) ?? this.#takeOfChain(random))
      : (this.#takeOfChain(random) ?? this.#own.take(random));
  }

  release(coin: Coin): void {
    if (this.#made.has(coin)) {
      this.#own.add(coin);
    } else {
      this.#taken.delete(coin);
      this.#chain.add(coin);
    }
  }

  /** Takes exactly this coin. */
  claim(coin: Coin): void {
    if (this.#made.has(coin)) {
      this.#own.remove(coin);
    } else {
      this.#chain.remove(coin);
      this.#taken.add(coin);
    }
  }

  /** Drops a coin of its own whose transaction is gone. */
  forget(coin: Coin): void {
    this.#made.delete(coin);
    if (this.#own.has(coin)) this.#own.remove(coin);
  }

  /** Records that the chain has spent a coin. */
  spendOnChain(coin: Coin): void {
    this.#taken.delete(coin);
    if (this.#chain.has(coin)) this.#chain.remove(coin);
  }

  /** Records that the chain has created a coin that the branch had created, spent here or not. */
  moveToChain(coin: Coin): void {
    this.#made.delete(coin);
    if (this.#own.has(coin)) {
      this.#own.remove(coin);
      this.#chain.add(coin);
    } else {
      this.#taken.add(coin);
    }
  }

  /** Returns all taken coins to the chain, when the branch ends. */
  releaseAll(): void {
    for (const coin of this.#taken) this.#chain.add(coin);
    this.#taken.clear();
  }

  #takeOfChain(random: Random): Coin | undefined {
    const coin = this.#chain.take(random);
    if (coin !== undefined) this.#taken.add(coin);
    return coin;
  }
}
