/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** An integer from 0 to below `bound`. */
  below(bound: number): number;
  pick<Value>(values: readonly Value[]): Value;
  /** All of them in another order. */
  shuffle<Value>(values: readonly Value[]): Value[];
  hex(digits: number): string;
}

/** Seeds by text: FNV-1a, then mulberry32. */
export function createRandom(seed: string): Random {
  let state = 0x811c9dc5;
  for (const character of seed) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    next,
    below,
    pick: (values) => {
      const value = values[below(values.length)];
      if (value === undefined) {
        throw new Error("nothing to pick from");
      }
      return value;
    },
    shuffle: (values) => {
      const shuffled = [...values];
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        [shuffled[last], shuffled[other]] = [shuffled[other] as never, shuffled[last] as never];
      }
      return shuffled;
    },
    hex: (digits) => Array.from({ length: digits }, () => below(16).toString(16)).join(""),
  };
}
