import type { Coin } from "./coin.ts";
import type { Random } from "./random.ts";

/** Where a transaction takes what it spends. */
export interface CoinSource {
  /** Takes a coin out; `undefined` when there is none. */
  take(random: Random): Coin | undefined;
  /** Puts a coin back that was taken and is not spent. */
  giveBack(coin: Coin): void;
}

/** Share of the coins taken that are young, and how many of the youngest are meant. */
const youngShare = 0.4;
const youngest = 2_000;

/** The unspent outputs of a best chain that have matured. */
export class CoinPool implements CoinSource {
  /** About by age, the oldest first. */
  readonly #coins: Coin[] = [];
  readonly #positions = new Map<Coin, number>();

  get size(): number {
    return this.#coins.length;
  }

  add(coin: Coin): void {
    this.#positions.set(coin, this.#coins.length);
    this.#coins.push(coin);
  }

  has(coin: Coin): boolean {
    return this.#positions.has(coin);
  }

  remove(coin: Coin): void {
    const position = this.#positions.get(coin);
    if (position === undefined) throw new Error("A coin is spent that is not there");
    this.#positions.delete(coin);
    const last = this.#coins.pop();
    if (last === undefined || last === coin) return;
    this.#coins[position] = last;
    this.#positions.set(last, position);
  }

  /** A coin, which stays where it is. */
  pick(random: Random): Coin | undefined {
    const { length } = this.#coins;
    const reach = random.chance(youngShare) ? Math.min(youngest, length) : length;
    return this.#coins[length - 1 - random.below(reach)];
  }

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
 * What a branch off a chain may spend, while the chain keeps its coins: those of the chain that the branch has not spent, and its own.
 */
export class BranchCoins implements CoinSource {
  readonly #chain: CoinPool;
  readonly #own = new Set<Coin>();
  readonly #ownList: Coin[] = [];
  readonly #ownShare: number;
  readonly #spent = new Set<Coin>();

  /** `ownShare`: share of the coins taken that the branch itself made. */
  constructor(chain: CoinPool, ownShare: number) {
    this.#chain = chain;
    this.#ownShare = ownShare;
  }

  add(coin: Coin): void {
    this.#own.add(coin);
    this.#ownList.push(coin);
  }

  take(random: Random): Coin | undefined {
    if (this.#ownList.length > 0 && random.chance(this.#ownShare)) return this.#takeOwn(random);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const coin = this.#chain.pick(random);
      if (coin === undefined || this.#spent.has(coin)) continue;
      this.#spent.add(coin);
      return coin;
    }
    return undefined;
  }

  giveBack(coin: Coin): void {
    if (this.#own.has(coin)) this.#ownList.push(coin);
    else this.#spent.delete(coin);
  }

  #takeOwn(random: Random): Coin | undefined {
    const index = random.below(this.#ownList.length);
    const coin = this.#ownList[index];
    const last = this.#ownList.pop();
    if (last !== undefined && last !== coin) this.#ownList[index] = last;
    return coin;
  }
}
