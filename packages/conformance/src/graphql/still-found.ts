import type { Finding } from "../contract/finding.ts";

/** How often what was found is looked at again before it counts: what moves by itself is seldom the same so many times. */
const looks = 2;

/** The findings that are there each time that is looked again. */
export async function stillFound(
  found: readonly Finding[],
  lookAgain: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  let left = found;
  for (let look = 0; look < looks && left.length > 0; look += 1) {
    const again = new Set((await lookAgain()).map(({ message }) => message));
    left = left.filter(({ message }) => again.has(message));
  }
  return left;
}
