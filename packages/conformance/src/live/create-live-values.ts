import { evaluateExpression } from "@nodewright/runtime";
import type { ConformanceSuite, SuiteLink, SuiteParameter } from "../suite/suite.ts";
import { canonicalText } from "../types/canonical-text.ts";
import { flatTypeOf } from "../types/flat-type.ts";
import { createRandom } from "../types/random.ts";
import { sampleOf } from "../types/sample-value.ts";
import { isValueOf } from "../types/violations.ts";
import { isScalar, type Leaf, type Scope, scopesOf } from "./leaves.ts";
import type { LiveValues, SeenAnswer } from "./live-values.ts";
import { isGenericName, isIdentifyingName } from "./names.ts";
import {
  type LinkedOperation,
  linkedOperations,
  type Rank,
  ranks,
  type Slot,
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
  readonly #values = new Map<Slot, RankedList<unknown>>();
  readonly #inputs = new Map<string, RankedList<Input>>();
  readonly #good = new Map<string, Map<string, Input>>();
  readonly #answers = new Map<string, SeenAnswer[]>();

  constructor(suite: ConformanceSuite) {
    this.#suite = suite;
    this.#operations = new Map(linkedOperations(suite).map((operation) => [operation.name, operation]));
    this.#slots = new SlotTable(suite);
  }

  see(answer: SeenAnswer): void {
    this.#keep(answer);
    const operation = this.#operations.get(answer.operation);
    if (operation === undefined) return;
    for (const link of operation.links) this.#follow(link, operation, answer);
    this.#collect(operation, answer);
  }

  #keep(answer: SeenAnswer): void {
    const good = listIn(this.#good, answer.operation, () => new Map<string, Input>());
    const text = canonicalText(answer.input);
    if (!good.has(text) && good.size < maximumValues) good.set(text, answer.input);
    const answers = listIn(this.#answers, answer.operation, (): SeenAnswer[] => []);
    if (answers.length < maximumAnswers) answers.push(answer);
  }

  #follow(link: SuiteLink, operation: LinkedOperation, { input, value }: SeenAnswer): void {
    const target = this.#operations.get(link.operation);
    if (target === undefined) return;
    const subject = {
      operation: {
        method: "method" in operation && "path" in operation ? operation.method : "POST",
        parameters: operation.parameters,
      },
      input,
      output: value,
      url: undefined,
      statusCode: undefined,
      requestHeaders: {},
      responseHeaders: {},
    } as const;
    const entries: (readonly [string, unknown])[] = [];
    for (const [property, expression] of Object.entries(link.inputs)) {
      const isExpression = typeof expression === "string" && expression.startsWith("$");
      const found = isExpression ? evaluateExpression(expression, subject) : expression;
      const slot = this.#slots.slotsOf(target.name).find(({ parameter }) => parameter.property === property);
      const fitting = slot === undefined ? found : this.#fittingWhole(slot, found);
      if (fitting === undefined || fitting === null) return;
      if (slot !== undefined) this.#addValue(slot, fitting, ranks.declared);
      entries.push([property, fitting]);
    }
    const linked = Object.fromEntries(entries);
    const whole = this.#completed(target, linked, (slot) => this.#best(slot));
    if (whole !== undefined) this.#addInput(target.name, whole, ranks.declared);
  }

  #fittingWhole(slot: Slot, value: unknown): unknown {
    if (isValueOf(slot.parameter.type, value, this.#suite.types, "request")) return value;
    return this.#slots.fitting(slot, Array.isArray(value) ? value[0] : value);
  }

  #collect(operation: LinkedOperation, answer: SeenAnswer): void {
    const { things, remote } = thingsAnswered(operation);
    const asked = this.#scopeOfInput(operation, answer.input);
    const collection: Collection = { perSlot: new Map(), perOperation: new Map(), named: new Set(), unnamed: [] };
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
      const value = slot.isList && Array.isArray(found) ? found[0] : found;
      if (!isScalar(value)) return [];
      return [{ name: slot.name, things: [], remoteThings: [], isFromInput: true, isPlain: false, value }];
    });
    return { parent: undefined, leaves };
  }

  #collectScope(scope: Scope, collection: Collection): void {
    const touched = new Set<string>();
    for (const leaf of scope.leaves) {
      const matches = this.#slots.matchesOf(leaf);
      let isNamed = false;
      for (const [slot, rank] of matches) {
        if (isFull(collection, slot, rank)) {
          isNamed ||= rank <= ranks.similar;
          continue;
        }
        const value = this.#slots.fitting(slot, leaf.value);
        if (value === undefined) continue;
        isNamed ||= rank <= ranks.similar;
        take(collection, slot, rank);
        this.#addValue(slot, value, rank);
        touched.add(slot.operation);
      }
      if (isNamed && typeof leaf.value === "string") collection.named.add(leaf.value);
      else if (isGenericName(leaf.name) || leaf.isPlain) collection.unnamed.push(leaf);
    }
    for (const operation of touched) this.#combine(operation, scope, collection);
  }

  /** A value that no name leads to, for slots whose type alone says what they are for. */
  #collectTold({ value }: Leaf, collection: Collection): void {
    if (typeof value !== "string") return;
    for (const slot of this.#slots.tellingSlots(value)) {
      if (isFull(collection, slot, ranks.pattern)) continue;
      const fitting = this.#slots.fitting(slot, value);
      if (fitting === undefined) continue;
      take(collection, slot, ranks.pattern);
      this.#addValue(slot, fitting, ranks.pattern);
    }
  }

  /** An input whose values are of one object, or of it and what holds it. */
  #combine(name: string, scope: Scope, collection: Collection): void {
    const operation = this.#operations.get(name);
    const combined = collection.perOperation.get(name) ?? 0;
    if (operation === undefined || combined >= maximumOfAnswer) return;
    collection.perOperation.set(name, combined + 1);
    let worst = 0;
    const whole = this.#completed(operation, {}, (slot) => {
      const near = this.#nearest(slot, scope);
      const value = near?.value ?? this.#best(slot);
      const isChosen = near === undefined && (value !== undefined || this.#isNumber(slot));
      worst = Math.max(worst, isChosen ? ranks.generic : (near?.rank ?? 0));
      return value;
    });
    if (whole === undefined || (worst === 0 && operation.parameters.some(({ required }) => required))) return;
    if (worst > 0) this.#addInput(name, whole, worst);
    for (const [property, value] of this.#optionalNear(name, scope, whole))
      this.#addInput(name, { ...whole, [property]: value }, worst + ranks.pattern);
  }

  #isNumber({ type, parameter }: Slot): boolean {
    return parameter.default === undefined && flatTypeOf(type, this.#suite.types).kind === "number";
  }

  /** Optional inputs that are of the same object as the required ones. */
  *#optionalNear(operation: string, scope: Scope, whole: Input): Iterable<readonly [string, unknown]> {
    for (const slot of this.#slots.slotsOf(operation)) {
      const { property, required } = slot.parameter;
      if (required || Object.hasOwn(whole, property)) continue;
      const near = this.#nearest(slot, scope);
      if (near !== undefined && near.rank < ranks.similar) yield [property, near.value];
    }
  }

  #nearest(slot: Slot, scope: Scope): Ranked<unknown> | undefined {
    let level = 0;
    for (let one: Scope | undefined = scope; one !== undefined; one = one.parent) {
      const found = this.#inScope(slot, one);
      if (found !== undefined) return { value: found.value, rank: found.rank + level / 100 };
      level += 1;
    }
    return undefined;
  }

  #inScope(slot: Slot, scope: Scope): Ranked<unknown> | undefined {
    let best: Ranked<unknown> | undefined;
    for (const leaf of scope.leaves) {
      const rank = this.#slots.matchesOf(leaf).get(slot);
      if (rank === undefined || (best !== undefined && best.rank <= rank)) continue;
      const value = this.#slots.fitting(slot, leaf.value);
      if (value !== undefined) best = { value, rank };
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
    return this.#values.get(slot)?.entries[0]?.value;
  }

  /** A value that any server takes: a documented one, or one of a type that names nothing. */
  #invented(parameter: SuiteParameter, slot: Slot | undefined): unknown {
    const { types } = this.#suite;
    const shown = [...(parameter.examples ?? []), ...(parameter.type.examples ?? []), parameter.default];
    const documented = shown.find((value) => value !== undefined && isValueOf(parameter.type, value, types, "request"));
    if (documented !== undefined) return documented;
    const { kind } = flatTypeOf(parameter.type, types);
    const namesThing = slot !== undefined && isGenericName(slot.bareName) && isIdentifyingName(slot.bareName);
    const isPlain =
      kind === "enumeration" ||
      kind === "boolean" ||
      (kind === "number" && !namesThing && !/id$/.test(slot?.name ?? ""));
    return isPlain ? sampleOf(parameter.type, types, createRandom(parameter.property)) : undefined;
  }

  #addValue(slot: Slot, value: unknown, rank: Rank): void {
    listIn(this.#values, slot, () => new RankedList<unknown>()).add(value, rank);
  }

  #addInput(operation: string, input: Input, rank: number): void {
    listIn(this.#inputs, operation, () => new RankedList<Input>()).add(input, rank);
  }

  inputsOf(operation: string, most: number): readonly Input[] {
    return this.#rankedInputs(operation)
      .slice(0, most)
      .map(({ value }) => value);
  }

  isSure(operation: string, input: Input): boolean {
    const text = canonicalText(input);
    const found = this.#rankedInputs(operation).find(({ value }) => canonicalText(value) === text);
    return found !== undefined && found.rank < ranks.similar;
  }

  #rankedInputs(name: string): readonly Ranked<Input>[] {
    const operation = this.#operations.get(name);
    if (operation === undefined) return [];
    const all = new RankedList<Input>();
    if (!operation.parameters.some(({ required }) => required)) all.add({}, -1);
    for (const { value, rank } of this.#inputs.get(name)?.entries ?? []) all.add(value, rank);
    for (const { value, rank } of this.#independent(operation)) all.add(value, rank);
    return all.entries;
  }

  /** Each value of the required input that has the most, with the best of the others. */
  *#independent(operation: LinkedOperation): Iterable<Ranked<Input>> {
    const required = this.#slots.slotsOf(operation.name).filter(({ parameter }) => parameter.required);
    for (const slot of required) {
      for (const { value, rank } of this.#values.get(slot)?.entries ?? []) {
        const given = { [slot.parameter.property]: value };
        const whole = this.#completed(operation, given, (other) => this.#best(other));
        if (whole !== undefined)
          yield { value: whole, rank: required.length > 1 ? Math.max(rank, ranks.generic) : rank };
      }
    }
  }

  valuesOf(operation: string, parameter: SuiteParameter): readonly unknown[] {
    const slot = this.#slots.slotsOf(operation).find((one) => one.parameter.property === parameter.property);
    const entries = (slot && this.#values.get(slot)?.entries) ?? [];
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

/** How much of one answer was taken. */
interface Collection {
  /** By rank. */
  readonly perSlot: Map<Slot, number[]>;
  readonly perOperation: Map<string, number>;
  /** Texts that their names lead to slots. */
  readonly named: Set<unknown>;
  /** What is called nothing that would tell. */
  readonly unnamed: Leaf[];
}

function isFull({ perSlot }: Collection, slot: Slot, rank: Rank): boolean {
  return (perSlot.get(slot)?.[rank] ?? 0) >= maximumOfAnswer;
}

function take({ perSlot }: Collection, slot: Slot, rank: Rank): void {
  const counts = listIn(perSlot, slot, (): number[] => []);
  counts[rank] = (counts[rank] ?? 0) + 1;
}

function listIn<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}
