import { type BlockHeader, type Network, targetOfBits, workOfBits } from "@nodewright/bitcoin-primitives";

/** A decoded compact target. */
interface Target {
  /** Highest allowed hash, 32 bytes in display order; `undefined` when the network allows no such target. */
  readonly limit: Buffer | undefined;
  readonly work: bigint;
}

/** Number of cached targets: a chain has one for thousands of blocks. */
const maximumTargets = 1_000;

/** Checker of proof of work and counter of work, with a cache of targets: the same results as the primitives', a few times faster. */
export class HeaderWork {
  readonly #network: Network;
  readonly #targets = new Map<number, Target>();

  constructor(network: Network) {
    this.#network = network;
  }

  /** Returns whether a header's hash is not above its target, and the network allows the target. */
  isProven({ bits, hash }: Pick<BlockHeader, "bits" | "hash">): boolean {
    const { limit } = this.#targetOf(bits);
    if (limit === undefined) return false;
    // A hash is a little-endian number: its last bytes are the most significant.
    for (let index = 0; index < 32; index += 1) {
      const difference = (hash[31 - index] ?? 0) - (limit[index] ?? 0);
      if (difference !== 0) return difference < 0;
    }
    return true;
  }

  /** Returns the expected number of hashes to meet `bits`. */
  workOf(bits: number): bigint {
    return this.#targetOf(bits).work;
  }

  #targetOf(bits: number): Target {
    let target = this.#targets.get(bits);
    if (target === undefined) {
      if (this.#targets.size >= maximumTargets) this.#targets.clear();
      target = { limit: limitOf(bits, this.#network), work: workOfBits(bits) };
      this.#targets.set(bits, target);
    }
    return target;
  }
}

function limitOf(bits: number, network: Network): Buffer | undefined {
  const target = targetOfBits(bits);
  if (target === undefined || target > network.powLimit) return undefined;
  return Buffer.from(target.toString(16).padStart(64, "0"), "hex");
}
