import { canonicalText } from "@nodewright/api-model";
import type { SuiteTypes } from "../suite/suite-type.ts";
import { isScalar, type Leaf, type Scope, scopesOf } from "./leaves.ts";
import type { ObservedResult } from "./live-values.ts";
import { isGenericName } from "./names.ts";
import { type LinkedOperation, type Rank, ranks, returnedTypes, type SlotGroup, type SlotTable } from "./slots.ts";

/** Maximum number of values of one response for one slot: other responses provide values too. */
export const maximumOfResult = 8;

/** Maximum number of strings of one response, without a distinctive name, that are checked against narrow types. */
const maximumUnnamed = 200;

/** Values collected from one response. */
interface Collection {
  /** Ranks of collected values, by input. */
  readonly taken: Map<SlotGroup, Rank[]>;
  /** Strings whose names match inputs. */
  readonly named: Set<unknown>;
  /** Values without a distinctive name. */
  readonly unnamed: Leaf[];
}

/** Values from responses, by the inputs that they may be used for, with the objects that contained them. */
export class CollectedValues {
  readonly #slots: SlotTable;
  readonly #types: SuiteTypes;
  readonly #values = new Map<SlotGroup, RankedList<unknown>>();
  readonly #scopes = new Map<SlotGroup, RankedList<Scope>>();

  constructor(slots: SlotTable, types: SuiteTypes) {
    this.#slots = slots;
    this.#types = types;
  }

  /** Returns values for an input, the most certain first. */
  valuesOf(group: SlotGroup): readonly Ranked<unknown>[] {
    return this.#values.get(group)?.entries ?? [];
  }

  /** Returns values for a parameter of an operation, the most certain first. */
  rankedOf(operation: string, property: string): readonly Ranked<unknown>[] {
    const slot = this.#slots.slotsOf(operation).find(({ parameter }) => parameter.property === property);
    return slot === undefined ? [] : this.valuesOf(slot.group);
  }

  /** Returns objects that contain a value for an input, the most certain first. */
  scopesOf(group: SlotGroup): readonly Ranked<Scope>[] {
    return this.#scopes.get(group)?.entries ?? [];
  }

  add(group: SlotGroup, value: unknown, rank: number): void {
    getOrInsert(this.#values, group, () => new RankedList<unknown>(canonicalText)).add(value, rank);
  }

  collect(operation: LinkedOperation, response: ObservedResult): void {
    const { typeNames, remote } = returnedTypes(operation);
    const requested = this.#scopeOfInput(operation, response.input);
    const source = { type: response.type, value: response.value, typeNames, remoteTypeNames: remote };
    this.collectScopes([requested, ...scopesOf(source, this.#types, requested)]);
  }

  /** Collects values from the objects of one response. */
  collectScopes(scopes: readonly Scope[]): void {
    const collection: Collection = { taken: new Map(), named: new Set(), unnamed: [] };
    for (const scope of scopes) this.#collectScope(scope, collection);
    const unnamed = collection.unnamed.filter(({ value }) => !collection.named.has(value));
    for (const leaf of unnamed.slice(0, maximumUnnamed)) this.#collectUnnamed(leaf, collection);
  }

  /** Returns a scope of the input: the values of a call belong to its response. */
  #scopeOfInput(operation: LinkedOperation, input: ObservedResult["input"]): Scope {
    const leaves = this.#slots.slotsOf(operation.name).flatMap((slot): Leaf[] => {
      const found = input[slot.parameter.property];
      const value = slot.group.isList && Array.isArray(found) ? found[0] : found;
      if (!isScalar(value)) return [];
      return [{ name: slot.group.name, typeNames: [], remoteTypeNames: [], isFromInput: true, isPlain: false, value }];
    });
    return { parent: undefined, leaves };
  }

  #collectScope(scope: Scope, collection: Collection): void {
    for (const leaf of scope.leaves) {
      let isNamed = false;
      for (const [group, named] of this.#slots.matchesOf(leaf)) {
        const value = this.#take(leaf, group, named, collection);
        isNamed ||= named <= ranks.similar && value !== undefined;
        if (value === undefined || value === enough) continue;
        const rank = rankOfValue(named, value, leaf);
        this.add(group, value, rank);
        getOrInsert(this.#scopes, group, () => new RankedList<Scope>((one) => one)).add(scope, rank);
      }
      if (isNamed && typeof leaf.value === "string") collection.named.add(leaf.value);
      else if (isGenericName(leaf.name) || leaf.isPlain) collection.unnamed.push(leaf);
    }
  }

  /** Collects a value without a matching name, for inputs with a distinctive type. */
  #collectUnnamed(leaf: Leaf, collection: Collection): void {
    for (const group of this.#slots.distinctiveGroups(leaf.value)) {
      const value = this.#take(leaf, group, ranks.pattern, collection);
      if (value !== undefined && value !== enough) this.add(group, value, ranks.pattern);
    }
  }

