import type { ChainQueries } from "@nodewright/bitcoin-indexer";

/** An index with some members in place of its own. */
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
