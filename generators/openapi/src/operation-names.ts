import { camelCase, createNameAllocator, kebabCase, nameWords } from "@nodewright/model";
import type { Located } from "@nodewright/source";
import type { OperationPlace } from "./operation-places.ts";
import type { Reading } from "./reading.ts";

/** What the names of operations are made from. */
export type NamedPlace = Pick<OperationPlace, "origin" | "operationId" | "choice" | "place"> & {
  /** What the name is made from where there is no operationId; absent: the origin, and a warning. */
  readonly fallback?: string;
};

/** Two paths may share a path item: a name is that of a path's operation, not of the text that describes it. */
export type OperationNames = ReadonlyMap<NamedPlace, string>;

/**
 * Names every operation: camelCase of its operationId, or of its method and path.
 *
 * A name that the configuration gives goes first, then an operationId that is spelled as its name is, then the others in
 * document order, so that a new `get-pet` does not rename `getPet`.
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

/** What an operation is called when nothing else has that name. */
function wantedName({ choice, operationId, origin, fallback }: NamedPlace): string {
  if (choice.name !== undefined)
    return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(choice.name) ? choice.name : camelCase(choice.name);
  return camelCase(hasWords(operationId) ? operationId : (fallback ?? nameFromOrigin(origin)));
}

/** `GET /pets/{petId}` gives `get-pets-by-pet-id`: without the "by", `/pets/{count}` and `/pets/count` would share a name. */
function nameFromOrigin(origin: string): string {
  return kebabCase(origin.replaceAll(/\{([^{}]*)\}/g, " by $1 "));
}

function hasWords(operationId: string | undefined): operationId is string {
  return operationId !== undefined && nameWords(operationId).length > 0;
}

function rankOf(place: NamedPlace): number {
  if (place.choice.name !== undefined) return 0;
  return place.operationId === wantedName(place) ? 1 : 2;
}

function isUnnamed({ choice, operationId, fallback, place }: NamedPlace): boolean {
  // An operationId that is no text is told as such.
  const isText = operationId !== undefined || !place.has("operationId");
  return choice.name === undefined && !hasWords(operationId) && fallback === undefined && isText;
}

function noteMissingId(reading: Reading, place: NamedPlace, names: OperationNames): void {
  const { origin } = place;
  const name = names.get(place) ?? "";
  reading.habits.note("missing-operation-id", place.place.source, (source, others) =>
    reading.report("missing-operation-id", source, { origin, name, others }),
  );
}

/** Section 4.8.10.1: the operationId is unique among all operations of the API. */
function reportDuplicateIds(reading: Reading, places: readonly NamedPlace[]): void {
  const firstUses = new Map<string, NamedPlace>();
  for (const one of places) {
    const { operationId, place } = one;
    if (operationId === undefined) continue;
    const first = firstUses.get(operationId);
    if (first === undefined) firstUses.set(operationId, one);
    // A path item that two paths refer to spells its ids once.
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
  // Told as a mistake of its own.
  if (isDuplicate && place.node !== owner.place.node) return;
  reading.report("operation-name-clash", idSource(place), { ...names, origin, firstUse: owner.origin });
}

function idSource(place: Located): Located["source"] {
  return place.memberSource("operationId");
}
