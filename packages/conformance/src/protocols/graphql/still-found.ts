import type { Finding } from "../../contract/finding.ts";
import { keepLooking } from "./keep-looking.ts";

/** How often what was found is looked at again before it counts: what moves by itself is seldom the same so many times. */
const looks = 2;

/** The findings that are there each time that is looked again. */
export async function stillFound(
  found: readonly Finding[],
  lookAgain: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  return await keepLooking(found, looks, async (left) => {
    const again = new Set((await lookAgain()).map(({ message }) => message));
    return left.filter(({ message }) => again.has(message));
  });
}
