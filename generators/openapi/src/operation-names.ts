import { camelCase, createNameAllocator, kebabCase, nameWords } from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import type { OperationPlace } from "./operation-places.ts";
import type { Reading } from "./reading.ts";

/** Parts of an operation that its name is derived from. */
export type NamedPlace = Pick<OperationPlace, "origin" | "operationId" | "selection" | "place"> & {
  /** Source of the name if there is no operationId; if absent, the name is derived from the origin, with a warning. */
  readonly fallback?: string;
};

/** Names by operation of a path. Two paths may share a path item, so the source text does not identify an operation. */
export type OperationNames = ReadonlyMap<NamedPlace, string>;

/**
 * Names every operation in camelCase, after its operationId, or after its method and path.
 *
 * Configured names have priority, then operationIds that are already spelled as their names, then the others in document order, so that a
 * new `get-pet` does not rename `getPet`.
 */
export function nameOperations(reading: Reading, places: readonly NamedPlace[]): OperationNames {
  const names = new Map<NamedPlace, string>();
  const allocator = createNameAllocator();
  const owners = new Map<string, NamedPlace>();
  const ranked = places.toSorted((left, right) => rankOf(left) - rankOf(right));
  for (const place of ranked) {
    const wanted = wantedName(place);
    const name = allocator.allocate(wanted);
    names.set(place, name);
    const owner = owners.get(wanted);
    if (owner !== undefined && (place.fallback === undefined || hasWords(place.operationId)))
      reportClash(reading, place, owner, { wanted, name });
    owners.set(name, place);
  }
  for (const place of places) if (isUnnamed(place)) noteMissingId(reading, place, names);
  reportDuplicateIds(reading, places);
  return names;
}

/** Returns the preferred name of an operation. */
function wantedName({ selection, operationId, origin, fallback }: NamedPlace): string {
  if (selection.name !== undefined)
    return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(selection.name) ? selection.name : camelCase(selection.name);
  return camelCase(hasWords(operationId) ? operationId : (fallback ?? nameFromOrigin(origin)));
}

/**
 * Derives a name from an origin: `GET /pets/{petId}` gives `get-pets-by-pet-id`. Without the "by", `/pets/{count}` and `/pets/count` would
 * have the same name.
 */
function nameFromOrigin(origin: string): string {
  return kebabCase(origin.replaceAll(/\{([^{}]*)\}/g, " by $1 "));
}

function hasWords(operationId: string | undefined): operationId is string {
  return operationId !== undefined && nameWords(operationId).length > 0;
}

function rankOf(place: NamedPlace): number {
  if (place.selection.name !== undefined) return 0;
  return place.operationId === wantedName(place) ? 1 : 2;
}

function isUnnamed({ selection, operationId, fallback, place }: NamedPlace): boolean {
  // An operationId that is not a string is reported elsewhere.
  const isText = operationId !== undefined || !place.has("operationId");
  return selection.name === undefined && !hasWords(operationId) && fallback === undefined && isText;
}

function noteMissingId(reading: Reading, place: NamedPlace, names: OperationNames): void {
  const { origin } = place;
  const name = names.get(place) ?? "";
  reading.habits.note("missing-operation-id", place.place.source, (source, others) =>
    reading.report("missing-operation-id", source, { origin, name, others }),
  );
}

/** Reports duplicate operationIds: section 4.8.10.1 requires them to be unique among all operations of the API. */
function reportDuplicateIds(reading: Reading, places: readonly NamedPlace[]): void {
  const firstUses = new Map<string, NamedPlace>();
  for (const one of places) {
    const { operationId, place } = one;
    if (operationId === undefined) continue;
    const first = firstUses.get(operationId);
    if (first === undefined) firstUses.set(operationId, one);
    // A path item that two paths refer to contains each operationId once.
    else if (first.place.node !== place.node)
      reading.report("duplicate-operation-id", idSource(place), { operationId, firstUse: first.origin });
  }
}

function reportClash(
  reading: Reading,
  { place, origin, operationId }: NamedPlace,
  owner: NamedPlace,
  names: { readonly wanted: string; readonly name: string },
): void {
  const isDuplicate = operationId !== undefined && operationId === owner.operationId;
  // Reported separately.
  if (isDuplicate && place.node !== owner.place.node) return;
  reading.report("operation-name-clash", idSource(place), { ...names, origin, firstUse: owner.origin });
}

function idSource(place: SourceValue): SourceValue["source"] {
  return place.memberSource("operationId");
}
