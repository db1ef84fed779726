import type { SettledType, SettledValidators, TypeFacts } from "../validators/settled-validators.ts";
import { findStructures, type Structures, type StructureTable } from "../contract/structure.ts";
import { isTypePredicate } from "../validators/validator-functions.ts";
import { exportedByStructure, exportedKey, isWorthSharing } from "../validators/validator-scope.ts";
import type { Slice } from "./validator-slice.ts";

/** Structures of the functions of the old and of the new types. */
export interface ComparedStructures {
  readonly old: SliceStructures;
  readonly now: SliceStructures;
}

export interface SliceStructures {
  readonly structures: Structures;
  readonly table: StructureTable;
  /** All types of the document. */
  readonly types: readonly TypeFacts[];
  readonly exported: ReadonlyMap<string, string>;
}

/**
 * Compares the structures before and after. Returns a doubt where a part that other types also contain becomes shared, is no longer shared,
 * or is shared with another type.
 */
export function compareStructures(
  old: Slice,
  now: Slice,
  settled: SettledValidators,
): ComparedStructures | { readonly doubt: string } {
  const { keys, weights, places } = settled.structures;
  const counted = findStructures(
    old.types.map(({ type }) => type),
    settled.structures,
  );
  if (counted.settled.keys.length !== keys.length) return { doubt: "the operation was not remembered as it was" };
  const others = counted.settled.places.map((count, id) => 2 * (places[id] ?? 0) - count);
  const table = findStructures(
    now.types.map(({ type }) => type),
    { keys, weights, places: others },
  );
  const exported = exportedByStructure(settled.types);
  const typesNow = typesWith(now, settled, table);
  const exportedNow = exportedByStructure(typesNow);
  const after = table.settled.places;
  const sharing: Sharing = { before: exported, after: exportedNow };
  const changed = new Set(now.types.map(({ name }) => name));
  for (const [id, weight] of weights.entries()) {
    const own = [(places[id] ?? 0) - (others[id] ?? 0), (after[id] ?? 0) - (others[id] ?? 0)];
    // A part that only the operations have, and that was added or removed, does not affect others.
    const isConcerned = own.some((count) => count > 0) && ((others[id] ?? 0) > 0 || own.every((count) => count > 0));
    if (!isConcerned) continue;
    const wasShared = isWorthSharing({ places: places[id] ?? 0, weight });
    const isShared = isWorthSharing({ places: after[id] ?? 0, weight });
    if (wasShared === isShared && (!isShared || isSharedAlike(id, sharing))) continue;
    const standing = settled.types.filter(({ name, structure }) => structure === id && !changed.has(name));
    const ownRoots = [rootsOf(old, counted, id), rootsOf(now, table, id)];
    // If all its occurrences are complete types, it matters only to those that now call the function of another type.
    const isWhole = standing.length === others[id] && own.every((count, index) => count === ownRoots[index]);
    const isSame = ({ name, isLossless }: SettledType): boolean =>
      bodyOf(name, wasShared, exported.get(exportedKey(id, isLossless))) ===
      bodyOf(name, isShared, exportedNow.get(exportedKey(id, isLossless)));
    if (!isWhole || !standing.every(isSame)) return { doubt: "a part is shared with others in another way" };
  }
  return {
    old: { structures: withPlaces(counted, places), table: counted, types: settled.types, exported },
    now: { structures: table, table, types: typesNow, exported: exportedNow },
  };
}

interface Sharing {
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
}

/** Returns whether the types that are equal to a part have the same exported check as before. */
function isSharedAlike(id: number, { before, after }: Sharing): boolean {
  return [true, false].every((isLossless) => {
    const key = exportedKey(id, isLossless);
    return before.get(key) === after.get(key);
  });
}

/** Returns the number of types with exactly this structure. */
function rootsOf({ types }: Slice, table: StructureTable, id: number): number {
  return types.filter(({ type }) => table.find(type)?.id === id).length;
}

/** Returns the type whose functions those of another call; undefined where they contain the checks themselves. */
function bodyOf(name: string, isShared: boolean, exported: string | undefined): string | undefined {
  return isShared && exported !== name ? exported : undefined;
}

/** Returns the same structures with their numbers of occurrences in the complete document. */
function withPlaces(table: StructureTable, places: readonly number[]): Structures {
  return {
    find(type) {
      const found = table.find(type);
      return found && { id: found.id, weight: found.weight, places: places[found.id] ?? 0 };
    },
  };
}

/** Returns all types of the document, those of the changed operations in their current state. */
function typesWith(now: Slice, settled: SettledValidators, table: StructureTable): readonly TypeFacts[] {
  const changed = new Map(now.types.map((type) => [type.name, type]));
  return settled.types.map((known) => {
    const type = changed.get(known.name);
    if (type === undefined) return factsOf(known);
    const { name, isLossless, isDeep } = type;
    const structure = table.find(type.type)?.id ?? -1;
    return { name, isLossless, isDeep, structure, isPredicate: isTypePredicate(type, now.model) };
  });
}

function factsOf({ name, structure, isLossless, isDeep, isPredicate }: SettledType): TypeFacts {
  return { name, structure, isLossless, isDeep, isPredicate };
}
