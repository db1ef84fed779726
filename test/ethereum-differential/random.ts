/** Numbers that look like chance and are the same for the same seed. */
export interface Random {
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  /** One of a list that is not empty. */
  of<T>(list: readonly T[]): T;
  /** So many of a list, each at most once, in the list's order; the whole list when it has no more. */
  some<T>(list: readonly T[], count: number): readonly T[];
}

/** A generator of 32 bits (Marsaglia's xorshift). */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed, 2_654_435_761) | 1;
  const below = (bound: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
  return {
    below,
    of<T>(list: readonly T[]): T {
      const [chosen] = list.slice(below(list.length));
      if (chosen === undefined) throw new Error("Nothing to choose from");
      return chosen;
    },
    some<T>(list: readonly T[], count: number): readonly T[] {
      const left = list.map((_, at) => at);
      while (left.length > count) left.splice(below(left.length), 1);
      return left.flatMap((at) => list.slice(at, at + 1));
    },
  };
}
