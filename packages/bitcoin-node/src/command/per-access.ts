import { BoundedCache } from "@nodewright/runtime";
import type { MethodAccess } from "../context/context.ts";
import type { CommandReference } from "../description/command-reference.ts";

/** Number of cached sets of commands: clients of one plan mostly have the same. */
const rememberedSets = 16;

type WriteForAccess<Value> = (reference: CommandReference, access: MethodAccess) => Value;

/** Caches a rendering for all clients with the same commands. */
export function perAccess<Value>(write: WriteForAccess<Value>): WriteForAccess<Value> {
  const caches = new WeakMap<CommandReference, BoundedCache<string, { readonly value: Value }>>();
  return (reference, access) => {
    let cache = caches.get(reference);
    if (cache === undefined) {
      cache = new BoundedCache(rememberedSets);
      caches.set(reference, cache);
    }
    const key = keyOfAccess(reference, access);
    let known = cache.find(key);
    if (known === undefined) {
      known = { value: write(reference, access) };
      cache.set(key, known);
    }
    return known.value;
  };
}

/** Returns the cache key: a digit for each command, and the hint. */
function keyOfAccess({ commands }: CommandReference, access: MethodAccess): string {
  let key = "";
  for (const name of commands.keys()) key += access.isEnabled(name) ? "1" : "0";
  return key + access.enableHint;
}
