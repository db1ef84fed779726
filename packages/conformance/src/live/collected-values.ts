import { canonicalText } from "@nodewright/api-model";
import type { SuiteTypes } from "../suite/suite-type.ts";
import { isScalar, type Leaf, type Scope, scopesOf } from "./leaves.ts";
import type { SeenAnswer } from "./live-values.ts";
import { isGenericName } from "./names.ts";
import { type Ranked, RankedList } from "./ranked-list.ts";
import { type LinkedOperation, type Rank, ranks, type SlotGroup, type SlotTable, thingsAnswered } from "./slots.ts";

/** Of one answer for one slot: other answers have something to say too. */
export const maximumOfAnswer = 8;

/** Texts of one answer that are checked against narrow types for want of a telling name. */
const maximumUnnamed = 200;

/** How much of one answer was taken. */
interface Collection {
  /** By the input that it was taken for, the ranks. */
  readonly taken: Map<SlotGroup, Rank[]>;
  /** Texts that their names lead to inputs. */
  readonly named: Set<unknown>;
  /** What is called nothing that would tell. */
  readonly unnamed: Leaf[];
}

/** Values out of answers, by the inputs that they may be for, and the objects that they stood in. */
export class CollectedValues {
  readonly #slots: SlotTable;
  readonly #types: SuiteTypes;
  readonly #values = new Map<SlotGroup, RankedList<unknown>>();
  readonly #scopes = new Map<SlotGroup, RankedList<Scope>>();

  constructor(slots: SlotTable, types: SuiteTypes) {
    this.#slots = slots;
    this.#types = types;
  }

  /** Values for an input, the surest first. */
  valuesOf(group: SlotGroup): readonly Ranked<unknown>[] {
    return this.#values.get(group)?.entries ?? [];
  }

  /** Values for a parameter of an operation, the surest first. */
  rankedOf(operation: string, property: string): readonly Ranked<unknown>[] {
    const slot = this.#slots.slotsOf(operation).find(({ parameter }) => parameter.property === property);
    return slot === undefined ? [] : this.valuesOf(slot.group);
  }

  /** Objects that hold a value for an input, the surest first. */
  scopesOf(group: SlotGroup): readonly Ranked<Scope>[] {
    return this.#scopes.get(group)?.entries ?? [];
  }

  add(group: SlotGroup, value: unknown, rank: number): void {
    getOrInsert(this.#values, group, () => new RankedList<unknown>(canonicalText)).add(value, rank);
  }

  collect(operation: LinkedOperation, answer: SeenAnswer): void {
    const { things, remote } = thingsAnswered(operation);
    const asked = this.#scopeOfInput(operation, answer.input);
    const source = { type: answer.type, value: answer.value, things, remoteThings: remote };
    this.collectScopes([asked, ...scopesOf(source, this.#types, asked)]);
  }

  /** Takes values out of the objects of one response. */
  collectScopes(scopes: readonly Scope[]): void {
    const collection: Collection = { taken: new Map(), named: new Set(), unnamed: [] };
    for (const scope of scopes) this.#collectScope(scope, collection);
    const unnamed = collection.unnamed.filter(({ value }) => !collection.named.has(value));
    for (const leaf of unnamed.slice(0, maximumUnnamed)) this.#collectUnnamed(leaf, collection);
  }

  /** What was asked for belongs to what was answered. */
  #scopeOfInput(operation: LinkedOperation, input: SeenAnswer["input"]): Scope {
    const leaves = this.#slots.slotsOf(operation.name).flatMap((slot): Leaf[] => {
      const found = input[slot.parameter.property];
      const value = slot.group.isList && Array.isArray(found) ? found[0] : found;
      if (!isScalar(value)) return [];
      return [{ name: slot.group.name, things: [], remoteThings: [], isFromInput: true, isPlain: false, value }];
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

  /** A value that no name leads to, for inputs whose type alone says what they are for. */
  #collectUnnamed(leaf: Leaf, collection: Collection): void {
    for (const group of this.#slots.tellingGroups(leaf.value)) {
      const value = this.#take(leaf, group, ranks.pattern, collection);
      if (value !== undefined && value !== enough) this.add(group, value, ranks.pattern);
    }
  }

  /** The value of a leaf as an input takes it; `enough` where as many as are wanted of one answer were taken before. */
  #take({ value }: Leaf, group: SlotGroup, rank: Rank, { taken }: Collection): unknown {
    const before = getOrInsert(taken, group, (): Rank[] => []);
    if (before.filter((one) => one === rank).length >= maximumOfAnswer) return enough;
    const fitting = this.#slots.fitting(group, value);
    if (fitting !== undefined) before.push(rank);
    return fitting;
  }

  /** The value for an input in a scope, or in the nearest one around it that has one. */
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

const enough = Symbol("enough of one answer");

/** A number that names a thing is not surely what a text asks for: an owner may have both an id and a login. */
function rankOfValue(rank: Rank, value: unknown, leaf: Leaf): number {
  const isRespelled = rank === ranks.identifier && typeof value === "string" && value !== leaf.value;
  return (isRespelled ? ranks.similar : rank) + (leaf.distance ?? 0);
}

/** Returns the value of a key; where there is none, it creates and keeps one. */
export function getOrInsert<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}
