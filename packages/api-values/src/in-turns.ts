/** The first of each list, the second of each, and so on. */
export function transposed<Element>(lists: readonly (readonly Element[])[]): readonly (readonly Element[])[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_none, index) => lists.flatMap((list) => list.slice(index, index + 1)));
}

/** One of each list, then the next of each: what is cut from the end is cut from all. */
export function inTurns<Element>(lists: readonly (readonly Element[])[]): readonly Element[] {
  return transposed(lists).flat();
}