  /** Returns the value of a leaf in the form that an input takes; `enough` where the maximum of one response is reached. */
  #take({ value }: Leaf, group: SlotGroup, rank: Rank, { taken }: Collection): unknown {
    const before = getOrInsert(taken, group, (): Rank[] => []);
    if (before.filter((one) => one === rank).length >= maximumOfResult) return enough;
    const fitting = this.#slots.fitting(group, value);
    if (fitting !== undefined) before.push(rank);
    return fitting;
  }

  /** Returns the value for an input in a scope, or in the nearest enclosing one that has one. */
  nearest(group: SlotGroup, scope: Scope): Ranked<unknown> | undefined {
    let level = 0;
    for (let one: Scope | undefined = scope; one !== undefined; one = one.parent) {
      const [found] = this.#inScope(group, one).toSorted((left, right) => left.rank - right.rank);
      if (found !== undefined) return { value: found.value, rank: found.rank + level / 100 };
      level += 1;
    }
    return undefined;
  }

  #inScope(group: SlotGroup, { leaves }: Scope): readonly Ranked<unknown>[] {
    return leaves.flatMap((leaf) => {
      const named = this.#slots.matchesOf(leaf).get(group);
      const value = named === undefined ? undefined : this.#slots.fitting(group, leaf.value);
      return named === undefined || value === undefined ? [] : [{ value, rank: rankOfValue(named, value, leaf) }];
    });
  }
}

const enough = Symbol("enough values of one response");

/** Returns the rank of a value. A number is less certain where an input takes a string: an owner may have both an id and a login. */
function rankOfValue(rank: Rank, value: unknown, leaf: Leaf): number {
  const isRespelled = rank === ranks.identifier && typeof value === "string" && value !== leaf.value;
  return (isRespelled ? ranks.similar : rank) + (leaf.distance ?? 0);
}

/** Returns the value of a key; creates and stores it where it is missing. */
export function getOrInsert<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}

/** A value with its rank: lower is more certain. */
export interface Ranked<Value> {
  readonly value: Value;
  readonly rank: number;
}

const maximumValues = 50;

/** The 50 most certain values without duplicates. Keeps the most certain of equal values, and the first of equally certain ones. */
export class RankedList<Value> {
  #entries: readonly (Ranked<Value> & { readonly key: unknown })[] = [];
  readonly #keyOf: (value: Value) => unknown;

  /** @param keyOf Returns the same key for equal values. */
  constructor(keyOf: (value: Value) => unknown) {
    this.#keyOf = keyOf;
  }

  get entries(): readonly Ranked<Value>[] {
    return this.#entries;
  }

  add(value: Value, rank: number): void {
    if (this.#entries.length >= maximumValues && (this.#entries.at(-1)?.rank ?? 0) <= rank) return;
    const key = this.#keyOf(value);
    const known = this.#entries.find((entry) => entry.key === key);
    if (known !== undefined && known.rank <= rank) return;
    const others = this.#entries.filter((entry) => entry !== known);
    this.#entries = [...others, { value, rank, key }]
      .toSorted((left, right) => left.rank - right.rank)
      .slice(0, maximumValues);
  }
}
