import { type BlockChoices, repeatingChain, repeatingScripts } from "./repeating-chain.ts";

/** Yields numbers of a linear congruential generator (Numerical Recipes): the same in every run. */
export function* randomNumbers(from: number): Generator<number, never> {
  for (let state = from >>> 0; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

/** Returns a chain of `blocks` blocks above the genesis block, with payments of all kinds that `repeatingChain` supports. */
export function longChain(blocks: number): readonly Uint8Array[] {
  const random = randomNumbers(1);
  const below = (end: number): number => Math.floor((random.next().value / 2 ** 32) * end);
  const choices = Array.from(
    { length: blocks },
    (): BlockChoices => ({
      coinbase: below(1_000),
      script: 0,
      payments: Array.from({ length: below(6) }, () => ({
        coins: Array.from({ length: 1 + below(3) }, () => below(1_000)),
        scripts: Array.from({ length: 1 + below(4) }, () => below(repeatingScripts.length)),
        hasWitness: below(2) === 0,
      })),
    }),
  );
  return repeatingChain(choices);
}
