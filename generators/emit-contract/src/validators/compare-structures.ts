import type { SettledType, SettledValidators, TypeFacts } from "./settled-validators.ts";
import { findStructures, type Structures, type StructureTable } from "./structure.ts";
import { isTypePredicate } from "./validator-functions.ts";
import { exportedByStructure, exportedKey, isWorthSharing } from "./validator-scope.ts";
import type { Slice } from "./validator-slice.ts";

/** Structures as the functions of the old and of the new types see them. */
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

/** A doubt, where something that stands in other types too is shared from now on, or no longer, or with another type. */
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
    // What only the operations have, and have no longer or did not have, is nobody else's.
    const isConcerned = own.some((count) => count > 0) && ((others[id] ?? 0) > 0 || own.every((count) => count > 0));
    if (!isConcerned) continue;
    const wasShared = isWorthSharing({ places: places[id] ?? 0, weight });
    const isShared = isWorthSharing({ places: after[id] ?? 0, weight });
    if (wasShared === isShared && (!isShared || isSharedAlike(id, sharing))) continue;
    const standing = settled.types.filter(({ name, structure }) => structure === id && !changed.has(name));
    const ownRoots = [rootsOf(old, counted, id), rootsOf(now, table, id)];
    // Where it is nothing but whole types, only those of them look at it that are called like another.
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

/** Whether what is equal to a part has the same exported check as before. */
function isSharedAlike(id: number, { before, after }: Sharing): boolean {
  return [true, false].every((isLossless) => {
    const key = exportedKey(id, isLossless);
    return before.get(key) === after.get(key);
  });
}

/** How many types assert just that. */
function rootsOf({ types }: Slice, table: StructureTable, id: number): number {
  return types.filter(({ type }) => table.find(type)?.id === id).length;
}

/** The type whose functions those of another call; nothing where they do the work themselves. */
function bodyOf(name: string, isShared: boolean, exported: string | undefined): string | undefined {
  return isShared && exported !== name ? exported : undefined;
}

/** The same structures in the places that the whole document has them in. */
function withPlaces(table: StructureTable, places: readonly number[]): Structures {
  return {
    find(type) {
      const found = table.find(type);
      return found && { id: found.id, weight: found.weight, places: places[found.id] ?? 0 };
    },
  };
}

/** All types of the document, those of the changed operations as they are now. */
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
