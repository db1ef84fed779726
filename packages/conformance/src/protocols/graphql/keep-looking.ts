/** What is left of what was found after each further look, until nothing is. */
export async function keepLooking<T>(
  found: readonly T[],
  looks: number,
  stillThere: (left: readonly T[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  let left = found;
  for (let look = 0; look < looks && left.length > 0; look += 1) left = await stillThere(left);
  return left;
}
