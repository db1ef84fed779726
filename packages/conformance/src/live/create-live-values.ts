import { canonicalText } from "@nodewright/api-model";
import type { ConformanceSuite, SuiteLink, SuiteParameter } from "../suite/suite.ts";
import { flatTypeOf } from "../types/flat-type.ts";
import { createRandom } from "../types/random.ts";
import { sampleOf } from "../types/sample-value.ts";
import { isValueOf } from "../types/violations.ts";
import { isScalar, type Leaf, type Scope, scopesOf } from "./leaves.ts";
import { linkValueOf } from "./link-value.ts";
import type { LiveValues, SeenAnswer } from "./live-values.ts";
import { isGenericName, isIdentifyingName } from "./names.ts";
import {
  type LinkedOperation,
  linkedOperations,
  type Rank,
  ranks,
  type Slot,
  type SlotGroup,
  SlotTable,
  thingsAnswered,
} from "./slots.ts";

type Input = Readonly<Record<string, unknown>>;

interface Ranked<Value> {
  readonly value: Value;
  readonly rank: number;
}

const maximumValues = 50;
const maximumAnswers = 24;

/** Of one answer for one slot or operation: other answers have something to say too. */
const maximumOfAnswer = 8;

/** Texts of one answer that are held against narrow types for want of a telling name. */
const maximumTold = 200;

/** Creates what values are collected in while a suite is played. GraphQL has no inputs here: what is answered is kept only. */
export function createLiveValues(suite: ConformanceSuite): LiveValues {
  return new CollectedValues(suite);
}

/** Values by how surely they fit; each once, and not more than there is room for. */
class RankedList<Value> {
  readonly #entries: Ranked<Value>[] = [];
  readonly #texts = new Map<string, number>();

  get entries(): readonly Ranked<Value>[] {
    return this.#entries;
  }

  add(value: Value, rank: number): boolean {
    if (this.#entries.length >= maximumValues && (this.#entries.at(-1)?.rank ?? 0) <= rank) return false;
    const text = canonicalText(value);
    const known = this.#texts.get(text);
    if (known !== undefined && known <= rank) return false;
    if (known !== undefined) this.#remove(text);
    this.#texts.set(text, rank);
    const index = this.#entries.findIndex((entry) => entry.rank > rank);
    this.#entries.splice(index === -1 ? this.#entries.length : index, 0, { value, rank });
    const last = this.#entries.length > maximumValues ? this.#entries.pop() : undefined;
    if (last !== undefined) this.#texts.delete(canonicalText(last.value));
    return true;
  }

  #remove(text: string): void {
    const index = this.#entries.findIndex((entry) => canonicalText(entry.value) === text);
    if (index !== -1) this.#entries.splice(index, 1);
  }
}

class CollectedValues implements LiveValues {
  readonly #suite: ConformanceSuite;
  readonly #operations: ReadonlyMap<string, LinkedOperation>;
  readonly #slots: SlotTable;
  readonly #values = new Map<SlotGroup, RankedList<unknown>>();
  /** Objects that hold a value for an input. */
  readonly #scopes = new Map<SlotGroup, Ranked<Scope>[]>();
  readonly #inputs = new Map<string, RankedList<Input>>();
  readonly #good = new Map<string, Map<string, Input>>();
  readonly #answers = new Map<string, SeenAnswer[]>();

  constructor(suite: ConformanceSuite) {
    this.#suite = suite;
    this.#operations = new Map(linkedOperations(suite).map((operation) => [operation.name, operation]));
    this.#slots = new SlotTable(suite);
  }

  see(answer: SeenAnswer): void {
    const isSuccess = answer.failure === undefined;
    if (isSuccess) this.#keep(answer);
    const operation = this.#operations.get(answer.operation);
    if (operation === undefined) return;
    for (const link of operation.links) if (link.status === answer.failure) this.#follow(link, operation, answer);
    if (isSuccess) this.#collect(operation, answer);
  }

