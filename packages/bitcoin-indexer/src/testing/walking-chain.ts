import { networks } from "@nodewright/bitcoin-primitives";
import { runIndexer } from "../sync/run-indexer.ts";
import { createArraySource } from "../source/array-source.ts";
import { openEmbeddedStore } from "../engine/embedded-store.ts";
import { RegtestChain, type RegtestPayment, type RegtestTip } from "./regtest-chain.ts";

const network = networks.regtest;

const scripts = Array.from({ length: 7 }, (_, index) => Uint8Array.from([0x00, 20, ...new Uint8Array(20).fill(index)]));

/** Creates a linear congruential generator (Numerical Recipes): the same numbers in every run. From 0 up to 1. */
export function createRandom(from: number): () => number {
  let state = from >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Consecutive regtest chains, each with more work than the one before. */
export class WalkingChain {
  readonly #chain = new RegtestChain();
  readonly #random: () => number;
  /** Blocks of the best chain. */
  tips: readonly RegtestTip[];

  /** Begins with the genesis block. `random` returns numbers from 0 up to 1. */
  constructor(random: () => number) {
    this.#random = random;
    this.tips = [this.#chain.genesis];
  }

  get height(): number {
    return this.tips.length - 1;
  }

  /** Returns an integer from 0 up to `end`. */
  below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  /** Adds blocks with payments. */
  grow(blocks: number): void {
    const tips = [...this.tips];
    for (let count = 0; count < blocks; count += 1) {
      const parent = tips.at(-1) ?? this.#chain.genesis;
      tips.push(this.#chain.extend(parent, this.#script(), this.#payments(parent)));
    }
    this.tips = tips;
  }

  /** Leaves the chain `depth` blocks below its tip. */
  reorganise(depth: number): void {
    this.tips = this.tips.slice(0, -depth);
    this.grow(depth + 1 + this.below(3));
  }

  #payments(parent: RegtestTip): readonly RegtestPayment[] {
    const left = [...parent.coins];
    return Array.from({ length: this.below(6) }, () => {
      const [coin] = left.splice(this.below(left.length), 1);
      return coin === undefined
        ? { coins: [], outputs: [] }
        : {
            coins: [coin],
            outputs: [
              { value: coin.value / 2n, scriptPubKey: this.#script() },
              { value: coin.value / 3n, scriptPubKey: this.#script() },
            ],
          };
    }).filter(({ coins }) => coins.length > 0);
  }

  #script(): Uint8Array {
    return scripts[this.below(scripts.length)] ?? new Uint8Array(0);
  }
}

/** Builds an index of a chain without a disturbance. */
export async function buildClean(directory: string, tips: readonly RegtestTip[]): Promise<void> {
  const store = await openEmbeddedStore(directory, network);
  const source = createArraySource(
    network,
    tips.map(({ bytes }) => bytes),
  );
  await runIndexer({ store, source });
  await store.close();
}
