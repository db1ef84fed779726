import type { ChainQueries } from "@nodewright/bitcoin-indexer";

/** Returns an index with some members replaced. */
export function changedIndex(index: ChainQueries, changes: Partial<ChainQueries>): ChainQueries {
  return new Proxy(index, {
    get(target, name) {
      if (Object.hasOwn(changes, name)) return Reflect.get(changes, name) as unknown;
      // Its methods use private fields, which a proxy does not have.
      const member = Reflect.get(target, name, target) as unknown;
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