  #keep(answer: SeenAnswer): void {
    const good = listIn(this.#good, answer.operation, () => new Map<string, Input>());
    const text = canonicalText(answer.input);
    if (!good.has(text) && good.size < maximumValues) good.set(text, answer.input);
    const answers = listIn(this.#answers, answer.operation, (): SeenAnswer[] => []);
    if (answers.length < maximumAnswers) answers.push(answer);
  }

  /** A link that names the first element of a list is one from each. */
  #follow(link: SuiteLink, operation: LinkedOperation, answer: SeenAnswer): void {
    this.#followOne(link.inputs, link.operation, operation, answer, ranks.declared);
    if (!Object.values(link.inputs).some(namesFirstElement)) return;
    for (let index = 1; index < maximumOfAnswer; index += 1) {
      const entries = Object.entries(link.inputs).map(([property, expression]) => [
        property,
        namesFirstElement(expression)
          ? expression.replace(firstElement, (first) => first.replace("0", String(index)))
          : expression,
      ]);
      this.#followOne(Object.fromEntries(entries), link.operation, operation, answer, ranks.name);
    }
  }

  #followOne(
    inputs: SuiteLink["inputs"],
    to: string,
    operation: LinkedOperation,
    answer: SeenAnswer,
    rank: Rank,
  ): void {
    const target = this.#operations.get(to);
    if (target === undefined) return;
    const entries: (readonly [string, unknown])[] = [];
    for (const [property, expression] of Object.entries(inputs)) {
      const found = linkValueOf(expression, operation, answer);
      const slot = this.#slots.slotsOf(target.name).find(({ parameter }) => parameter.property === property);
      const fitting = slot === undefined ? found : this.#fittingWhole(slot, found);
      if (fitting === undefined || fitting === null) {
        // OpenRPC 1.3, section "Link Object": such a parameter is not passed.
        if (slot?.parameter.required === false) continue;
        return;
      }
      if (slot !== undefined) this.#addValue(slot.group, fitting, rank);
      entries.push([property, fitting]);
    }
    const linked = Object.fromEntries(entries);
    const whole = this.#completed(target, linked, (slot) => this.#best(slot));
    if (whole !== undefined) this.#addInput(target.name, whole, rank);
  }

  #fittingWhole(slot: Slot, value: unknown): unknown {
    if (isValueOf(slot.parameter.type, value, this.#suite.types, "request")) return value;
    return this.#slots.fitting(slot.group, Array.isArray(value) ? value[0] : value);
  }

  #collect(operation: LinkedOperation, answer: SeenAnswer): void {
    const { things, remote } = thingsAnswered(operation);
    const asked = this.#scopeOfInput(operation, answer.input);
    const collection: Collection = { counts: new Map(), named: new Set(), unnamed: [] };
    this.#collectScope(asked, collection);
    const source = { type: answer.type, value: answer.value, things, remoteThings: remote };
    for (const scope of scopesOf(source, this.#suite.types, asked)) this.#collectScope(scope, collection);
    const unnamed = collection.unnamed.filter(({ value }) => !collection.named.has(value));
    for (const leaf of unnamed.slice(0, maximumTold)) this.#collectTold(leaf, collection);
  }

  /** What was asked for belongs to what was answered. */
  #scopeOfInput(operation: LinkedOperation, input: Input): Scope {
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
        const isFull = countOf(collection, group, named) >= maximumOfAnswer;
        const value = isFull ? undefined : this.#slots.fitting(group, leaf.value);
        isNamed ||= named <= ranks.similar && (isFull || value !== undefined);
        if (value === undefined) continue;
        const rank = rankOfValue(named, value, leaf);
        take(collection, group, named);
        this.#addValue(group, value, rank);
        addScope(
          listIn(this.#scopes, group, () => []),
          { value: scope, rank },
        );
      }
      if (isNamed && typeof leaf.value === "string") collection.named.add(leaf.value);
      else if (isGenericName(leaf.name) || leaf.isPlain) collection.unnamed.push(leaf);
    }
  }

  /** A value that no name leads to, for inputs whose type alone says what they are for. */
  #collectTold({ value }: Leaf, collection: Collection): void {
    if (typeof value !== "string") return;
    for (const group of this.#slots.tellingGroups(value)) {
      if (countOf(collection, group, ranks.pattern) >= maximumOfAnswer) continue;
      const fitting = this.#slots.fitting(group, value);
      if (fitting === undefined) continue;
      take(collection, group, ranks.pattern);
      this.#addValue(group, fitting, ranks.pattern);
    }
  }

  /** Inputs whose values are of one object, or of it and what holds it. */
  *#combined(operation: LinkedOperation): Iterable<Ranked<Input>> {
    const slots = this.#slots.slotsOf(operation.name);
    const required = slots.filter(({ parameter }) => parameter.required);
    const scopes = (required.length > 0 ? required : slots).flatMap(({ group }) => this.#scopes.get(group) ?? []);
    for (const { value: scope } of scopes.toSorted((left, right) => left.rank - right.rank)) {
      let worst = 0;
      const whole = this.#completed(operation, {}, (slot) => {
        const near = this.#nearest(slot.group, scope);
        const value = near?.value ?? this.#best(slot);
        const isChosen = near === undefined && (value !== undefined || this.#isNumber(slot));
        worst = Math.max(worst, isChosen ? ranks.generic : (near?.rank ?? 0));
        return value;
      });
      if (whole === undefined) continue;
      if (worst > 0) yield { value: whole, rank: worst };
      for (const [property, value] of this.#optionalNear(slots, scope, whole))
        yield { value: { ...whole, [property]: value }, rank: worst + ranks.pattern };
    }
  }

  #isNumber({ group, parameter }: Slot): boolean {
    return parameter.default === undefined && flatTypeOf(group.type, this.#suite.types).kind === "number";
  }

  /** Optional inputs that are of the same object as the required ones. */
  *#optionalNear(slots: readonly Slot[], scope: Scope, whole: Input): Iterable<readonly [string, unknown]> {
    for (const { parameter, group } of slots) {
      const { property, required } = parameter;
      if (required || Object.hasOwn(whole, property)) continue;
      const near = this.#nearest(group, scope);
      if (near !== undefined && near.rank < ranks.similar) yield [property, near.value];
    }
  }

  #nearest(group: SlotGroup, scope: Scope): Ranked<unknown> | undefined {
    let level = 0;
    for (let one: Scope | undefined = scope; one !== undefined; one = one.parent) {
      const found = this.#inScope(group, one);
      if (found !== undefined) return { value: found.value, rank: found.rank + level / 100 };
      level += 1;
    }
    return undefined;
  }

  #inScope(group: SlotGroup, scope: Scope): Ranked<unknown> | undefined {
    let best: Ranked<unknown> | undefined;
    for (const leaf of scope.leaves) {
      const named = this.#slots.matchesOf(leaf).get(group);
      if (named === undefined || (best !== undefined && best.rank <= named)) continue;
      const value = this.#slots.fitting(group, leaf.value);
      if (value !== undefined) best = { value, rank: rankOfValue(named, value, leaf) };
    }
    return best;
  }

  /** With all that an operation requires; undefined where something of it is not known. */
  #completed(operation: LinkedOperation, given: Input, find: (slot: Slot) => unknown): Input | undefined {
    const entries: (readonly [string, unknown])[] = Object.entries(given);
    const slots = new Map(this.#slots.slotsOf(operation.name).map((slot) => [slot.parameter.property, slot]));
    for (const parameter of operation.parameters) {
      if (!parameter.required || Object.hasOwn(given, parameter.property)) continue;
      const slot = slots.get(parameter.property);
      const value = (slot && find(slot)) ?? this.#invented(parameter, slot);
      if (value === undefined) return undefined;
      entries.push([parameter.property, value]);
    }
    return Object.fromEntries(entries);
  }

  #best(slot: Slot): unknown {
    return this.#values.get(slot.group)?.entries[0]?.value;
  }

  /** A value that any server takes: a documented one, or one of a type that names nothing. */
  #invented(parameter: SuiteParameter, slot: Slot | undefined): unknown {
    const { types } = this.#suite;
    const shown = [...(parameter.examples ?? []), ...(parameter.type.examples ?? []), parameter.default];
    const documented = shown.find((value) => value !== undefined && isValueOf(parameter.type, value, types, "request"));
    if (documented !== undefined) return documented;
    const { kind } = flatTypeOf(parameter.type, types);
    const namesThing =
      slot !== undefined && isGenericName(slot.group.bareName) && isIdentifyingName(slot.group.bareName);
    const isPlain =
      kind === "enumeration" ||
      kind === "boolean" ||
      (kind === "number" && !namesThing && !/id$/.test(slot?.group.name ?? ""));
    return isPlain ? sampleOf(parameter.type, types, createRandom(parameter.property)) : undefined;
  }

  #addValue(group: SlotGroup, value: unknown, rank: Rank): void {
    listIn(this.#values, group, () => new RankedList<unknown>()).add(value, rank);
  }

  #addInput(operation: string, input: Input, rank: number): void {
    listIn(this.#inputs, operation, () => new RankedList<Input>()).add(input, rank);
  }

  inputsOf(operation: string, most: number): readonly Input[] {
    return this.#rankedInputs(operation)
      .slice(0, most)
      .map(({ value }) => value);
  }

  #rankedInputs(name: string): readonly Ranked<Input>[] {
    const operation = this.#operations.get(name);
    if (operation === undefined) return [];
    const all = new RankedList<Input>();
    if (!operation.parameters.some(({ required }) => required)) all.add({}, -1);
    for (const { value, rank } of this.#inputs.get(name)?.entries ?? []) all.add(value, rank);
    for (const { value, rank } of this.#combined(operation)) all.add(value, rank);
    for (const { value, rank } of this.#independent(operation)) all.add(value, rank);
    return all.entries;
  }

  /** Each value of the required input that has the most, with the best of the others. */
  *#independent(operation: LinkedOperation): Iterable<Ranked<Input>> {
    const required = this.#slots.slotsOf(operation.name).filter(({ parameter }) => parameter.required);
    for (const slot of required) {
      for (const { value, rank } of this.#values.get(slot.group)?.entries ?? []) {
        const given = { [slot.parameter.property]: value };
        const whole = this.#completed(operation, given, (other) => this.#best(other));
        if (whole !== undefined)
          yield { value: whole, rank: required.length > 1 ? Math.max(rank, ranks.generic) : rank };
      }
    }
  }

  valuesOf(operation: string, parameter: Pick<SuiteParameter, "property">): readonly unknown[] {
    const slot = this.#slots.slotsOf(operation).find((one) => one.parameter.property === parameter.property);
    const entries = (slot && this.#values.get(slot.group)?.entries) ?? [];
    return entries.map(({ value }) => value);
  }

  goodInputsOf(operation: string): readonly Input[] {
    const documented = new Set(
      (this.#operations.get(operation)?.examples ?? []).map(({ input }) => canonicalText(input)),
    );
    const good = [...(this.#good.get(operation) ?? new Map<string, Input>())];
    const isDocumented = ([text]: readonly [string, Input]): boolean => documented.has(text);
    return [...good.filter(isDocumented), ...good.filter((one) => !isDocumented(one))].map(([, input]) => input);
  }

  answersOf(operation: string): readonly SeenAnswer[] {
    return this.#answers.get(operation) ?? [];
  }
}

/** The first element of a list, in an expression: a segment of a pointer, or an index. */
const firstElement = /\/0(?=\/|$)|\[0\]|\.0(?=[.}[]|$)/;

function namesFirstElement(expression: unknown): expression is string {
  return typeof expression === "string" && /\$response\.body#|result/.test(expression) && firstElement.test(expression);
}

/** How much of one answer was taken. */
interface Collection {
  /** By rank. */
  readonly counts: Map<SlotGroup, number[]>;
  /** Texts that their names lead to inputs. */
  readonly named: Set<unknown>;
  /** What is called nothing that would tell. */
  readonly unnamed: Leaf[];
}

function countOf({ counts }: Collection, group: SlotGroup, rank: Rank): number {
  return counts.get(group)?.[rank] ?? 0;
}

function take({ counts }: Collection, group: SlotGroup, rank: Rank): void {
  const ofGroup = listIn(counts, group, (): number[] => []);
  ofGroup[rank] = (ofGroup[rank] ?? 0) + 1;
}

/** A number that names a thing is not surely what a text asks for: an owner may have both an id and a login. */
function rankOfValue(rank: Rank, value: unknown, leaf: Leaf): Rank {
  return rank === ranks.identifier && typeof value === "string" && value !== leaf.value ? ranks.similar : rank;
}

/** The surest stay. */
function addScope(scopes: Ranked<Scope>[], one: Ranked<Scope>): void {
  const index = scopes.findIndex(({ rank }) => rank > one.rank);
  if (index === -1 && scopes.length >= maximumValues) return;
  scopes.splice(index === -1 ? scopes.length : index, 0, one);
  if (scopes.length > maximumValues) scopes.pop();
}

function listIn<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}
