import { canonicalText } from "@nodewright/api-model";
import type { ConformanceSuite, SuiteLink, SuiteParameter } from "../suite/suite.ts";
import { createRandom, flatTypeOf, isValueOf, sampleOf } from "@nodewright/api-values";
import { CollectedValues, getOrInsert, maximumOfResult, type Ranked, RankedList } from "./collected-values.ts";
import type { Scope } from "./leaves.ts";
import { linkValueOf } from "./link-value.ts";
import type { LiveValues, ObservedResult } from "./live-values.ts";
import { isIdentifyingName } from "./names.ts";
import { type LinkedOperation, linkedOperations, type Rank, ranks, type Slot, SlotTable } from "./slots.ts";

type Input = Readonly<Record<string, unknown>>;

const maximumInputs = 50;
const maximumResults = 24;

/** Values of a run. For GraphQL, whose fields are in its schema, only responses are kept. */
export class SuiteValues implements LiveValues {
  readonly #suite: ConformanceSuite;
  readonly #operations: ReadonlyMap<string, LinkedOperation>;
  readonly #slots: SlotTable;
  readonly #collected: CollectedValues;
  /** Inputs from links. */
  readonly #linked = new Map<string, RankedList<Input>>();
  readonly #good = new Map<string, Map<string, Input>>();
  readonly #responses = new Map<string, ObservedResult[]>();

  constructor(suite: ConformanceSuite) {
    this.#suite = suite;
    this.#operations = new Map(linkedOperations(suite).map((operation) => [operation.name, operation]));
    this.#slots = new SlotTable(linkedOperations(suite), suite.types);
    this.#collected = new CollectedValues(this.#slots, suite.types);
  }

  see(response: ObservedResult): void {
    const isSuccess = response.failure === undefined;
    if (isSuccess) this.#keep(response);
    const operation = this.#operations.get(response.operation);
    if (operation === undefined) return;
    for (const link of operation.links) if (link.status === response.failure) this.#follow(link, operation, response);
    if (isSuccess) this.#collected.collect(operation, response);
  }

  #keep(response: ObservedResult): void {
    const good = getOrInsert(this.#good, response.operation, () => new Map<string, Input>());
    const text = canonicalText(response.input);
    if (!good.has(text) && good.size < maximumInputs) good.set(text, response.input);
    const responses = getOrInsert(this.#responses, response.operation, (): ObservedResult[] => []);
    if (responses.length < maximumResults) responses.push(response);
  }

  /** Follows a link. A link from the first element of a list applies to each element. */
  #follow(link: SuiteLink, operation: LinkedOperation, response: ObservedResult): void {
    const isOfEach = Object.values(link.inputs).some((expression) => ofElement(expression, 1) !== expression);
    for (let index = 0; index < (isOfEach ? maximumOfResult : 1); index += 1) {
      const rank = index === 0 ? ranks.declared : ranks.name;
      this.#followOne(link, (value) => linkValueOf(ofElement(value, index), operation, response), rank);
    }
  }

  #followOne({ inputs, operation }: SuiteLink, evaluate: (expression: unknown) => unknown, rank: Rank): void {
    const target = this.#operations.get(operation);
    if (target === undefined) return;
    const linked: Record<string, unknown> = {};
    for (const [property, expression] of Object.entries(inputs)) {
      const found = evaluate(expression);
      const slot = this.#slots.slotsOf(target.name).find(({ parameter }) => parameter.property === property);
      const fitting = slot === undefined ? found : this.#slots.fittingWhole(slot.group, found);
      if (fitting === undefined || fitting === null) {
        // OpenRPC 1.3, section "Link Object": such a parameter is not passed.
        if (slot?.parameter.required === false) continue;
        return;
      }
      if (slot !== undefined) this.#collected.add(slot.group, fitting, rank);
      linked[property] = fitting;
    }
    const whole = this.#completed(target, linked, (slot) => this.#best(slot));
    if (whole !== undefined) getOrInsert(this.#linked, target.name, newInputs).add(whole, rank);
  }

  /** Yields inputs whose values come from one object, or from it and its parents. */
  *#combined(operation: LinkedOperation): Iterable<Ranked<Input>> {
    const slots = this.#slots.slotsOf(operation.name);
    const required = slots.filter(({ parameter }) => parameter.required);
    const scopes = (required.length > 0 ? required : slots).flatMap(({ group }) => this.#collected.scopesOf(group));
    for (const { value: scope } of scopes.toSorted((left, right) => left.rank - right.rank)) {
      let worst = 0;
      const whole = this.#completed(operation, {}, (slot) => {
        const near = this.#collected.nearest(slot.group, scope);
        const value = near?.value ?? this.#best(slot);
        const isChosen = near === undefined && (value !== undefined || this.#isNumber(slot));
        worst = Math.max(worst, isChosen ? ranks.generic : (near?.rank ?? 0));
        return value;
      });
      if (whole === undefined) continue;
      if (worst > 0) yield { value: whole, rank: worst };
      for (const further of this.#optionalNear(slots, scope, whole))
        yield { value: { ...whole, ...further }, rank: worst + ranks.pattern };
    }
  }

