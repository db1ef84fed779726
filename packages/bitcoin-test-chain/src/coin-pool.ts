import type { Coin } from "./coin.ts";
import type { Random } from "./random.ts";
import { RandomSet } from "./random-set.ts";

/** Where a transaction takes what it spends. */
export interface CoinSource {
  /** Takes a coin out; `undefined` when there is none. */
  take(random: Random): Coin | undefined;
  /** Puts a coin back that was taken and is not spent. */
  giveBack(coin: Coin): void;
}

/** The unspent outputs of a best chain that have matured. */
export class CoinPool extends RandomSet<Coin> implements CoinSource {
  take(random: Random): Coin | undefined {
    const coin = this.pick(random);
    if (coin !== undefined) this.remove(coin);
    return coin;
  }

  giveBack(coin: Coin): void {
    this.add(coin);
  }
}

/** Picks before the coins of a chain count as used up. */
const attempts = 20;

/**
 * What a branch off a chain, or a mempool above it, may spend while the chain keeps its coins: those of the chain that it has not
 * spent, and its own.
 */
export class BranchCoins implements CoinSource {
  /** Takes coins of the chain alone. */
  readonly ofChain: CoinSource;
  readonly #chain: CoinPool;
  readonly #own = new CoinPool();
  readonly #ownShare: number;
  /** Of the chain. */
  readonly #spent = new Set<Coin>();

  /** `ownShare`: share of the coins taken that the branch itself made. */
  constructor(chain: CoinPool, ownShare: number) {
    this.#chain = chain;
    this.#ownShare = ownShare;
    this.ofChain = {
      take: (random) => this.#takeOfChain(random),
      giveBack: (coin) => this.giveBack(coin),
    };
  }

  /** Adds a coin of its own. */
  add(coin: Coin): void {
    this.#own.add(coin);
  }

  take(random: Random): Coin | undefined {
    return (random.chance(this.#ownShare) ? this.#own.take(random) : undefined) ?? this.#takeOfChain(random);
  }

  giveBack(coin: Coin): void {
    if (this.#chain.has(coin)) this.#spent.delete(coin);
    else this.#own.add(coin);
  }

  /** Takes this very coin, wherever it is. */
  claim(coin: Coin): void {
    if (this.#chain.has(coin)) this.#spent.add(coin);
    else this.#own.remove(coin);
  }

  /** What made a coin of its own is gone. */
  forget(coin: Coin): void {
    if (this.#own.has(coin)) this.#own.remove(coin);
  }

  /** The chain has spent a coin. */
  spendOnChain(coin: Coin): void {
    this.#spent.delete(coin);
    if (this.#chain.has(coin)) this.#chain.remove(coin);
  }

  /** The chain has made a coin of the branch too, spent here or not. */
  moveToChain(coin: Coin): void {
    this.#chain.add(coin);
    if (this.#own.has(coin)) this.#own.remove(coin);
    else this.#spent.add(coin);
  }

  #takeOfChain(random: Random): Coin | undefined {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const coin = this.#chain.pick(random);
      if (coin === undefined || this.#spent.has(coin)) continue;
      this.#spent.add(coin);
      return coin;
    }
    return undefined;
  }
}
