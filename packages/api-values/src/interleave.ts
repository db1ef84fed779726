/** Returns the first elements of all lists, then the second ones, and so on, as lists. */
export function transposed<Element>(lists: readonly (readonly Element[])[]): readonly (readonly Element[])[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_none, index) => lists.flatMap((list) => list.slice(index, index + 1)));
}

/** Interleaves lists round-robin: cutting the result at the end cuts all lists. */
export function interleave<Element>(lists: readonly (readonly Element[])[]): readonly Element[] {
  return transposed(lists).flat();
}