  #isNumber({ group, parameter }: Slot): boolean {
    return parameter.default === undefined && flatTypeOf(group.type, this.#suite.types).kind === "number";
  }

  /** Returns optional inputs from the same object as the required ones, each alone. */
  #optionalNear(slots: readonly Slot[], scope: Scope, whole: Input): readonly Input[] {
    return slots.flatMap(({ parameter: { property, required }, group }) => {
      if (required || Object.hasOwn(whole, property)) return [];
      const near = this.#collected.nearest(group, scope);
      return near !== undefined && near.rank < ranks.similar ? [{ [property]: near.value }] : [];
    });
  }

  /** Returns an input with all required parameters; undefined where a value of them is unknown. */
  #completed(operation: LinkedOperation, given: Input, find: (slot: Slot) => unknown): Input | undefined {
    const whole: Record<string, unknown> = { ...given };
    const slots = new Map(this.#slots.slotsOf(operation.name).map((slot) => [slot.parameter.property, slot]));
    for (const parameter of operation.parameters) {
      if (!parameter.required || Object.hasOwn(given, parameter.property)) continue;
      const slot = slots.get(parameter.property);
      const value = (slot && find(slot)) ?? this.#invented(parameter, slot);
      if (value === undefined) return undefined;
      whole[parameter.property] = value;
    }
    return whole;
  }

  #best(slot: Slot): unknown {
    return this.#collected.valuesOf(slot.group)[0]?.value;
  }

  /** Returns a value that any server accepts: a documented one, or one of a type that identifies nothing. */
  #invented({ type, property, examples = [], default: own }: SuiteParameter, slot: Slot | undefined): unknown {
    const { types } = this.#suite;
    const shown = [...examples, ...(type.examples ?? []), own];
    const documented = shown.find((value) => value !== undefined && isValueOf(type, value, types, "request"));
    if (documented !== undefined) return documented;
    const { kind } = flatTypeOf(type, types);
    const { bareName = "", name = "" } = slot?.group ?? {};
    const isPlain =
      kind === "enumeration" ||
      kind === "boolean" ||
      (kind === "number" && !isIdentifyingName(bareName) && !name.endsWith("id"));
    return isPlain ? sampleOf(type, types, createRandom(property)) : undefined;
  }

  inputsOf(name: string, most: number): readonly Input[] {
    const operation = this.#operations.get(name);
    if (operation === undefined) return [];
    const all = newInputs();
    if (!operation.parameters.some(({ required }) => required)) all.add({}, -1);
    const found = [this.#linked.get(name)?.entries ?? [], this.#combined(operation), this.#independent(operation)];
    for (const list of found) for (const { value, rank } of list) all.add(value, rank);
    return all.entries.slice(0, most).map(({ value }) => value);
  }

  /** Yields each value of a required input, with the best ones of the others. */
  *#independent(operation: LinkedOperation): Iterable<Ranked<Input>> {
    const required = this.#slots.slotsOf(operation.name).filter(({ parameter }) => parameter.required);
    const least = required.length > 1 ? ranks.generic : 0;
    for (const { group, parameter } of required) {
      for (const { value, rank } of this.#collected.valuesOf(group)) {
        const whole = this.#completed(operation, { [parameter.property]: value }, (other) => this.#best(other));
        if (whole !== undefined) yield { value: whole, rank: Math.max(rank, least) };
      }
    }
  }

  valuesOf(operation: string, parameter: Pick<SuiteParameter, "property">): readonly unknown[] {
    return this.#collected.rankedOf(operation, parameter.property).map(({ value }) => value);
  }

  goodInputsOf(operation: string): readonly Input[] {
    const examples = this.#operations.get(operation)?.examples ?? [];
    const documented = new Set(examples.map(({ input }) => canonicalText(input)));
    const good = [...(this.#good.get(operation) ?? [])];
    const [shown, others] = [true, false].map((isShown) => good.filter(([text]) => documented.has(text) === isShown));
    return [...(shown ?? []), ...(others ?? [])].map(([, input]) => input);
  }

  resultsOf(operation: string): readonly ObservedResult[] {
    return this.#responses.get(operation) ?? [];
  }
}

function newInputs(): RankedList<Input> {
  return new RankedList<Input>(canonicalText);
}

/** Reference to the first element of a list in an expression: a pointer segment, or an index. */
const firstElement = /\/0(?=\/|$)|\[0\]|\.0(?=[.}[]|$)/;

/** Returns an expression for another element in place of the first one. */
function ofElement(expression: unknown, index: number): unknown {
  return typeof expression === "string" && /\$response\.body#|result/.test(expression)
    ? expression.replace(firstElement, (first) => first.replace("0", String(index)))
    : expression;
}
