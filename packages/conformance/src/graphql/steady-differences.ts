import { keepLooking } from "./keep-looking.ts";

/** Two values of one thing that were found to differ, told from all others by `key`. */
export interface Suspect<T> {
  readonly key: string;
  readonly here: unknown;
  readonly there: unknown;
  readonly finding: T;
}

/** How often what differs is looked at again: of two that change by themselves, each stays what it was so often in one case of 256. */
const looks = 4;

/**
 * The differences between two places in which each keeps its value however often it is looked at. What changes by itself differs
 * between two answers whatever it is asked by, and says nothing of the places.
 */
export async function steadyDifferences<T>(
  first: readonly Suspect<T>[],
  lookAgain: () => Promise<readonly Suspect<T>[] | undefined>,
  isSame: (left: unknown, right: unknown) => boolean,
): Promise<readonly Suspect<T>[]> {
  return await keepLooking(first, looks, async (left) => {
    // What is not answered any more can't be looked at.
    const again = (await lookAgain()) ?? [];
    const now = new Map(again.map((one) => [one.key, one]));
    return left.filter(({ key, here, there }) => {
      const one = now.get(key);
      return one !== undefined && isSame(one.here, here) && isSame(one.there, there);
    });
  });
}
